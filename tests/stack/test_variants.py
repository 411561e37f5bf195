"""The version sets of a stack: their tables against real packages, their locks, their choice."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from compiler.resolve import version_set
from compiler.stack import Stack, Variant, check_trainer_entry, known_stacks, load_stack
from compiler.stack.losses import read_losses
from compiler.stack_choice import variant_of
from tests.command_line import Run
from tests.stack.releases import VARIANTS, differing

ROOT = pathlib.Path(__file__).parents[2]
SCRIPT = ROOT / "tests" / "stack" / "extract_fields.py"
FOLDER = ROOT / "compiler" / "stack"

# What the wheels of these releases say of the others' versions in their metadata; of Unsloth and
# TRL without the single releases that they leave out.
NEEDS = {
    "trl==1.16.0": "accelerate>=1.10.1 datasets>=4.7.0 transformers>=4.56.2 peft>=0.13.0 "
    "deepspeed>=0.18.6 bitsandbytes>=0.45.1 vllm>=0.22.0,<=0.31.0",
    "trl==1.15.0": "accelerate>=1.4.0 datasets>=4.7.0 transformers>=4.56.2 peft>=0.13.0 "
    "vllm>=0.21.0,<=0.31.0",
    "vllm==0.31.0": "torch==2.13.0 torchvision==0.28.0 transformers>=5.10.4,<5.18.0",
    "unsloth==2026.10.9": "unsloth-zoo>=2026.10.9 torch>=2.4.0,<2.15.0 datasets>=3.4.1,<5.0.0 "
    "transformers>=4.52.4,<=5.17.0 trl>=0.18.2,<=1.15.0 peft>=0.18.0 accelerate>=0.34.1 "
    "bitsandbytes>=0.45.5",
    "unsloth-zoo==2026.10.9": "torch>=2.4.0,<2.15.0 datasets>=3.4.1,<5.0.0 "
    "transformers>=4.52.4,<=5.17.0 trl>=0.18.2,<=1.15.0 peft>=0.18.0 accelerate>=0.34.1",
}


def lock(variant: Variant) -> dict[str, str]:
    """The version of each package in a set's lock."""
    text = (FOLDER / "locks" / f"trl-1.16-{variant}.txt").read_text(encoding="utf-8")
    pairs = (line.split("==") for line in text.splitlines() if not line.startswith("#"))
    return dict(pairs)


def needs(stack: Stack) -> dict[str, list[Requirement]]:
    """What the packages of a set ask of each other, by the package that asks."""
    tested = {f"{name}=={package.tested}": name for name, package in stack.all_packages.items()}
    return {
        name: [Requirement(text) for text in NEEDS[release].split()]
        for release, name in tested.items()
        if release in NEEDS
    }


def python_with(stack: Stack) -> str:
    """A Python that has the packages of a set which decide on the fields, else skips."""
    made = ROOT / "build" / f"fields-{stack.variant}" / "bin" / "python"
    if made.exists():
        return str(made)
    if (reason := differing(stack)) is not None:
        pytest.skip(f"{reason}; `make fields` makes an environment")
    return sys.executable


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_table_is_what_the_installed_releases_give(
    variant: Variant, tmp_path: pathlib.Path
) -> None:
    python, output = python_with(load_stack(variant=variant)), tmp_path / "table.json"
    command = [python, SCRIPT, "--variant", variant, "--output", output]
    subprocess.run(command, check=True, capture_output=True)
    name = "trl-1.16" if variant == "plain" else f"trl-1.16-{variant}"
    assert output.read_bytes() == (FOLDER / f"{name}.json").read_bytes()


