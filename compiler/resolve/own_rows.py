"""The rows of stages that have `data` of their own, as functions of data.py."""

from typing import NamedTuple

from compiler.literals import docstring, literal, parse_template, text_literal
from compiler.resolve.cuts import cut_code
from compiler.resolve.inputs import Inputs
from compiler.resolve.own_data import (
    format_of,
    is_asked,
    is_unpaired,
    learns_turns,
    method_of,
    samples,
)
from compiler.resolve.sources import Functions, function, plan_sources
from spec_schema import TaskSpec
from spec_schema.data import Cut

__all__ = ["OwnRows", "plan_own_rows"]

_WHICH = {"train": "rows", "eval": "held-out rows"}
_TURNS = "`prompt` and `completion` (messages) for each turn of the assistant"
_UNPAIRED = "`prompt` and `completion` (messages), `label`"
ROW = "row: dict[str, Any]"


class OwnRows(NamedTuple):
    """Functions for the rows of each stage, and the columns that must not be empty, by stage."""

    functions: Functions
    columns: str | None


class _Convert(NamedTuple):
    """An expression over a row, what it gives in words, and the pieces that it calls."""

    code: str
    gives: str
    pieces: tuple[str, ...]


def plan_own_rows(inputs: Inputs) -> OwnRows:
    """The functions of all stages with rows of their own."""
    found = Functions()
    columns: dict[str, tuple[str, ...]] = {}
    for name in inputs.stage_names:
        data = inputs.spec.stages[name].data
        if data is not None:
            graded = samples(inputs.spec, name) or data.columns is None
            found = found.and_(
                plan_sources(inputs, data.train, data.eval, f"{name}_", graded=graded)
            )
            found = found.and_(_loads(inputs, name))
            if data.columns is not None:
                gold = () if data.gold is None else (data.gold.column,)
                columns[name] = tuple(dict.fromkeys((*data.columns.named().values(), *gold)))
    return OwnRows(found, literal(columns) if columns else None)


def _loads(inputs: Inputs, name: str) -> Functions:
    """`load_<stage>_train()` and `load_<stage>_eval()`, and how a row becomes one of theirs."""
    data = inputs.spec.stages[name].data
    parts = ("train",) if data is None or data.eval is None else ("train", "eval")
    if not format_of(inputs.spec, name):
        gives = "`prompt` (messages), named parts and columns"
        code = tuple(
            function(
                f"load_{name}_{part}",
                docstring(f"The {_WHICH[part]} of `{name}`: {gives}."),
                f"return {name}_{part}_source().map(add_prompt)",
            )
            for part in parts
        )
        return Functions(code)
    made = _convert(inputs.spec, name)
    raises = "raises ValueError where it cannot be one."
    codes = [
        function(
            f"{name}_row",
            docstring(f"A row as `{name}` learns from it; {raises}"),
            f"return {made.code}",
            takes=ROW,
            returns="dict[str, Any]",
        )
    ]
    around = _kept(inputs.spec, name)
    gives = _UNPAIRED if "unpaired" in around else made.gives
    gives = _TURNS if "assistant_turns" in around else gives
    for part in parts:
        rows = f'converted({name}_{part}_source(), {name}_row, STAGE_COLUMNS["{name}"])'
        for call in around:
            rows = f"{call}({rows})"
        if method_of(inputs.spec, name) == "kto":
            rows += f".shuffle(seed={inputs.spec.project.seed})"
        promise = docstring(f"The {_WHICH[part]} of `{name}`: {gives}, and `row_number`.")
        codes.append(function(f"load_{name}_{part}", promise, f"return {rows}"))
    imports = ("from prompts import build_messages",) if is_asked(inputs.spec, name) else ()
    return Functions(tuple(codes), ("converted", *made.pieces, *around), imports)


