"""Rules over specs and plans: what they refuse, what they let pass, and that none falls over."""

import ast
import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compiler.diagnostics import Diagnostic, Report, Stop
from compiler.emit import emit
from compiler.layout import tags_of
from compiler.parse import parse
from compiler.plan.project import ProjectPlan
from compiler.resolve import gather, outline_of
from compiler.resolve.project import plan_project
from compiler.rules import check_plan, check_spec
from compiler.source import SourceFile
from compiler.validate import validate

ROWS = [{"question": f"1 + {n}", "answer": f"so #### {n + 1}", "level": 1} for n in range(40)]
SPEC: dict[str, Any] = {
    "spec": 1,
    "project": {"name": "sums", "stages": ["warmup", "reasoning"]},
    "model": {"base": "./tiny-model", "adapter": {"kind": "lora", "r": 8, "alpha": 16}},
    "hardware": {"tier": "24gb"},
    "data": {
        "train": {"path": "train.jsonl", "rows": 30, "where": {"level": {"at_most": 2}}},
        "eval": {"holdout": 0.1},
        "gold": {"column": "answer", "after": "####"},
        "fields": {"rationale": {"column": "answer", "before": "####"}},
    },
    "prompt": {
        "system": {"file": "system.txt"},
        "user": "{question}",
        "assistant": "<think>{rationale}</think>\n<answer>{gold}</answer>",
        "shots": {"rows": [1]},
    },
    "answer": {"extract": "xml", "tag": "answer", "compare": "number", "tolerance": 0.1},
    "rewards": {
        "correct": 5.0,
        "xml_tags": 0.5,
        "form": {"kind": "xml_format", "tags": ["think", "answer"], "weight": 0.5},
        "brief": {"kind": "length", "max_tokens": 200, "weight": 0.1},
        "rude": {"kind": "forbidden", "patterns": ["(?i)as an ai"], "weight": 0.1},
        "units": {"kind": "python", "function": "mine.py:units", "range": [0, 1]},
    },
    "stages": {
        "warmup": {"method": "sft", "epochs": 1.5},
        "reasoning": {
            "method": "grpo",
            "steps": 10,
            "prompts_per_step": 8,
            "learning_rate": 1e-5,
            "trainer": {"top_p": 0.9, "warmup_steps": 5, "logging_steps": 1},
        },
    },
    "eval": {"samples": 2, "minimum": {"correct": 0.5}},
    "run": {"tracking": {"to": "tensorboard"}, "eval_every": 5},
}
MINE = """
def units(completions, gold, level, **kwargs):
    return [0.0 for _ in completions]


def load():
    return None
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the spec names, for tests that write nothing."""
    path = tmp_path_factory.mktemp("spec")
    (path / "train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    (path / "eval.csv").write_text("question,answer,level\n9 + 9,so #### 18,1\n")
    (path / "system.txt").write_text("Think in <think></think>, answer in <answer></answer>.\n")
    (path / "mine.py").write_text(MINE)
    return path


def as_toml(value: object) -> str:
    """Write a value as TOML, tables inline."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {as_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(as_toml(each) for each in value) + "]"
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value, ensure_ascii=False)


def edited(changes: dict[str, object]) -> dict[str, Any]:
    """The spec with the values at dotted paths replaced; None removes a key."""
    values = copy.deepcopy(SPEC)
    for path, value in changes.items():
        *tables, key = path.split(".")
        table = values
        for name in tables:
            table = table.setdefault(name, {})
        if value is None:
            table.pop(key, None)
        else:
            table[key] = value
    return values


def run(values: dict[str, Any], folder: Path) -> tuple[ProjectPlan | None, list[Diagnostic]]:
    """Take a spec up to its plan, and give all that was said of it."""
    text = "".join(f"{json.dumps(key)} = {as_toml(value)}\n" for key, value in values.items())
    report = Report()
    try:
        document = parse(SourceFile(folder / "task.toml", "task.toml", text), report)
        spec = validate(document, report)
        check_spec(spec, document, report)
        report.stop_if_errors()
        inputs = gather(spec, document.source.path.parent)
        outline = outline_of(inputs)
        check_plan(outline, document, report)
        plan = plan_project(inputs, outline, document)
        assert outline.written_files == {file.path for file in plan.files}
    except Stop:
        return None, report.diagnostics
    return plan, report.diagnostics


def said(changes: dict[str, object], folder: Path) -> list[str]:
    """What is said of an edited spec, with the places left out."""
    return [f"{found.code}: {found.message}" for found in run(edited(changes), folder)[1]]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"model.base": "../elsewhere/model"},
        {"model.base": "smollm2-135m-instruct"},
        {"rewards.correct": 0.0, "stages.reasoning.rewards": {"correct": 1.0, "xml_tags": 0.5}}
        | {
            "rewards.form": None,
            "rewards.brief": None,
            "rewards.rude": None,
            "rewards.units": None,
        },
        {"rewards.short": {"kind": "length", "max_characters": 900}},
        {"project.stages": ["reasoning", "warmup"]},
        {"data.train": {"hub": "openai/gsm8k", "config": "main"}, "data.eval.by": None},
        {"data.train": {"python": "mine.py:load"}},
        {"data.eval": {"path": "eval.csv"}},
        {"data.fields.question": {"column": "question", "before": "+"}},
        # Marks that a column brings, and answers whose form only the rows know.
        {"prompt.assistant": "{answer}", "answer": {"extract": "after", "marker": "####"}},
        {"prompt.assistant": "{rationale}\n#### {gold}"}
        | {"answer": {"extract": "after", "marker": "####"}}
        | {"rewards.xml_tags": None, "rewards.form": None},
        {"prompt.assistant": "{level} (yes|no): {gold}!"}
        | {"answer": {"extract": "regex", "pattern": r": (?P<answer>(yes|no|\)[)]))!$"}}
        | {"rewards.xml_tags": None, "rewards.form": None},
        {"prompt.assistant": "so \\boxed{{{gold}}}", "answer": {"extract": "boxed"}}
        | {"rewards.xml_tags": None, "rewards.form": None},
        {"prompt.assistant": "<answer>${gold} in all</answer>", "rewards.form": None},
        {"prompt.assistant": None},
    ],
)
def test_what_is_right_passes_without_a_word(changes: dict[str, object], folder: Path) -> None:
    assert said(changes, folder) == []


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"model.base": "C:\\models\\tiny"}, "bad-value", "no path"),
        ({"model.base": "~/tiny"}, "bad-value", "no path"),
        ({"model.base": "./system.txt"}, "bad-value", "is a file"),
        ({"model.base": "Qwen/Qwen 2.5"}, "bad-value", "blank"),
        ({"model.base": "a/b/c"}, "bad-value", "more than one slash"),
        ({"project.name": "Huggingface_Hub"}, "reserved-name", "`huggingface-hub`"),
        ({"stages.reasoning.rewards": ["correct", "correct"]}, "bad-value", "listed twice"),
        ({"data.train.path": "C:\\x.jsonl"}, "path-outside", "inside the spec's folder"),
        ({"data.eval": {"holdout": 0.1, "by": "level"}}, "conflicting-keys", "held out"),
        ({"data.train.rows": 7, "data.eval": None, "eval": None, "run": None}, "too-few-rows", "7"),
        ({"data.train": {"hub": "train.jsonl"}}, "bad-value", "a file beside the spec"),
        ({"data.fields.prompt": {"column": "question"}}, "reserved-name", "`prompt`"),
        ({"prompt.user": "{}"}, "bad-template", "no name"),
        ({"prompt.system.file": "empty.txt"}, "file-not-found", "empty.txt"),
        ({"rewards.rude.patterns": ["a{99999999999}"]}, "bad-pattern", "too large"),
        ({"rewards.score_all": {"kind": "length", "max_tokens": 9}}, "reserved-name", "score_all"),
        ({"rewards.mine": {"kind": "length", "max_tokens": 9}}, "reserved-name", "`mine.py`"),
        ({"rewards.units.function": "mine.py:nope"}, "bad-reference", "nope"),
        ({"rewards.units.function": "train_x.py:f"}, "bad-reference", "another module"),
        ({"rewards.units.function": "Data.py:f"}, "bad-reference", "another module"),
        ({"stages.reasoning.trainer.top_p": 1.5}, "bad-value", "at most 1"),
        ({"model.adapter.target_modules": ["q_proj", "lm_head"]}, "bad-value", "output head"),
        (
            {"stages.reasoning.loss_type": "cispo", "stages.reasoning.epsilon_high": 0.28},
            "settings-conflict",
            "epsilon_high",
        ),
        ({"run.log_completions_every": 5}, "conflicting-keys", "logging_steps"),
    ],
)
def test_what_is_wrong_is_told(
    changes: dict[str, object], code: str, words: str, folder: Path
) -> None:
    found = said(changes, folder)
    assert any(line.startswith(f"{code}: ") and words in line for line in found), found


@pytest.mark.parametrize(
    ("changes", "written"),
    [
        ({"stages.reasoning.trainer.top_p": 1.5}, "1.5"),
        (
            {"stages.reasoning.loss_type": "cispo", "stages.reasoning.epsilon_high": 0.5},
            '"cispo"',
        ),
        (
            {"stages.reasoning.loss_type": "dr_grpo", "stages.reasoning.scale_rewards": "group"},
            '"gr',
        ),
        ({"stages.reasoning.epsilon": 0.123}, "0.123"),
        ({"stages.reasoning.trainer.load_best_model_at_end": True, "run.save_every": 7}, "true"),
        ({"stages.warmup.trainer": {"padding_free": True}}, "true"),
    ],
)
def test_a_finding_on_the_plan_points_at_what_was_written(
    changes: dict[str, object], written: str, folder: Path
) -> None:
    values = edited(changes)
    text = "".join(f"{json.dumps(key)} = {as_toml(value)}\n" for key, value in values.items())
    places = [found.place for found in run(values, folder)[1]]
    assert [text[place.span.start :].startswith(written) for place in places if place] == [True]


@pytest.mark.parametrize(
    ("function", "fault"),
    [
        ("def f(completions, **kwargs): ...", None),
        ("def f(**kwargs): ...", None),
        ("def f(completions, *, level, bonus=1, **kwargs): ...", None),
        ("from elsewhere import g as f", None),
        ("f = make()", None),
        ("@cached\ndef f(x): ...", None),
        ("def f(completions, level): ...", "bad-signature"),
        ("def f(completions, /, **kwargs): ...", "bad-signature"),
        ("def f(completions, levl, **kwargs): ...", "bad-signature"),
        ("def f(prompt, **kwargs): ...", "bad-signature"),
        ("async def f(completions, **kwargs): ...", "bad-signature"),
        ("def f(completions, **kwargs):\n    yield 1", "bad-signature"),
        ("class f:\n    pass", "bad-reference"),
        ("def g(): ...", "bad-reference"),
        ("def f(:", "bad-reference"),
        ("x = '\\d'\ndef f(completions, **kwargs): ...\0", "bad-reference"),
        ("(" * 100_000, "bad-reference"),
    ],
)
def test_a_function_of_the_user_is_read_and_never_run(
    function: str, fault: str | None, tmp_path: Path
) -> None:
    (tmp_path / "train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    (tmp_path / "system.txt").write_text("Answer.\n")
    (tmp_path / "mine.py").write_text(function)
    found = said({"rewards.units.function": "mine.py:f"}, tmp_path)
    assert [line.partition(":")[0] for line in found] == ([] if fault is None else [fault])


def bound_names(tree: ast.Module) -> set[str]:
    """Every name of a module's top level, and of the functions that name its rewards."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name, args=arguments) if name == "score":
                found |= {name, *(argument.arg for argument in arguments.args)}
                found |= {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
            case ast.FunctionDef(name=name):
                found.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found |= {alias.asname or alias.name for alias in names}
            case _:
                pass
    return found


def test_no_reward_can_take_a_name_of_the_generated_module(folder: Path) -> None:
    lengths = [
        {"target_tokens": 5},
        {"min_characters": 5},
        {"min_characters": 5, "max_characters": 9},
    ]
    every_kind: dict[str, object] = {
        f"rewards.length_{at}": {"kind": "length", **limits} for at, limits in enumerate(lengths)
    }
    plain = ("contains", "overlong", "cosine_length", "repetition", "reasoning_steps", "copying")
    every_kind |= {f"rewards.{kind}": 1.0 for kind in plain}
    every_kind |= {
        "rewards.pattern": {"kind": "regex_format", "pattern": "<think>.*"},
        "rewards.wording": {"kind": "keywords", "keywords": ["because"]},
        "rewards.passing": {"kind": "code_tests", "tests": {"asserts": "question"}},
        "rewards.german": {"kind": "language", "language": "de", "on": "answer"},
        "rewards.chinese": {"kind": "language", "language": "zh", "on": "thinking"},
        "rewards.greek": {"kind": "language", "language": "el"},
    }
    plan, _ = run(edited(every_kind), folder)
    assert plan is not None
    names = bound_names(ast.parse(emit(plan)["rewards.py"])) - {
        reward.name for reward in plan.rewards
    }
    free: list[str] = []
    for name in sorted(filter(re.compile(r"[a-z][a-z0-9_]*").fullmatch, names)):
        found = said({f"rewards.{name}": {"kind": "length", "max_tokens": 9}}, folder)
        if not any(line.startswith("reserved-name") for line in found):
            free.append(name)
    assert free == []


def test_no_file_of_the_user_can_take_the_name_of_a_generated_module(folder: Path) -> None:
    plan, _ = run(SPEC, folder)
    assert plan is not None
    for module in set(plan.modules) - {"mine"}:
        found = said({"rewards.units.function": f"{module}.py:f"}, folder)
        assert any("the name of another module" in line for line in found), module


def test_no_config_gets_an_argument_twice(folder: Path) -> None:
    plan, _ = run(SPEC, folder)
    assert plan is not None
    for stage in plan.stages:
        names = [argument.name for argument in stage.arguments]
        assert len(names) == len(set(names))
        for name in names:
            trainer: dict[str, object] = {f"stages.{stage.name}.trainer": {name: stage.value(name)}}
            edited_plan, _ = run(edited(trainer), folder)
            if edited_plan is not None:
                again = [
                    argument.name
                    for other in edited_plan.stages
                    if other.name == stage.name
                    for argument in other.arguments
                ]
                assert again.count(name) == 1


def test_a_file_that_the_project_writes_cannot_be_the_users(folder: Path) -> None:
    (folder / "PLAN.md").write_text("Answer.\n")
    found = said({"prompt.system.file": "./PLAN.md"}, folder)
    assert found == ["reserved-name: `./PLAN.md` is a file that the project writes itself"]


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("<a>\n</a> <b></b>", ("a", "b")),
        ("<a><b></b></a>", ("a",)),
        ("<a><a></a>", ("a",)),
        ("<a></b><b></a>", ("a",)),
        ("</a><a>", ()),
        ("<a>x</a><a>y</a>", ("a",)),
        ("<1></1> <a b></a> x<y", ()),
        ("".join(f"<t{n}>" for n in range(20_000)), ()),
    ],
)
def test_the_tags_of_a_layout(text: str, tags: tuple[str, ...]) -> None:
    assert tags_of(text) == tags


