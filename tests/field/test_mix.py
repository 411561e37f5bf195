"""Threads about the mix of rewards: its weights, what it teaches, and what reaches a reward."""

import csv
import io
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.projects import SPEC, load, write_project
from tests.test_mixes import said, with_rewards

OWN = '[rewards.{0}]\nkind = "python"\nfunction = "mine.py:{0}"\nrange = [0, 3]\nweight = {1}\n'
LENGTH = '[rewards.brief]\nkind = "length"\nmax_characters = 30\nweight = 0.5\n'
RUDE = '[rewards.rude]\nkind = "forbidden"\npatterns = ["stupid"]\nweight = 0.5\n'


def own_project(tmp_path: Path, code: str, rewards: str, **files: str) -> Path:
    return write_project(tmp_path / "project", with_rewards(rewards), mine__py=code, **files)


def test_field_5_a_mix_that_never_looks_at_the_gold_is_warned_of(tmp_path: Path) -> None:
    found = said(tmp_path, with_rewards(LENGTH + RUDE))
    assert any(
        line.startswith("unpaid-correctness: no stage pays a reward that looks at the gold")
        for line in found
    )
    assert not any(
        line.startswith("unpaid-correctness")
        for line in said(tmp_path, with_rewards("correct = 1.0\n" + LENGTH + RUDE))
    )


@pytest.mark.heavy
def test_field_53_two_rewards_that_cancel_each_other_fail_the_smoke_test(tmp_path: Path) -> None:
    """Alone each of them varies; only their sum, which is what is learnt from, does not."""
    code = (
        "def longer(completions, **columns):\n"
        "    return [3.0 * bool(said[0]['content']) for said in completions]\n\n\n"
        "def shorter(completions, **columns):\n"
        "    return [3.0 - mark for mark in longer(completions)]\n"
    )
    rewards = OWN.format("longer", 1.0) + OWN.format("shorter", 1.0)
    project = own_project(tmp_path, code, rewards)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "tests/test_smoke.py"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "the weighted sum of the rewards is constant (3.0)" in done.stdout


@pytest.mark.heavy
def test_field_54_a_loss_of_0_is_healthy_and_unchanged_weights_are_not(tmp_path: Path) -> None:
    import torch  # noqa: PLC0415 - takes seconds, which collecting the tests need not wait for

    project = write_project(tmp_path / "project")
    sys.path.insert(0, str(project / "tests"))
    try:
        checks = load(project, "checks")
    finally:
        sys.path.remove(str(project / "tests"))
    steps = [{"loss": 0.0, "grad_norm": 0.1, "step": step} for step in (1, 2)]
    trainer = SimpleNamespace(
        state=SimpleNamespace(log_history=steps), args=SimpleNamespace(max_steps=2)
    )
    assert checks.check_log("reasoning", trainer) == [0.0, 0.0]
    same = SimpleNamespace(weights=[{"w": torch.zeros(2)}, {"w": torch.zeros(2)}])
    with pytest.raises(AssertionError, match="`reasoning` changed no weight: see learning_rate"):
        checks.check_weights("reasoning", same, learnable=True)
    moved = SimpleNamespace(weights=[{"w": torch.zeros(2)}, {"w": torch.ones(2)}])
    checks.check_weights("reasoning", moved, learnable=True)


def test_field_56_rows_that_no_reward_judges_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["data.py"])
    code = (
        "def maths(completions, topic, **columns):\n"
        "    return [3.0 if each == 'maths' else None for each in topic]\n"
    )
    rows = "".join(
        f'{{"question": "{number}?", "answer": "{number}", "topic": "{topic}"}}\n'
        for number, topic in enumerate(["maths", "code"] * 6)
    )
    project = own_project(tmp_path, code, OWN.format("maths", 1.0), train__jsonl=rows)
    with pytest.raises(SystemExit) as ended:
        load(project, "data_report").main()
    assert ended.value.code == 1
    report = capsys.readouterr().out
    fault = "error: train: 6 rows that no reward of `reasoning` judges: 1, 3, 5, 7, 9, 11"
    assert fault in report.splitlines()


