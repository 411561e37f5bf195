"""Rows of `[data]` that hold whole prompts: conversations, and texts to which nothing is added."""

import json
from pathlib import Path

import pytest

from tests.projects import SPEC, load, write_project

TALKS = "".join(
    json.dumps(
        {
            "talk": [
                {"role": "system", "content": "Add in your head."},
                {"role": "user", "content": f"{number}+1?"},
                {"role": "assistant", "content": f"<answer>{number + 1}</answer>"},
                {"role": "user", "content": "And one more?"},
                {"role": "assistant", "content": f"<answer>{number + 2}</answer>"},
            ],
            "answer": str(number + 2),
        }
    )
    + "\n"
    for number in range(12)
)


def spec_of(columns: str) -> str:
    """The usual spec, with whole prompts in the place of a template."""
    spec = SPEC.replace('{ path = "train.jsonl" }', f'{{ path = "talks.jsonl" }}\n{columns}')
    return spec.replace('user = "{question}"\n', "")


def test_a_conversation_is_gone_on_with_and_graded(tmp_path: Path) -> None:
    spec = spec_of('columns = { messages = "talk" }\neval = { holdout = 2 }')
    project = write_project(tmp_path, spec, talks__jsonl=TALKS)
    data = load(project, "data")
    row = data.load_train()[0]
    roles = [message["role"] for message in row["prompt"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert int(row["gold"]) == int(row["prompt"][1]["content"].split("+")[0]) + 2
    rewards = load(project, "rewards")
    answers = ["<answer>" + row["gold"] + "</answer>", "<answer>-1</answer>"]
    completions = [[{"role": "assistant", "content": text}] for text in answers]
    prompts = [row["prompt"]] * 2
    given = rewards.correct(prompts=prompts, completions=completions, gold=[row["gold"]] * 2)
    assert given == [1.0, 0.0]
    taught = data.to_prompt_completion(data.load_train())[0]
    assert taught["completion"][0]["content"] == answers[0]
    report = load(project, "data_report")
    train, findings = report.usable_rows("train", data.train_source())
    assert len(train) == 10
    assert findings == []
    assert report.repeated("train", train) == []


def test_what_is_no_conversation_is_told_with_its_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [json.loads(line) for line in TALKS.splitlines()]
    rows[3]["talk"] = None
    rows[5]["talk"] = rows[5]["talk"][:1]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    project = write_project(tmp_path, spec_of('columns = { messages = "talk" }'), talks__jsonl=text)
    report = load(project, "data_report")
    _, findings = report.usable_rows("train", load(project, "data").train_source())
    assert "train 12 rows" in capsys.readouterr().out
    assert findings == [
        "error: train: 1 row that cannot be used, with 'None' is no list of messages: 3",
        "error: train: 1 row that cannot be used, with the conversation asks nothing: 5",
    ]


def test_a_text_is_asked_as_it_stands(tmp_path: Path) -> None:
    rows = "".join(f'{{"task": "{number}+1?", "answer": "{number + 1}"}}\n' for number in range(4))
    project = write_project(tmp_path, spec_of('columns = { prompt = "task" }'), talks__jsonl=rows)
    row = load(project, "data").load_train()[0]
    assert row["prompt"] == [{"role": "user", "content": "0+1?"}]
    assert load(project, "prompts").user_text(row) == "0+1?"
