"""What a spec may say of rewards that run code, and the projects that come of it."""

import importlib
import sqlite3
import sys
from pathlib import Path

import pytest

from compiler.diagnostics import Report
from compiler.parse import parse
from compiler.rules import check_spec
from compiler.source import read_source
from compiler.validate import validate
from tests.projects import load, write_project

HEAD = """
spec = 1
[project]
name = "functions"
[model]
base = "Qwen/Qwen2.5-0.5B-Instruct"
[hardware]
tier = "cpu"
[stages.reasoning]
method = "grpo"
prompts_per_step = 2
num_generations = 4
[data]
train = {source}
[prompt]
user = "{{text}}"
{prompt}
[rewards.passes]
kind = "code_tests"
{reward}
"""
FILE = '{ path = "train.jsonl" }'
HUB = '{ hub = "someone/functions" }'
ROWS = "".join(
    f'{{"text": "way {number}", "code": "def f(): return 1", "tests": ["assert f() == 1"], '
    '"name": "f", "prompt": ""}\n'
    for number in range(4)
)


def spec(reward: str, source: str = FILE, prompt: str = "") -> str:
    return HEAD.format(reward=reward, source=source, prompt=prompt)


def findings(folder: Path, text: str) -> list[tuple[str, str]]:
    (folder / "train.jsonl").write_text(ROWS)
    (folder / "task.toml").write_text(text)
    report = Report()
    document = parse(read_source(folder / "task.toml", report), report)
    check_spec(validate(document, report), document, report)
    return [(finding.code, finding.message) for finding in report.diagnostics]


@pytest.mark.parametrize(
    ("reward", "code", "part"),
    [
        ('tests = { asserts = "test" }', "unknown-column", "no column `test`"),
        ('tests = { asserts = "tests" }\nsetup = { column = "x" }', "unknown-column", "`x`"),
        ('tests = { asserts = "tests" }\nsetup = { column = "prompt" }', "reserved-column", "TRL"),
        ('tests = { arguments = "tests", results = "tests" }', "missing-key", "no function"),
        (
            'tests = { stdin = "tests", stdout = "tests" }\nentry_point = "f"',
            "no-effect",
            "programs",
        ),
        ('tests = { asserts = "tests" }\nentry_point = "f()"', "bad-value", "names no function"),
        ('tests = { block = "code" }\nscore = "share"', "conflicting-keys", "no share"),
        ('tests = { asserts = "tests" }\nsetup = "import"', "bad-value", "is not Python"),
    ],
)
def test_what_does_not_fit_is_said(tmp_path: Path, reward: str, code: str, part: str) -> None:
    ((found, message),) = findings(tmp_path, spec(reward))
    assert (found, part in message) == (code, True), message


def test_what_fits_is_let_pass(tmp_path: Path) -> None:
    for reward in (
        'tests = { asserts = "tests" }\nscore = "share"\nisolation = "limits"',
        'tests = { block = "code" }\nentry_point = "Solution.solve"\nsetup = "import math"',
        'tests = { arguments = "tests", results = "tests" }\nentry_point = { column = "name" }',
        'tests = { stdin = "tests", stdout = "tests" }\nsolution = { column = "code" }',
    ):
        assert findings(tmp_path, spec(reward)) == []


@pytest.mark.parametrize(
    ("content", "code"),
    [(None, "file-not-found"), (b"no database", "unreadable-data"), (b"SQLite format 3\0", None)],
)
def test_a_database_is_one(tmp_path: Path, content: bytes | None, code: str | None) -> None:
    reward = 'database = "shop.sqlite"\nsolution = { column = "code" }'
    if content is not None:
        (tmp_path / "shop.sqlite").write_bytes(content)
    text = spec(reward).replace('kind = "code_tests"', 'kind = "sql"')
    assert [found for found, _ in findings(tmp_path, text)] == ([] if code is None else [code])


