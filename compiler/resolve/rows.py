"""Where rows come from and what is kept of them, as the statements of data.py."""

import textwrap

from compiler.literals import docstring, literal, parse_template, text_literal
from compiler.plan.modules import DataFile, RowChoice, SourcePlan
from compiler.resolve.conditions import condition_code, reads_numbers
from compiler.resolve.ideal import row_parts
from compiler.resolve.inputs import Inputs
from compiler.resolve.json_columns import json_columns
from compiler.resolve.options import fixed_gold, option_columns, row_choice
from compiler.resolve.solutions import solution_columns
from spec_schema import TaskSpec
from spec_schema.data import Cut, Gold, Holdout, HubSource, PathSource, PythonSource
from spec_schema.prompt import ShotRows
from spec_schema.stages.rollout import RolloutStage
from spec_schema.stages.sft import SftStage

__all__ = ["described", "plan_rows", "reader_pieces"]

Source = HubSource | PathSource | PythonSource
SENTENCE = 89  # characters of a function's docstring in a line of 100, quotes and margin apart


def plan_rows(inputs: Inputs) -> tuple[DataFile, tuple[str, ...]]:
    """The context of data.py and the names of its pieces."""
    data = inputs.spec.data
    train, pieces, imports = _source(data.train, inputs, _shot_rows(inputs))
    evaluation = None
    if data.eval is not None and not isinstance(data.eval, Holdout):
        evaluation, more, more_imports = _source(data.eval, inputs, ())
        pieces, imports = pieces + more, imports + more_imports
    holdout, holdout_docstring = None, ""
    if isinstance(data.eval, Holdout):
        holdout, holdout_docstring, piece = _holdout(data.eval, inputs)
        pieces = (*pieces, piece)
    stages = inputs.spec.stages.values()
    has_sft = any(isinstance(stage, SftStage) for stage in stages)
    if has_sft or _shot_rows(inputs):
        imports = (*imports, "from prompts import ideal_completion")
    choice, more = _choice(inputs)
    plan = DataFile(
        train=train,
        evaluation=evaluation,
        holdout=holdout,
        holdout_docstring=holdout_docstring,
        has_eval=data.eval is not None,
        imports=tuple(dict.fromkeys(imports)),
        columns=literal(_columns(inputs.spec)),
        choice_columns=literal(_choice_columns(inputs.spec)) if choice is not None else None,
        choice=choice,
        parts=_parts(inputs),
        # The order of shuffled options follows from the number of their row.
        shot_source=train.load if choice is None else f"numbered({train.load})",
        shot_row="add_parts(source[position])" if _parts(inputs) else "source[position]",
        shot_rows=literal(_shot_rows(inputs)) if _shot_rows(inputs) else None,
        max_prompt_tokens=literal(data.max_prompt_tokens),
        drop_long=data.on_long_prompt == "drop",
        has_sft=has_sft,
        has_rl=any(isinstance(stage, RolloutStage) for stage in stages),
    )
    return plan, tuple(dict.fromkeys((*pieces, *_cut_pieces(inputs), *more)))


def _columns(spec: TaskSpec) -> tuple[str, ...]:
    """The columns that must hold a text: of the prompt, the ideal completion, a field, the gold."""
    data = spec.data
    cuts = [*data.fields.values(), *([data.gold] if data.gold and not option_columns(spec) else [])]
    templates = [spec.prompt.user, *([spec.prompt.assistant] if spec.prompt.assistant else [])]
    holes = [name for text in templates for _, name in parse_template(text) if name is not None]
    parts = {*data.fields, *row_parts(spec)}
    named = [*(name for name in holes if name not in parts), *(cut.column for cut in cuts)]
    return tuple(dict.fromkeys((*named, *solution_columns(spec))))


def _choice_columns(spec: TaskSpec) -> tuple[str, ...]:
    """The columns of the options of a row and of their gold, which may be empty or lists."""
    gold = () if spec.data.gold is None else (spec.data.gold.column,)
    return (*option_columns(spec), *gold)


def described(source: Source | Holdout) -> str:
    """A source as a sentence names it."""
    match source:
        case HubSource(hub=hub, config=config, split=split):
            return f"{hub}{f' ({config})' if config else ''}, split {split}"
        case PathSource(path=path):
            return path
        case PythonSource(python=python):
            return python
        case Holdout(holdout=size, by=by):
            share = (
                f"{size * 100:.4g}% of the training source" if size < 1 else f"{size} training rows"
            )
            return share + (f", no value of {by} in both parts" if by else "")


def _shot_rows(inputs: Inputs) -> tuple[int, ...]:
    shots = inputs.spec.prompt.shots
    return tuple(shots.rows) if isinstance(shots, ShotRows) else ()


def _source(
    source: Source, inputs: Inputs, excluded: tuple[int, ...]
) -> tuple[SourcePlan, tuple[str, ...], tuple[str, ...]]:
    """A source, the pieces that it needs, and its imports."""
    load, pieces, imports = _load(source, json_columns(inputs.spec))
    steps = [f"numbered({load})"]
    said = [f"The rows of {described(source)}"]
    if excluded:
        steps.append(f'rows.filter(lambda row: row["row_number"] not in {literal(excluded)})')
        said.append("without those that the prompt shows")
    if source.where:
        steps.append(f"rows.filter(lambda row: {condition_code(source.where)})")
        said.append("where the spec's conditions hold")
        pieces = (*pieces, "number_in") if reads_numbers(source.where) else pieces
    gold = inputs.spec.data.gold
    if gold is not None and gold.several_right == "drop":
        steps.append("rows.filter(lambda row: len(right_options(row)) < 2)")
        said.append("with one right option")
    if source.rows is not None:
        steps.append(f"sample(rows, {source.rows}, seed={inputs.spec.project.seed})")
        said.append(f"a seeded sample of {source.rows}")
        pieces = (*pieces, "sample")
    plan = SourcePlan(
        load=load,
        described=described(source),
        docstring=_promise(said),
        steps=(*(f"rows = {step}" for step in steps[:-1]), f"return {steps[-1]}"),
    )
    return plan, pieces, imports


