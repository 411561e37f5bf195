"""What a compiled project does: its modules are imported and called."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.projects import ROWS, SPEC, load, write_project

HOSTILE = [
    "{{ question }} {% raw %} {# no #}",
    "{x} {0} {} }{",
    "%s %(name)s $HOME `id` #!",
    "'''",
    '"""',
    "ends in a backslash \\",
    'ends in a quote "',
    '"""\\\n"""',
    "\\boxed{} \\n \\u0041 \\N{DASH}",
    "tab\there",
    "emoji 😀 and ünïcode \u2028 \u00a0 \ufeff",
    "# jinja: if plan.system\n{{plan.system}}\n# jinja: endif",
    "line\n\n\n  indented\ntrailing blanks   \n",
    "x" * 100_000,
]


def toml(text: str) -> str:
    """A TOML string of this text."""
    return json.dumps(text, ensure_ascii=False)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_field_161_text_of_the_spec_arrives_byte_for_byte(text: str, tmp_path: Path) -> None:
    doubled = text.replace("{", "{{").replace("}", "}}")
    spec = SPEC.replace('user = "{question}"', f"user = {toml(doubled + '{question}' + doubled)}")
    spec = spec.replace("[prompt]", f"[prompt]\nsystem = {toml(text)}")
    spec = spec.replace(
        'assistant = "<answer>{answer}</answer>"',
        f"assistant = {toml(doubled + '<answer>{answer}</answer>')}",
    )
    prompts = load(write_project(tmp_path / "project", spec), "prompts")
    row = {"question": "{0}%s\\", "answer": "7", "gold": "7"}
    assert prompts.build_messages(row) == [
        {"role": "system", "content": text},
        {"role": "user", "content": text + "{0}%s\\" + text},
    ]
    assert prompts.ideal_completion(row) == text + "<answer>7</answer>"


def test_a_system_prompt_in_a_file_is_read_from_it(tmp_path: Path) -> None:
    spec = SPEC.replace("[prompt]", '[prompt]\nsystem = { file = "system.txt" }')
    project = write_project(tmp_path / "project", spec, system__txt="Be kind.\n")
    (project / "system.txt").write_text("Be brief.\n")
    messages = load(project, "prompts").build_messages({"question": "1+1?"})
    assert messages[0] == {"role": "system", "content": "Be brief.\n"}


def test_written_shots_stand_before_the_question(tmp_path: Path) -> None:
    shots = '[[prompt.shots]]\nuser = "0+0?"\nassistant = "<answer>0</answer>"\n[answer]'
    project = write_project(tmp_path / "project", SPEC.replace("[answer]", shots, 1))
    messages = load(project, "prompts").build_messages({"question": "1+1?"})
    assert [message["content"] for message in messages] == ["0+0?", "<answer>0</answer>", "1+1?"]


def test_shots_by_row_are_shown_and_left_out_of_training(tmp_path: Path) -> None:
    spec = SPEC.replace("[answer]", "shots = { rows = [3, 7] }\n[answer]", 1)
    data = load(write_project(tmp_path / "project", spec), "data")
    rows = data.load_train()
    assert set(rows["row_number"]) == {0, 1, 2, 4, 5, 6, 8, 9, 10, 11}
    assert [message["content"] for message in rows[0]["prompt"]] == [
        *("3+3?", "<answer>6</answer>", "7+7?", "<answer>14</answer>"),
        "0+0?",
    ]