def _kept(spec: TaskSpec, name: str) -> tuple[str, ...]:
    """The pieces that leave out what teaches nothing, and that part pairs; the first is innermost.

    KTO goes through its rows in their order, and needs both kinds in a batch (TRL 1.16,
    kto_trainer.py): rows are shuffled.
    """
    parts = format_of(spec, name)
    if learns_turns(spec, name):
        return ("assistant_turns",)
    if "chosen" in parts:
        return ("sound_pairs", "unpaired") if is_unpaired(spec, name) else ("sound_pairs",)
    return ("sound_labels",) if "label" in parts else ()


def _convert(spec: TaskSpec, name: str) -> _Convert:
    """A row in the form that TRL's trainer takes (TRL 1.16, conversational formats)."""
    parts = format_of(spec, name)
    data = spec.stages[name].data
    named = {} if data is None or data.columns is None else data.columns.named()
    cell = {part: f"row[{text_literal(column)}]" for part, column in named.items()}
    cell["prompt"] = cell.get("prompt", "")
    if "question" in parts:
        cell["prompt"] = _asked(spec, cell["question"])
    if samples(spec, name):
        return _sampled(spec, parts, cell)
    match parts:
        case ("messages",):
            return _Convert(
                f'{{"messages": conversation({cell["messages"]})}}', "`messages`", ("conversation",)
            )
        case ("text",):
            return _Convert(f'{{"text": str({cell["text"]})}}', "`text`", ())
        case _ if "chosen" in parts:
            made = _pair(parts, cell)
            return made if data is None or data.gold is None else _with_gold(made, data.gold)
        case _:
            answer = cell["response" if "response" in parts else "completion"]
            code = f"answered({cell['prompt']}, {answer})"
            if "label" not in parts:
                return _Convert(code, "`prompt` and `completion` (messages)", ("answered",))
            code = f'{code} | {{"label": label_of({cell["label"]})}}'
            return _Convert(code, _UNPAIRED, ("answered", "label_of"))


def _pair(parts: tuple[str, ...], cell: dict[str, str]) -> _Convert:
    implicit = "prompt" not in parts and "question" not in parts
    piece = "implicit_preference" if implicit else "preference"
    asked = "" if implicit else f"{cell['prompt']}, "
    code = f"{piece}({asked}{cell['chosen']}, {cell['rejected']})"
    gives = "`prompt`, `chosen` and `rejected` (messages)"
    if "margin" in parts:
        code, gives = f'{code} | {{"margin": float({cell["margin"]})}}', f"{gives}, `margin`"
    return _Convert(code, gives, (piece,))


def _with_gold(made: _Convert, gold: Cut) -> _Convert:
    """A pair with the right answer beside it."""
    cuts = tuple(mark for mark in ("after", "before") if getattr(gold, mark) is not None)
    code = f'{made.code} | {{"gold": {cut_code(gold)}}}'
    return _Convert(code, f"{made.gives}, `gold`", (*made.pieces, *cuts))


def _sampled(spec: TaskSpec, parts: tuple[str, ...], cell: dict[str, str]) -> _Convert:
    """A row to sample completions for: its columns stay, for the rewards."""
    row = "add_parts(row)" if spec.data.fields or spec.data.gold else "row"
    gives = "`prompt` (messages), named parts and columns"
    if parts == ("messages",):
        asked, piece = f"open_turn({cell['messages']})", ("open_turn",)
    elif parts == ("question",):
        asked, piece = cell["prompt"], ()
    else:
        asked, piece = f'chat_messages({cell["prompt"]}, "user")', ("chat_messages",)
    return _Convert(f'{row} | {{"prompt": {asked}}}', gives, piece)


def _asked(spec: TaskSpec, question: str) -> str:
    """The messages of `[prompt]` around a question, with the fields that its template shows."""
    shown = {name for _, name in parse_template(spec.prompt.user or "")}
    fields = {name: cut for name, cut in spec.data.fields.items() if name in shown}
    parts = [f'"question": {question}']
    parts += [f"{text_literal(name)}: {cut_code(cut)}" for name, cut in fields.items()]
    return f"build_messages(row | {{{', '.join(parts)}}})"