def _promise(said: list[str]) -> str:
    """A docstring of one line, or where that is too long, of a head and what narrows it down."""
    line = ", ".join(said) + "."
    if len(line) <= SENTENCE or len(said) == 1:
        return docstring(line)
    rest = ", ".join(said[1:])
    body = textwrap.wrap(f"{rest[0].upper()}{rest[1:]}.", SENTENCE + 7)
    return docstring("\n    ".join([f"{said[0]}.\n", *body]))


def _load(source: Source, as_json: tuple[str, ...]) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """The expression that loads a source, with these columns as JSON; its pieces and imports."""
    load, imports = _load_as_it_is(source, as_json)
    reads_text = isinstance(source, PathSource) and not source.path.lower().endswith(".parquet")
    if not as_json or reads_text:
        return load, (), imports
    return f"with_json({load}, {literal(as_json)})", ("with_json",), imports


def _load_as_it_is(source: Source, as_json: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    match source:
        case HubSource():
            config = f", {text_literal(source.config)}" if source.config else ""
            revision = f", revision={text_literal(source.revision)}" if source.revision else ""
            call = f"{text_literal(source.hub)}{config}, split={text_literal(source.split)}"
            return f"load_dataset({call}{revision})", ("from datasets import load_dataset",)
        case PythonSource(python=python):
            path, _, function = python.partition(":")
            module = path.removesuffix(".py")
            return f"{module}.{function}()", (f"import {module}",)
        case PathSource():
            return _load_file(source, as_json)


def _load_file(source: PathSource, as_json: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    place = f"HERE / {text_literal(source.path)}"
    encoding = source.encoding
    options = f", encoding={text_literal(encoding)}" if encoding != "utf-8" else ""
    kept = f", json_columns={literal(as_json)}" if as_json else ""
    match source.path.lower().rpartition(".")[2]:
        case "jsonl":
            return f"read_jsonl({place}{options}{kept})", ("from readers import read_jsonl",)
        case "json":
            return f"read_json({place}{options}{kept})", ("from readers import read_json",)
        case "parquet":
            return f"Dataset.from_parquet(str({place}))", ()
        case suffix:
            delimiter = source.delimiter or ("\t" if suffix == "tsv" else ",")
            parted = f", delimiter={text_literal(delimiter)}" if delimiter != "," else ""
            return f"read_csv({place}{parted}{options})", ("from readers import read_csv",)


def reader_pieces(inputs: Inputs) -> tuple[str, ...]:
    """The pieces of readers.py, none where no source is a file that needs one."""
    data = inputs.spec.data
    imports: list[str] = []
    for source in (data.train, data.eval):
        if isinstance(source, PathSource):
            imports += _load_file(source, ())[1]
    return tuple(dict.fromkeys(line.removeprefix("from readers import ") for line in imports))


def _holdout(holdout: Holdout, inputs: Inputs) -> tuple[str, str, str]:
    """The call that parts the rows, what it promises, and its piece."""
    seed = inputs.spec.project.seed
    size = literal(holdout.holdout)
    if holdout.by is None:
        promise = docstring(f"Rows held out, drawn with a seed: {described(holdout)}.")
        return f"hold_out(all_rows(), {size}, seed={seed})", promise, "hold_out"
    promise = docstring(f"Rows held out, drawn with a seed: {described(holdout)}.")
    column = text_literal(holdout.by)
    return f"hold_out_by(all_rows(), {column}, {size}, seed={seed})", promise, "hold_out_by"


def _parts(inputs: Inputs) -> str | None:
    """The named parts of a row as a dict, None without any; the gold is always text."""
    data = inputs.spec.data
    parts = [f"{text_literal(name)}: {_cut(cut)}" for name, cut in data.fields.items()]
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
    return _cut(gold) if gold.extract is None else f"{gold.extract}_gold({_cut(gold)})"


def _cut(cut: Cut) -> str:
    code = f"str(row[{text_literal(cut.column)}])"
    if cut.after is not None:
        code = f"after({code}, {text_literal(cut.after)})"
    if cut.before is not None:
        code = f"before({code}, {text_literal(cut.before)})"
    return code if cut.after is not None or cut.before is not None else f"{code}.strip()"


def _cut_pieces(inputs: Inputs) -> tuple[str, ...]:
    data = inputs.spec.data
    cuts = [*data.fields.values(), *([data.gold] if data.gold else [])]
    pieces = tuple(name for name in ("after", "before") if any(getattr(cut, name) for cut in cuts))
    if data.gold is None:
        return pieces
    read = () if data.gold.extract is None else (f"gold_{data.gold.extract}",)
    by_position = isinstance(data.options, list) and data.gold.as_ in ("index", "number")
    return (*pieces, *read, *(("fixed_option",) if by_position else ()))
