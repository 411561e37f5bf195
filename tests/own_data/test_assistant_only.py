"""Conversations of which only what the assistant says is learnt."""

import json
from pathlib import Path

from tests.command_line import command
from tests.projects import load, write_project

SPEC = """
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
assistant_only_loss = true
data = { train = { path = "talk.jsonl" }, columns = { messages = "turns" } }
"""
TALK = "".join(
    json.dumps(
        {
            "turns": [
                {"role": role, "content": f"{content} {number}"}
                for role, content in (("user", "hello"), ("assistant", "hi")) * 2
            ]
        }
    )
    + "\n"
    for number in range(4)
)


def test_each_turn_of_the_assistant_is_a_completion(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project", SPEC, talk__jsonl=TALK)
    rows = load(project, "data").load_tone_train()
    assert rows["row_number"] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert [len(prompt) for prompt in rows["prompt"]] == [1, 3] * 4
    assert rows[3]["completion"] == [{"role": "assistant", "content": "hi 1"}]
    script = (project / "train_tone.py").read_text()
    assert "assistant_only_loss" not in script
    page = (project / "PLAN.md").read_text()
    assert "how many steps that is, only the data says" in page


def test_completions_are_asked_for_where_there_are_none(tmp_path: Path) -> None:
    (tmp_path / "talk.jsonl").write_text(TALK)
    other = "trainer = { completion_only_loss = true }"
    (tmp_path / "task.toml").write_text(SPEC.replace("assistant_only_loss = true", other))
    done = command("check", "--format", "concise", cwd=tmp_path)
    assert done.returncode == 0
    assert "warning[no-effect]: `completion_only_loss` has no effect on rows" in done.stdout


def test_it_is_refused_where_there_are_no_conversations(tmp_path: Path) -> None:
    rows = '{"asked": "a", "answer": "b"}\n' * 4
    (tmp_path / "talk.jsonl").write_text(rows)
    columns = 'columns = { prompt = "asked", completion = "answer" }'
    spec = SPEC.replace('columns = { messages = "turns" }', columns)
    (tmp_path / "task.toml").write_text(spec)
    done = command("check", "--format", "concise", cwd=tmp_path)
    assert done.returncode == 1
    assert "`assistant_only_loss` is for rows of `messages`" in done.stdout
