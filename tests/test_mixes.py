"""Rewards that wait for others, and what is said of a mix before anything is trained."""

import contextlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from compiler.diagnostics import Report, Stop
from compiler.parse import parse
from compiler.resolve import gather, outline_of
from compiler.rules import check_plan, check_spec
from compiler.source import read_source
from compiler.validate import validate
from tests.projects import ROWS, SPEC, load, write_project

Reward = Callable[..., list[float | None]]

RIGHT, WRONG, LONG = "<answer>2</answer>", "<answer>3</answer>", "so " * 20 + "<answer>2</answer>"
GOLDS = ["2", "2", "2"]
BRIEF = """
[rewards.brief]
kind = "length"
max_characters = 30
weight = 0.1
"""
POLITE = """
[rewards.polite]
kind = "forbidden"
patterns = ["so so"]
weight = 0.1
"""
OWN = """
[rewards.{0}]
kind = "python"
function = "mine.py:{0}"
range = [0, 3]
weight = 0.1
"""
MINE = """
calls = []


def costly(completions, **kwargs):
    calls.append(len(completions))
    return [3.0 if "3" in text else None if text.startswith("so") else 1.0 for text in completions]


def cheap(completions, **kwargs):
    return [None if text.startswith("so") else 2.0 for text in completions]
"""


def with_rewards(rewards: str, mix: str = "") -> str:
    spec = SPEC.replace("[rewards]\ncorrect = 1.0\n", f"[rewards]\n{rewards.lstrip()}\n")
    return spec + mix


def rewards_of(tmp_path: Path, rewards: str, mix: str = "") -> ModuleType:
    spec = with_rewards(rewards, mix)
    return load(write_project(tmp_path / "project", spec, mine__py=MINE), "rewards")


def pay(reward: Reward, texts: tuple[str, ...] = (RIGHT, WRONG, LONG)) -> list[float | None]:
    return reward(prompts=["?"] * len(texts), completions=list(texts), gold=GOLDS[: len(texts)])


def said(folder: Path, text: str, mine: str = MINE) -> list[str]:
    """Everything that is said of a spec, in the order in which it is found."""
    (folder / "task.toml").write_text(text)
    (folder / "train.jsonl").write_text(ROWS)
    (folder / "mine.py").write_text(mine)
    report = Report()
    with contextlib.suppress(Stop):
        document = parse(read_source(folder / "task.toml", report), report)
        spec = validate(document, report)
        check_spec(spec, document, report)
        report.stop_if_errors()
        check_plan(outline_of(gather(spec, folder)), document, report)
    return [f"{found.code}: {found.message}" for found in report.diagnostics]


# Rewards that wait for others


def test_a_reward_is_paid_only_where_its_gate_is_full(tmp_path: Path) -> None:
    rewards = rewards_of(tmp_path, "correct = 1.0" + BRIEF + 'only_if = "correct"')
    assert pay(rewards.correct) == [1.0, 0.0, 1.0]
    assert pay(rewards.brief) == [1.0, 0.0, 0.0]
    why = rewards.reasons(WRONG, {"gold": "2"})["brief"]
    assert why == "length 18, at most 30, paid only where `correct` is full"
    promise = str(rewards.brief.__doc__)
    assert promise.strip().endswith("where `correct` gives its full 1.0; elsewhere it is 0.0.")


def test_a_gate_works_outside_of_the_stages_mix(tmp_path: Path) -> None:
    mix = 'rewards = ["brief"]'
    rewards = rewards_of(tmp_path, "correct = 1.0" + BRIEF + 'only_if = "correct"', mix)
    assert [reward.__name__ for reward in rewards.MIXES["reasoning"]] == ["brief"]
    assert pay(rewards.brief) == [1.0, 0.0, 0.0]


def test_a_penalty_is_full_at_0(tmp_path: Path) -> None:
    rewards = rewards_of(tmp_path, "correct = 1.0" + POLITE + BRIEF + 'only_if = "polite"')
    assert pay(rewards.polite) == [0.0, 0.0, -1.0]
    assert pay(rewards.brief) == [1.0, 1.0, 0.0]


