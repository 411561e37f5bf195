"""How compiled projects read answers: options of a row, JSON, code, a reader of one's own."""

import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.projects import SPEC, load, write_project

CHOICE = SPEC.replace(
    'gold = { column = "answer" }',
    'options = { columns = ["first", "second", "third"] }\n'
    'gold = { column = "right", as = "index" }',
)
CHOICE = CHOICE.replace('user = "{question}"', 'user = "{question}\\n{options}"')
CHOICE = CHOICE.replace('assistant = "<answer>{answer}</answer>"\n', "")
CHOICE = CHOICE.replace('extract = "xml"\ntag = "answer"', 'extract = "choice"')


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


ROWS = lines(
    [
        {
            "question": f"q{number}",
            "first": f"x{number}",
            "second": f"y{number}",
            "third": f"z{number}" if number else "None of these",
            "right": [number % 3] if number != 5 else [0, 1],
        }
        for number in range(12)
    ]
)


def changed(spec: str, *changes: tuple[str, str]) -> str:
    for before, after in changes:
        assert before in spec
        spec = spec.replace(before, after)
    return spec


def rows_of(project: Path) -> list[dict[str, Any]]:
    return load(project, "data").load_train().to_list()


def paid(project: Path, text: str, gold: str) -> float:
    (value,) = load(project, "rewards").correct(completions=[text], gold=[gold])
    return value


def test_options_in_columns_are_lettered_and_shown(tmp_path: Path) -> None:
    spec = changed(CHOICE, ('as = "index"', 'as = "index", several_right = "drop"'))
    rows = rows_of(write_project(tmp_path / "project", spec, train__jsonl=ROWS))
    assert [row["row_number"] for row in rows] == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11]
    assert rows[1]["options"] == "A. x1\nB. y1\nC. z1"
    assert rows[1]["prompt"][-1]["content"] == f"q1\n{rows[1]['options']}"
    assert [row["gold"] for row in rows[:3]] == ["A. x0", "B. y1", "C. z2"]
    assert [row["gold_label"] for row in rows[:3]] == ["A", "B", "C"]


