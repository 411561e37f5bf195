"""Ask rewards that need no judge whether the columns of a preference set are swapped."""

from collections.abc import Callable

from findings import Row
from one_feature import FEWEST_PAIRS, TOLD_APART
from pair_faults import answers_of


def swapped_pairs(
    part: str, rows: list[Row], scores: dict[str, Callable[[str, Row], float | None]]
) -> list[str]:
    """Say which scores prefer the rejected answers; prints how often each prefers which.

    An error where a score tells FEWEST_PAIRS apart or more and TOLD_APART of these the other way
    round, a warning where it does so with more than half of them.
    """
    findings: list[str] = []
    for name, score in scores.items():
        above = below = 0
        for row in rows:
            chosen, rejected = (score(text, row) for text in answers_of(row))
            if chosen is not None and rejected is not None:
                above += chosen > rejected
                below += chosen < rejected
        shares = f"above rejected in {above} of {len(rows)} pairs, below in {below}"
        print(f"{part:<5} {name}: chosen scores {shares}")
        apart = above + below
        if apart < FEWEST_PAIRS or below <= apart / 2:
            continue
        level = "error" if below >= TOLD_APART * apart else "warning"
        share = f"{below / len(rows):.0%} of {len(rows)} pairs"
        findings.append(
            f"{level}: {part}: by `{name}` chosen scores below rejected in {share}"
            + ("; swapped?" if level == "error" else "")
        )
    return findings
