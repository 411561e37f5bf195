"""The models of the language: strict, frozen, described; and the reference made from them."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, cast

import pytest
from pydantic import ValidationError

from compiler import reference_examples
from compiler.pipeline import Findings, check_file
from compiler.reference import json_schema, spec_reference
from compiler.value_errors import PATTERNS
from spec_schema import TaskSpec
from spec_schema.answer import XmlAnswer
from spec_schema.rewards.correctness import CorrectReward
from spec_schema.rewards.style import ForbiddenReward
from spec_schema.stages.grpo import GrpoStage
from spec_schema.stages.sft import SftStage
from spec_schema.tables import TABLES, TableKind

ROOT = Path(__file__).parent.parent

WHOLE_SPEC = r"""
spec = 1

[project]
name = "gsm8k-reasoner"
description = "Grade-school maths with visible reasoning"
stages = ["warmup", "layout", "reasoning"]
stack = "trl-1.16"
seed = 42
ci = "github"

[model]
base = "Qwen/Qwen2.5-1.5B-Instruct"
adapter = { kind = "lora", r = 16, alpha = 32 }

[hardware]
tier = "24gb"
gpus = 1

[data]
train = { hub = "openai/gsm8k", config = "main", split = "train" }
eval = { hub = "openai/gsm8k", config = "main", split = "test", rows = 200 }
gold = { column = "answer", after = "####" }
fields = { rationale = { column = "answer", before = "####" } }
max_prompt_tokens = 1024

[prompt]
system = '''
<answer>
...
</answer>
'''
user = "{question}"
assistant = '''
<answer>
{gold}
</answer>'''
shots = { rows = [3, 17] }

[answer]
extract = "xml"
tag = "answer"
compare = "number"

[rewards]
correct = 2
xml_tags = 0.5
[rewards.well_formed]
kind = "xml_format"
weight = 0.5
[rewards.concise]
kind = "length"
target_tokens = 200
[rewards.no_boilerplate]
kind = "forbidden"
patterns = ['(?i)\bas an ai\b']
weight = 0.2
[rewards.units]
kind = "python"
function = "my_rewards.py:units_are_stated"
range = [0, 1]

[stages.warmup]
method = "sft"
epochs = 1
[stages.layout]
method = "grpo"
from = "warmup"
rewards = { well_formed = 1.0, xml_tags = 1, correct = 0.0 }
steps = 100
[stages.reasoning]
method = "grpo"
steps = 500
learning_rate = 1e-5
prompts_per_step = 16
num_generations = 8
max_completion_length = 768
loss_type = "dr_grpo"
rewards = ["correct", "units"]
[stages.reasoning.trainer]
top_entropy_quantile = 0.2

[eval]
samples = 4
temperature = 0.7
minimum = { correct = 0.6 }

