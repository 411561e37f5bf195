"""What PLAN.md says of the rows: where they come from, and how many there are to train on."""

from compiler.local_data import Shape
from compiler.markdown import inline
from compiler.resolve.inputs import Inputs
from compiler.resolve.own_data import (
    RowTable,
    is_measured,
    is_unpaired,
    learns_turns,
    row_tables,
)
from compiler.resolve.sources import described
from spec_schema.data import EvalSource, Holdout, TrainSource
from spec_schema.prompt import ShotRows

__all__ = ["data_lines", "trained_on", "training_rows"]


def trained_on(inputs: Inputs) -> str:
    """What all stages together are trained on, in a sentence."""
    sources = (table.train for table in row_tables(inputs.spec) if table.train is not None)
    return " and ".join(dict.fromkeys(inline(described(source)) for source in sources))


def training_rows(inputs: Inputs, name: str) -> int | None:
    """The rows that a stage trains on, where nothing that a run decides can change their number."""
    own = inputs.spec.stages[name].data is not None
    table = next(t for t in row_tables(inputs.spec) if t.stage == (name if own else None))
    return _known_rows(inputs, table)


def _known_rows(inputs: Inputs, table: RowTable) -> int | None:
    shape = _shape(inputs, table)
    if shape is None or shape.rows is None or table.train is None or _narrowed(table.train):
        return None
    shots = inputs.spec.prompt.shots
    shown = len(shots.rows) if isinstance(shots, ShotRows) and table.stage is None else 0
    rows = shape.rows - shown
    rows = min(rows, _sampled(table.train) or rows)
    if isinstance(table.eval, Holdout):
        if table.eval.by is not None:
            return None
        size = table.eval.holdout
        rows -= max(1, round(rows * size)) if size < 1 else int(size)
    if table.stage and learns_turns(inputs.spec, table.stage):
        return None
    return 2 * rows if table.stage and is_unpaired(inputs.spec, table.stage) else rows


def data_lines(inputs: Inputs) -> tuple[str, ...]:
    """The lines on `[data]`, and on the rows of each stage that has its own."""
    spec = inputs.spec
    lines = [line for table in row_tables(spec) for line in _lines(inputs, table)]
    if any(is_measured(spec, name) for name in spec.stages):
        what = "is left out" if spec.data.on_long_prompt == "drop" else "stops the run"
        lines.append(f"A prompt of over {spec.data.max_prompt_tokens} tokens {what}.")
    tables = [table for table in row_tables(spec) if table.train is not None]
    if unknown := [table for table in tables if _shape(inputs, table) is None]:
        which = "Its" if len(tables) == 1 else "The" if len(unknown) == len(tables) else "Other"
        lines.append(
            f"{which} rows and columns are not known here: `python data.py` counts and checks them."
        )
    return tuple(lines)


def _lines(inputs: Inputs, table: RowTable) -> list[str]:
    if table.train is None:
        return []
    shape, rows = _shape(inputs, table), _known_rows(inputs, table)
    known = f", {shape.rows} rows" if shape and shape.rows else ""
    whose = "Training source" if table.stage is None else f"Rows of `{table.stage}`"
    lines = [f"{whose}: {inline(described(table.train))}{_sample(table.train)}{known}."]
    if _is_filtered(table.train):
        lines.append("Of these only rows that meet `where` are kept: `python data.py` counts them.")
    if isinstance(inputs.spec.prompt.shots, ShotRows) and table.stage is None:
        shown = ", ".join(map(str, inputs.spec.prompt.shots.rows))
        lines.append(f"Shown in the prompt and left out of training: rows {shown}.")
    if isinstance(table.eval, Holdout):
        lines.append(f"Held out: {inline(described(table.eval))}.")
    elif table.eval is not None:
        lines.append(f"Held-out rows: {inline(described(table.eval))}{_sample(table.eval)}.")
    if rows is not None:
        lines.append(f"That leaves {rows} rows to train on.")
    return lines


def _shape(inputs: Inputs, table: RowTable) -> Shape | None:
    return inputs.train if table.stage is None else inputs.own[table.stage]


def _is_filtered(written: TrainSource) -> bool:
    sources = written if isinstance(written, list) else [written]
    return any(source.where for source in sources)


def _narrowed(written: TrainSource) -> bool:
    """Whether only a run can know how many rows of a source are kept."""
    if isinstance(written, list):
        return any(source.where or source.rows for source in written)
    return bool(written.where)


def _sampled(written: TrainSource | EvalSource) -> int | None:
    return None if isinstance(written, list | Holdout) else written.rows


def _sample(written: TrainSource | EvalSource) -> str:
    rows = _sampled(written)
    if isinstance(written, list) and written[0].share:
        return ", drawn and mixed with the project's seed"
    return "" if rows is None else f", a seeded sample of {rows}"
