"""What the mix as it is now makes of the completions that a run logged.

`python rescore.py [--last N]` scores the completions in outputs/<stage>/completions, those of the
last N tables or of all, with the rewards and weights that stand in rewards.py now. So a weight can
be tried in seconds before it is trained.
"""

import argparse
from collections.abc import Callable, Iterable
from itertools import combinations, groupby
from statistics import fmean, pstdev
from typing import Any, NamedTuple

import pyarrow.parquet as parquet

from data import load_eval, load_train
from rewards import MIXES, completion_text, tokenizer
from stages import OUTPUTS

Line = dict[str, Any]  # of a table of completions, or of the data
Reward = Callable[..., list[float | None]]

EQUAL = 1e-6  # sums that differ by less are told apart by rounding only


class Group(NamedTuple):
    """The completions of one prompt: their advantages as logged, and their sums as they are now."""

    advantages: list[float]
    sums: list[float]


def main() -> None:
    """Show what changes in each stage of which completions are there."""
    parser = argparse.ArgumentParser(description="Score logged completions under the mix of now.")
    parser.add_argument("--last", type=int, default=0, help="so many tables; left out: all")
    last = parser.parse_args().last
    rows = rows_by_prompt()
    logged = {stage: completions_of(stage, last) for stage in MIXES}
    if not any(logged.values()):
        raise SystemExit("no completions are logged: write `log_completions_every` in `[run]`")
    for stage, lines in logged.items():
        known = [line for line in lines if key(line["prompt"]) in rows]
        if len(known) < len(lines):
            print(f"{stage}: {len(lines) - len(known)} completions are of no row of the data")
        if known:
            print(report(stage, known, [rows[key(line["prompt"])] for line in known]))


def completions_of(stage: str, last: int) -> list[Line]:
    """The lines of the tables that TRL wrote while the stage trained, in the order of its steps."""
    paths = sorted((OUTPUTS / stage / "completions").glob("completions_*.parquet"))
    return [line for path in paths[-last:] for line in parquet.read_table(path).to_pylist()]


def rows_by_prompt() -> dict[str, Line]:
    """The rows of the data, by what the model is shown."""
    rows = load_eval().to_list() + load_train().to_list()
    return {key(row["prompt"]): row for row in rows}


def key(prompt: list[Line]) -> str:
    """One text for a conversation."""
    return repr([(message["role"], message["content"]) for message in prompt])


def report(stage: str, lines: list[Line], rows: list[Line]) -> str:
    """The figures of one stage, as logged and now."""
    mix = MIXES[stage]
    marks = {reward: marks_of(reward, lines, rows) for reward in mix}
    weights = weights_of(stage, lines)
    groups = groups_of(lines)
    sums = weighted_sums(list(marks.values()), weights)
    scored = [
        Group([lines[at]["advantage"] for at in group], [sums[at] for at in group])
        for group in groups
    ]
    flat_then = sum(is_flat(group.advantages) for group in scored)
    flat_now = sum(is_flat(group.sums) for group in scored)
    moved = [moved_pairs(group) for group in scored]
    pairs = sum(len(group) * (len(group) - 1) // 2 for group in groups)
    steps = sorted({line["step"] for line in lines})
    head = ("", "weight", "logged", "now", "paid", "spread")
    figures = [
        figures_of(reward, marks[reward], [weight[position] for weight in weights], lines, groups)
        for position, reward in enumerate(mix)
    ]
    return "\n".join(
        [
            f"{stage}: {len(lines)} completions, {len(groups)} groups, steps {steps[0]}-{steps[-1]}",
            *aligned([head, *figures]),
            f"groups without spread: {flat_then} as logged, {flat_now} now",
            f"groups in another order: {sum(map(bool, moved))}, {sum(moved)} of {pairs} pairs",
        ]
    )


def marks_of(reward: Reward, lines: list[Line], rows: list[Line]) -> list[float | None]:
    """What a reward gives now, called as TRL does it."""
    names = set(rows[0]).intersection(*rows) - {"prompt"}
    completions = [[without_gaps(message) for message in line["completion"]] for line in lines]
    return reward(
        prompts=[row["prompt"] for row in rows],
        completions=completions,
        # Counted anew: a table holds no tokens.
        completion_ids=[
            tokenizer().encode(completion_text(completion), add_special_tokens=False)
            for completion in completions
        ],
        trainer_state=None,
        log_extra=lambda column, values: None,
        log_metric=lambda name, value: None,
        **{name: [row[name] for row in rows] for name in names},
    )


def without_gaps(message: Line) -> Line:
    """A message without the keys that only others of its table have."""
    return {name: value for name, value in message.items() if value is not None}


def weights_of(stage: str, lines: list[Line]) -> list[list[float]]:
    """The weights of the mix as it is now, for each completion."""
    return [list(MIXES[stage].values()) for _ in lines]


def groups_of(lines: list[Line]) -> list[list[int]]:
    """The positions of the completions of one prompt, which stand together."""
    runs = groupby(range(len(lines)), lambda at: (lines[at]["step"], key(lines[at]["prompt"])))
    return [list(run) for _, run in runs]


def weighted_sums(marks: list[list[float | None]], weights: list[list[float]]) -> list[float]:
    """The sum for each completion; what a reward did not judge counts as 0, as in TRL."""
    return [
        sum(weight * (mark or 0.0) for weight, mark in zip(weight_of, of_one, strict=True))
        for weight_of, of_one in zip(weights, zip(*marks, strict=True), strict=True)
    ]


def is_flat(values: list[float]) -> bool:
    """Whether the completions of a group score alike, so that nothing is learnt from them."""
    return max(values) - min(values) < EQUAL


def moved_pairs(group: Group) -> int:
    """How many pairs of completions stand in another order now."""
    return sum(
        sign(group.advantages[a] - group.advantages[b]) != sign(group.sums[a] - group.sums[b])
        for a, b in combinations(range(len(group.sums)), 2)
    )


def sign(difference: float) -> int:
    """-1, 0 or 1."""
    return (difference > EQUAL) - (difference < -EQUAL)


def figures_of(
    reward: Reward,
    marks: list[float | None],
    weights: list[float],
    lines: list[Line],
    groups: list[list[int]],
) -> tuple[str, ...]:
    """A line of the table: raw mean as logged and now, weighted mean, weighted spread in a group."""
    name = reward.__name__
    paid = [weight * (mark or 0.0) for weight, mark in zip(weights, marks, strict=True)]
    spread = fmean(pstdev([paid[at] for at in group]) for group in groups)
    return (
        name,
        f"{weights[-1]:g}",
        mean(line.get(name) for line in lines),
        mean(marks),
        f"{fmean(paid):.3f}",
        f"{spread:.3f}",
    )


def mean(values: Iterable[float | None]) -> str:
    """The mean of what was judged; a NaN is how a table holds None."""
    judged = [value for value in values if value is not None and value == value]
    return f"{fmean(judged):.3f}" if judged else "-"


def aligned(lines: list[tuple[str, ...]]) -> list[str]:
    """The cells in columns."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join([first.ljust(widths[0]), *map(str.rjust, others, widths[1:])])
        for first, *others in lines
    ]


if __name__ == "__main__":
    main()