def test_rows_are_filtered_sampled_and_keep_their_number(tmp_path: Path) -> None:
    where = "where = { level = { at_least = 2, at_most = 9 }, answer = { not_equals = 10 } }"
    spec = SPEC.replace('"train.jsonl" }', f'"train.jsonl", rows = 4, {where} }}')
    rows = load(write_project(tmp_path / "project", spec), "data").load_train().to_list()
    assert len(rows) == 4
    assert all(2 <= row["level"] <= 9 and row["answer"] != "10" for row in rows)
    assert all(row["row_number"] == row["level"] for row in rows)


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ("level = { equals = 3 }", [3]),
        ("level = { equals = 3.0 }", [3]),
        ("level = { not_equals = 3 }", [0, 1, 2, 4, 5]),
        ("level = { at_least = 2, at_most = 3 }", [2, 3]),
        ("level = { one_of = [1, 4.0] }", [1, 4]),
        ("answer = { one_of = ['2', 4, true] }", [1, 2]),
        ("easy = { equals = true }", [0, 3]),
        ("easy = { not_equals = true }", [1, 2, 4, 5]),
        ("question = { contains = '1' }", [1]),
    ],
)
@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_a_condition_reads_a_cell_as_what_it_asks_for(
    condition: str, kept: list[int], suffix: str, tmp_path: Path
) -> None:
    """A text file has only text; a cell that is no number meets no limit and ends no run."""
    levels = [0, 1, 2, 3.0, 4, "unknown"]
    rows = [
        {"question": f"{i}+{i}?", "answer": f"{2 * i}", "level": level, "easy": i % 3 == 0}
        for i, level in enumerate(levels)
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    if suffix == "csv":
        cells = [[str(cell) for cell in row.values()] for row in rows]
        lines = "".join(",".join(line) + "\n" for line in [list(rows[0]), *cells])
    else:  # where a column has one type
        lines = lines.replace(', "level": "unknown"', "")
    spec = SPEC.replace('"train.jsonl" }', f'"train.{suffix}", where = {{ {condition} }} }}')
    project = write_project(tmp_path / "project", spec, **{f"train__{suffix}": lines})
    assert load(project, "data").train_source()["row_number"][:] == kept


@pytest.mark.parametrize(("size", "held_out"), [("0.25", 3), ("5", 5)])
def test_a_holdout_parts_the_rows(size: str, held_out: int, tmp_path: Path) -> None:
    spec = SPEC.replace("[prompt]", f"eval = {{ holdout = {size} }}\n[prompt]", 1)
    data = load(write_project(tmp_path / "project", spec), "data")
    train, held = data.load_train()["row_number"][:], data.load_eval()["row_number"][:]
    assert len(held) == held_out
    assert sorted([*train, *held]) == list(range(12))
    assert data.load_eval()["row_number"][:] == held, "the same rows each time"


def test_a_holdout_by_column_parts_its_values(tmp_path: Path) -> None:
    lines = "".join(
        json.dumps({"question": f"q{i}", "answer": str(i), "vendor": f"v{i % 4}"}) + "\n"
        for i in range(40)
    )
    spec = SPEC.replace("[prompt]", 'eval = { holdout = 0.25, by = "vendor" }\n[prompt]', 1)
    data = load(write_project(tmp_path / "project", spec, train__jsonl=lines), "data")
    assert not set(data.load_train()["vendor"]) & set(data.load_eval()["vendor"])


def test_a_csv_keeps_every_cell_as_text(tmp_path: Path) -> None:
    """Field case 125: one empty cell made 12.0 of 12."""
    spec = SPEC.replace("train.jsonl", "train.csv")
    text = "question,answer\r\n1+1?,12\r\n2+2?,\r\n3+3?,007\r\n"
    project = write_project(tmp_path / "project", spec, train__csv=b"\xef\xbb\xbf" + text.encode())
    rows = load(project, "data").load_train()
    assert rows["answer"][:] == ["12", "", "007"]


def test_a_function_of_the_users_own_brings_the_rows(tmp_path: Path) -> None:
    spec = SPEC.replace('{ path = "train.jsonl" }', '{ python = "my_rows.py:load" }')
    code = (
        "from datasets import Dataset\n\n\ndef load():\n"
        '    return Dataset.from_list([{"question": "a", "answer": "1"}] * 4)\n'
    )
    rows = load(write_project(tmp_path / "project", spec, my_rows__py=code), "data").load_train()
    assert len(rows) == 4
    assert rows[0]["gold"] == "1"


def test_a_reward_of_the_users_own_is_called_under_the_specs_name(tmp_path: Path) -> None:
    table = '[rewards.even]\nkind = "python"\nfunction = "my_rewards.py:judge"\nrange = [0, 2]\n'
    code = (
        "def judge(completions, level, **kwargs):\n"
        "    return [2.0 * (number % 2 == 0) for number in level]\n"
    )
    spec = SPEC.replace("[stages.warmup]", table + "[stages.warmup]", 1)
    rewards = load(write_project(tmp_path / "project", spec, my_rewards__py=code), "rewards")
    assert rewards.even(prompts=["a"] * 2, completions=["x", "y"], level=[1, 2]) == [0.0, 2.0]
    assert rewards.even.__name__ == "even"
    assert list(rewards.MIXES["reasoning"].values()) == [1.0, 1.0]


@pytest.mark.heavy
def test_functions_of_the_users_own_keep_the_project_typed(tmp_path: Path) -> None:
    """A list of float is no list of float or None, to pyright."""
    spec = SPEC.replace('{ path = "train.jsonl" }', '{ python = "my_rows.py:load" }').replace(
        "[stages.warmup]",
        '[rewards.even]\nkind = "python"\nfunction = "my_rows.py:judge"\nrange = [0, 2]\n'
        "[stages.warmup]",
        1,
    )
    code = (
        "from typing import Any\n\nfrom datasets import Dataset\n\n\n"
        "def load() -> Dataset:\n"
        '    return Dataset.from_list([{"question": "a", "answer": "1"}] * 4)\n\n\n'
        "def judge(completions: list[Any], **columns: Any) -> list[float]:\n"
        "    return [0.0 for _ in completions]\n"
    )
    project = write_project(tmp_path / "project", spec, my_rows__py=code)
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]
    done = subprocess.run(
        [*command, "rewards.py", "data.py"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("mix", "weights"),
    [
        ("", {"correct": 1.0, "tags": 0.5}),
        ('rewards = ["tags"]', {"tags": 0.5}),
        ("rewards = { tags = 2, correct = 0.0 }", {"tags": 2.0, "correct": 0.0}),
    ],
)
def test_a_stage_has_its_own_mix(mix: str, weights: dict[str, float], tmp_path: Path) -> None:
    spec = SPEC.replace(
        "[stages.warmup]", '[rewards.tags]\nkind = "xml_tags"\nweight = 0.5\n[stages.warmup]'
    )
    project = write_project(tmp_path / "project", spec + mix + "\n")
    found = load(project, "rewards").MIXES["reasoning"]
    assert {reward.__name__: weight for reward, weight in found.items()} == weights


TAG = 'extract = "xml"\ntag = "answer"'
TWO_TAGS = "<answer>1</answer><answer>2</answer>"


@pytest.mark.parametrize(
    ("answer", "ideal", "text", "read"),
    [
        ('extract = "boxed"', r"\boxed{{{answer}}}", r"so \boxed{\frac{1}{2}}", r"\frac{1}{2}"),
        ('extract = "after"\nmarker = "####"', "#### {answer}", "work\n#### 42\nthanks", "42"),
        ("extract = \"regex\"\npattern = 'A: (?P<answer>\\d+)'", "A: {answer}", "A: 7", "7"),
        ('extract = "last_number"', "{answer}", "3 and then 1,234.", "1,234"),
        ('extract = "whole"', "{answer}", " 12 <|im_end|>", "12"),
        (f'{TAG}\nseveral = "only"', "<answer>{answer}</answer>", TWO_TAGS, None),
        (f'{TAG}\nseveral = "first"', "<answer>{answer}</answer>", TWO_TAGS, "1"),
        (f'{TAG}\nseveral = "last"', "<answer>{answer}</answer>", TWO_TAGS, "2"),
    ],
)
def test_an_answer_is_read_as_the_spec_says(
    answer: str, ideal: str, text: str, read: str | None, tmp_path: Path
) -> None:
    spec = SPEC.replace(TAG, answer).replace('"<answer>{answer}</answer>"', f"'{ideal}'")
    answers = load(write_project(tmp_path / "project", spec), "answers")
    assert answers.read_answer(text) == read


@pytest.mark.parametrize(
    ("compare", "answer", "gold", "same"),
    [
        ('compare = "number"', "1,234.0", "1234", True),
        ('compare = "number"', "28%", "28", False),
        ('compare = "number"\npercent = "strip"', "28%", "28", True),
        ('compare = "number"\npercent = "scale"', "28%", "0.28", True),
        ('compare = "number"\ngrouping = "none"', "1,234", "1234", False),
        ('compare = "number"\ngrouping = "indian"', "1,00,000", "100000", True),
        ('compare = "number"\nunit = ["km", "m"]', "5 km", "5", True),
        ('compare = "number"\ntolerance = 0.01', "3.14", "3.1415", True),
        ('compare = "number"\nrelative_tolerance = 0.1', "109", "100", True),
        ('compare = "number"', "3.14", "3.1415", False),
        ('compare = "text"', "New  York", "New York", True),
        ('compare = "text"', "new york", "New York", False),
        ('compare = "text"\ncase = "fold"', "new york", "New York", True),
        ('compare = "text"\nwhitespace = "remove"', "NewYork", "New York", True),
        ('compare = "exact"', "7", "7.0", False),
    ],
)
def test_answers_are_compared_as_the_spec_says(
    compare: str, answer: str, gold: str, same: bool, tmp_path: Path
) -> None:
    spec = SPEC.replace('tag = "answer"', f'tag = "answer"\n{compare}')
    answers = load(write_project(tmp_path / "project", spec), "answers")
    assert answers.same_answer(answer, gold) is same


def test_a_project_without_a_gold_has_no_answers(tmp_path: Path) -> None:
    spec = SPEC.replace('[answer]\nextract = "xml"\ntag = "answer"\n', "")
    spec = spec.replace('gold = { column = "answer" }\n', "")
    spec = spec.replace("correct = 1.0", 'tags = { kind = "xml_tags", tags = ["answer"] }')
    project = write_project(tmp_path / "project", spec)
    assert not (project / "answers.py").exists()
    assert load(project, "rewards").tags(completions=["<answer>1</answer>"]) == [1.0]


def test_a_project_of_sft_alone_has_no_rewards(tmp_path: Path) -> None:
    spec = SPEC.replace("[rewards]\ncorrect = 1.0\n", "").partition("[stages.reasoning]")[0]
    spec = spec.replace('[answer]\nextract = "xml"\ntag = "answer"\n', "")
    spec = spec.replace('gold = { column = "answer" }', "eval = { holdout = 2 }")
    project = write_project(tmp_path / "project", spec.replace(', "reasoning"', ""))
    assert not (project / "rewards.py").exists()
    assert "import score" not in (project / "data_report.py").read_text()


def test_the_rewards_command_says_what_was_read_and_why(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project")
    (project / "text.txt").write_text("I think <answer>5</answer>")
    done = subprocess.run(
        [sys.executable, "rewards.py", "--row", "3", "--text", "text.txt"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "read '5', the gold is '6'" in done.stdout
    assert "correct" in done.stdout


def test_the_rewards_command_says_which_text_is_not_there(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project")
    done = subprocess.run(
        [sys.executable, "rewards.py", "--text", "missing.txt"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "rewards.py: error: --text: missing.txt is no file"


def test_the_data_report_names_bad_rows_and_exits_1(tmp_path: Path) -> None:
    bad = ROWS + '{"question": "0+0?", "answer": "1", "level": 0}\n'
    bad += '{"question": "x", "answer": "", "level": 0}\n'
    project = write_project(tmp_path / "project", SPEC, train__jsonl=bad)
    done = subprocess.run(
        [sys.executable, "data.py"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
        env={"HF_HUB_OFFLINE": "1", "PATH": ""},
    )
    assert done.returncode == 1, done.stderr
    assert "0, 12" in done.stdout, "the same question with two golds"
    assert "13" in done.stdout, "an empty gold"


def test_a_revision_is_of_the_base_and_not_of_a_stage(tmp_path: Path) -> None:
    spec = SPEC.replace("[hardware]", 'revision = "main"\n[hardware]')
    project = write_project(tmp_path / "project", spec)
    assert '"revision": "main"' in (project / "train_warmup.py").read_text()
    assert "revision" not in (project / "train_reasoning.py").read_text()


@pytest.mark.parametrize(
    ("table", "key", "told"),
    [
        ("prompt", "shots = { rows = [0, 1] }", "1 epoch of 10 rows are 5 steps."),
        ("data", "eval = { holdout = 0.01 }", "1 epoch of 11 rows are 6 steps."),
        ("data", "eval = { holdout = 0.01 }", "- Held out: 1% of the training source."),
        ("data", "eval = { holdout = 0.125 }", "- Held out: 12.5% of the training source."),
        ("stages.warmup", "steps = 3000", "3,000 steps see 6,000 rows, 500 epochs."),
        ("run", "tracking = { to = 'tensorboard' }", '| `"tensorboard"` | `run.tracking.to` |'),
    ],
)
def test_the_plan_page_counts_what_is_trained_on(
    table: str, key: str, told: str, tmp_path: Path
) -> None:
    spec = SPEC if f"[{table}]" in SPEC else SPEC.replace("spec = 1", f"spec = 1\n[{table}]", 1)
    spec = spec.replace(f"[{table}]", f"[{table}]\n{key}", 1)
    assert told in (write_project(tmp_path / "project", spec) / "PLAN.md").read_text()