ASSISTANT = "assistant = '''\n```python\n{before}{after}\n```'''"


@pytest.mark.parametrize(
    ("reward", "prompt"),
    [
        ('tests = { asserts = "tests" }\nsolution = { column = "code" }', ""),
        ('tests = { block = "test" }\nsolution = { column = "code" }', ""),
        (
            (
                'tests = { block = "test" }\nentry_point = { column = "entry" }\n'
                'setup = { column = "first" }\nsolution = { column = "code" }'
            ),
            "",
        ),
        ('tests = { block = "test" }\nentry_point = "Solution.go"', ASSISTANT),
        ('tests = { arguments = "given", results = "result" }\nentry_point = "go"', ASSISTANT),
        ('tests = { stdin = "given", stdout = "result" }\nsolution = { column = "my code" }', ""),
    ],
)
def test_made_rows_of_a_hub_are_solved_by_their_own_solutions(
    tmp_path: Path, reward: str, prompt: str
) -> None:
    project = write_project(tmp_path / "project", spec(reward, HUB, prompt))
    made = load(project / "tests", "made_rows").made_row
    rewards = load(project, "rewards")
    data = load(project, "data")
    rows = [data.add_prompt(made(number) | {"row_number": number}) for number in (1, 2)]
    texts = [rewards.ideal_completion(row) for row in rows]
    assert [rewards.pay(rewards.passes, text, rows[0]) for text in texts] == [1.0, 0.0]


def test_an_answer_that_is_code_is_what_runs(tmp_path: Path) -> None:
    text = spec('tests = { asserts = "tests" }').replace(
        FILE, FILE + '\ngold = { column = "code" }'
    )
    text += '\n[answer]\nextract = "code"\nlanguage = "python"\ncompare = "exact"\n'
    rewards = load(write_project(tmp_path / "project", text, train__jsonl=ROWS), "rewards")
    texts = [f"```{name}\ndef f(): return 1\n```" for name in ("python", "text")]
    tests = [["assert f() == 1"]] * 2
    assert rewards.passes(completions=texts, tests=tests) == [1.0, 0.0]


def test_a_query_of_a_project_is_compared_with_that_of_its_row(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "shop.sqlite") as connection:
        connection.execute("CREATE TABLE orders (id)")
    connection.close()
    text = spec('database = "shop.sqlite"\nsolution = { column = "my query" }')
    text = text.replace('kind = "code_tests"', 'kind = "sql"')
    rows = "".join(f'{{"text": "{n}", "my query": "SELECT {n}"}}\n' for n in range(4))
    database = (tmp_path / "shop.sqlite").read_bytes()
    project = write_project(tmp_path / "project", text, train__jsonl=rows, shop__sqlite=database)
    rewards = load(project, "rewards")
    texts = ["```sql\nSELECT 3\n```", "```sql\nSELECT 4\n```", "SELECT 3"]
    columns = {"my query": ["SELECT 3"] * 3}
    assert rewards.passes(completions=texts, **columns) == [1.0, 0.0, 0.0]


def test_the_wrong_completion_of_the_tests_does_not_solve_the_first_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two rows may be solved by one function, and queries may have one result."""
    wanted = [1, 1, 2]
    rows = "".join(
        f'{{"text": "{at}", "code": "def f(): return {value} + 0 * {at}", '
        f'"tests": ["assert f() == {value}"]}}\n'
        for at, value in enumerate(wanted)
    )
    reward = 'tests = { asserts = "tests" }\nsolution = { column = "code" }'
    project = write_project(tmp_path / "project", spec(reward), train__jsonl=rows)
    first, same, other = load(project, "data").load_train().to_list()
    monkeypatch.syspath_prepend(str(project / "tests"))
    monkeypatch.delitem(sys.modules, "test_rewards", raising=False)
    tests = importlib.import_module("test_rewards")
    assert tests.solves(same, first)
    assert not tests.solves(other, first)
