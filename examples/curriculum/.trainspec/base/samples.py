"""Completions that a run logged, the best and the worst of the first and of the last table."""

from html import escape
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet

from charts import short

Line = dict[str, Any]  # of a table of completions


def samples(folder: Path, weights: dict[str, float]) -> str:
    """What the policy said at first and what it says now; empty where nothing is logged."""
    paths = sorted(folder.glob("completions_*.parquet"))
    shown = [
        sample(f"step {line['step']}, {place}", line, weights)
        for path in dict.fromkeys([*paths[:1], *paths[-1:]])
        for place, line in best_and_worst(parquet.read_table(path).to_pylist(), weights)
    ]
    return f'<h3>Completions</h3><div class="samples">{"".join(shown)}</div>' if shown else ""


def best_and_worst(lines: list[Line], weights: dict[str, float]) -> list[tuple[str, Line]]:
    """The lines whose rewards sum up to the most and to the least."""
    ranked = sorted(lines, key=lambda line: total(line, weights))
    return [("best", ranked[-1]), ("worst", ranked[0])] if ranked else []


def total(line: Line, weights: dict[str, float]) -> float:
    """The weighted sum of a completion's rewards; its advantage where no weights are known."""
    if not weights:
        return line["advantage"]
    return sum(weight * (line.get(name) or 0.0) for name, weight in weights.items())


def sample(head: str, line: Line, weights: dict[str, float]) -> str:
    """One completion under its prompt, with the parts of its reward."""
    told = {"total": total(line, weights)} if weights else {}
    told |= {name: line[name] for name in weights if line.get(name) is not None}
    told["advantage"] = line["advantage"]
    parts = "".join(
        f"<span>{escape(name)} <b>{short(value)}</b></span>" for name, value in told.items()
    )
    return (
        f'<div class="sample"><h4>{escape(head)}</h4><pre>{escape(text_of(line["prompt"], last=True))}</pre>'
        f'<pre>{escape(text_of(line["completion"]))}</pre><div class="parts">{parts}</div></div>'
    )


def text_of(messages: Any, *, last: bool = False) -> str:
    """A text, or what the messages of a conversation say, or the last one of them."""
    if isinstance(messages, str):
        return messages
    return "\n\n".join(str(message["content"]) for message in messages[-1 if last else 0 :])
