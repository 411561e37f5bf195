"""Batches on one GPU and on several: field.md, section 4."""

from pathlib import Path

import pytest

from tests.memory.configs import constructed
from tests.memory.test_planning import outlined
from tests.memory.test_sharing import only_stage, rollout_of, without_errors
from tests.projects import write_project

HELD_OUT = "\n[data.eval]\nholdout = 0.1\n[run]\neval_every = 10\n"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("1", "2 or more"),
        ("0", "2 or more"),
        ("2.0", "a whole number"),
        ('"8"', "a whole number"),
    ],
)
def test_field_71_a_group_of_one_is_refused_for_its_own_reason(
    tmp_path: Path, written: str, said: str
) -> None:
    spec = rollout_of(1, 8, 8).replace("num_generations = 8", f"num_generations = {written}")
    outline, found = outlined(tmp_path, spec)
    assert outline is None
    [error] = found
    assert error.place is not None
    assert spec[error.place.span.start : error.place.span.end] == written
    assert said in f"{error.message} {error.label} {error.hints}"


@pytest.mark.parametrize(("gpus", "group"), [(1, 8), (2, 8), (3, 8), (6, 4), (16, 6)])
def test_field_72_the_batch_of_evaluation_holds_whole_groups_on_all_gpus(
    tmp_path: Path, gpus: int, group: int
) -> None:
    """It is not the user's to write; TRL takes the one that is written for him."""
    spec = rollout_of(gpus, 24, group) + HELD_OUT
    outline, found = outlined(tmp_path, spec)
    assert without_errors(found), found
    config = constructed(only_stage(outline), str(tmp_path))
    assert config.per_device_eval_batch_size * gpus % group == 0
    assert config.generation_batch_size == 24 * group
    written = "num_generations", "trainer = { per_device_eval_batch_size = 1 }\nnum_generations"
    _, found = outlined(tmp_path, spec.replace(*written))
    assert {each.code for each in found} == {"owned-field"}


def test_field_177_a_plan_counts_prompts_and_completions_and_steps(tmp_path: Path) -> None:
    """The batch is of completions; `tests/distributed` has what a run makes of it."""
    rows = "".join(f'{{"question": "{n}+{n}?", "answer": "{2 * n}"}}\n' for n in range(1000))
    spec = rollout_of(1, 8, 8, "epochs = 1\n").replace('"80gb"', '"40gb"')
    spec = spec.replace('hub = "acme/sums", split = "train"', 'path = "train.jsonl"')
    page = (write_project(tmp_path / "project", spec, train__jsonl=rows) / "PLAN.md").read_text()
    assert (
        "One optimizer step takes 8 prompts * 8 generations = 64 completions = 8 per device * 8 "
        "accumulation, at most 65,536 tokens. Each of its 8 micro-steps takes 1 prompt. 1 epoch "
        "of 1000 rows are 125 steps." in page
    )