TEXTS = [
    *("", " ", "a", "..", "a/../../b", "C:\\x", "con", "x" * 300, "x" * 5000, ".", "//", "~/x"),
    *("é😀", "\u2028", "\u00a0", "\n", "a\nb", "\\", "'''\"\"\"\\", "`", "|", "# x", '"', "\t"),
    *(
        "{",
        "}",
        "{{",
        "{}",
        "{0}",
        "{a!r}",
        "{a:>3}",
        "{ question }",
        "{gold}",
        "{{ x }}",
        "{a.b[c]}",
    ),
    *("{% raw %}", "(", "[", "*", "(?P<answer>", "(?P<answer>a)|", "a{99999999999999}", "(?i)"),
    *("\\boxed{", "<answer>", "</answer>", "train.jsonl", "eval.csv", "x.json", "x.parquet"),
    *(
        "mine.py",
        "mine.py:units",
        "mine.py:nope",
        "mine.py:a:b",
        "data.py:f",
        "x.py:f",
        "README.md",
    ),
    *("hex", "utf-16", "undefined", "base", "warmup", "correct", "class", "import", "re", "text"),
    *("openai/gsm8k", "a/b/c", "https://huggingface.co/a/b", "trl", "answer", "level", "question"),
]
INTEGERS = [0, 1, 2, -1, 7, 39, 40, 41, 64, 65, 2**31, 2**32 - 1, 2**62, 2**63 - 1, -(2**63)]
FLOATS = [0.0, 1e-320, 1e-7, 0.3, 0.999999, 1.0, 1.5, 1e15, 1e300, 1.7e308, -1.0]
# Other kinds of the same table, so that every rule has its turn.
VARIANTS: list[dict[str, object]] = [
    {},
    {"data.eval": {"path": "eval.csv", "delimiter": ",", "encoding": "utf-8"}},
    {"data.train": {"python": "mine.py:load"}},
    {"data.train": {"hub": "openai/gsm8k", "config": "main", "revision": "x"}},
    {"answer": {"extract": "regex", "pattern": "(?P<answer>\\d+)"}},
    {"answer": {"extract": "after", "marker": "####", "compare": "text"}},
    {"answer": {"extract": "boxed", "several": "only"}},
    {"answer": {"extract": "last_number", "unit": ["$"]}, "prompt.assistant": None},
    {"answer": None, "data.gold": None, "prompt.assistant": None},
    {"prompt.shots": [{"user": "a", "assistant": "b"}], "prompt.system": "plain {text}"},
    {"stages.reasoning.rewards": ["correct", "units"], "model.adapter": None},
    {"stages.reasoning.trainer": {"generation_kwargs": {"a": 1}, "lr_scheduler_type": "cosine"}},
    {"rewards": None, "eval": None},
]

