"""A step that several GPUs share: as large as on one, or refused with the nearest that can be."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from compiler.diagnostics import Diagnostic
from compiler.plan.mechanics import Batch
from compiler.plan.outline import Outline
from compiler.plan.stages import StagePlan
from tests.memory.test_planning import LORA, outlined, spec_of
from tests.projects import SPEC, write_project

GPUS = (1, 2, 3, 4, 6, 8, 12, 16)
PREFERENCES = """
spec = 1
[project]
name = "pairs"
[model]
base = "Qwen/Qwen2.5-1.5B"
adapter = { kind = "lora" }
[hardware]
tier = "80gb"
gpus = 8
[stages.tuning]
method = "METHOD"
prompts_per_step = 16
[stages.tuning.data]
train = { path = "rows.jsonl" }
columns = { COLUMNS }
"""


def rollout_of(gpus: int, prompts: int, group: int, more: str = "") -> str:
    spec = spec_of("80gb", "Qwen/Qwen2.5-1.5B").replace('"\n[hardware]', LORA + "\n[hardware]")
    spec = spec.replace('"80gb"', f'"80gb"\ngpus = {gpus}').replace('"warmup", ', "")
    spec = spec.replace('path = "train.jsonl"', 'hub = "acme/sums", split = "train"')
    step = f"prompts_per_step = {prompts}\nnum_generations = {group}\n{more}"
    return f'{spec.partition("[stages.warmup]")[0]}[stages.reasoning]\nmethod = "grpo"\n{step}'


def hints_at(spec: str, found: list[Diagnostic], text: str) -> tuple[str, ...]:
    """The hints of the one uneven step, which is told at this text."""
    [error] = [each for each in found if each.code == "uneven-step"]
    assert error.place is not None
    assert spec[error.place.span.start : error.place.span.end] == text
    return error.hints


def only_stage(outline: Outline | None) -> StagePlan:
    assert outline is not None
    [stage] = outline.stages
    return stage


def without_errors(found: list[Diagnostic]) -> bool:
    return not [each for each in found if each.severity.value == "error"]


@pytest.mark.parametrize("gpus", GPUS)
@pytest.mark.parametrize(("prompts", "group"), [(1, 2), (3, 4), (6, 8), (64, 16), (7, 3), (48, 5)])
def test_a_step_is_as_large_on_any_number_of_gpus_or_the_nearest_ones_are_named(
    tmp_path: Path, gpus: int, prompts: int, group: int
) -> None:
    spec = rollout_of(gpus, prompts, group)
    outline, found = outlined(tmp_path, spec)
    if prompts * group % gpus == 0:
        assert without_errors(found)
        stage = only_stage(outline)
        assert stage.batch.size == prompts * group
        assert stage.batch.processes == gpus
        return
    for hint in hints_at(spec, found, str(prompts)):
        for key, value in named_in(hint):
            mended, others = outlined(tmp_path, with_value(spec, key, value))
            assert without_errors(others), hint
            assert only_stage(mended).batch.size % group == 0 or key == "num_generations"


def named_in(hint: str) -> Iterator[tuple[str, str]]:
    """The edits that a hint names."""
    [key] = re.findall(r"`(\w+) = ", hint)
    values = re.findall(r"(\d+)`", hint)
    assert values
    return ((key, value) for value in values)


def with_value(spec: str, key: str, value: str) -> str:
    changed, count = re.subn(rf"(?m)^{key} = .*$", f"{key} = {value}", spec)
    assert count == 1
    return changed


def test_gpus_that_the_spec_does_not_share_steps_by_are_told_at_their_own_key(
    tmp_path: Path,
) -> None:
    spec = spec_of("80gb").replace('"80gb"', '"80gb"\ngpus = 5')
    spec = spec.replace("prompts_per_step = 2\n", "")
    spec = spec.replace('path = "train.jsonl"', 'hub = "acme/sums", split = "train"')
    found = outlined(tmp_path, spec)[1]
    errors = [each for each in found if each.code == "uneven-step"]
    assert {spec[e.place.span.start : e.place.span.end] for e in errors if e.place} == {"5"}


COLUMNS = {
    "sft": ("prompt", "completion"),
    "dpo": ("prompt", "chosen", "rejected"),
    "kto": ("prompt", "completion", "label"),
    "reward": ("prompt", "chosen", "rejected"),
}


def planned(
    folder: Path, method: str, gpus: int = 8, more: str = ""
) -> tuple[str, Outline | None, list[Diagnostic]]:
    columns = COLUMNS[method]
    row = {name: name == "label" or "text" for name in columns}
    (folder / "rows.jsonl").write_text(f"{json.dumps(row)}\n" * 64)
    named = ", ".join(f'{name} = "{name}"' for name in columns)
    spec = PREFERENCES.replace("METHOD", method).replace("COLUMNS", named)
    spec = spec.replace("gpus = 8", f"gpus = {gpus}").replace("prompts_per", f"{more}prompts_per")
    return spec, *outlined(folder, spec)


@pytest.mark.parametrize("method", COLUMNS)
def test_rows_and_pairs_are_shared_out_too(tmp_path: Path, method: str) -> None:
    _, outline, found = planned(tmp_path, method)
    assert without_errors(found), found
    assert only_stage(outline).batch == Batch(2, 1, 8)


def test_a_gpu_has_two_rows_of_kto_for_its_kl(tmp_path: Path) -> None:
    spec, _, found = planned(tmp_path, "kto", gpus=16)
    assert hints_at(spec, found, "16")[:2] == (
        "write `prompts_per_step = 32`",
        "or write `gpus = 8`",
    )


def test_a_loss_that_compares_the_pairs_of_a_step_has_one_gpu(tmp_path: Path) -> None:
    loss = 'loss_type = "aot"\n'
    spec, _, found = planned(tmp_path, "dpo", more=loss)
    assert hints_at(spec, found, "8")
    assert without_errors(planned(tmp_path, "dpo", gpus=1, more=loss)[2])


@pytest.mark.parametrize(
    ("gpus", "nodes", "hint"),
    [(8, 3, "`gpus` counts those of all machines: write `6` or `9`"), (1, 2, "write `2`")],
)
def test_machines_have_equally_many_gpus(tmp_path: Path, gpus: int, nodes: int, hint: str) -> None:
    spec = SPEC.replace('"cpu"', f'"80gb"\ngpus = {gpus}\nnodes = {nodes}\nlauncher = "slurm"')
    [error] = outlined(tmp_path, spec)[1]
    assert error.code == "bad-value"
    assert hint in error.hints[0]


def test_a_cpu_is_one_device(tmp_path: Path) -> None:
    [error] = outlined(tmp_path, SPEC.replace('"cpu"', '"cpu"\ngpus = 2'))[1]
    assert error.code == "conflicting-keys"


def test_a_config_and_a_plan_say_how_the_step_is_shared(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project", rollout_of(8, 16, 8, "steps = 10\n"))
    script, page = ((project / name).read_text() for name in ("train_reasoning.py", "PLAN.md"))
    assert (
        "# 16 prompts * 8 generations = 128 completions a step = 16 per device * 1 accumulation "
        "* 8 GPUs" in script
    )
    assert "= 128 completions = 16 per device * 1 accumulation * 8 GPUs, at most" in page
