"""Golds and tests that stand in the data as objects and lists."""

import json
from pathlib import Path

from tests.projects import SPEC, load, write_project

GOLDS = [
    {"vendor": "Müller", "total": 10, "note": None},
    {"vendor": "Ångström", "total": 10.5, "lines": [1, "two"]},
    {},
]
PAID = '\n[answer]\nextract = "json"\ncompare = "json"\n[rewards]'


def test_an_object_is_compared_with_its_own_keys_and_values(tmp_path: Path) -> None:
    rows = "".join(
        json.dumps({"question": f"{at}?", "answer": GOLDS[at % 3]}) + "\n" for at in range(12)
    )
    spec = SPEC.replace("<answer>{answer}</answer>", "{gold}")
    spec = spec.replace('[answer]\nextract = "xml"\ntag = "answer"\n[rewards]', PAID)
    project = write_project(tmp_path / "project", spec, train__jsonl=rows)
    data, rewards = load(project, "data"), load(project, "rewards")
    prompts = load(project, "prompts")
    found = [data.add_prompt(row) for row in data.train_source().to_list()]
    assert [json.loads(row["gold"]) for row in found[:3]] == GOLDS
    assert "Müller" in prompts.ideal_completion(found[0])
    for row, gold in zip(found, GOLDS, strict=False):
        assert rewards.pay(rewards.correct, json.dumps(gold), row) == float(gold != {})
        more = json.dumps(gold | {"more": 1})
        assert rewards.pay(rewards.correct, more, row) == 0.0


def test_lists_are_compared_as_sets_and_arrive_as_they_are(tmp_path: Path) -> None:
    rows = "".join(
        json.dumps({"question": f"{at}?", "answer": ["red", at]}) + "\n" for at in range(12)
    )
    spec = SPEC.replace('tag = "answer"', 'tag = "answer"\ncompare = "set"')
    spec = spec.replace("{answer}</answer>", "{gold}</answer>")
    project = write_project(tmp_path / "project", spec, train__jsonl=rows)
    data, rewards = load(project, "data"), load(project, "rewards")
    row = data.add_prompt(data.train_source()[3])
    texts = ["<answer>3, red</answer>", "<answer>red</answer>", "<answer>red, 4</answer>"]
    assert [rewards.pay(rewards.correct, text, row) for text in texts] == [1.0, 0.0, 0.0]
