"""What the compiler knows of TRL: the table of fields, and what stands in for a field."""

import pathlib
import subprocess
import sys
import tomllib
from typing import Any

import pytest

from compiler.stack import (
    Finding,
    check_trainer_entry,
    foreign_method,
    known_stacks,
    load_stack,
)

STACK_FOLDER = pathlib.Path(__file__).parents[2] / "compiler" / "stack"
METHODS = ("sft", "reward", "dpo", "kto", "grpo", "rloo")

stack = load_stack()


def entry(method: str, name: str, value: object) -> Finding:
    finding = check_trainer_entry(stack, method, name, value)
    assert finding is not None
    return finding


# The table


def test_every_stack_that_is_named_can_be_loaded() -> None:
    assert [load_stack(name).name for name in known_stacks()] == list(known_stacks())


def test_a_stack_that_is_not_named_is_no_path() -> None:
    with pytest.raises(ValueError, match="no stack is called"):
        load_stack("../../pyproject")


def test_a_field_knows_its_type_its_default_and_where_it_comes_from() -> None:
    beta = stack.field("grpo", "beta")
    rate = stack.field("grpo", "learning_rate")
    assert beta is not None
    assert rate is not None
    assert (beta.types, beta.default, beta.inherited) == (("float",), 0.0, False)
    assert (rate.types, rate.default, rate.inherited) == (("float",), 1e-6, True)
    assert stack.default("sft", "learning_rate") == 2e-5
    assert stack.field("sft", "beta") is None


def test_versions_are_requirements_of_a_project() -> None:
    assert stack.versions["trl"] == "trl>=1.16,<1.17"
    assert stack.packages["transformers"].tested == "5.24.0"


@pytest.mark.parametrize("method", METHODS)
def test_every_default_fits_its_own_field(method: str) -> None:
    for name in stack.fields(method):
        field = stack.field(method, name)
        assert field is not None
        if field.default is not None:
            assert field.accepts(field.default) is None, name
        else:
            assert "null" in field.types, name


def test_knowing_the_fields_imports_no_training_package() -> None:
    program = (
        "import sys, compiler.stack as stack\n"
        "stack.load_stack().owned('grpo', 'beta')\n"
        "heavy = {'torch', 'trl', 'transformers', 'datasets', 'peft', 'numpy', 'pydantic'}\n"
        "sys.exit(str(heavy & sys.modules.keys()) if heavy & sys.modules.keys() else 0)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


# Values against types


@pytest.mark.parametrize(
    ("method", "name", "value"),
    [
        ("grpo", "top_entropy_quantile", 0.2),
        ("grpo", "top_entropy_quantile", 1),
        ("grpo", "num_iterations", 2),
        ("grpo", "generation_kwargs", {"no_repeat_ngram_size": 3}),
        ("sft", "lr_scheduler_type", "cosine"),
        ("sft", "pad_to_multiple_of", 8),
        ("sft", "pad_to_multiple_of", "auto"),
        ("sft", "label_names", ["labels"]),
        ("sft", "packing", True),
        ("sft", "loss_type", "dft"),
    ],
)
def test_a_value_that_fits_is_let_through(method: str, name: str, value: object) -> None:
    assert check_trainer_entry(stack, method, name, value) is None


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("num_iterations", "2", '`num_iterations` takes a whole number, not `"2"`'),
        ("num_iterations", 2.0, "`num_iterations` takes a whole number, not `2.0`"),
        ("num_iterations", True, "`num_iterations` takes a whole number, not `true`"),
        ("epsilon", "0.2", '`epsilon` takes a number, not `"0.2"`'),
        ("epsilon", False, "`epsilon` takes a number, not `false`"),
        ("cast_lm_head_to_fp32", 1, "`cast_lm_head_to_fp32` takes `true` or `false`, not `1`"),
        ("metric_for_best_model", ["a"], "`metric_for_best_model` takes text, not an array"),
        ("label_names", [1], "`label_names` takes an array of text, not an array"),
        ("lr_scheduler_kwargs", "{}", '`lr_scheduler_kwargs` takes a table, not `"{}"`'),
        (
            "pad_to_multiple_of",
            {},
            "`pad_to_multiple_of` takes a whole number or text, not a table",
        ),
    ],
)
def test_a_value_of_another_type_is_refused_in_words(
    name: str, value: object, message: str
) -> None:
    finding = entry("grpo", name, value)
    assert (finding.code, finding.message) == ("wrong-type", message)


def test_a_name_that_is_no_member_gets_the_members_and_the_closest_one() -> None:
    finding = entry("grpo", "lr_scheduler_type", "cosin")
    assert finding.code == "bad-value"
    assert "`cosine`" in finding.message
    assert finding.hint == "did you mean `cosine`?"


def test_an_object_that_toml_cannot_write_is_said_to_be_one() -> None:
    field = stack.field("grpo", "parallelism_config")
    assert field is not None
    assert field.accepts({}) == "takes a Python object, which TOML cannot write"


