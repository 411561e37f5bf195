"""From the values of a document to a spec: every way of being wrong has a message with a place."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compiler.diagnostics import Diagnostic, Report, Stop
from compiler.parse import parse
from compiler.source import SourceFile
from compiler.unbuilt import find_unbuilt
from compiler.validate import validate
from spec_schema import TaskSpec

SPEC: dict[str, Any] = {
    "spec": 1,
    "project": {"name": "sums", "stages": ["warmup", "reasoning"]},
    "model": {"base": "./tiny-model", "adapter": {"kind": "lora", "r": 8}},
    "hardware": {"tier": "cpu"},
    "data": {
        "train": {"path": "train.jsonl", "where": {"level": {"at_most": 2}}},
        "eval": {"holdout": 0.1},
        "gold": {"column": "answer", "after": "####"},
        "fields": {"rationale": {"column": "answer", "before": "####"}},
    },
    "prompt": {"system": {"file": "system.txt"}, "user": "{question}", "shots": {"rows": [1]}},
    "answer": {"extract": "xml", "tag": "answer", "compare": "number", "tolerance": 0.1},
    "rewards": {
        "correct": 1.0,
        "rude": {"kind": "forbidden", "patterns": ["a"]},
        "units": {"kind": "python", "function": "mine.py:units", "range": [0, 1]},
    },
    "stages": {
        "warmup": {"method": "sft", "epochs": 1},
        "reasoning": {
            "method": "grpo",
            "rewards": {"correct": 1.0},
            "trainer": {"top_entropy_quantile": 0.2},
        },
    },
    "eval": {"minimum": {"correct": 0.5}},
    "run": {"tracking": {"to": "tensorboard"}},
}


def as_toml(value: object) -> str:
    """Write a value as TOML, tables inline."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {as_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(as_toml(each) for each in value) + "]"
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value)


def as_text(values: dict[str, Any]) -> str:
    """Write a spec as TOML, one line for each key of the top level."""
    return "".join(f"{json.dumps(key)} = {as_toml(value)}\n" for key, value in values.items())


def read(text: str) -> tuple[TaskSpec | None, list[Diagnostic]]:
    """Parse and validate a text; give the spec, or none, and all that was said."""
    report = Report()
    try:
        source = SourceFile(Path("task.toml"), "task.toml", text)
        return validate(parse(source, report), report), report.diagnostics
    except Stop:
        return None, report.diagnostics


def edited(path: str, value: object) -> str:
    """Write the spec with the value at a dotted path replaced; None removes the key."""
    values = copy.deepcopy(SPEC)
    *tables, key = path.split(".")
    table = values
    for name in tables:
        table = table.setdefault(name, {})
    if value is None:
        del table[key]
    else:
        table[key] = value
    return as_text(values)


def only(text: str) -> Diagnostic:
    """Give the one diagnostic that a text must have."""
    spec, (found,) = read(text)
    assert spec is None
    return found


def pointed_at(text: str, found: Diagnostic) -> str:
    """Give the characters that a diagnostic points at."""
    assert found.place is not None
    return text[found.place.span.start : found.place.span.end]


def test_a_good_spec_is_read_in_silence() -> None:
    spec, diagnostics = read(as_text(SPEC))
    assert spec is not None
    assert diagnostics == []


def test_a_misspelt_key_is_pointed_at_with_the_closest_name() -> None:
    text = edited("stages.reasoning.learning_rte", 1e-6)
    found = only(text)
    assert found.code == "unknown-key"
    assert found.message == "unknown key `learning_rte` in a `grpo` stage"
    assert found.label == "did you mean `learning_rate`?"
    assert pointed_at(text, found).strip('"') == "learning_rte"


def test_a_misspelt_required_key_is_not_also_missing() -> None:
    values = copy.deepcopy(SPEC)
    values["project"]["nmae"] = values["project"].pop("name")
    found = only(as_text(values))
    assert (found.code, found.label) == ("unknown-key", "did you mean `name`?")


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("stages.reasoning.lr", "learning_rate"),
        ("stages.reasoning.group_size", "num_generations"),
        ("stages.warmup.num_train_epochs", "epochs"),
        ("stages.warmup.per_device_train_batch_size", "prompts_per_step"),
        ("data.max_prompt_length", "max_prompt_tokens"),
        ("prompt.system_prompt", "system"),
        ("run.report_to", "tracking"),
    ],
)
def test_the_names_of_other_trainers_lead_to_ours(path: str, wanted: str) -> None:
    assert only(edited(path, 1)).label == f"did you mean `{wanted}`?"