@pytest.mark.parametrize(
    ("weight", "code"),
    [
        ("-1.0", "bad-value"),
        ("nan", "not-finite"),
        ("inf", "not-finite"),
        ("0.0", "nothing-paid"),
    ],
)
def test_field_57_a_weight_that_cannot_be_one_is_refused(
    tmp_path: Path, weight: str, code: str
) -> None:
    found = said(tmp_path, with_rewards(f"correct = {weight}\n"))
    assert [line.partition(":")[0] for line in found] == [code]


def test_field_57_a_reward_has_its_weight_beside_it(tmp_path: Path) -> None:
    """There are no two lists that could differ in length."""
    project = write_project(tmp_path / "project", with_rewards("correct = 1.0\n" + LENGTH))
    mix = load(project, "rewards").MIXES["reasoning"]
    assert {reward.__name__: weight for reward, weight in mix.items()} == {
        "correct": 1.0,
        "brief": 0.5,
    }
    script = (project / "train_reasoning.py").read_text()
    assert "reward_funcs=list(mix)," in script
    assert "reward_weights=list(mix.values())," in script


def test_field_62_beta_is_written_out_with_what_it_means(tmp_path: Path) -> None:
    script = (write_project(tmp_path / "project") / "train_reasoning.py").read_text()
    assert "beta=0.0,  # no reference model is loaded, and no KL is logged" in script


def test_field_63_a_column_that_a_reward_reads_must_be_there(tmp_path: Path) -> None:
    code = "def close(completions, solution, **columns):\n    return [0.5 for _ in solution]\n"
    found = said(tmp_path, with_rewards("correct = 1.0\n" + OWN.format("close", 0.1)), code)
    assert found == [
        "bad-signature: `mine.py:close` takes `solution`, which is no column of the data"
    ]


def test_field_66_other_columns_reach_the_reward_unchanged_and_in_order(tmp_path: Path) -> None:
    code = (
        "def passes(completions, tests, **columns):\n"
        "    return [float(len(each)) for each in tests]\n"
    )
    rows = "".join(
        f'{{"question": "{number}?", "answer": "{number}", "tests": {["a"] * number}}}\n'.replace(
            "'", '"'
        )
        for number in range(1, 4)
    )
    rewards = "correct = 3.0\n" + OWN.format("passes", 0.5)
    project = own_project(tmp_path, code, rewards, train__jsonl=rows)
    train = load(project, "data").load_train()
    assert train["tests"][:] == [["a"], ["a", "a"], ["a", "a", "a"]]
    passes = load(project, "rewards").passes
    columns = {name: list(train[name]) for name in train.column_names if name != "prompt"}
    given = passes(
        prompts=train["prompt"][:], completions=["x"] * 3, completion_ids=[[]] * 3, **columns
    )
    assert given == [1.0, 2.0, 3.0]


def test_field_68_columns_that_trl_uses_itself_are_named(tmp_path: Path) -> None:
    names = ["question", "prompt", "completions", "trainer_state", "completion", "answer"]
    text = io.StringIO()
    csv.writer(text).writerows([names, *[[f"{number}"] * len(names) for number in range(12)]])
    (tmp_path / "train.csv").write_text(text.getvalue())
    found = said(tmp_path, SPEC.replace("train.jsonl", "train.csv"))
    reserved = [line for line in found if line.startswith("reserved-column")]
    # A column `prompt` can be shown like any other: the project makes TRL's `prompt` of it.
    for name in ("completions", "trainer_state", "completion"):
        assert any(f"`{name}`" in line for line in reserved), (name, found)


def test_field_176_form_that_outweighs_the_answer_is_warned_of(tmp_path: Path) -> None:
    form = '[rewards.form]\nkind = "xml_format"\ntags = ["answer"]\nweight = 5.0\n'
    spec = with_rewards("correct = 1.0\n" + form)
    warning = "a wrong answer can earn 5 in `reasoning`, and a right one as little as 1"
    assert said(tmp_path, spec) == [f"wrong-beats-right: {warning}"]
    page = (write_project(tmp_path / "project", spec) / "PLAN.md").read_text()
    assert "- `reasoning`: A wrong answer earns 5 at most, and a right one 1 at least." in page
    balanced = spec.replace("weight = 5.0", "weight = 0.5")
    assert said(tmp_path, balanced) == []
