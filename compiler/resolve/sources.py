"""Sources of rows as functions of data.py: what is loaded, what is kept, what is held out."""

import textwrap
from typing import NamedTuple

from compiler.literals import docstring, literal, text_literal
from compiler.resolve.conditions import condition_code, reads_numbers
from compiler.resolve.generated import first_seed, generated_code, is_generated
from compiler.resolve.inputs import Inputs
from compiler.resolve.json_columns import json_columns
from compiler.resolve.own_data import sources_of
from spec_schema import TaskSpec
from spec_schema.data import (
    EvalSource,
    Holdout,
    HubSource,
    PathSource,
    PythonSource,
    RowSource,
    TrainSource,
)

__all__ = ["Functions", "described", "function", "load_code", "plan_sources", "reader_pieces"]

Source = RowSource
SENTENCE = 89  # characters of a function's docstring in a line of 100, quotes and margin apart


class Functions(NamedTuple):
    """Functions of data.py as finished text, with the pieces and the imports that they need."""

    code: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()

    def and_(self, other: "Functions") -> "Functions":
        """These functions and then the others."""
        return Functions(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


def plan_sources(
    inputs: Inputs,
    train: TrainSource,
    evaluation: EvalSource | None,
    prefix: str = "",
    shown: tuple[int, ...] = (),
    *,
    graded: bool = True,
) -> Functions:
    """`<prefix>train_source()` and, with rows to evaluate on, `<prefix>eval_source()`.

    `shown` are the positions of rows that the prompt shows, and that are left out; `graded` rows
    have the gold of `[data]`.
    """
    held_out = isinstance(evaluation, Holdout)
    name = f"{prefix}all_rows" if held_out else f"{prefix}train_source"
    found = _source(inputs, name, train, shown, graded=graded)
    if held_out:
        return found.and_(_parted(inputs, evaluation, prefix))
    if evaluation is None:
        return found
    return found.and_(_source(inputs, f"{prefix}eval_source", evaluation, (), graded=graded))


def function(name: str, promise: str, *body: str, takes: str = "", returns: str = "Dataset") -> str:
    """The text of a function; `promise` is its docstring as a literal."""
    lines = "".join(f"    {line}\n" for line in (promise, *body))
    return f"def {name}({takes}) -> {returns}:\n{lines}"


def _source(
    inputs: Inputs, name: str, source: TrainSource, shown: tuple[int, ...], *, graded: bool
) -> Functions:
    """The function that loads a source, or several, and narrows it down."""
    if isinstance(source, list):
        return _mixed(inputs, name, source, shown, graded=graded)
    load, pieces, imports = load_code(inputs, source)
    kept = _kept(inputs, source, shown, graded=graded)
    steps = [f"numbered({load})", *(f"rows.{step}" for step in kept.steps)]
    said = [f"The rows of {described(source)}", *kept.said]
    if is_generated(source):
        said.append(f"seeds from {first_seed(inputs.spec, source)} on")
    if sampled := _sampled(source):
        steps.append(f"sample(rows, {sampled}, seed={inputs.spec.project.seed})")
    body = (*(f"rows = {step}" for step in steps[:-1]), f"return {steps[-1]}")
    found = Functions((function(name, _promise(said), *body),), pieces, imports)
    return found.and_(Functions(pieces=kept.pieces))


class _Kept(NamedTuple):
    """Which rows of a source are kept: filters, words, and pieces."""

    steps: tuple[str, ...]
    said: tuple[str, ...]
    pieces: tuple[str, ...]


def _kept(inputs: Inputs, source: Source, shown: tuple[int, ...], *, graded: bool) -> _Kept:
    conditions: list[tuple[str, str]] = []
    if shown:
        conditions.append(
            (f'row["row_number"] not in {literal(shown)}', "without those that the prompt shows")
        )
    if source.where:
        conditions.append((condition_code(source.where), "where the spec's conditions hold"))
    gold = inputs.spec.data.gold
    if graded and gold is not None and gold.several_right == "drop":
        conditions.append(("len(right_options(row)) < 2", "with one right option"))
    said = [words for _, words in conditions]
    sampled = _sampled(source)
    if sampled is not None:
        said.append(f"a seeded sample of {sampled}")
    pieces = (
        *(["number_in"] if reads_numbers(source.where) else []),
        *(["sample"] if sampled is not None else []),
    )
    return _Kept(
        tuple(f"filter(lambda row: {code})" for code, _ in conditions), tuple(said), pieces
    )


def _sampled(source: Source) -> int | None:
    """How many rows are drawn of a source, None where all of them are taken."""
    return None if is_generated(source) else source.rows


def _mixed(
    inputs: Inputs, name: str, sources: list[Source], shown: tuple[int, ...], *, graded: bool
) -> Functions:
    """The function that puts several sources together, in their shares where they have some."""
    seed = inputs.spec.project.seed
    found = Functions(pieces=("numbered_on",))
    names = [f"rows_{position}" for position in range(1, len(sources) + 1)]
    loads: list[str] = []
    steps: list[str] = []
    for variable, source in zip(names, sources, strict=True):
        load, pieces, imports = load_code(inputs, source)
        kept = _kept(inputs, source, shown, graded=graded)
        found = found.and_(Functions((), (*pieces, *kept.pieces), imports))
        loads.append(load)
        steps += [f"{variable} = {variable}.{step}" for step in kept.steps]
        if sampled := _sampled(source):
            steps.append(f"{variable} = sample({variable}, {sampled}, seed={seed})")
    shares = [source.share for source in sources if source.share is not None]
    sizes = f", shares={literal(shares)}, seed={seed}" if shares else ""
    piece = "mixed" if shares else "joined"
    body = (
        f"{', '.join(names)} = numbered_on([{', '.join(loads)}])",
        *steps,
        f"return {piece}([{', '.join(names)}]{sizes})",
    )
    promise = docstring(
        f"The rows of {described(sources)}.\n\n    Their numbers go on from one source to the next."
    )
    return found.and_(Functions((function(name, promise, *body),), (piece,)))


def described(source: TrainSource | EvalSource) -> str:
    """A source, or several with their shares, as a sentence names it."""
    if is_generated(source):
        return f"{source.reasoning_gym} of reasoning-gym"
    match source:
        case list():
            parts = [
                described(each) + (f" ({each.share:.3g} of the rows)" if each.share else "")
                for each in source
            ]
            return f"{', '.join(parts[:-1])} and {parts[-1]}"
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


def _promise(said: list[str]) -> str:
    """A docstring of one line, or where that is too long, of a head and what narrows it down."""
    line = ", ".join(said) + "."
    if len(line) <= SENTENCE or len(said) == 1:
        return docstring(line)
    rest = ", ".join(said[1:])
    body = textwrap.wrap(f"{rest[0].upper()}{rest[1:]}.", SENTENCE + 7)
    return docstring("\n    ".join([f"{said[0]}.\n", *body]))


def load_code(inputs: Inputs, source: TrainSource) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """The expression that loads a source, or several one after the other; pieces and imports."""
    if isinstance(source, list):
        codes, pieces, imports = zip(*(load_code(inputs, each) for each in source), strict=True)
        return f"joined([{', '.join(codes)}])", ("joined", *sum(pieces, ())), sum(imports, ())
    if is_generated(source):
        code = generated_code(inputs.spec, source)
        return code, (), ("from generated import generated_rows",)
    as_json = json_columns(inputs.spec)
    load, imports = _load_as_it_is(source, as_json)
    reads_text = isinstance(source, PathSource) and not source.path.lower().endswith(".parquet")
    if not as_json or reads_text:
        return load, (), imports
    return f"with_json({load}, {literal(as_json)})", ("with_json",), imports


def _load_as_it_is(
    source: HubSource | PathSource | PythonSource, as_json: tuple[str, ...]
) -> tuple[str, tuple[str, ...]]:
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


def _parted(inputs: Inputs, holdout: Holdout, prefix: str) -> Functions:
    """The two functions that part the rows of `<prefix>all_rows()`."""
    by = "" if holdout.by is None else f"{text_literal(holdout.by)}, "
    piece = "hold_out_by" if by else "hold_out"
    sizes = f"{by}{literal(holdout.holdout)}, seed={inputs.spec.project.seed}"
    call = f"{piece}({prefix}all_rows(), {sizes})"
    promise = docstring(f"Rows held out, drawn with a seed: {described(holdout)}.")
    kept = docstring("All rows but those held out.")
    code = (
        function(f"{prefix}train_source", kept, f"return {call}[0]"),
        function(f"{prefix}eval_source", promise, f"return {call}[1]"),
    )
    return Functions(code, (piece,))


def reader_pieces(spec: TaskSpec) -> tuple[str, ...]:
    """The pieces of readers.py, none where no source is a file that needs one."""
    imports: list[str] = []
    for _, source in sources_of(spec):
        if isinstance(source, PathSource):
            imports += _load_file(source, ())[1]
    return tuple(dict.fromkeys(line.removeprefix("from readers import ") for line in imports))