def test_an_unknown_field_of_a_stage_is_sent_to_its_trainer_table() -> None:
    found = only(edited("stages.reasoning.warmup_ratio", 0.1))
    assert any("[stages.reasoning.trainer]" in hint for hint in found.hints)


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("top_entropy_quantile", "other fields of TRL's config stand in"),
        ("num_iterations", "other fields of TRL's config stand in"),
        ("max_prompt_length", "`[data] max_prompt_tokens`"),
        ("bf16", "the tier decides the precision"),
    ],
)
def test_a_field_of_trl_in_a_stage_is_not_taken_for_another_key(key: str, hint: str) -> None:
    found = only(edited(f"stages.reasoning.{key}", 1))
    assert found.code == "unknown-key"
    assert found.label is None
    assert hint in found.hints[0]


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("hardware.tier", 24, "`24gb`"),
        ("stages.reasoning.scale_rewards", True, "`group`, `batch` or `none`"),
        ("run.tracking", True, "`none`, `tensorboard`, `trackio` or `wandb`"),
        ("model.adapter.target_modules", "q_proj", "a list of names"),
    ],
)
def test_a_choice_is_listed_whatever_stands_in_its_place(
    path: str, value: object, said: str
) -> None:
    [hint] = only(edited(path, value)).hints
    assert hint.startswith("it can be ")
    assert said in hint


def test_a_word_of_a_paper_is_not_taken_for_the_one_that_looks_like_it() -> None:
    found = only(edited("stages.reasoning.loss_type", "gspo"))
    assert found.label is None
    assert "importance_sampling_level" in found.hints[1]


@pytest.mark.parametrize("path", ["model.adapter.target_modules", "answer.unit"])
def test_a_wrong_list_is_not_also_a_wrong_text(path: str) -> None:
    name = path.rpartition(".")[2]
    assert only(edited(path, [])).message == f"`{name}` is empty"
    assert only(edited(path, ["a", ""])).message == f"item 2 of `{name}` is empty"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("rewards.learning_rate", "`learning_rate` is a key of a stage, but stands in `[rewards]`"),
        ("stages.epochs", "`epochs` is a key of a stage, but stands in `[stages]`"),
        (
            "run.steps",
            "`steps` is a key of a stage or a schedule of a weight, but stands in `[run]`",
        ),
        (
            "stages.reasoning.max_length",
            (
                "`max_length` is a key of an `sft` stage, a `reward` stage, a `dpo` stage or a "
                "`kto` stage, not of a `grpo` stage"
            ),
        ),
        ("project.spec", "`spec` is a top-level key, but stands in `[project]`"),
        ("project.hardware", "`hardware` is a table of its own, but stands in `[project]`"),
        (
            "seed",
            "`seed` is a key of `[project]` or a reasoning-gym source, but stands at the top level",
        ),
        (
            "data.train.hub",
            "`path` is a key of a file source, not of a hub source",
        ),
    ],
)
def test_a_key_of_another_table_is_named_with_its_table(path: str, message: str) -> None:
    value: object = "a/b" if path == "data.train.hub" else 1
    found = only(edited(path, value))
    assert found.code == "misplaced-key"
    assert found.message == message


