"""Columns: those that the spec names exist, and no name stands for two things."""

from collections.abc import Iterator

from compiler.closest import closest, quoted_list, shortened
from compiler.local_data import Shape, may_have_column
from compiler.parse import KeyPath
from compiler.resolve.ideal import row_parts
from compiler.resolve.own_data import placed, samples
from compiler.resolve.solutions import reward_columns
from compiler.rules.case import Case
from compiler.rules.files import local_sources
from compiler.rules.texts import holes, prompt_templates
from spec_schema.data import Cut, Holdout, PathSource

__all__ = [
    "columns_exist",
    "cut_columns",
    "expect_column",
    "fields_have_free_names",
    "fields_hide_no_column",
    "no_reserved_columns",
    "no_reserved_holes",
]

# TRL calls a reward with these names (grpo_trainer.py, _calculate_rewards), and reads images by
# name; the project numbers the rows.
RESERVED = (
    *("prompts", "completions", "completion_ids", "completion", "trainer_state", "log_extra"),
    *("log_metric", "environments", "image", "images", "row_number"),
)
LISTED = 12


def columns_exist(case: Case) -> None:
    """Every column that the spec names is in the data, where the data is at hand."""
    data = case.spec.data
    for _, source in placed(("data", "train"), data.train):
        if not isinstance(source, PathSource) or (train := case.shape(source)) is None:
            continue
        for path, column in cut_columns(case):
            expect_column(case, path, column, source, train)
        if isinstance(data.eval, Holdout) and data.eval.by is not None:
            expect_column(case, ("data", "eval", "by"), data.eval.by, source, train)
        _holes_are_columns(case, source, train)
    for path, source in local_sources(case):
        shape = case.shape(source)
        for column in source.where if shape is not None else ():
            expect_column(case, (*path, "where", column), column, source, shape, at_key=True)
    _gold_is_given(case)
    _evaluation_has_the_same(case)


def no_reserved_columns(case: Case) -> None:
    """No column of a file has a name under which TRL hands something else to a reward."""
    for path, source in local_sources(case):
        # Only the columns that it learns from are kept for a stage that has no rewards.
        if path[0] == "stages" and not samples(case.spec, str(path[1])):
            continue
        shape = case.shape(source)
        taken = [name for name in RESERVED if shape is not None and name in shape.columns]
        if taken:
            said = (
                f"{quoted_list(taken, 'and')} as a column, which TRL or the project writes itself"
            )
            case.error(
                "reserved-column",
                (*path, "path"),
                f"`{shortened(source.path)}` has {said}",
                "rename it in the file",
            )


def no_reserved_holes(case: Case) -> None:
    """No template shows `{prompt}`, which is the column of that name only until it is filled."""
    train = case.shape(case.spec.data.train)
    if train is not None and "prompt" not in train.columns:
        return
    for path, template in prompt_templates(case):
        if "prompt" in holes(template):
            case.error(
                "reserved-column",
                path,
                f"`{path[-1]}` shows `{{prompt}}`, under which the project keeps a row's messages",
                'add `fields = { task = { column = "prompt" } }` to `[data]`, and show `{task}`',
            )


def fields_have_free_names(case: Case) -> None:
    """No field has the name of something that a row holds anyway."""
    for name in case.spec.data.fields:
        if name == "gold":
            why, hint = "`gold` is a key of `[data]`", "write it as `gold` of `[data]` itself"
        elif name in row_parts(case.spec):
            why, hint = "it comes from the `options` of `[data]`", f"call it `row_{name}`"
        elif name == "prompt" or name in RESERVED:
            why, hint = "TRL or the project writes it", f"call it `row_{name}`"
        else:
            continue
        message = f"a field cannot be called `{name}`: {why}"
        case.error("reserved-name", ("data", "fields", name), message, hint, at="key")


def fields_hide_no_column(case: Case) -> None:
    """A field, or the gold, does not stand for another column than the one of its name."""
    data = case.spec.data
    shape = case.shape(data.train)
    named: dict[KeyPath, tuple[str, Cut]] = {
        ("data", "fields", name): (name, cut) for name, cut in data.fields.items()
    }
    if data.gold is not None:
        named["data", "gold"] = "gold", data.gold
    for path, (name, cut) in named.items():
        if shape is not None and name in shape.columns and cut.column != name:
            case.warning(
                "hidden-column",
                path,
                f"`{name}` is cut from `{shortened(cut.column)}`, and hides the column `{name}`",
                "name the field otherwise, or rename the column in the file",
                at="key",
            )


