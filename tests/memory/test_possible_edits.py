"""The edits that are offered where a stage does not fit: none that would be refused itself."""

from pathlib import Path

import pytest

from compiler.diagnostics import Report
from compiler.parse import parse
from compiler.resolve import gather
from compiler.resolve.levers import first_lever
from compiler.source import SourceFile
from compiler.validate import validate
from tests.memory.test_planning import LORA
from tests.memory.test_sharing import rollout_of
from tests.memory.test_tuning import planned

SMALL, MIDDLE, LARGE = "Qwen/Qwen2.5-0.5B", "Qwen/Qwen2.5-1.5B", "Qwen/Qwen2.5-7B"


def offered(folder: Path, base: str, tier: str, adapter: str = "", **hardware: object) -> str:
    """The edits that mend a stage of long completions, each on a line."""
    stage = planned(folder, base, tier, adapter, "max_completion_length = 2048", **hardware)
    assert stage.memory is not None
    return "\n".join(stage.memory.edits)


@pytest.mark.parametrize("adapter", ["", "lora"])
def test_an_apple_chip_stays_one_and_has_no_4_bit(tmp_path: Path, adapter: str) -> None:
    told = offered(tmp_path, SMALL, "apple", adapter)
    assert "`prompts_per_step = " in told
    assert "gpus" not in told
    assert "it fits `tier = " in told
    assert "qlora" not in told


def test_unsloth_stays_on_one_gpu(tmp_path: Path) -> None:
    told = offered(tmp_path, MIDDLE, "t4", backend="unsloth")
    assert "it fits `tier = " in told
    assert "gpus" not in told
    assert "`gpus = " in offered(tmp_path, MIDDLE, "t4")


def test_no_machine_is_offered_more_than_eight_gpus(tmp_path: Path) -> None:
    assert "gpus = 16" not in offered(tmp_path, LARGE, "24gb")


def test_what_a_server_cannot_sample_from_is_no_lever(tmp_path: Path) -> None:
    spec = rollout_of(8, 16, 8).replace(LORA, '"').replace(MIDDLE, LARGE)
    spec = spec.replace("gpus = 8", 'gpus = 8\nrollout = { engine = "vllm-server" }')
    document = parse(SourceFile(tmp_path / "task.toml", "task.toml", spec), Report())
    lever = first_lever(gather(validate(document, Report()), tmp_path), "reasoning")
    assert lever is not None
    assert lever.text == '`adapter = { kind = "lora" }`'


def test_an_adapter_is_offered_with_another_tier_only_where_that_is_a_smaller_one(
    tmp_path: Path,
) -> None:
    # Beside 4-bit weights vLLM cannot sample, and transformers needs more for it.
    told = offered(tmp_path, "Qwen/Qwen2.5-3B", "apple", "lora")
    assert "it fits `tier = " in told
    assert "qlora" not in told
