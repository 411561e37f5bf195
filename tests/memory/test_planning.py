"""The memory of a stage in a plan: what is shown, tuned, warned of and refused."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from compiler.diagnostics import Diagnostic, Report, Stop
from compiler.memory import known_models
from compiler.memory.devices import MEMORY_CLASSES
from compiler.parse import parse
from compiler.plan.outline import Outline
from compiler.resolve import gather, outline_of
from compiler.rules import check_plan, check_spec
from compiler.source import SourceFile
from compiler.validate import validate
from spec_schema.hardware import Tier
from tests.projects import ROWS, SPEC, write_project

TIERS = [tier for tier in get_args(Tier) if tier != "cpu"]
MODELS = (
    *("Qwen/Qwen2.5-0.5B", "Qwen/Qwen2.5-1.5B", "meta-llama/Llama-3.2-3B", "Qwen/Qwen3-8B"),
    *("google/gemma-3-27b-it", "meta-llama/Llama-3.3-70B"),
)
LORA = '"\nadapter = { kind = "lora" }'
RECIPE = ("learning_rate", "max_length", "num_generations", "max_completion_length", "beta")


def spec_of(tier: str, base: str = "Qwen/Qwen2.5-0.5B", **steps: str) -> str:
    spec = SPEC.replace('tier = "cpu"', f'tier = "{tier}"')
    spec = spec.replace("Qwen/Qwen2.5-0.5B-Instruct", base)
    for old, new in steps.items():
        spec = spec.replace(old.replace("__", " = "), new)
    return spec


def with_lora(spec: str) -> str:
    return spec.replace('"\n[hardware]', LORA + "\n[hardware]")


def outlined(folder: Path, spec: str) -> tuple[Outline | None, list[Diagnostic]]:
    """The stages of a spec, None where it is refused before, with what is said of it."""
    (folder / "train.jsonl").write_text(ROWS)
    report = Report()
    try:
        document = parse(SourceFile(folder / "task.toml", "task.toml", spec), report)
        checked = validate(document, report)
        check_spec(checked, document, report)
        report.stop_if_errors()
    except Stop:
        return None, report.diagnostics
    outline = outline_of(gather(checked, folder))
    check_plan(outline, document, report)
    return outline, report.diagnostics


def codes(found: list[Diagnostic]) -> set[str]:
    return {each.code for each in found} & {"does-not-fit", "tight-memory"}


def on_tiers(folder: Path, spec: str, tiers: list[str]) -> Iterator[Outline]:
    """The stages of one spec on many tiers; the spec itself is for one with a GPU."""
    (folder / "train.jsonl").write_text(ROWS)
    report = Report()
    document = parse(SourceFile(folder / "task.toml", "task.toml", spec), report)
    inputs = gather(validate(document, report), folder)
    for tier in tiers:
        hardware = inputs.spec.hardware.model_copy(update={"tier": tier})
        yield outline_of(
            inputs._replace(spec=inputs.spec.model_copy(update={"hardware": hardware}))
        )


@pytest.mark.parametrize("base", MODELS)
@pytest.mark.parametrize("lora", [False, True])
def test_the_recipe_is_the_same_on_every_tier_or_the_stage_is_refused(
    tmp_path: Path, base: str, lora: bool
) -> None:
    """With a way out; what is accepted keeps TRL's rule of whole groups."""
    spec = with_lora(spec_of("24gb", base)) if lora else spec_of("24gb", base)
    recipes: set[tuple[object, ...]] = set()
    for outline in on_tiers(tmp_path, spec, TIERS):
        for stage in outline.stages:
            assert stage.memory is not None
            assert stage.memory.fit == "fits" or stage.memory.edits
            assert stage.batch.size == 2 * (stage.group or 1)
        recipes.add(tuple(stage.value(key) for stage in outline.stages for key in RECIPE))
    assert len(recipes) == 1


@pytest.mark.parametrize("base", MODELS)
@pytest.mark.parametrize("lora", [False, True])
def test_a_larger_gpu_never_fits_less(tmp_path: Path, base: str, lora: bool) -> None:
    order = ["does not fit", "tight", "fits"]
    spec = with_lora(spec_of("24gb", base)) if lora else spec_of("24gb", base)
    ranks = [
        min(order.index(stage.memory.fit) for stage in outline.stages if stage.memory)
        for outline in on_tiers(tmp_path, spec, [device.name for device in MEMORY_CLASSES])
    ]
    assert ranks == sorted(ranks)


def test_the_micro_batch_is_turned_down_until_it_fits_and_the_plan_says_so(tmp_path: Path) -> None:
    spec = with_lora(spec_of("24gb", "Qwen/Qwen3-8B")).replace(
        "prompts_per_step = 2\n[stages", "prompts_per_step = 4\nmax_length = 4096\n[stages"
    )
    page = (write_project(tmp_path / "project", spec) / "PLAN.md").read_text()
    assert "4 rows = 1 per device * 4 accumulation" in page
    assert "The micro-batch is 1 and not the tier's 4, which could take" in page


def test_where_the_usual_micro_batch_fits_it_is_kept(tmp_path: Path) -> None:
    outline, found = outlined(tmp_path, with_lora(spec_of("24gb", "Qwen/Qwen3-8B")))
    assert outline is not None
    assert not codes(found)
    assert "micro-batch" not in str([stage.mechanics.tuned for stage in outline.stages])
    assert [stage.batch.per_device for stage in outline.stages] == [2, 4]