def test_a_version_below_a_header_is_misplaced_and_not_also_missing() -> None:
    text = '[project]\nname = "sums"\nspec = 1\n' + as_text(
        {key: value for key, value in SPEC.items() if key not in ("spec", "project")}
    ).replace('"model" = {', "[model]\n[ignored]\n#", 0)
    _, diagnostics = read(text)
    said = [found.message for found in diagnostics]
    assert "`spec` is a top-level key, but stands in `[project]`" in said
    assert not any("which version" in message for message in said)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("spec", "the spec does not say which version of the language it is in"),
        ("model", "the spec has no `[model]` table"),
        ("project.name", "`project` has no `name`"),
        ("stages.warmup.method", "`stages.warmup` has no `method`"),
        ("rewards.rude.kind", "`rewards.rude` has no `kind`"),
        ("rewards.units.range", "`rewards.units` has no `range`"),
        ("answer.tag", "`answer` has no `tag`"),
        ("data.train.path", "`data.train` names no source"),
    ],
)
def test_what_is_missing_is_named_at_its_table(path: str, message: str) -> None:
    found = only(edited(path, None))
    assert found.code == "missing-key"
    assert found.message == message
    assert found.hints


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("project.seed", "8", '`seed` is text (`"8"`), a whole number is wanted'),
        ("project.seed", True, "`seed` is a boolean (`true`), a whole number is wanted"),
        (
            "model.adapter.alpha",
            12.5,
            "`alpha` is a number with a fraction (`12.5`), a whole number is wanted",
        ),
        ("hardware.tier", 24, "`tier` is a whole number (`24`), text is wanted"),
        ("rewards.correct", "1", '`correct` is text (`"1"`), a number or a table is wanted'),
        (
            "rewards.rude.patterns",
            ["a", 1],
            "item 2 of `patterns` is a whole number (`1`), text is wanted",
        ),
        ("stages.warmup", [], "`warmup` is an array, a table is wanted"),
        ("stages.warmup.method", 1, "`method` is a whole number (`1`), text is wanted"),
        ("project", "sums", '`project` is text (`"sums"`), a table is wanted'),
        ("spec", "1", '`spec` is text (`"1"`), a whole number is wanted'),
        ("data.train.where.level.at_most", "2", '`at_most` is text (`"2"`), a number is wanted'),
        ("data.eval.holdout", "0.1", '`holdout` is text (`"0.1"`), a number is wanted'),
    ],
)
def test_a_value_of_another_type_is_named_with_both_types(
    path: str, value: object, message: str
) -> None:
    found = only(edited(path, value))
    assert found.code == "wrong-type"
    assert found.message == message


def test_the_mended_form_of_a_quoted_number_is_given() -> None:
    assert only(edited("project.seed", "8")).hints == ("without quotes it is one: write `8`",)
    assert only(edited("project.seed", "eight")).hints == ()
    assert only(edited("model.adapter", "lora")).hints == ('write `{ kind = "lora" }`',)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("hardware.tier", "24 gb", '`tier` cannot be `"24 gb"`'),
        ("stages.warmup.method", "grop", '`method` cannot be `"grop"`'),
        ("answer.extract", "boxd", '`extract` cannot be `"boxd"`'),
        ("answer.tag", "<answer>", '`tag` cannot be `"<answer>"`'),
        ("stages.reasoning.num_generations", 1, "`num_generations` is `1`, 2 or more is wanted"),
        ("rewards.correct", -1, "`correct` is `-1`, 0 or more is wanted"),
        ("rewards.units.range", [0], "`range` has fewer than 2 items"),
        ("data.eval.holdout", 1.5, "`holdout` is `1.5`, less than 1 is wanted"),
        ("prompt.user", "", "`user` is empty"),
        ("stages", {}, "`stages` is empty"),
        ("project.name", "-", '`name` cannot be `"-"`'),
        ("spec", 2, "`spec = 2` is no version of the language"),
        (
            "rewards.tidy",
            0.5,
            "`tidy` is no kind of reward, so a number alone does not say what it pays for",
        ),
        ("rewards.Tidy", {"kind": "correct"}, "`Tidy` is no name that can be used"),
    ],
)
def test_a_value_that_cannot_be_is_named_with_what_can(
    path: str, value: object, message: str
) -> None:
    found = only(edited(path, value))
    assert found.code == "bad-value"
    assert found.message == message


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("ppo", "TRL has dropped it; take `grpo` or `rloo`"),
        ("Online-DPO", "experimental in TRL"),
        ("IPO", '`loss_type = "ipo"`'),
        ("rejection_sampling", "`evaluate.py`"),
    ],
)
def test_a_method_that_the_language_lacks_leads_to_the_nearest_one(name: str, instead: str) -> None:
    found = only(edited("stages.reasoning.method", name))
    assert found.label is None
    assert any(instead in hint for hint in found.hints)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("model.trust_remote_code", True),
        ("hardware.tier", "p100"),
        ("hardware.tier", "gtx-1080-ti"),
        ("hardware.tier", "mi250"),
        ("hardware.tier", "rtx-3060-ti"),
        ("tools", ["search"]),
    ],
)
def test_what_is_not_built_is_refused_by_name_and_nothing_else_is_said(
    path: str, value: object
) -> None:
    found = only(edited(path, value))
    assert found.code == "not-built"
    assert "part of the language but not built in this version" in found.message
    assert found.hints


