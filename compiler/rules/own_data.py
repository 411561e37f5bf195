"""A stage's own `data`: a format that its method learns from, in columns that are there."""

from compiler.closest import quoted_list
from compiler.local_data import Shape
from compiler.resolve.own_data import (
    FORMATS,
    asks_as_data,
    builds_prompts,
    format_of,
    is_asked,
    placed,
    samples,
)
from compiler.rules.case import Case
from compiler.rules.columns import expect_column
from compiler.rules.texts import holes
from spec_schema.data import Holdout, PathSource

__all__ = [
    "columns_make_a_format",
    "own_columns_exist",
    "own_golds_are_compared",
    "prompts_have_a_template",
    "stages_have_rows",
    "whole_prompts_are_alone",
]


def stages_have_rows(case: Case) -> None:
    """Each stage learns from rows of `[data]` or of its own, and rewards are tried on `[data]`."""
    spec = case.spec
    for name, stage in spec.stages.items():
        if stage.data is None and not _takes_shared(stage.method):
            formats = _formats_said(stage.method)
            message = f"stage `{name}` has no `data`: `{stage.method}` learns from {formats}"
            hint = f"add `[stages.{name}.data]` with `train` and `columns`"
            case.error("missing-key", ("stages", name), message, hint, at="key")
    if spec.data.train is not None:
        return
    for name, stage in spec.stages.items():
        if samples(spec, name) or (stage.data is None and _takes_shared(stage.method)):
            message = f"`[data]` has no `train`: stage `{name}` needs rows"
            hint = 'add `train` with a source, such as `train = { path = "train.jsonl" }`'
            case.error("missing-key", ("data",), message, hint, at="key")
            return
    if spec.data.eval is not None:
        message = "`[data]` has no `train`: `eval` is read as its rows are"
        case.error("missing-key", ("data",), message, "add `train` with a source", at="key")


def prompts_have_a_template(case: Case) -> None:
    """`[prompt] user` is there where rows are asked with it."""
    spec = case.spec
    if builds_prompts(spec):
        return
    asked = [name for name in spec.stages if is_asked(spec, name) and _has_rows(case, name)]
    if asked or asks_as_data(spec):
        whose = f"the rows of stage `{asked[0]}` are" if asked else "the rows of `[data]` are"
        message = f"`[prompt]` has no `user`: {whose} asked with it"
        case.error(
            "missing-key", ("prompt",), message, 'add `user`, such as `"{question}"`', at="key"
        )


def columns_make_a_format(case: Case) -> None:
    """The keys of `columns` are together one of the formats that the method learns from."""
    for name, stage in case.spec.stages.items():
        if stage.data is None:
            continue
        path = ("stages", name, "data")
        parts = format_of(case.spec, name)
        formats = FORMATS[stage.method]
        if not parts and not _takes_shared(stage.method):
            message = f"the rows of `{name}` have no `columns`: `{stage.method}` needs them named"
            hint = f"name them, such as `columns = {_example(formats[0])}`"
            case.error("missing-key", path, message, hint, at="key")
        elif parts and parts not in formats:
            case.error(
                "bad-columns",
                (*path, "columns"),
                f"{quoted_list(parts, 'and')} make no format that `{stage.method}` learns from",
                f"it learns from {_formats_said(stage.method)}",
                at="key",
            )


def whole_prompts_are_alone(case: Case) -> None:
    """Rows of `[data]` that hold whole prompts are named once, and nothing is added to them."""
    columns = case.spec.data.columns
    if columns is None:
        return
    path = ("data", "columns")
    named = columns.named()
    if tuple(named) not in (("prompt",), ("messages",)):
        parts = quoted_list(tuple(named), "and") if named else "no key"
        message = f"{parts} make no whole prompt of the rows of `[data]`"
        hint = "name `messages` or `prompt`; other formats belong to the `data` of a stage"
        case.error("bad-columns", path, message, hint, at="key")
    for part, column in named.items():
        for _, source in placed(("data", "train"), case.spec.data.train):
            if isinstance(source, PathSource):
                expect_column(case, (*path, part), column, source, case.shape(source))
    for key in ("system", "user", "shots"):
        if case.writes(("prompt", key)):
            case.error(
                "conflicting-keys",
                ("prompt", key),
                f"`{key}` cannot stand beside `columns` of `[data]`, whose prompts are whole",
                "remove one of the two",
                at="key",
                related=((path, "the rows hold whole prompts"),),
            )


def own_columns_exist(case: Case) -> None:
    """The columns of a stage's own rows are in its files, where these are at hand."""
    for name, stage in case.spec.stages.items():
        if stage.data is None:
            continue
        path, data = ("stages", name, "data"), stage.data
        named = {} if data.columns is None else data.columns.named()
        trained = list(placed((*path, "train"), data.train))
        for place, source in [*trained, *placed((*path, "eval"), data.eval)]:
            shape = case.shape(source)
            if shape is None or not isinstance(source, PathSource):
                continue
            learnt = (place, source) in trained
            for part, column in named.items():
                at = (*path, "columns", part) if learnt else (*place, "path")
                expect_column(case, at, column, source, shape)
            if learnt and isinstance(data.eval, Holdout) and data.eval.by is not None:
                expect_column(case, (*path, "eval", "by"), data.eval.by, source, shape)
            if learnt and "question" in named:
                _template_fits(case, name, source, shape)


def own_golds_are_compared(case: Case) -> None:
    """The gold of a stage's pairs is there, and compared as `[answer]` says."""
    for name, stage in case.spec.stages.items():
        if stage.data is None or stage.data.gold is None:
            continue
        path = ("stages", name, "data", "gold")
        if "chosen" not in format_of(case.spec, name):
            message = f"stage `{name}` has no pairs of answers to hold against the gold"
            case.warning("no-effect", path, message, "leave it out", at="key")
        elif case.spec.answer is None or case.spec.data.gold is None:
            message = "the gold of pairs is compared as `[answer]` and `[data] gold` say"
            case.error("missing-key", path, message, "add both, or leave it out", at="key")
        for _, source in placed((*path[:-1], "train"), stage.data.train):
            shape = case.shape(source)
            if shape is not None and isinstance(source, PathSource):
                expect_column(case, (*path, "column"), stage.data.gold.column, source, shape)


def _template_fits(case: Case, name: str, source: PathSource, shape: Shape) -> None:
    """`[prompt] user` shows what a row with a `question` has: it, columns, and fields."""
    for hole in holes(case.spec.prompt.user or ""):
        cut = case.spec.data.fields.get(hole)
        if hole != "question":
            column = hole if cut is None else cut.column
            place = ("stages", name, "data", "columns", "question")
            expect_column(case, place, column, source, shape)


def _takes_shared(method: str) -> bool:
    """Whether a method can learn from rows as `[data]` has them."""
    return method in ("sft", "grpo", "rloo")


def _has_rows(case: Case, name: str) -> bool:
    stage = case.spec.stages[name]
    return stage.data is not None or _takes_shared(stage.method)


def _formats_said(method: str) -> str:
    said = [quoted_list(parts, "and") for parts in FORMATS[method]]
    return "; ".join(said[:-1]) + f"; or {said[-1]}"


def _example(parts: tuple[str, ...]) -> str:
    return "{ " + ", ".join(f'{part} = "..."' for part in parts) + " }"