def test_a_plan_shows_the_parts_the_range_and_the_lever(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project", with_lora(spec_of("rtx-4090", "Qwen/Qwen3-4B")))
    page = (project / "PLAN.md").read_text()
    assert "of 23.5 GiB; it fits." in page
    assert "\nweights" in page
    assert "\nfree" in page
    assert "The first lever is `" in page
    assert "one GPU of compute capability 8.9, with 23.5 GiB" in page


def test_a_plan_on_the_cpu_speaks_of_no_memory(tmp_path: Path) -> None:
    page = (write_project(tmp_path / "project") / "PLAN.md").read_text()
    assert "GiB" not in page
    assert "predicted" not in page


def test_a_base_of_unknown_size_is_said_not_to_be_predicted(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project", spec_of("24gb", "acme/thing"))
    assert "memory is not predicted" in (project / "PLAN.md").read_text()


def test_a_size_in_a_name_is_planned_from_and_said_to_be_assumed(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project", spec_of("24gb", "acme/thing-500m"))
    assert "Taken for qwen2.5-0.5b with 0.5e9 parameters" in (project / "PLAN.md").read_text()


def test_what_cannot_fit_is_an_error_at_the_tier_with_edits_that_mend_it(tmp_path: Path) -> None:
    spec = spec_of("24gb", "Qwen/Qwen2.5-7B")
    _, found = outlined(tmp_path, spec)
    [error] = [each for each in found if each.code == "does-not-fit"]
    assert error.place is not None
    assert spec[error.place.span.start : error.place.span.end] == '"24gb"'
    assert any(hint.startswith('with `adapter = { kind = "lora" }`') for hint in error.hints)
    assert any('`tier = "' in hint for hint in error.hints)
    _, mended = outlined(tmp_path, with_lora(spec))
    assert not codes(mended)


def test_field_74_longer_completions_make_a_plan_risky(tmp_path: Path) -> None:
    """On one card of 80 GB, from 4k to 16k tokens.

    The cache of transformers grows with all completions. vLLM has its share, and the plan makes
    room beside it.
    """
    spec = with_lora(spec_of("80gb", "Qwen/Qwen2.5-7B")).replace(
        "num_generations = 4", "num_generations = 32\nmax_completion_length = 4096"
    )
    outline, found = outlined(tmp_path, spec.replace("= 4096", "= 16384"))
    assert not codes(found)
    assert outline is not None
    assert outline.stages[1].batch.per_device == 2
    assert "which could take 229" in outline.stages[1].mechanics.tuned[0]
    spec = spec.replace("[data]", 'rollout = { engine = "transformers" }\n[data]', 1)
    assert not codes(outlined(tmp_path, spec)[1])
    _, found = outlined(tmp_path, spec.replace("= 4096", "= 16384"))
    assert codes(found) == {"tight-memory"}
    [warning] = [each for each in found if each.code == "tight-memory"]
    assert any("max_completion_length" in hint for hint in warning.hints)


def test_a_reward_model_counts_beside_the_policy(tmp_path: Path) -> None:
    reward = '[rewards.taste]\nkind = "reward_model"\nmodel = "acme/judge-8b"\nsquash = "sigmoid"\n'
    spec = with_lora(spec_of("80gb", "Qwen/Qwen2.5-7B"))
    plain, _ = outlined(tmp_path, spec)
    judged, found = outlined(tmp_path, spec.replace("[stages.warmup]", reward + "[stages.warmup]"))
    assert plain is not None
    assert judged is not None, found
    of_plain, of_judged = plain.stages[1].memory, judged.stages[1].memory
    assert of_plain is not None
    assert of_judged is not None
    assert dict(of_judged.parts)["reward models"] == 16e9
    assert of_judged.peak == of_plain.peak + 16e9
    assert judged.stages[0].memory == plain.stages[0].memory


def test_a_reference_is_a_second_copy_of_all_weights_but_not_with_an_adapter(
    tmp_path: Path,
) -> None:
    spec = spec_of("141gb", "Qwen/Qwen3-4B") + "beta = 0.04\n"
    full, _ = outlined(tmp_path, spec)
    lora, _ = outlined(tmp_path, with_lora(spec))
    assert full is not None
    assert lora is not None
    parts = [dict(each.stages[1].memory.parts) for each in (full, lora) if each.stages[1].memory]
    assert "reference model" in parts[0]
    assert "reference model" not in parts[1]


def test_a_model_of_unknown_size_is_asked_for_its_numbers_until_they_are_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = with_lora(spec_of("24gb", "acme/thing"))
    outline, found = outlined(tmp_path, spec)
    assert [each.code for each in found] == ["unknown-size"]
    assert outline is not None
    assert outline.stages[0].memory is None
    snapshot = tmp_path / "hub" / "models--acme--thing" / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    (snapshot.parents[1] / "refs").mkdir()
    (snapshot.parents[1] / "refs" / "main").write_text("abc")
    (snapshot / "config.json").write_text(json.dumps(known_models()[0]))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    outline, found = outlined(tmp_path, spec)
    assert found == []
    assert outline is not None
    assert outline.stages[0].memory is not None
