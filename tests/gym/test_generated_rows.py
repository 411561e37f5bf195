"""Rows of reasoning-gym's generators: their seeds, their columns, and what their verifier pays.

The package is not needed here: a stand-in has one generator. `test_real_generators.py` has it.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.projects import load, write_project

STAND_IN = Path(__file__).parent / "stand_in"
SPEC = """
spec = 1
[project]
name = "puzzles"
[model]
base = "Qwen/Qwen2.5-0.5B-Instruct"
[hardware]
tier = "cpu"
[data]
train = { reasoning_gym = "chain_sum", rows = 40, config = { min_terms = 3 } }
eval = { reasoning_gym = "chain_sum", rows = 10, config = { min_terms = 3 } }
[prompt]
user = "{question}"
assistant = "<answer>{answer}</answer>"
[rewards.verified]
kind = "reasoning_gym"
[stages.reasoning]
method = "grpo"
prompts_per_step = 2
num_generations = 4
"""
READ = """
[answer]
extract = "last_number"
[rewards.verified]
"""


@pytest.fixture(autouse=True)
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(STAND_IN)
    forget()
    yield
    forget()


def forget() -> None:
    """Let the next import find the package that is on the path then."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "reasoning_gym"]:
        del sys.modules[name]


def test_held_out_rows_are_made_with_seeds_behind_those_of_the_training_rows(
    tmp_path: Path,
) -> None:
    data = load(write_project(tmp_path, SPEC), "data")
    train, held_out = data.load_train(), data.load_eval()
    assert (len(train), len(held_out)) == (40, 10)
    assert train[0]["question"].count("+") == 2
    assert not set(train["question"]) & set(held_out["question"])
    assert train["question"] == data.load_train()["question"]
    assert "seed=42, min_terms=3" in (tmp_path / "data.py").read_text()
    assert "seed=82, min_terms=3" in (tmp_path / "data.py").read_text()


def test_a_seed_that_is_written_moves_those_that_are_not(tmp_path: Path) -> None:
    spec = SPEC.replace("rows = 10,", "rows = 10, seed = 1000,")
    text = (write_project(tmp_path, spec) / "data.py").read_text()
    assert "seed=1000" in text
    assert "seed=1010" in text


def test_the_verifier_of_a_row_pays_what_it_says(tmp_path: Path) -> None:
    rewards = load(write_project(tmp_path, SPEC), "rewards")
    data = load(tmp_path, "data")
    for row in data.load_eval().to_list():
        right = f"<think>so</think><answer> {row['answer']} </answer>"
        assert rewards.pay(rewards.verified, right, row) == 1.0
        assert rewards.pay(rewards.verified, "<answer>-1</answer>", row) == 0.01
        assert rewards.pay(rewards.verified, "<answer>many</answer>", row) == 0.0, "no number"
        assert rewards.pay(rewards.verified, row["answer"], row) == 0.0, "no tag"
        thought = f"<think><answer>{row['answer']}</answer>"
        assert rewards.pay(rewards.verified, thought, row) == 0.0, "only thought"
    row = data.load_eval()[0]
    assert "the verifier gives 0.01" in rewards.reasons("<answer>-1</answer>", row)["verified"]


def test_the_verifier_is_given_what_the_answer_table_reads(tmp_path: Path) -> None:
    spec = SPEC.replace("[rewards.verified]", READ).replace(
        "[prompt]", 'gold = { column = "answer" }\n[prompt]'
    )
    project = write_project(tmp_path, spec.replace("<answer>{answer}</answer>", "It is {gold}"))
    rewards = load(project, "rewards")
    row = load(project, "data").load_train()[3]
    assert rewards.pay(rewards.verified, f"It is {row['answer']}.", row) == 1.0


def test_rows_of_another_source_are_not_scored(tmp_path: Path) -> None:
    sources = 'train = [{ path = "train.jsonl" }, { reasoning_gym = "chain_sum", rows = 40, '
    spec = SPEC.replace('train = { reasoning_gym = "chain_sum", rows = 40, ', sources)
    spec = spec.replace("min_terms = 3 } }\neval", "min_terms = 3 } }]\neval")
    rewards = load(write_project(tmp_path, spec), "rewards")
    rows = load(tmp_path, "data").load_train().to_list()
    assert len(rows) == 52
    paid = [rewards.pay(rewards.verified, f"<answer>{r['answer']}</answer>", r) for r in rows]
    assert paid == [None] * 12 + [1.0] * 40


def test_the_package_stands_among_the_requirements_only_where_it_is_used(tmp_path: Path) -> None:
    used = write_project(tmp_path / "used", SPEC)
    assert "reasoning-gym>=0.1.25,<0.2" in (used / "pyproject.toml").read_text()
    other = write_project(tmp_path / "other")
    assert "reasoning-gym" not in (other / "pyproject.toml").read_text()
    assert not (other / "generated.py").exists()


def test_a_right_answer_is_what_the_verifier_says(tmp_path: Path) -> None:
    project = write_project(tmp_path, SPEC)
    assert "rewards.verified" in (project / "grading.py").read_text()
    assert "rewards.verified" in (project / "probes.py").read_text()
