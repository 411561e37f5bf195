"""Where rows come from and what is kept of them, as the statements of data.py."""

from compiler.literals import literal, parse_template, text_literal
from compiler.plan.modules import DataFile, RowChoice
from compiler.resolve.cuts import cut_code
from compiler.resolve.ideal import row_parts
from compiler.resolve.inputs import Inputs
from compiler.resolve.options import fixed_gold, option_columns, row_choice
from compiler.resolve.own_data import (
    asks_as_data,
    has_graded_rows,
    is_measured,
    is_taught_ideals,
    samples,
    whole_prompts,
)
from compiler.resolve.own_rows import plan_own_rows
from compiler.resolve.processes import is_distributed
from compiler.resolve.solutions import solution_columns
from compiler.resolve.sources import Functions, load_code, plan_sources
from spec_schema import TaskSpec
from spec_schema.data import Gold
from spec_schema.prompt import ShotRows

__all__ = ["other_columns", "plan_rows"]


def plan_rows(inputs: Inputs) -> tuple[DataFile, tuple[str, ...]]:
    """The context of data.py and the names of its pieces."""
    spec, data, shown = inputs.spec, inputs.spec.data, _shot_rows(inputs)
    shared, load = _shared(inputs, shown)
    own, others = plan_own_rows(inputs), other_columns(spec)
    asked, graded = asks_as_data(spec), has_graded_rows(spec)
    has_sft = any(is_taught_ideals(spec, name) for name in spec.stages)
    choice, choice_pieces = _choice(inputs) if graded else (None, ())
    parts = _parts(inputs) if graded else None
    imports = [*shared.imports, *own.functions.imports]
    imports += ["from prompts import build_messages"] if asked else []
    imports += ["from prompts import ideal_completion"] if has_sft or shown else []
    plan = DataFile(
        sources=shared.code,
        own=own.functions.code,
        own_columns=own.columns,
        shared=data.train is not None,
        asked=asked,
        # The data report measures the rows of `[data]`, whether or not a stage uses them.
        measured=data.train is not None or any(is_measured(spec, name) for name in spec.stages),
        has_eval=data.eval is not None,
        imports=tuple(dict.fromkeys(imports)),
        columns=literal(_columns(spec)) if asked else None,
        other_columns=literal(others) if asked and others else None,
        choice=choice,
        parts=parts,
        # The order of shuffled options follows from the number of their row.
        shot_source=load if choice is None else f"numbered({load})",
        shot_row="add_parts(source[position])" if parts else "source[position]",
        shot_rows=literal(shown) if shown else None,
        max_prompt_tokens=literal(data.max_prompt_tokens),
        drop_long=data.on_long_prompt == "drop",
        distributed=is_distributed(inputs),
        has_sft=has_sft,
        has_rl=any(samples(spec, name) for name in spec.stages),
        report="data_report" if data.train is not None else "stage_report",
    )
    pieces = [*shared.pieces, *own.functions.pieces, *choice_pieces]
    pieces += _cut_pieces(inputs) if graded else ()
    return plan, tuple(dict.fromkeys(pieces))


def _shared(inputs: Inputs, shown: tuple[int, ...]) -> tuple[Functions, str]:
    """The sources of `[data]`, and the expression that loads its training rows as they lie."""
    data = inputs.spec.data
    if data.train is None:
        return Functions(), ""
    sources = plan_sources(inputs, data.train, data.eval, shown=shown)
    return sources, load_code(inputs, data.train)[0]


def _columns(spec: TaskSpec) -> tuple[str, ...]:
    """The columns that must hold a text: of the prompt, the ideal completion, a field, the gold."""
    data = spec.data
    cuts = [*data.fields.values(), *([data.gold] if data.gold and not option_columns(spec) else [])]
    templates = [spec.prompt.user or "", spec.prompt.assistant or ""]
    holes = [name for text in templates for _, name in parse_template(text) if name is not None]
    parts = {*data.fields, *row_parts(spec)}
    named = [*(name for name in holes if name not in parts), *(cut.column for cut in cuts)]
    return tuple(dict.fromkeys((*named, *solution_columns(spec))))


def other_columns(spec: TaskSpec) -> tuple[str, ...]:
    """Columns that are read and may hold a list: of options and of their gold, of conversations."""
    options = option_columns(spec)
    gold = [spec.data.gold.column] if options and spec.data.gold is not None else []
    whole = whole_prompts(spec)
    return (*options, *gold, *([whole[1]] if whole is not None else []))


def _shot_rows(inputs: Inputs) -> tuple[int, ...]:
    shots = inputs.spec.prompt.shots
    return tuple(shots.rows) if isinstance(shots, ShotRows) else ()


def _parts(inputs: Inputs) -> str | None:
    """The named parts of a row as a dict, None without any; the gold is always text."""
    data = inputs.spec.data
    parts = [f"{text_literal(name)}: {cut_code(cut)}" for name, cut in data.fields.items()]
    choice, _ = _choice(inputs)
    if choice is not None and not parts:
        return choice.parts
    if choice is not None:
        parts.append(f"**{choice.parts}")
    elif data.gold is not None:
        fixed = fixed_gold(inputs.spec, data.gold, _gold_cell(data.gold))
        parts.append(f'"gold": {fixed or _gold(data.gold)}')
    return "{" + "".join(f"{part}, " for part in parts) + "}" if parts else None


def _choice(inputs: Inputs) -> tuple[RowChoice | None, tuple[str, ...]]:
    gold = inputs.spec.data.gold
    return (None, ()) if gold is None else row_choice(inputs.spec, gold, _gold_cell(gold))


def _gold_cell(gold: Gold) -> str:
    """The gold where it names an option: a list or a number stays one if nothing is cut from it."""
    cuts = (gold.after, gold.before, gold.extract)
    return f"row[{text_literal(gold.column)}]" if cuts == (None,) * len(cuts) else _gold(gold)


def _gold(gold: Gold) -> str:
    return cut_code(gold) if gold.extract is None else f"{gold.extract}_gold({cut_code(gold)})"


def _cut_pieces(inputs: Inputs) -> tuple[str, ...]:
    data = inputs.spec.data
    cuts = [*data.fields.values(), *([data.gold] if data.gold else [])]
    pieces = tuple(name for name in ("after", "before") if any(getattr(cut, name) for cut in cuts))
    if data.gold is None:
        return pieces
    read = () if data.gold.extract is None else (f"gold_{data.gold.extract}",)
    by_position = isinstance(data.options, list) and data.gold.as_ in ("index", "number")
    return (*pieces, *read, *(("fixed_option",) if by_position else ()))
