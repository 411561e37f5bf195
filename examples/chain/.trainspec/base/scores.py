"""The figures of evaluate.py as a part of the report."""

from collections.abc import Iterable
from html import escape
from typing import Any

from charts import short

FOLDED = ("against", "confusion", "examples")  # shown apart, or too long for a cell
SHOWN = 2  # rows that were won, and as many that were lost


def evaluation(report: dict[str, Any]) -> str:
    """A line for each measure, a column for each model; what the last one won and lost."""
    models = report.get("models", {})
    told = {
        name: {**dict(figures(found)), **dict(against(found))} for name, found in models.items()
    }
    measures = dict.fromkeys(measure for found in told.values() for measure in found)
    if not measures:
        return ""
    heads = "".join(f"<th>{escape(name)}</th>" for name in models)
    rows = "".join(
        f"<tr><th>{escape(measure)}</th>"
        + "".join(f"<td>{found.get(measure, '')}</td>" for found in told.values())
        + "</tr>"
        for measure in measures
    )
    table = f"<table><thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    last = list(models.values())[-1]
    return (
        f'<section><h2>Held-out rows</h2><div class="wide">{table}</div>'
        f"{changed(last.get('against', {}))}</section>"
    )


def figures(result: dict[str, Any], within: str = "") -> Iterable[tuple[str, str]]:
    """The numbers of a result, an estimate with the ends of its interval; texts are left out."""
    for name, value in result.items():
        measure = f"{within} {name}".strip().replace("_", " ")
        match value:
            case {"mean": int() | float() as mean, "low": int() | float() as low, "high": high}:
                yield measure, f"{short(mean)} <small>{short(low)} to {short(high)}</small>"
            case {"mean": int() | float() as mean}:
                yield measure, short(mean)
            case dict() if name not in FOLDED:
                yield from figures(value, measure)
            case int() | float():
                yield measure, short(value)


def against(result: dict[str, Any]) -> Iterable[tuple[str, str]]:
    """On how many rows a model is better and worse than another, by the first measure."""
    for other, found in result.get("against", {}).items():
        name, measure = next(iter(found["measures"].items()))
        yield (
            f"{name.replace('_', ' ')} against {other}",
            f"{measure['better']} better, {measure['worse']} worse <small>p {measure['p']:.2g}</small>",
        )


def changed(others: dict[str, Any]) -> str:
    """Rows that a model won and lost against the one before it, with what both said."""
    if not others:
        return ""
    other, found = list(others.items())[-1]
    cards = "".join(
        f'<div class="sample"><h4>row {row["row"]}, {what}</h4>'
        f"<pre>{escape(str(row['prompt']))}</pre><h4>{escape(other)}</h4>"
        f"<pre>{escape(str(row['before']))}</pre><h4>now</h4>"
        f"<pre>{escape(str(row['completion']))}</pre></div>"
        for what in ("won", "lost")
        for row in found.get(what, [])[:SHOWN]
    )
    head = f"Rows won and lost against {escape(other)}"
    return f'<h3>{head}</h3><div class="samples">{cards}</div>' if cards else ""