KeyPath = tuple[str | int, ...]


def leaves(value: object, path: KeyPath = ()) -> list[tuple[KeyPath, object]]:
    """The values of a spec that are no tables, each with its path."""
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in leaves(inner, (*path, key))]
    if isinstance(value, list):
        return [leaf for at, inner in enumerate(value) for leaf in leaves(inner, (*path, at))]
    return [(path, value)]


def of_the_same_type(value: object) -> st.SearchStrategy[object]:
    match value:
        case bool():
            return st.just(not value)
        case int():
            return st.sampled_from(INTEGERS)
        case float():
            return st.sampled_from([*FLOATS, *INTEGERS])
        case _:
            return st.sampled_from(TEXTS) | st.text(
                st.characters(exclude_categories=("Cs", "Cc")), max_size=20
            )


@st.composite
def wrong_specs(draw: st.DrawFn) -> dict[str, Any]:
    """A spec in which one to three values are others of the same type."""
    values = edited(draw(st.sampled_from(VARIANTS)))
    for _ in range(draw(st.integers(1, 3))):
        path, old = draw(st.sampled_from(leaves(values)))
        table: Any = values
        for key in path[:-1]:
            table = table[key]
        table[path[-1]] = draw(of_the_same_type(old))
    return values


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(values=wrong_specs())
def test_any_values_of_the_right_types_end_in_a_plan_or_in_findings(
    values: dict[str, Any], folder: Path
) -> None:
    plan, found = run(values, folder)
    for finding in found:
        "".join((finding.message, *finding.hints)).encode()
        assert finding.place is not None
        assert "\n" not in finding.message or finding.code != "not-built"
    if plan is None:
        assert any(finding.severity == "error" for finding in found)
        return
    for path, text in emit(plan).items():
        if path.endswith(".py"):
            ast.parse(text)