def test_a_row_with_several_right_options_stops_where_nothing_drops_it(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project", CHOICE, train__jsonl=ROWS)
    run = subprocess.run(
        [sys.executable, "data.py"], cwd=project, capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert "1 row that cannot be used, with a gold that names 2 options: 5" in run.stdout


def test_shuffled_options_keep_their_gold_and_stay_the_same(tmp_path: Path) -> None:
    spec = changed(
        CHOICE,
        ('as = "index"', 'as = "index", several_right = "drop"'),
        ('"third"]', '"third"], shuffle = true'),
    )
    project = write_project(tmp_path / "project", spec, train__jsonl=ROWS)
    rows = rows_of(project)
    assert rows == rows_of(project)
    assert rows[0]["options"] == "A. x0\nB. y0\nC. None of these"  # it speaks of the others
    assert {row["options"][3] for row in rows[1:]} == {"x", "y", "z"}
    for row in rows:
        assert row["gold"] in row["options"].split("\n")
        assert row["gold"][3:].startswith(("xyzN")[row["right"][0]]) or row["row_number"] == 0
        assert row["gold_label"] == row["gold"][0]
    ideal = load(project, "prompts").ideal_completion
    assert ideal(rows[1]) == f"ANSWER: {rows[1]['gold_label']}"


@pytest.mark.parametrize(
    ("options", "named", "right"),
    [
        (["x", "y"], "label", "B"),
        (["x", "y"], "number", 2),
        (["x", "y"], "text", "y"),
        ({"A": "x", "B": "y"}, "label", "B"),
        ({"text": ["x", "y"], "label": ["1", "2"]}, "label", "2"),
    ],
)
def test_options_in_one_column(options: object, named: str, right: object, tmp_path: Path) -> None:
    spec = changed(
        CHOICE,
        ('columns = ["first", "second", "third"]', 'column = "options"'),
        ('as = "index"', f'as = "{named}"'),
    )
    row = {"question": "q", "options": options, "right": right}
    rows = rows_of(write_project(tmp_path / "project", spec, train__jsonl=lines([row] * 4)))
    assert rows[0]["options"] == "A. x\nB. y"
    assert rows[0]["gold"] == "B. y"


@pytest.mark.parametrize(
    ("answer", "right", "wrong"),
    [
        (
            'extract = "choice"',
            ["ANSWER: B", "**B**", "(B)", "B. Metformin", "Metformin", r"\boxed{\text{B}}"],
            ["ANSWER: A", "None of the above", "Answer: A or B", "", "<think>ANSWER: B"],
        ),
        (
            'extract = "xml"\ntag = "answer"\ncompare = "choice"',
            ["<answer>B</answer>", "<answer>(b)</answer>", "<answer>Metformin.</answer>"],
            ["<answer>A</answer>", "<answer>one of A, B, C</answer>", "B"],
        ),
    ],
)
def test_a_choice_is_paid_by_letter_or_text(
    answer: str, right: list[str], wrong: list[str], tmp_path: Path
) -> None:
    spec = changed(CHOICE, ('extract = "choice"', answer))
    project = write_project(
        tmp_path / "project", spec, train__jsonl=lines([json.loads(ROWS.split("\n")[1])] * 4)
    )
    assert [paid(project, text, "B. Metformin") for text in right] == [1.0] * len(right)
    assert [paid(project, text, "B. Metformin") for text in wrong] == [0.0] * len(wrong)


def test_options_that_all_rows_share(tmp_path: Path) -> None:
    spec = changed(
        SPEC,
        (
            'gold = { column = "answer" }',
            'options = ["no", "yes"]\ngold = { column = "answer", as = "index" }',
        ),
        ('assistant = "<answer>{answer}</answer>"\n', ""),
        ('extract = "xml"\ntag = "answer"', 'extract = "choice"'),
    )
    rows = [{"question": f"q{number}", "answer": number % 2} for number in range(4)]
    project = write_project(tmp_path / "project", spec, train__jsonl=lines(rows))
    assert [row["gold"] for row in rows_of(project)] == ["no", "yes", "no", "yes"]
    assert paid(project, "So the answer is **Yes**, it is.", "yes") == 1
    assert paid(project, "Answer: yes or no", "yes") == 0


def answers_of(folder: Path, answer: str, *more: tuple[str, str], **files: str) -> ModuleType:
    spec = changed(
        SPEC,
        ('assistant = "<answer>{answer}</answer>"\n', ""),
        ('extract = "xml"\ntag = "answer"', answer),
        ('"warmup", "reasoning"', '"reasoning"'),
        ('[stages.warmup]\nmethod = "sft"\nprompts_per_step = 2\n', ""),
        *more,
    )
    return load(write_project(folder / "project", spec, **files), "answers")


def test_json_is_read_at_its_path(tmp_path: Path) -> None:
    answers = answers_of(tmp_path, 'extract = "json"\npath = "items[-1].total"\ncompare = "number"')
    text = 'Here:\n```json\n{"items": [{"total": 1}, {"total": 12.50}]}\n```\nSee [1].<|im_end|>'
    assert answers.read_answer(text) == "12.50"
    assert answers.read_answer(text[: text.index("50")]) is None
    assert answers.read_answer("12.50") is None
    prompts = load(tmp_path / "project", "prompts")
    assert answers.read_answer(prompts.ideal_completion({"gold": "7"})) == "7"
    assert json.loads(prompts.ideal_completion({"gold": "7"})) == {"items": [{"total": "7"}]}


def test_json_as_a_whole_is_an_answer(tmp_path: Path) -> None:
    answers = answers_of(tmp_path, 'extract = "json"')
    assert answers.read_answer('so {"a": [1, 2.5]}') == '{"a": [1, 2.5]}'
    assert answers.read_answer('so {"a": [1, 2.5]') is None


def test_code_is_read_from_the_last_closed_block_of_its_language(tmp_path: Path) -> None:
    answers = answers_of(tmp_path, 'extract = "code"\nlanguage = "python"')
    text = "```py\na\n```\n```\noutput\n```\n```python3\n    **b**\n```\n```python\ncut"
    assert answers.read_answer(text) == "    **b**"
    prompts = load(tmp_path / "project", "prompts")
    assert prompts.ideal_completion({"gold": "print()"}) == "```python\nprint()\n```"


def test_a_reader_of_ones_own_sees_what_is_said(tmp_path: Path) -> None:
    answers = answers_of(
        tmp_path,
        'extract = { python = "my_answers.py:read" }',
        my_answers__py="def read(text):\n    return text.upper() or None\n",
    )
    assert answers.read_answer("<think>a</think>b<|im_end|>") == "B"
    assert answers.read_answer("<think>a") is None


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ('extract = "xml"\ntag = "answer"', "<answer>{}</answer>"),
        ('extract = "boxed"', r"\boxed{{{}}}"),
        ('extract = "after"\nmarker = "Answer:"', "Answer: {}"),
        ('extract = "regex"\npattern = "A=(?P<answer>.*)"', "A={}"),
        ('extract = "whole"', "{}"),
    ],
)
def test_every_way_of_reading_drops_what_dresses_an_answer(
    answer: str, text: str, tmp_path: Path
) -> None:
    answers = answers_of(tmp_path, answer)
    for dressed in ("Paris", "**Paris**", "`Paris`", "$Paris$", r"\text{Paris}", r"\(Paris\)"):
        assert answers.read_answer(text.format(dressed) + "<|eot_id|>") == "Paris"
        assert answers.same_answer(dressed, "Paris")
    assert answers.read_answer(f"<think>{text.format('Paris')}") is None
    assert answers.read_answer(f"<think>{text.format('Rome')}</think>") is None
    assert answers.read_answer(f"<think>x</think>{text.format('Rome')}") == "Rome"


