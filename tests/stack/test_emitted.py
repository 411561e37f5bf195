"""What the compiler passes to a config is there in the TRL and transformers of the version set."""

from pathlib import Path

import pytest

from compiler.pipeline import Checked, Findings, check_file
from compiler.stack import Variant, load_stack
from tests.projects import ROWS
from tests.unsloth.specs import METHODS, PAIRS, spec_of

ROOT = Path(__file__).parents[2]
VLLM = '\nrollout = { engine = "vllm-colocate" }'


def checked(folder: Path, spec: str) -> Checked:
    (folder / "task.toml").write_text(spec)
    (folder / "train.jsonl").write_text(ROWS)
    (folder / "pairs.jsonl").write_text(PAIRS)
    return check_file(folder / "task.toml", [], Findings())


def assert_all_there(found: Checked, variant: Variant) -> None:
    """Every argument is a field of its set's table and has a value that the field takes."""
    assert found.outline.variant == variant
    stack = load_stack(variant=variant)
    for stage in found.outline.stages:
        assert stage.arguments
        for argument in stage.arguments:
            field = stack.field(stage.method, argument.name)
            assert field is not None, argument.name
            if argument.value.value is not None:
                assert field.accepts(argument.value.value) is None, argument.name


@pytest.mark.parametrize("kind", ["", "lora", "qlora", "dora"])
@pytest.mark.parametrize("method", METHODS)
def test_the_set_of_trl_has_all_that_is_passed(method: str, kind: str, tmp_path: Path) -> None:
    spec = spec_of(method, backend="trl", adapter=kind)
    plain = spec.replace("[data]", 'rollout = { engine = "transformers" }\n[data]')
    assert_all_there(checked(tmp_path, plain), "plain")


@pytest.mark.parametrize("example", ["arithmetic", "chain", "feedback", "gsm8k", "preferences"])
def test_the_set_of_trl_has_all_that_the_examples_pass(example: str) -> None:
    found = check_file(ROOT / "examples" / example / "task.toml", [], Findings())
    assert_all_there(found, found.outline.variant)


@pytest.mark.parametrize("kind", ["", "lora"])
@pytest.mark.parametrize("method", ["grpo", "rloo"])
def test_the_set_with_vllm_has_all_that_is_passed(method: str, kind: str, tmp_path: Path) -> None:
    spec = spec_of(method, backend='trl"' + VLLM + "\n#", adapter=kind)
    assert_all_there(checked(tmp_path, spec), "vllm")


@pytest.mark.parametrize("kind", ["lora", "qlora"])
@pytest.mark.parametrize("method", METHODS)
def test_the_set_of_unsloth_has_all_that_is_passed(method: str, kind: str, tmp_path: Path) -> None:
    assert_all_there(checked(tmp_path, spec_of(method, adapter=kind)), "unsloth")


def test_the_set_of_unsloth_has_all_that_is_passed_with_vllm(tmp_path: Path) -> None:
    spec = spec_of("grpo", backend='unsloth"' + VLLM + "\n#")
    assert_all_there(checked(tmp_path, spec), "unsloth")


def test_a_project_is_in_the_set_of_the_one_stage_that_samples_with_vllm(tmp_path: Path) -> None:
    spec = spec_of("sft", backend='trl"' + VLLM + "\n#")
    assert checked(tmp_path, spec).outline.variant == "plain"
    spec = spec.replace("[model]", 'stages = ["only", "after"]\n[model]')
    spec += '[stages.after]\nmethod = "grpo"\nnum_generations = 4\nprompts_per_step = 4\n'
    assert_all_there(checked(tmp_path, spec), "vllm")