[run]
tracking = { to = "tensorboard" }
eval_every = 100
"""


@pytest.fixture
def values() -> dict[str, Any]:
    return tomllib.loads(WHOLE_SPEC)


def test_a_spec_that_uses_every_table_is_read(values: dict[str, Any]) -> None:
    spec = TaskSpec.model_validate(values)
    assert isinstance(spec.answer, XmlAnswer)
    assert isinstance(spec.stages["warmup"], SftStage)
    layout = spec.stages["layout"]
    assert isinstance(layout, GrpoStage)
    assert layout.from_ == "warmup"
    assert layout.rewards == {"well_formed": 1.0, "xml_tags": 1.0, "correct": 0.0}
    assert isinstance(spec.rewards["no_boilerplate"], ForbiddenReward)


def test_a_number_is_short_for_a_reward_of_that_kind(values: dict[str, Any]) -> None:
    spec = TaskSpec.model_validate(values)
    assert spec.rewards["correct"] == CorrectReward(kind="correct", weight=2.0)


def test_what_is_not_written_has_its_default_and_is_not_counted_as_written(
    values: dict[str, Any],
) -> None:
    del values["run"]
    spec = TaskSpec.model_validate(values)
    assert spec.run.tracking == "none"
    assert spec.stages["warmup"].model_fields_set == {"method", "epochs"}


@pytest.mark.parametrize(
    ("table", "key", "value"),
    [
        ("project", "seed", "42"),
        ("project", "seed", True),
        ("project", "seed", 42.0),
        ("project", "surprise", 1),
        ("hardware", "tier", "23gb"),
        ("eval", "temperature", float("nan")),
        ("eval", "temperature", float("inf")),
        ("eval", "temperature", True),
        ("prompt", "user", 3),
    ],
)
def test_nothing_is_converted_or_passed_over(
    values: dict[str, Any], table: str, key: str, value: object
) -> None:
    values[table][key] = value
    with pytest.raises(ValidationError):
        TaskSpec.model_validate(values)


def test_a_spec_does_not_change_after_reading(values: dict[str, Any]) -> None:
    spec = TaskSpec.model_validate(values)
    with pytest.raises(ValidationError, match="frozen"):
        spec.project.seed = 7  # pyright: ignore[reportAttributeAccessIssue] - refusing it is the test


@pytest.mark.parametrize("kind", TABLES, ids=lambda kind: kind.title)
def test_every_table_and_key_is_described(kind: TableKind) -> None:
    assert (kind.model.__doc__ or "").strip()
    for key, field in kind.keys().items():
        assert field.description, key
        assert field.description.endswith("."), key


def test_every_kind_of_table_is_in_the_reference() -> None:
    reference = spec_reference()
    for kind in TABLES:
        heading = kind.title[:1].upper() + kind.title[1:]
        assert f"## {heading}\n" in reference
        for key in kind.keys():  # noqa: SIM118 - a record, no mapping
            assert f"| `{key}` |" in reference


def test_every_link_of_the_reference_leads_to_a_section() -> None:
    lines = spec_reference().splitlines()
    headings = [line.removeprefix("## ").lower() for line in lines if line.startswith("## ")]
    anchors = {
        "".join(each for each in heading if each.isalnum() or each in " -_").replace(" ", "-")
        for heading in headings
    }
    targets = {part.split(")")[0] for line in lines for part in line.split("](#")[1:]}
    assert targets <= anchors


def test_the_written_reference_is_the_generated_one() -> None:
    assert (ROOT / "docs" / "spec.md").read_text(encoding="utf-8") == spec_reference()


def test_the_json_schema_knows_every_table_and_the_short_form() -> None:
    schema = json_schema()
    assert set(schema["properties"]) == set(TaskSpec.model_fields)
    (reward,) = schema["properties"]["rewards"]["patternProperties"].values()
    assert reward["anyOf"][0]["type"] == "number"
    (stage,) = schema["properties"]["stages"]["patternProperties"].values()
    methods = [kind["properties"]["method"]["const"] for kind in stage["oneOf"]]
    assert methods == ["sft", "reward", "dpo", "kto", "grpo", "rloo"]
    assert all("from" in kind["properties"] for kind in stage["oneOf"])


def forms_in(schema: object) -> set[str]:
    """The patterns that a schema holds texts to."""
    if isinstance(schema, list):
        return set[str]().union(*map(forms_in, cast("list[object]", schema)))
    if not isinstance(schema, dict):
        return set()
    table = cast("dict[str, object]", schema)
    own = {form for form in [table.get("pattern")] if isinstance(form, str)}
    return own.union(*map(forms_in, table.values()))


def test_every_form_of_a_text_has_words() -> None:
    forms = forms_in(json_schema())
    assert forms
    assert forms <= set(PATTERNS)


def test_every_reference_inside_the_json_schema_is_defined() -> None:
    schema = json_schema()
    targets = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(schema)))
    assert targets <= set(schema.get("$defs", {}))


def test_the_language_imports_only_pydantic() -> None:
    program = (
        "import sys; import pydantic, pydantic.main, pydantic.types, pydantic.fields\n"
        "before = set(sys.modules); import spec_schema, spec_schema.tables\n"
        "new = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "print(*(new - set(sys.stdlib_module_names)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) <= {"spec_schema", "pydantic", "pydantic_core"}


def toml(value: object) -> str:
    """A value on one line, as `--set` takes it."""
    match value:
        case dict():
            entries = cast("dict[str, object]", value).items()
            return "{" + ", ".join(f"{key} = {toml(inner)}" for key, inner in entries) + "}"
        case list():
            return "[" + ", ".join(map(toml, cast("list[object]", value))) + "]"
        case _:
            return json.dumps(value)


def settings_of(snippet: str) -> list[str]:
    """Each key under the header of a part of a spec as an argument of `--set`."""
    if not snippet:
        return []
    header = snippet.partition("\n")[0].strip("[]")
    table: Any = tomllib.loads(snippet)
    for part in header.split("."):
        table = table[part]
    if isinstance(table, list):
        return [f"{header}={toml(cast('object', table))}"]
    return [f"{header}.{key}={toml(value)}" for key, value in table.items()]


@pytest.mark.parametrize(
    "snippet",
    [
        "",
        *(
            part
            for title in reference_examples.SNIPPETS
            for part in reference_examples.snippets_of(title)
        ),
    ],
)
def test_an_example_of_the_reference_has_no_findings(snippet: str, tmp_path: Path) -> None:
    rows = [
        {"question": f"{i} + {i}", "solution": f"twice {i} #### {2 * i}", "level": i % 5}
        for i in range(500)
    ]
    (tmp_path / "train.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (tmp_path / "task.toml").write_text(reference_examples.WHOLE_SPEC)
    findings = Findings()
    check_file(tmp_path / "task.toml", settings_of(snippet), findings)
    assert not findings.diagnostics
    assert f"```toml\n{snippet or reference_examples.WHOLE_SPEC}```" in spec_reference()