def test_a_penalty_waits_too(tmp_path: Path) -> None:
    rewards = rewards_of(tmp_path, "correct = 1.0" + POLITE + 'only_if = "correct"')
    assert pay(rewards.polite, (RIGHT, "so so 3", LONG)) == [0.0, 0.0, -1.0]


def test_gates_stand_in_a_chain(tmp_path: Path) -> None:
    chain = BRIEF + 'only_if = "polite"' + POLITE.replace("0.1", "0.1\nonly_if = 'correct'")
    rewards = rewards_of(tmp_path, "correct = 1.0" + chain)
    assert pay(rewards.brief, ("so so 3", RIGHT)) == [1.0, 1.0]
    assert pay(rewards.brief, ("so so <answer>2</answer>", RIGHT)) == [0.0, 1.0]


def test_rewards_of_the_users_own_wait_and_are_waited_for(tmp_path: Path) -> None:
    own = OWN.format("costly") + OWN.format("cheap") + 'only_if = "costly"'
    rewards = rewards_of(tmp_path, "correct = 1.0" + own + BRIEF + 'only_if = "costly"')
    # What is not judged is not full; what a closed gate lets nothing of is 0, never None.
    assert pay(rewards.costly) == [1.0, 3.0, None]
    assert pay(rewards.cheap) == [0.0, 2.0, 0.0]
    assert pay(rewards.brief) == [0.0, 1.0, 0.0]


def test_what_is_not_judged_behind_an_open_gate_stays_so(tmp_path: Path) -> None:
    own = OWN.format("cheap") + 'only_if = "correct"'
    rewards = rewards_of(tmp_path, "correct = 1.0" + own)
    assert pay(rewards.cheap) == [2.0, 0.0, None]


def test_a_gate_scores_a_batch_once(tmp_path: Path) -> None:
    own = OWN.format("costly") + OWN.format("cheap") + 'only_if = "costly"'
    rewards = rewards_of(tmp_path, "correct = 1.0" + own + BRIEF + 'only_if = "costly"')
    calls = rewards.mine.calls
    for reward in rewards.MIXES["reasoning"]:
        pay(reward)
    assert calls == [3]
    pay(rewards.brief, (WRONG, RIGHT))
    assert calls == [3, 2]
    # Equal texts with another gold are another batch.
    rewards.costly(prompts=["?"] * 2, completions=[WRONG, RIGHT], gold=["3", "3"])
    assert calls == [3, 2, 2]


def test_what_a_gate_remembers_cannot_be_changed_from_outside(tmp_path: Path) -> None:
    rewards = rewards_of(tmp_path, "correct = 1.0" + BRIEF + 'only_if = "correct"')
    pay(rewards.correct)[0] = 7.0
    assert pay(rewards.correct) == [1.0, 0.0, 1.0]