@pytest.mark.parametrize(("key", "value"), [("gate", True), ("adapter", "lora"), ("data", 3)])
def test_what_is_no_table_in_a_stage_is_not_called_misplaced(key: str, value: object) -> None:
    found = only(edited(f"stages.reasoning.{key}", value))
    assert found.code == "wrong-type"
    assert "a table is wanted" in found.message


def test_a_column_may_be_called_as_a_source_that_is_not_built() -> None:
    spec, _ = read(edited("data.train.where", {"reasoning_gym": {"equals": "chain_sum"}}))
    assert spec is not None


def test_a_good_spec_holds_nothing_that_is_not_built() -> None:
    assert list(find_unbuilt(SPEC)) == []


def test_all_errors_come_at_once_in_the_order_of_the_file() -> None:
    values = copy.deepcopy(SPEC)
    values["project"]["seed"] = "8"
    values["hardware"]["tier"] = "p100"
    values["answer"].pop("tag")
    values["stages"]["reasoning"]["learning_rte"] = 1.0
    _, diagnostics = read(as_text(values))
    assert [found.code for found in diagnostics] == [
        "wrong-type",
        "not-built",
        "missing-key",
        "unknown-key",
    ]


def test_a_very_long_key_does_not_flood_the_message() -> None:
    assert len(only(edited("project." + "k" * 100_000, 1)).message) < 200


def paths_of(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Give the path of every key and item under a value."""
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    found = [path] if path else []
    for key, child in inner:
        found += paths_of(child, (*path, key))
    return found


PLAIN_TEXT = st.text("abcxyz_ -.<>{}\"'\\é漢0123456789", max_size=12)
SCALARS = st.one_of(
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    PLAIN_TEXT,
    st.sampled_from(["sft", "grpo", "dpo", "xml", "json", "lora", "<sft>", "none", "correct"]),
)
KEYS = st.one_of(
    PLAIN_TEXT, st.sampled_from(["kind", "method", "rows", "hub", "spec", "<sft>", "stages"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)
EDITS = st.tuples(
    st.sampled_from(paths_of(SPEC)), st.sampled_from(["delete", "rename", "replace"]), KEYS, VALUES
)


def mutate(values: dict[str, Any], edits: list[tuple[Any, str, str, object]]) -> dict[str, Any]:
    """Apply edits to a copy, leaving out those whose place is gone."""
    result: Any = copy.deepcopy(values)
    for path, operation, key, value in edits:
        here = result
        for part in path[:-1]:
            is_there = isinstance(here, dict) and part in here
            is_item = isinstance(here, list) and isinstance(part, int) and part < len(here)
            here = here[part] if is_there or is_item else {}
        if isinstance(here, list) and isinstance(path[-1], int) and path[-1] < len(here):
            here[path[-1]] = value
        elif isinstance(here, dict) and path[-1] in here:
            old = here.pop(path[-1])
            if operation != "delete":
                here[key if operation == "rename" else path[-1]] = (
                    old if operation == "rename" else value
                )
    return result


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(EDITS, min_size=1, max_size=3))
def test_any_damage_to_a_spec_ends_in_a_spec_or_in_a_finding_inside_the_file(
    edits: list[tuple[Any, str, str, object]],
) -> None:
    text = as_text(mutate(SPEC, edits))
    spec, diagnostics = read(text)
    assert (spec is None) == bool(diagnostics)
    for found in diagnostics:
        assert found.place is not None
        assert 0 <= found.place.span.start <= found.place.span.end <= len(text)