def test_where_the_template_opens_the_thinking_an_answer_stands_behind_its_end(
    tmp_path: Path,
) -> None:
    base = ("Qwen/Qwen2.5-0.5B-Instruct", "deepseek-ai/DeepSeek-R1-Distill-Qwen-1.5B")
    answers = answers_of(tmp_path, 'extract = "boxed"', base)
    assert answers.read_answer(r"so \boxed{5}") is None
    assert answers.read_answer(r"so \boxed{5}</think>It is \boxed{6}.") == "6"
    ideal = load(tmp_path / "project", "prompts").ideal_completion({"gold": "7"})
    assert answers.read_answer(ideal) == "7"


def test_thinking_that_trl_keeps_apart_is_not_the_answer(tmp_path: Path) -> None:
    answers_of(tmp_path, 'extract = "boxed"')
    correct = load(tmp_path / "project", "rewards").correct
    for said, thought, value in [(r"\boxed{5}", "hm", 1.0), ("", r"\boxed{5}", 0.0)]:
        message = {"role": "assistant", "content": said, "reasoning_content": thought}
        assert correct(completions=[[message]], gold=["5"]) == [value]


def test_a_gold_is_read_from_a_worked_solution(tmp_path: Path) -> None:
    spec = changed(
        SPEC,
        ('{ column = "answer" }', '{ column = "solution", extract = "boxed" }'),
        ("{answer}</answer>", "{gold}</answer>"),
    )
    solution = r"First \boxed{1}, no: \boxed{\frac{1}{2}}."
    rows = [{"question": f"q{number}", "solution": solution} for number in range(4)]
    project = write_project(tmp_path / "project", spec, train__jsonl=lines(rows))
    assert rows_of(project)[0]["gold"] == r"\frac{1}{2}"
    answers = (project / "answers.py").read_text()
    assert "def boxed" not in answers  # nothing else in it reads a box