@pytest.mark.heavy
@pytest.mark.parametrize("example", ["chain", "preferences"])
def test_a_project_of_the_set_with_vllm_passes_its_tests_in_its_versions(
    example: str, tmp_path: pathlib.Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = python_with(load_stack(variant="vllm"))
    shutil.copyfile(ROOT / "examples" / example / "task.toml", tmp_path / "task.toml")
    shutil.copytree(ROOT / "examples" / example / "data", tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(version_set, "variant_of", lambda _, __: "vllm")
    assert run("compile", "--here").code == 0
    assert '"transformers>=5.17,<5.25"' in (tmp_path / "pyproject.toml").read_text()
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "HF_HUB_OFFLINE": "1"}
    environment.pop("PYTHONPATH", None)
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.parametrize("name", known_stacks())
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_stack_has_every_variant(name: str, variant: Variant) -> None:
    stack = load_stack(name, variant)
    assert (stack.name, stack.variant) == (name, variant)
    assert set(stack.own) == set(stack.configs) == set(load_stack(name).configs)


def test_a_variant_that_is_none_is_no_path() -> None:
    with pytest.raises(ValueError, match="no variant"):
        load_stack(variant="../plain")  # pyright: ignore[reportArgumentType]  # what the types forbid is tried


@pytest.mark.parametrize(
    ("backend", "engines", "variant"),
    [
        ("trl", [], "plain"),
        ("trl", ["transformers", "transformers"], "plain"),
        ("trl", ["transformers", "vllm-colocate"], "vllm"),
        ("trl", ["vllm-server"], "vllm"),
        ("unsloth", [], "unsloth"),
        ("unsloth", ["vllm-colocate"], "unsloth"),
    ],
)
def test_a_project_is_one_environment(backend: str, engines: list[str], variant: Variant) -> None:
    assert variant_of(backend, engines) == variant


# The tables


@pytest.mark.parametrize("variant", VARIANTS)
def test_activations_are_recomputed_by_a_field_that_is_there(variant: Variant) -> None:
    stack = load_stack(variant=variant)
    for method in stack.configs:
        assert stack.field(method, stack.checkpointing) is not None
    renamed = stack.packages["transformers"].tested == "5.24.0"
    assert stack.checkpointing.startswith("activation" if renamed else "gradient")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("field", ["activation_checkpointing", "gradient_checkpointing_kwargs"])
def test_recomputing_is_the_tiers_by_either_name(variant: Variant, field: str) -> None:
    finding = check_trainer_entry(load_stack(variant=variant), "sft", field, value=True)
    assert finding is not None
    assert finding.hint is not None
    assert "the tier decides" in finding.hint


def test_a_field_has_the_values_of_its_own_release() -> None:
    plain, unsloth = load_stack(), load_stack(variant="unsloth")
    assert check_trainer_entry(plain, "sft", "pad_to_multiple_of", "auto") is None
    assert check_trainer_entry(unsloth, "sft", "pad_to_multiple_of", 8) is None
    finding = check_trainer_entry(unsloth, "sft", "pad_to_multiple_of", "auto")
    assert finding is not None
    assert finding.code == "wrong-type"


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("method", ["sft", "dpo", "kto", "grpo"])
def test_every_field_that_a_loss_wants_is_in_every_set(variant: Variant, method: str) -> None:
    stack = load_stack(variant=variant)
    for loss in read_losses(method):
        for field in loss.wants:
            assert stack.field(method, field) is not None, (loss.name, field)


# The locks


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_lock_has_what_the_set_was_tested_with(variant: Variant) -> None:
    stack, locked = load_stack(variant=variant), lock(variant)
    for name, package in stack.all_packages.items():
        assert locked[name] == package.tested
        assert Requirement(stack.versions[name]).specifier.contains(package.tested), name
    assert list(locked) == sorted(locked)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_packages_of_a_lock_take_each_other(variant: Variant) -> None:
    locked = lock(variant)
    for name, wanted in needs(load_stack(variant=variant)).items():
        for each in wanted:
            if each.name in locked:
                assert each.specifier.contains(locked[each.name]), f"{name} wants {each}"


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_range_lets_in_a_patch_that_another_package_refuses(variant: Variant) -> None:
    stack = load_stack(variant=variant)
    # vLLM is an extra, with which the installer narrows the ranges of the others.
    always = stack.packages.keys() - {"vllm"}
    asked = [each for name, wanted in needs(stack).items() if name in always for each in wanted]
    for each in asked:
        if each.name not in stack.packages:
            continue
        release = Version(stack.packages[each.name].tested).release
        patch = ".".join(map(str, (*release[:-1], release[-1] + 1)))
        if Requirement(stack.versions[each.name]).specifier.contains(patch):
            assert each.specifier.contains(patch), f"{each} refuses {patch}"


def test_no_lock_names_where_it_was_made() -> None:
    for path in (FOLDER / "locks").iterdir():
        entries = [line for line in path.read_text().splitlines() if not line.startswith("#")]
        assert all(entry.count("==") == 1 and not set(entry) & set(" /@;+") for entry in entries)