# Names: unknown, retired, owned


def test_a_misspelt_field_gets_the_closest_one() -> None:
    finding = entry("grpo", "num_iteration", 2)
    assert finding.code == "unknown-field"
    assert finding.message == "GRPOConfig has no field `num_iteration`"
    assert finding.hint == "did you mean `num_iterations`?"
    assert entry("grpo", "lerning_rate", 1e-5).hint == "did you mean `learning_rate`?"


def test_a_field_of_another_config_is_named_as_such() -> None:
    hint = entry("grpo", "packing", value=True).hint
    assert hint is not None
    assert "SFTConfig" in hint


@pytest.mark.parametrize(
    ("method", "name", "instead"),
    [
        ("grpo", "max_prompt_length", "`[data] max_prompt_tokens`"),
        ("grpo", "warmup_ratio", "`warmup_steps` with a number below 1 is a share of the steps"),
        ("grpo", "kl_coef", "write `beta` in the stage"),
        ("grpo", "epsilon_low", "write `epsilon`"),
        ("grpo", "vllm_max_model_len", "`[hardware] rollout`"),
        ("sft", "max_seq_length", "write `max_length` in the stage"),
        ("sft", "evaluation_strategy", "`[run] eval_every`"),
        ("sft", "torch_dtype", "the tier decides the precision"),
        ("sft", "no_cuda", '`[hardware] tier = "cpu"`'),
        ("sft", "push_to_hub_token", "training pushes nothing"),
    ],
)
def test_a_retired_name_gets_its_replacement(method: str, name: str, instead: str) -> None:
    finding = entry(method, name, 1)
    assert finding.code == "retired-field"
    assert finding.hint is not None
    assert instead in finding.hint


def test_a_retired_value_gets_its_replacement() -> None:
    finding = entry("sft", "packing_strategy", "bfd-requeue")
    assert finding.code == "retired-field"
    assert finding.hint == 'write `packing_strategy = "bfd_split"`'


@pytest.mark.parametrize(
    ("method", "name", "instead"),
    [
        ("grpo", "per_device_train_batch_size", "`prompts_per_step`"),
        ("grpo", "reward_weights", "`[rewards]`"),
        ("grpo", "vllm_gpu_memory_utilization", "`[hardware] rollout`"),
        ("grpo", "use_transformers_paged", "`[hardware] rollout`"),
        ("grpo", "log_completions", "`[run] log_completions_every`"),
        ("sft", "max_steps", "`steps`"),
        ("sft", "seed", "`[project] seed`"),
        ("sft", "bf16", "the tier"),
        ("sft", "gradient_checkpointing_kwargs", "the tier"),
    ],
)
def test_a_field_that_the_spec_owns_names_the_key(method: str, name: str, instead: str) -> None:
    finding = entry(method, name, 1)
    assert finding.code == "owned-field"
    assert finding.hint is not None
    assert instead in finding.hint


def sentences(file: str) -> list[tuple[str, str, str]]:
    tables: dict[str, dict[str, Any]] = tomllib.loads((STACK_FOLDER / file).read_text("utf-8"))
    return [
        (method, name, sentence)
        for method, table in tables.items()
        if method not in ("values", "methods")
        for name, sentence in table.items()
    ]


@pytest.mark.parametrize(("method", "name", "sentence"), sentences("owned.toml"))
def test_an_owned_name_is_a_field(method: str, name: str, sentence: str) -> None:
    methods = METHODS if method == "all" else (method,)
    known = {field for each in methods for field in stack.fields(each)}
    assert any(field == name or field.startswith(name.rstrip("*")) for field in known)
    assert sentence[0] in "`abcdefghijklmnopqrstuvwxyz"
    assert not sentence.endswith(".")


@pytest.mark.parametrize(("method", "name", "sentence"), sentences("retired.toml"))
def test_a_retired_name_is_no_field(method: str, name: str, sentence: str) -> None:
    methods = METHODS if method == "all" else (method,)
    assert all(stack.field(each, name) is None for each in methods)
    assert sentence[0] in "`abcdefghijklmnopqrstuvwxyzT"
    assert not sentence.endswith(".")


def test_foreign_methods_are_none_of_ours_and_lead_to_one() -> None:
    methods = tomllib.loads((STACK_FOLDER / "retired.toml").read_text("utf-8"))["methods"]
    assert not methods.keys() & set(METHODS)
    for name, sentence in methods.items():
        assert foreign_method(name.upper().replace("_", "-")) == sentence
        assert not sentence.endswith(".")
        assert sentence.count("`") % 2 == 0
    assert foreign_method("no_such_method") is None


def test_a_key_of_the_stage_is_not_set_a_second_time() -> None:
    finding = check_trainer_entry(stack, "dpo", "beta", 0.1, keys=("beta",))
    assert finding is not None
    assert (finding.code, finding.hint) == ("owned-field", "write `beta` in the stage itself")
