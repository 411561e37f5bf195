"""What each reward gives a right, a wrong, an empty and a malformed completion.

And what TRL relies on, of your own rewards as well: one finite value in the range for each
completion, the same each time, in whatever order the groups come, in a thread, and in a bounded
time.
"""

import ast
import math
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import rewards
from data import load_train
from prompts import ideal_completion

Reward = Callable[..., list[float | None]]

STAGES = {"improve"}
RANGES: dict[Reward, tuple[float, float]] = {rewards.liked: (0.0, 1.0), rewards.brief: (0.0, 1.0)}
# Of those beside them a model decides what they give.
PURE: tuple[Reward, ...] = (rewards.brief,)
# They take a plain text as well.
BOTH_SHAPES: tuple[Reward, ...] = (rewards.brief,)
SECONDS = 60  # for all hostile texts together: far more than a machine under load needs
HOSTILE = [
    "a" * 20_000,
    " " * 20_000 + "!",
    "\n" * 20_000,
    "9" * 20_000,
    "1," * 10_000,
    "(" * 20_000,
    "a b " * 5_000,
    "<answer>" * 3_000,
    "<think>" * 3_000,
    "\\boxed{" * 3_000,
    "\\boxed{9^{9^{9^9}}}",
    "\\frac{" * 3_000,
    "```\n" * 5_001,
    '{"a":' * 3_000,
]
# What would run a text, or build whatever objects it asks for.
RUNS_TEXT = {"eval", "exec", "compile", "__import__"}
UNPICKLES = {"cloudpickle", "dill", "marshal", "pickle", "shelve"}


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    """Two training rows, with different golds where they have one."""
    first, *others = load_train().to_list()
    assert others, "there is no second training row with another gold"
    return [first, others[0]]


@pytest.fixture(scope="module")
def texts(rows: list[dict[str, Any]]) -> list[str]:
    """For the first row: a right, a wrong, an empty and a malformed completion."""
    return [ideal_completion(rows[0]), ideal_completion(rows[1]), "", "I cannot say"]


def as_messages(texts: list[str]) -> list[list[dict[str, str]]]:
    """Completions in the shape that TRL hands over where prompts are conversations."""
    return [[{"role": "assistant", "content": text}] for text in texts]


def pay(reward: Reward, completions: list[Any], rows: list[dict[str, Any]]) -> list[float | None]:
    """What a reward gives a group of completions of each row, called as TRL does it."""
    names = [name for name in rows[0] if name != "prompt"]
    columns = {name: [row[name] for row in rows for _ in completions] for name in names}
    return reward(
        prompts=[row["prompt"] for row in rows for _ in completions],
        completions=completions * len(rows),
        completion_ids=[list(range(10))] * len(completions) * len(rows),
        trainer_state=None,
        log_extra=lambda column, values: None,
        log_metric=lambda name, value: None,
        **columns,
    )


@pytest.mark.parametrize("reward", RANGES)
def test_each_completion_gets_one_value_in_the_range(
    reward: Reward, texts: list[str], rows: list[dict[str, Any]]
) -> None:
    lowest, highest = RANGES[reward]
    values = pay(reward, as_messages(texts), rows[:1])
    assert len(values) == len(texts)
    for value in values:
        assert value is None or (math.isfinite(value) and lowest <= value <= highest), values


@pytest.mark.parametrize("reward", PURE)
def test_the_same_completions_get_the_same_values(
    reward: Reward, texts: list[str], rows: list[dict[str, Any]]
) -> None:
    assert pay(reward, as_messages(texts), rows) == pay(reward, as_messages(texts), rows)


@pytest.mark.parametrize("reward", PURE)
def test_the_order_of_the_groups_changes_no_value(
    reward: Reward, texts: list[str], rows: list[dict[str, Any]]
) -> None:
    values = pay(reward, as_messages(texts), rows)
    first, second = values[: len(texts)], values[len(texts) :]
    assert pay(reward, as_messages(texts), rows[::-1]) == second + first


@pytest.mark.parametrize("reward", PURE)
def test_a_thread_gets_the_same_values(
    reward: Reward, texts: list[str], rows: list[dict[str, Any]]
) -> None:
    with ThreadPoolExecutor(1) as thread:
        values = thread.submit(pay, reward, as_messages(texts), rows).result()
    assert values == pay(reward, as_messages(texts), rows)


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="this system cannot end a long match")
@pytest.mark.parametrize("reward", PURE)
def test_hostile_completions_take_a_bounded_time(
    reward: Reward, rows: list[dict[str, Any]]
) -> None:
    def end(*_: object) -> None:
        raise TimeoutError(f"{reward.__name__} takes over {SECONDS} s for {len(HOSTILE)} texts")

    before = signal.signal(signal.SIGALRM, end)  # Python's `re` looks for signals as it matches
    signal.alarm(SECONDS)
    try:
        pay(reward, as_messages(HOSTILE), rows[:1])
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def test_no_text_of_a_model_is_executed() -> None:
    """Nor unpickled, in rewards.py and in all files of this project that it imports."""
    here = Path(rewards.__file__).parent
    files = {
        Path(module.__file__ or "")
        for module in [*sys.modules.values()]
        if hasattr(module, "__file__")
    }
    for path in sorted(file for file in files if file.parent == here):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                assert ast.unparse(node.func) not in RUNS_TEXT, f"{path.name}:{node.lineno}"
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = {alias.name for alias in node.names} | {getattr(node, "module", None)}
                assert not UNPICKLES & names, f"{path.name}:{node.lineno}"


@pytest.mark.parametrize("reward", BOTH_SHAPES)
def test_messages_are_paid_as_their_text(
    reward: Reward, texts: list[str], rows: list[dict[str, Any]]
) -> None:
    assert pay(reward, as_messages(texts), rows[:1]) == pay(reward, texts, rows[:1])


def test_each_stage_pays_something() -> None:
    assert set(rewards.MIXES) == STAGES
    for mix in rewards.MIXES.values():
        assert set(mix) <= set(RANGES)
        assert all(math.isfinite(weight) and weight >= 0 for weight in mix.values())
        assert sum(mix.values()) > 0
