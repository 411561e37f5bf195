"""The figures of the evaluation as tables for a terminal, at most 100 characters wide."""

from typing import Any

NAME = 24  # characters of a name; a longer one is cut
MEASURE = "pass@1"  # rows are won and lost by it


def tables(report: dict[str, Any]) -> str:
    """All tables of a report, as evaluation.json holds it."""
    models = report["models"]
    parts = [
        models_table(models),
        rewards_table(models),
        *(
            comparison(name, other, found)
            for name, result in models.items()
            for other, found in result["against"].items()
        ),
    ]
    return "\n\n".join(parts)


def models_table(models: dict[str, Any]) -> str:
    """A line for each model."""
    head = (
        "model",
        *("pass@1", "95 %"),
        "pass@4",
        "unreadable",
        *("truncated", "tokens"),
    )
    lines = [
        (
            name,
            *(number(result["pass_at"]["1"]["mean"]), interval(result["pass_at"]["1"])),
            number(result["pass_at"]["4"]["mean"]),
            number(result["unreadable"]["mean"]),
            *(number(result["truncated"]["mean"]), f"{result['tokens']['mean']:.1f}"),
        )
        for name, result in models.items()
    ]
    return aligned([head, *lines])


def rewards_table(models: dict[str, Any]) -> str:
    """A line for each reward and model, with the rows that score more and less than the base's."""
    head = ("reward", "model", "mean", "95 %", "rows above base", "below", "p")
    lines: list[tuple[str, ...]] = [head]
    rewards = dict.fromkeys(name for result in models.values() for name in result["rewards"])
    for reward in rewards:
        for name, result in models.items():
            estimate, base = result["rewards"][reward], result["against"].get("base")
            than_base = told(base["measures"][reward]) if base else ("", "", "")
            lines.append((reward, name, number(estimate["mean"]), interval(estimate), *than_base))
    return aligned(lines)


def told(measure: dict[str, Any]) -> tuple[str, str, str]:
    """How many rows are better and worse, and how likely chance makes them so uneven."""
    return str(measure["better"]), str(measure["worse"]), f"{measure['p']:.2g}"


def comparison(name: str, other: str, found: dict[str, Any]) -> str:
    """On which rows one model is better and worse than another."""
    measure = found["measures"][MEASURE]
    gain = measure["difference"]
    lines = [
        f"{name} against {other}, {MEASURE}: {number(gain['mean'])} ({interval(gain)})",
        f"  rows: {measure['better']} better, {measure['worse']} worse, {measure['alike']} alike, "
        f"p = {measure['p']:.2g}",
    ]
    for what in ("won", "lost"):
        if rows := [str(example["row"]) for example in found[what]]:
            lines.append(f"  most {what} in rows {', '.join(rows)}")
    return "\n".join(lines)


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
