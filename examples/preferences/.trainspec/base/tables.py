"""The figures of the evaluation as tables for a terminal, at most 100 characters wide."""

from typing import Any

NAME = 24  # characters of a name; a longer one is cut


def tables(report: dict[str, Any]) -> str:
    """All tables of a report, as evaluation.json holds it."""
    parts = [
        preferences_table(report["preferences"]),
    ]
    return "\n\n".join(parts)


def preferences_table(stages: dict[str, Any]) -> str:
    """A line for each stage that learns from preferences."""
    head = ("stage", "held-out rows", "accuracy", "95 %", "margin", "95 %")
    lines = [
        (
            stage,
            str(result["rows"]),
            number(result["accuracy"]["mean"]),
            interval(result["accuracy"]),
            number(result["margin"]["mean"]),
            interval(result["margin"]),
        )
        for stage, result in stages.items()
    ]
    return aligned([head, *lines])


def aligned(lines: list[tuple[str, ...]]) -> str:
    """Lines of cells as columns: the first to the left, the others to the right."""
    cut = [
        [cell if len(cell) <= NAME else f"{cell[: NAME - 1]}…" for cell in line] for line in lines
    ]
    widths = [max(map(len, column)) for column in zip(*cut, strict=True)]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]) for line in cut
    )


def number(value: float | None) -> str:
    """A figure as a cell of a table."""
    return "-" if value is None else f"{value:.3f}"


def interval(estimate: dict[str, Any]) -> str:
    """The ends of an interval as a cell of a table."""
    if estimate["low"] is None:
        return "not known"
    return f"{number(estimate['low'])} to {number(estimate['high'])}"
