"""What the columns of the gold and of its options hold in a made row, for a smoke test."""

from compiler.literals import text_literal
from compiler.resolve.options import option_columns
from spec_schema import TaskSpec
from spec_schema.data import Gold
from spec_schema.structured_answer import JsonAnswer

__all__ = ["made_golds"]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
OPTIONS = 4  # in a column that holds all of them


def made_golds(spec: TaskSpec, cells: dict[str, str]) -> dict[str, str]:
    """Cells as expressions of `number`, where the gold has another form than those of `cells`."""
    gold, answer = spec.data.gold, spec.answer
    if gold is None or answer is None:
        return {}
    if spec.data.options is not None:
        return _made_options(spec, gold)
    if gold.extract == "boxed":
        return {gold.column: f'{cells[gold.column]} + f" \\\\boxed{{{{{{number}}}}}}"'}
    whole = gold.after is None and gold.before is None
    if whole and answer.compare == "date":
        return {gold.column: 'f"{1900 + number}-01-01"'}
    if whole and isinstance(answer, JsonAnswer) and answer.path is None:
        return {gold.column: """f'{{"value": {number}}}'"""}
    return {}


def _made_options(spec: TaskSpec, gold: Gold) -> dict[str, str]:
    """Options, and a gold that names another of them in each row after the other."""
    if isinstance(spec.data.options, list):
        texts, made = [text_literal(option) for option in spec.data.options], dict[str, str]()
    else:
        columns = option_columns(spec)
        count = len(columns) if len(columns) > 1 else OPTIONS
        texts = [f'f"{{number}} {letter.lower()}"' for letter in LETTERS[:count]]
        held = texts if len(columns) > 1 else [f"[{', '.join(texts)}]"]
        made = dict(zip(columns, held, strict=True))
    position = f"number % {len(texts)}"
    right = {
        "label": f"{text_literal(LETTERS[: len(texts)])}[{position}]",
        "index": position,
        "number": f"{position} + 1",
    }.get(gold.as_ or "text", f"[{', '.join(texts)}][{position}]")
    return {**made, gold.column: _around(gold, right)}


def _around(gold: Gold, right: str) -> str:
    """The cell that the gold is cut out of."""
    if gold.extract == "boxed":
        right = f'"\\\\boxed{{" + str({right}) + "}}"'
    if gold.after is not None:
        right = f"{text_literal(gold.after + ' ')} + str({right})"
    if gold.before is not None:
        right = f"str({right}) + {text_literal(' ' + gold.before)}"
    return right
