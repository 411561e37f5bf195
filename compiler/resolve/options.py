"""Options of a multiple-choice row, and the gold that names one, as expressions over a row."""

from compiler.literals import literal, text_literal
from compiler.plan.modules import RowChoice
from spec_schema import TaskSpec
from spec_schema.data import Gold
from spec_schema.options import OptionColumn

__all__ = ["fixed_gold", "option_columns", "row_choice"]

FIRST = {"index": 0, "number": 1}


def option_columns(spec: TaskSpec) -> tuple[str, ...]:
    """The columns that hold the options of a row; none where they are fixed or there are none."""
    options = spec.data.options
    return () if options is None or isinstance(options, list) else (*options.named().values(),)


def row_choice(spec: TaskSpec, gold: Gold, cell: str) -> tuple[RowChoice | None, tuple[str, ...]]:
    """How the options of a row are read, and which of them `cell`, its gold, names; its pieces."""
    options = spec.data.options
    if options is None or isinstance(options, list):
        return None, ()
    cells = [f"row[{text_literal(column)}]" for column in option_columns(spec)]
    held = cells[0] if isinstance(options, OptionColumn) else f"[{', '.join(cells)}]"
    shown, pieces = "row_options(row)", ["options_of", "choice_parts"]
    if options.shuffle:
        shown = f"shuffled_options({shown}, f\"{spec.project.seed}-{{row['row_number']}}\")"
        pieces.append("shuffled_options")
    right, piece = _right(gold, cell)
    parts = f"choice_parts({shown}, right_options(row))"
    return RowChoice(f"options_of({held})", right, parts), (*pieces, piece)


def _right(gold: Gold, cell: str) -> tuple[str, str]:
    """The labels that the gold names, and the piece that reads them."""
    options = "row_options(row)"
    match gold.as_:
        case "index" | "number":
            call = f"right_by_position({cell}, {options}, {FIRST[gold.as_]})"
            return call, "right_by_position"
        case "text":
            return f"right_by_text({cell}, {options})", "right_by_text"
        case _:
            return f"right_by_label({cell}, {options})", "right_by_label"


def fixed_gold(spec: TaskSpec, gold: Gold, cell: str) -> str | None:
    """The gold as one of the options that all rows share, where a column holds its position."""
    options = spec.data.options
    if not isinstance(options, list) or gold.as_ not in FIRST:
        return None
    return f"fixed_option({cell}, {literal(tuple(options))}, {FIRST[gold.as_]})"
