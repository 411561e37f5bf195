"""What `make gpu` runs, tried without a GPU: on tiny shapes a case compiles, trains, is timed."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from compiler.memory import DEVICES
from tests.gpu.cases import CASES, Case
from tests.gpu.measure import ROOT, STEPS, TABLE, measure, page, tier_of

TINY = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "vocab_size": 2048,
}


@pytest.mark.heavy
@pytest.mark.parametrize(
    "case",
    [
        Case("grpo", "qwen2.5-0.5b", "grpo", "lora", 16, 64, 8),
        Case("reward", "qwen2.5-0.5b", "reward", "lora", 4, 256),
    ],
    ids=lambda case: case.name,
)
def test_a_case_is_compiled_trained_and_timed(case: Case, tmp_path: Path) -> None:
    found = measure(case, "cpu", tmp_path, "cpu", **TINY)
    assert found.steps == STEPS
    assert found.seconds > 0
    assert (found.by_hand is not None) == (case.name == "grpo")


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_without_a_gpu_nothing_pretends() -> None:
    before = TABLE.read_bytes() if TABLE.is_file() else None
    done = subprocess.run(
        [sys.executable, "-m", "tests.gpu.measure"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "no GPU is at hand" in done.stderr
    assert (TABLE.read_bytes() if TABLE.is_file() else None) == before


@pytest.mark.parametrize(
    ("name", "gib", "tier"),
    [
        ("NVIDIA H200", 139.8, "h200"),
        ("NVIDIA H100 80GB HBM3", 79.1, "h100"),
        ("NVIDIA GeForce RTX 4090", 23.5, "rtx-4090"),
        ("NVIDIA A100-SXM4-80GB", 79.25, "80gb"),
        ("NVIDIA GB10", 119.7, "96gb"),
    ],
)
def test_a_gpu_is_planned_as_what_it_is(name: str, gib: float, tier: str) -> None:
    assert tier_of(name, round(gib * 2**30) + 1) == tier
    assert tier in DEVICES


def test_the_page_has_a_line_for_each_case() -> None:
    text = page("a GPU", ["| one |", "| two |"])
    assert text.endswith("| one |\n| two |\n")
    assert len({case.name for case in CASES}) == len(CASES)
