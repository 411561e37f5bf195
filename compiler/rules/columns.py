"""Columns: those that the spec names exist, and none has a name that TRL keeps for itself."""

from collections.abc import Iterator

from compiler.closest import closest, quoted_list
from compiler.local_data import Shape
from compiler.parse import KeyPath
from compiler.rules.case import Case
from compiler.rules.data import local_sources
from compiler.rules.prompts import holes, prompt_templates
from spec_schema.data import Cut, Holdout, PathSource

__all__ = ["columns_exist", "no_reserved_columns"]

# TRL calls a reward with these names (grpo_trainer.py, _calculate_rewards), and reads images by name.
RESERVED = (
    *("prompts", "completions", "completion_ids", "completion", "trainer_state", "log_extra"),
    *("log_metric", "environments", "image", "images", "row_number"),
)


def columns_exist(case: Case) -> None:
    """Every column that the spec names is in the data, where the data is at hand."""
    data = case.spec.data
    train = case.shape(data.train)
    shown = Shape((), None) if train is None else train
    for path, column in _cut_columns(case):
        if train is not None:
            _expect(case, path, column, shown.columns)
    if train is not None and isinstance(data.eval, Holdout) and data.eval.by is not None:
        _expect(case, ("data", "eval", "by"), data.eval.by, shown.columns)
    for name in ("train", "eval"):
        source = getattr(data, name)
        shape = case.shape(source)
        if shape is not None and isinstance(source, PathSource):
            for column in source.where:
                _expect(case, ("data", name, "where", column), column, shape.columns, at_key=True)
    _holes_are_columns(case, train)
    _evaluation_has_the_same(case, train)


def no_reserved_columns(case: Case) -> None:
    """No column of a file has a name under which TRL hands something else to a reward."""
    for path, source in local_sources(case):
        shape = case.shape(source)
        taken = [name for name in RESERVED if shape is not None and name in shape.columns]
        if taken:
            case.error(
                "reserved-column",
                (*path, "path"),
                f"`{source.path}` has the column {quoted_list(taken, 'and')}, which is reserved",
                "rename it in the file: rewards get TRL's own values under these names",
            )


def _cut_columns(case: Case) -> Iterator[tuple[KeyPath, str]]:
    data = case.spec.data
    if data.gold is not None:
        yield ("data", "gold", "column"), data.gold.column
    for name, cut in data.fields.items():
        yield ("data", "fields", name, "column"), cut.column


def _expect(
    case: Case, path: KeyPath, column: str, columns: tuple[str, ...], *, at_key: bool = False
) -> None:
    if column not in columns:
        meant = closest(column, columns)
        case.error(
            "unknown-column",
            path,
            f"the data has no column `{column}`",
            f"did you mean `{meant}`?" if meant else f"it has {quoted_list(columns, 'and')}",
            at="key" if at_key else "value",
        )


def _holes_are_columns(case: Case, train: Shape | None) -> None:
    """A hole of a prompt is a column, a field or the gold."""
    data = case.spec.data
    for path, template in prompt_templates(case):
        for name in dict.fromkeys(holes(template)):
            if (
                name == "gold"
                and data.gold is None
                and (train is None or "gold" not in train.columns)
            ):
                case.error(
                    "missing-key",
                    path,
                    f"`{path[-1]}` shows `{{gold}}`, and `[data]` has no `gold`",
                    'add `gold = { column = "..." }` to `[data]`',
                )
            elif name not in data.fields and name != "gold" and train is not None:
                if name not in train.columns:
                    known = (*train.columns, *data.fields)
                    meant = closest(name, known)
                    case.error(
                        "unknown-column",
                        path,
                        f"`{{{name}}}` is no column of the data and no field",
                        f"did you mean `{{{meant}}}`?"
                        if meant
                        else f"there are {quoted_list(known, 'and')}",
                    )


def _evaluation_has_the_same(case: Case, train: Shape | None) -> None:
    """Held-out rows of a file have the columns that the training rows are read by."""
    data = case.spec.data
    shape = case.shape(data.eval)
    if shape is None:
        return
    wanted = [cut.column for cut in _cuts(case)]
    for _, template in prompt_templates(case):
        wanted += [name for name in holes(template) if name not in (*data.fields, "gold")]
    in_train = (name for name in wanted if train is None or name in train.columns)
    missing = [name for name in dict.fromkeys(in_train) if name not in shape.columns]
    if missing:
        case.error(
            "unknown-column",
            ("data", "eval"),
            f"the held-out rows have no column {quoted_list(missing, 'and')}",
            f"they have {quoted_list(shape.columns, 'and')}",
        )


def _cuts(case: Case) -> list[Cut]:
    data = case.spec.data
    return [*([data.gold] if data.gold is not None else []), *data.fields.values()]
