"""Threads about vLLM: what cannot sample is refused before a GPU is paid for."""

from pathlib import Path

import pytest

from tests.rollout.specs import found_in, sampling_spec
from tests.test_mixes import said


def test_field_77_a_server_that_shares_the_only_gpu_is_refused(tmp_path: Path) -> None:
    ((code, place, message, hint),) = found_in(tmp_path, sampling_spec('engine = "vllm-server"'))
    assert (code, place) == ("incompatible", '"vllm-server"')
    assert message == "a vLLM server needs a GPU of its own, and there is one GPU in all"
    assert 'engine = "vllm-colocate"' in hint


@pytest.mark.parametrize("engine", ["vllm-colocate", "vllm-server"])
def test_field_78_weights_of_four_bit_are_not_handed_to_vllm(tmp_path: Path, engine: str) -> None:
    text = sampling_spec(f'engine = "{engine}"', adapter="qlora", hardware="gpus = 4")
    ((code, _, message, hint),) = found_in(tmp_path, text)
    assert code == "incompatible"
    assert "`qlora`" in message
    assert 'kind = "lora"' in hint
    assert 'engine = "transformers"' in hint


def test_field_81_weights_are_gathered_once_and_not_for_every_token(tmp_path: Path) -> None:
    """The field that has each token gather them anew cannot be set."""
    text = sampling_spec(stage="[stages.reasoning.trainer]\nds3_gather_for_generation = false")
    (found,) = said(tmp_path, text)
    assert found == "owned-field: `ds3_gather_for_generation` cannot be set in `trainer`"
