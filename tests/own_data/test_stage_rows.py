"""A stage's own rows: which columns it learns from, and what its script is given."""

import json
from pathlib import Path

import pytest

from tests.projects import ROWS, SPEC, load, write_project

HEAD = """
spec = 1
[project]
name = "tone"
[model]
base = "Qwen/Qwen2.5-0.5B-Instruct"
[hardware]
tier = "cpu"
[stages.tone]
method = "sft"
prompts_per_step = 2
[stages.tone.data]
train = { path = "replies.csv", delimiter = ";", encoding = "cp1252" }
"""
REPLIES = "customer;good reply;bad reply\n" + "".join(
    f"où est {number};bientôt {number};{'no' * number}\n" for number in range(1, 9)
)
TALK = "".join(
    json.dumps(
        {
            "turns": [
                {"role": "user", "content": f"hello {number}"},
                {"role": "assistant", "content": f"hi {number}"},
            ]
        }
    )
    + "\n"
    for number in range(8)
)


def project_of(folder: Path, columns: str, more: str = "") -> Path:
    """A project with the one stage `tone`."""
    spec = f"{HEAD}columns = {columns}\n{more}"
    return write_project(folder, spec, replies__csv=REPLIES.encode("cp1252"), talk__jsonl=TALK)


def test_a_prompt_and_its_completion_are_messages_of_user_and_assistant(tmp_path: Path) -> None:
    project = project_of(tmp_path, '{ prompt = "customer", completion = "good reply" }')
    rows = load(project, "data").load_tone_train()
    assert sorted(rows.column_names) == ["completion", "prompt", "row_number"]
    assert rows[1] == {
        "row_number": 1,
        "prompt": [{"role": "user", "content": "où est 2"}],
        "completion": [{"role": "assistant", "content": "bientôt 2"}],
    }
    script = (project / "train_tone.py").read_text()
    assert "train_dataset=load_tone_train()" in script
    assert "[data]" not in script
    for name in ("prompts.py", "data_report.py", "tests/test_data.py", "rewards.py"):
        assert not (project / name).exists()


def test_a_question_stands_in_the_prompt_of_the_spec(tmp_path: Path) -> None:
    prompt = """
[prompt]
system = "Be kind."
user = "Customer: {question} ({bad reply})"
[[prompt.shots]]
user = "Customer: hm"
assistant = "Yes?"
"""
    columns = '{ question = "customer", response = "good reply" }'
    row = load(project_of(tmp_path, columns, prompt), "data").load_tone_train()[0]
    assert row["prompt"] == [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Customer: hm"},
        {"role": "assistant", "content": "Yes?"},
        {"role": "user", "content": "Customer: où est 1 (no)"},
    ]
    assert row["completion"] == [{"role": "assistant", "content": "bientôt 1"}]


def test_whole_conversations_and_plain_texts_are_learnt_as_they_stand(tmp_path: Path) -> None:
    spec = HEAD.replace('"replies.csv", delimiter = ";", encoding = "cp1252"', '"talk.jsonl"')
    spec += 'columns = { messages = "turns" }\n'
    rows = load(write_project(tmp_path / "a", spec, talk__jsonl=TALK), "data").load_tone_train()
    assert rows[3]["messages"][1] == {"role": "assistant", "content": "hi 3"}
    rows = load(project_of(tmp_path / "b", '{ text = "good reply" }'), "data").load_tone_train()
    assert rows[0] == {"row_number": 0, "text": "bientôt 1"}


def test_rows_are_held_out_and_evaluated_on(tmp_path: Path) -> None:
    more = "eval = { holdout = 2 }\n[run]\neval_every = 1\n"
    project = project_of(tmp_path, '{ text = "customer" }', more)
    data = load(project, "data")
    train, held_out = data.load_tone_train(), data.load_tone_eval()
    assert sorted([*train["row_number"], *held_out["row_number"]]) == list(range(8))
    script = (project / "train_tone.py").read_text()
    assert "eval_dataset=load_tone_eval()" in script
    assert "eval_steps=1" in script


def test_a_stage_without_rows_to_evaluate_on_is_not_evaluated(tmp_path: Path) -> None:
    spec = SPEC.replace(
        '{ path = "train.jsonl" }', '{ path = "train.jsonl" }\neval = { holdout = 2 }'
    )
    spec = spec.replace(
        'method = "sft"', 'method = "sft"\ndata = { train = { path = "own.jsonl" } }'
    )
    project = write_project(tmp_path, f"{spec}[run]\neval_every = 5\n", own__jsonl=ROWS)
    assert "eval_" not in (project / "train_warmup.py").read_text()
    assert (
        "eval_dataset=short_enough(load_eval(), tokenizer)"
        in (project / "train_reasoning.py").read_text()
    )