def cut_columns(case: Case) -> Iterator[tuple[KeyPath, str]]:
    """The columns of `[data]` that keys name, with the path of each; those of rewards as well."""
    data = case.spec.data
    if data.gold is not None:
        yield ("data", "gold", "column"), data.gold.column
    for name, cut in data.fields.items():
        yield ("data", "fields", name, "column"), cut.column
    if data.options is not None and not isinstance(data.options, list):
        for path, column in data.options.named().items():
            yield ("data", "options", *path), column
    for name, reward in case.spec.rewards.items():
        for keys, column in reward_columns(reward):
            if column not in (*data.fields, "gold"):
                yield ("rewards", name, *keys), column


def expect_column(
    case: Case,
    path: KeyPath,
    column: str,
    source: PathSource,
    shape: Shape | None,
    *,
    at_key: bool = False,
) -> None:
    """Report a column that a file does not have."""
    if shape is None or may_have_column(case.folder / source.path, column, shape):
        return
    meant = closest(column, shape.columns)
    case.error(
        "unknown-column",
        path,
        f"`{shortened(source.path)}` has no column `{shortened(column)}`",
        f"did you mean `{meant}`?" if meant else f"it has {_listed(shape.columns)}",
        at="key" if at_key else "value",
    )


def _holes_are_columns(case: Case, source: PathSource, shape: Shape) -> None:
    """A hole of a prompt is a column, a field or the gold."""
    data = case.spec.data
    known = (*shape.columns, *data.fields, *row_parts(case.spec))
    # What a row has with a gold: other rules say where that is missing.
    given = ("gold",) if data.options is None else ("gold", "gold_label", "options")
    for path, template in prompt_templates(case):
        for name in holes(template):
            if name in known or name in given or name != name.strip():
                continue
            if may_have_column(case.folder / source.path, name, shape):
                continue
            meant = closest(name, known)
            case.error(
                "unknown-column",
                path,
                f"`{{{shortened(name)}}}` is no column of `{shortened(source.path)}` and no field",
                f"did you mean `{{{meant}}}`?" if meant else f"there are {_listed(known)}",
            )


def _gold_is_given(case: Case) -> None:
    """`{gold}` is the gold of `[data]`, or a column of that name."""
    data = case.spec.data
    train = case.shape(data.train)
    if data.gold is not None or (train is not None and "gold" in train.columns):
        return
    for path, template in prompt_templates(case):
        if "gold" in holes(template):
            case.error(
                "missing-key",
                path,
                f"`{path[-1]}` shows `{{gold}}`, and `[data]` has no `gold`",
                'add `gold = { column = "..." }` to `[data]`',
            )


def _evaluation_has_the_same(case: Case) -> None:
    """Held-out rows of a file have the columns that the training rows are read by."""
    data = case.spec.data
    held_out, train = case.shape(data.eval), case.shape(data.train)
    if held_out is None or not isinstance(data.eval, PathSource):
        return
    wanted = [column for _, column in cut_columns(case)]
    for _, template in prompt_templates(case):
        parts = (*data.fields, *row_parts(case.spec), "gold")
        wanted += [name for name in holes(template) if name not in parts]
    file = case.folder / data.eval.path
    missing = [
        name
        for name in dict.fromkeys(wanted)
        if (train is None or name in train.columns) and not may_have_column(file, name, held_out)
    ]
    if missing:
        shown = shortened(data.eval.path)
        case.error(
            "unknown-column",
            ("data", "eval", "path"),
            f"`{shown}` has no column {_listed(missing)}, by which the training rows are read",
            f"it has {_listed(held_out.columns)}",
        )


def _listed(names: tuple[str, ...] | list[str]) -> str:
    shown = [shortened(name) for name in names[:LISTED]]
    if len(names) == len(shown):
        return quoted_list(shown, "and")
    return f"{', '.join(f'`{name}`' for name in shown)} and {len(names) - len(shown)} more"
