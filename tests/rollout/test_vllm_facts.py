"""What is written down of vLLM, held against the package where it is installed."""

import importlib

import pytest

from compiler.stack.vllm import SAMPLING_ARGUMENTS


def test_both_ways_to_vllm_take_the_sampling_arguments() -> None:
    beside = pytest.importorskip("vllm.sampling_params", reason="vLLM needs a GPU's machine")
    served = importlib.import_module("vllm.entrypoints.openai.completion.protocol")
    assert set(beside.SamplingParams.__struct_fields__) >= SAMPLING_ARGUMENTS
    assert set(served.CompletionRequest.model_fields) >= SAMPLING_ARGUMENTS