def test_a_project_without_gates_and_schedules_has_nothing_of_them(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project")
    assert not {"schedules.py", "weights.py"} & {path.name for path in project.iterdir()}
    assert "once_a_batch" not in (project / "rewards.py").read_text()
    script = (project / "train_reasoning.py").read_text()
    assert "reward_weights=list(mix.values())," in script
    assert "RewardWeights" not in script


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan")])
def test_what_is_no_finite_number_counts_as_not_judged(tmp_path: Path, value: float) -> None:
    rewards = rewards_of(tmp_path, "correct = 1.0" + OWN.format("cheap"))
    rewards.mine.cheap = lambda **_columns: [value, 1, None]
    with pytest.warns(UserWarning, match=f"cheap gave {value}"):
        assert pay(rewards.cheap) == [None, 1, None]


@pytest.mark.parametrize(
    ("rewards", "finding"),
    [
        (BRIEF + 'only_if = "corect"', "unknown-reward: there is no reward `corect`"),
        (BRIEF + 'only_if = "brief"', "bad-gate: `brief` waits for itself"),
        (
            BRIEF + 'only_if = "polite"' + POLITE + 'only_if = "brief"',
            "bad-gate: `brief` waits for `polite`, which waits for `brief`",
        ),
        (
            BRIEF.replace("0.1", "{ from = 0.1, to = 0.1, steps = 5 }"),
            "no-effect: the weight of `brief` does not move",
        ),
        (
            BRIEF.replace("0.1", "{ from = 0.1, to = 0.2, steps = 5 }")
            + "adapt = { below = 0.1, above = 0.9, up = 2, down = 0.5, min = 0, max = 1 }",
            "conflicting-keys: `adapt` cannot stand beside a schedule",
        ),
        (
            BRIEF + "adapt = { below = 0.9, above = 0.1, up = 2, down = 0.5, min = 0, max = 1 }",
            "bad-value: `adapt` of `brief` has `below = 0.9`, not under `above = 0.1`",
        ),
        (
            BRIEF + "adapt = { below = 0.1, above = 0.9, up = 2, down = 0.5, min = 0.5, max = 1 }",
            "bad-value: `adapt` of `brief` begins at 0.1, outside of 0.5 to 1",
        ),
        (
            BRIEF.replace("0.1", "0.0")
            + "adapt = { below = 0.1, above = 0.9, up = 2, down = 0.5, min = 0, max = 1 }",
            "bad-value: `adapt` of `brief` begins at 0",
        ),
        (
            BRIEF + "adapt = { below = 0, above = 1, up = 2, down = 0.5, min = 0, max = 1 }",
            "no-effect: `adapt` never acts: the mean of `brief` is from 0 to 1",
        ),
        (
            BRIEF + "adapt = { below = 0.1, above = 0.9, up = 0.9, down = 0.5, min = 0, max = 1 }",
            "bad-value",
        ),
    ],
)
def test_what_is_wrong_beside_a_weight_is_said(tmp_path: Path, rewards: str, finding: str) -> None:
    found = said(tmp_path, with_rewards("correct = 1.0" + rewards))
    assert [line for line in found if line.startswith(finding)] != [], found


@pytest.mark.parametrize(
    ("weight", "fault"),
    [
        ("{ from = 0.1, to = 0.2 }", "missing-key"),
        ("{ from = -0.1, to = 0.2, steps = 3 }", "bad-value"),
        ("{ from = 0.1, to = inf, steps = 3 }", "not-finite"),
        ('{ from = 0.1, to = 0.2, steps = 3, shape = "square" }', "bad-value"),
        ("{ from = 0.1, to = 0.2, steps = 0 }", "bad-value"),
        ("{ from = 0.1, to = 0.2, step = 3 }", "unknown-key"),
        ('"0.1"', "wrong-type"),
    ],
)
def test_a_schedule_is_checked_as_every_table(tmp_path: Path, weight: str, fault: str) -> None:
    found = said(tmp_path, with_rewards("correct = 1.0" + BRIEF.replace("0.1", weight)))
    assert [line.partition(":")[0] for line in found] == [fault], found


def test_a_stages_number_takes_the_place_of_a_schedule(tmp_path: Path) -> None:
    brief = BRIEF.replace("0.1", "{ from = 0.1, to = 0.2, steps = 5 }")
    numbers = "rewards = { correct = 1.0, brief = 0.3 }"
    found = said(tmp_path, with_rewards("correct = 1.0" + brief, numbers))
    assert found == [
        "no-effect: the weight of `brief` never moves: each stage that calls it gives it a number"
    ]
    names = 'rewards = ["correct", "brief"]'
    assert said(tmp_path, with_rewards("correct = 1.0" + brief, names)) == []


# What is said of a mix


FORM = '\n[rewards.form]\nkind = "xml_format"\ntags = ["answer"]\nweight = {0}\n'


@pytest.mark.parametrize(
    ("rewards", "totals"),
    [
        ("correct = 1.0" + FORM.format(0.9), None),
        ("correct = 1.0" + FORM.format(1.0), ("1", "1")),
        ("correct = 1.0" + FORM.format(5.0), ("5", "1")),
        ("correct = 1.0" + FORM.format(5.0) + 'only_if = "correct"', None),
        ("correct = 1.0" + POLITE.replace("0.1", "1.5"), ("0", "-0.5")),
        ("correct = 1.0" + POLITE.replace("0.1", "1.5") + 'only_if = "correct"', ("0", "-0.5")),
        ("correct = 1.0" + FORM.format("{ from = 0.1, to = 2.0, steps = 5 }"), ("2", "1")),
        ("correct = 1.0" + FORM.format("{ from = 2.0, to = 0.1, steps = 5 }"), ("2", "1")),
        (
            "correct = 1.0"
            + FORM.format(0.5)
            + "adapt = { below = 0.3, above = 0.8, up = 2, down = 0.5, min = 0.1, max = 3 }",
            ("3", "1"),
        ),
        ("correct = 0.0" + FORM.format(5.0), None),
        ("correct = 0.0" + OWN.format("costly") + "checks_answer = true", None),
        (
            "correct = 0.0"
            + FORM.format(0.5)
            + OWN.format("costly").replace("0.1", "0.1\nchecks_answer = true"),
            ("0.5", "0.3"),
        ),
    ],
)
def test_a_wrong_answer_that_can_beat_a_right_one_is_warned_of(
    tmp_path: Path, rewards: str, totals: tuple[str, str] | None
) -> None:
    lines = said(tmp_path, with_rewards(rewards))
    found = [line for line in lines if line.startswith("wrong-beats-right")]
    if totals is None:
        assert found == []
        return
    wrong, right = totals
    assert f"a wrong answer can earn {wrong} in `reasoning`" in found[0]
    assert found[0].endswith(f"and a right one as little as {right}")


LAST = """rewards = {0}
[stages.last]
method = "grpo"
prompts_per_step = 2
rewards = {1}
"""


@pytest.mark.parametrize(
    ("first", "last", "codes"),
    [
        ("{ form = 5.0, correct = 1.0 }", "{ form = 0.1, correct = 1.0 }", []),
        ("{ form = 1.0 }", "{ form = 0.1, correct = 1.0 }", []),
        ("{ correct = 1.0 }", "{ form = 5.0, correct = 1.0 }", ["wrong-beats-right"]),
        ("{ correct = 1.0 }", "{ form = 1.0 }", ["unpaid-correctness"]),
    ],
)
def test_a_chain_is_judged_by_its_last_stage(
    tmp_path: Path, first: str, last: str, codes: list[str]
) -> None:
    spec = with_rewards("correct = 1.0" + FORM.format(0.5), LAST.format(first, last))
    found = said(tmp_path, spec.replace('"reasoning"]', '"reasoning", "last"]'))
    assert [line.partition(":")[0] for line in found] == codes, found


def test_a_reward_waits_for_its_gate_at_the_limit_of_the_stage(tmp_path: Path) -> None:
    waiting = 'overlong = 0.1\n[rewards.named]\nkind = "keywords"\nkeywords = ["so"]\n'
    spec = SPEC.replace("correct = 1.0\n", f'{waiting}only_if = "overlong"\n')
    spec = spec.replace(
        'stages = ["warmup", "reasoning"]', 'stages = ["warmup", "short", "reasoning"]'
    )
    spec += '[stages.short]\nmethod = "grpo"\nprompts_per_step = 2\nnum_generations = 4\n'
    spec += "max_completion_length = 100\nrewards = { named = 1.0 }\n"
    rewards = load(write_project(tmp_path / "project", spec), "rewards")
    texts = ["so", "so"]
    short, reasoning = rewards.MIXES["short"], rewards.MIXES["reasoning"]
    assert [reward.__name__ for reward in short] == ["named_100"]
    assert [reward.__name__ for reward in reasoning] == ["overlong", "named"]
    for mix, marks in ((short, [1.0, 0.0]), (reasoning, [1.0, 1.0])):
        named = next(reward for reward in mix if reward.__name__.startswith("named"))
        assert named(completions=texts, completion_ids=[[1] * 10, [1] * 100]) == marks