def test_rows_of_other_files_are_asked_and_graded_as_those_of_data(tmp_path: Path) -> None:
    spec = f"""{SPEC}
[stages.reasoning.data]
train = {{ path = "hard.jsonl", where = {{ level = {{ at_least = 5 }} }} }}
"""
    project = write_project(tmp_path, spec, hard__jsonl=ROWS)
    row = load(project, "data").load_reasoning_train()[0]
    assert (row["gold"], row["row_number"], row["level"]) == ("10", 5, 5)
    assert row["prompt"] == [{"role": "user", "content": "5+5?"}]
    script = (project / "train_reasoning.py").read_text()
    assert "enough_for(2, short_enough(load_reasoning_train(), tokenizer))" in script


@pytest.mark.parametrize(
    ("columns", "asked"),
    [('{ messages = "turns" }', 2), ('{ prompt = "turns" }', 3), ('{ question = "question" }', 1)],
)
def test_a_stage_that_samples_goes_on_with_a_conversation(
    tmp_path: Path, columns: str, asked: int
) -> None:
    talk = [
        {"role": "system", "content": "Add."},
        {"role": "user", "content": "1+1?"},
        {"role": "assistant", "content": "2"},
    ]
    rows = "".join(
        json.dumps({"turns": talk, "question": f"{number}?", "answer": "2"}) + "\n"
        for number in range(4)
    )
    spec = f"""{SPEC}
[stages.reasoning.data]
train = {{ path = "talks.jsonl" }}
columns = {columns}
"""
    row = load(write_project(tmp_path, spec, talks__jsonl=rows), "data").load_reasoning_train()[0]
    assert len(row["prompt"]) == asked
    assert row["gold"] == "2"
    assert row["answer"] == "2"


def test_the_report_names_rows_and_columns_that_cannot_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn = [{"role": "user", "content": "a"}]
    rows: list[dict[str, object]] = [{"turns": turn} for _ in range(6)]
    rows[2] = {"turns": None}
    rows[4] = {"turns": []}
    spec = HEAD.replace('"replies.csv", delimiter = ";", encoding = "cp1252"', '"talk.jsonl"')
    spec += 'columns = { messages = "turns" }\n'
    text = "".join(json.dumps(row) + "\n" for row in rows)
    project = write_project(tmp_path, spec, talk__jsonl=text)
    report = load(project, "stage_report")
    with pytest.raises(SystemExit) as ended:
        report.main()
    assert ended.value.code == 1
    said = capsys.readouterr().out
    assert "error: tone train: 1 row with nothing in `turns`: 2" in said
    assert "error: tone train: 1 row that cannot be used: '[]' is no list of messages: 4" in said
    assert "warning: tone train: 3 rows that say what an earlier one says: 1, 3, 5" in said
    with pytest.raises(ValueError, match="row 2 has nothing in turns"):
        load(project, "data").load_tone_train()


def test_the_report_names_rows_that_ask_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    columns = '{ prompt = "customer", chosen = "good reply", rejected = "bad reply" }'
    spec = f"{HEAD}columns = {columns}\n".replace('method = "sft"', 'method = "dpo"')
    text = "customer;good reply;bad reply\n" + "".join(
        f"{'' if number == 3 else f'q{number}'};yes {number};no {number}\n" for number in range(6)
    )
    report = load(write_project(tmp_path, spec, replies__csv=text), "stage_report")
    with pytest.raises(SystemExit):
        report.main()
    said = capsys.readouterr().out
    assert "warning: tone train: 1 row with an empty prompt: 3" in said


class Words:
    """A tokenizer of one token a word, as the report needs it."""

    def encode(self, text: str) -> list[str]:
        return text.split()

    def apply_chat_template(self, messages: list[dict[str, str]], **_: object) -> list[str]:
        return [word for turn in messages for word in turn["content"].split()]


def test_the_report_names_rows_that_are_longer_than_their_stage_allows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    columns = '{ prompt = "customer", chosen = "bad reply", rejected = "good reply" }'
    spec = f"{HEAD}columns = {columns}\n".replace('method = "sft"', 'method = "reward"')
    spec = spec.replace("prompts_per_step = 2", "prompts_per_step = 2\nmax_length = 7")
    replies = REPLIES.replace(";nono\n", ";no no no no no\n")
    project = write_project(tmp_path, spec, replies__csv=replies.encode("cp1252"))
    report, data = load(project, "stage_report"), load(project, "data")
    rows, _ = report.usable_rows(
        "tone train", data.tone_train_source(), data.tone_row, data.STAGE_COLUMNS["tone"]
    )
    found = report.long_rows("tone", "tone train", rows, Words())
    assert "tone train: tokens of the longest row: 8" in capsys.readouterr().out
    assert found == [
        "warning: tone train: 1 row over the 7 tokens of `tone`, left out by TRL: 1",
    ]


def test_rows_of_a_stage_without_columns_of_its_own_have_no_report(tmp_path: Path) -> None:
    own = 'method = "grpo"\ndata = { train = { path = "train.jsonl" } }'
    project = write_project(tmp_path / "project", SPEC.replace('method = "grpo"', own))
    assert not (project / "stage_report.py").exists()
    assert "STAGE_COLUMNS" not in (project / "data.py").read_text()
    assert "stage_report" not in (project / "data_report.py").read_text()
