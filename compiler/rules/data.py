"""`[data]`: there are rows enough, those held out are others, and conditions say something."""

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from compiler.resolve.own_data import RowTable, is_unpaired, learns_turns, row_tables, sources_of
from compiler.rules.case import Case
from compiler.rules.hub import check_hub_id
from spec_schema.data import Holdout, HubSource, PathSource
from spec_schema.prompt import ShotRows
from spec_schema.source_table import SourceTable
from spec_schema.stages.rollout import RolloutStage

if TYPE_CHECKING:
    from spec_schema.conditions import Condition

__all__ = [
    "conditions_say_something",
    "enough_rows",
    "evaluation_is_held_out",
    "holdout_is_a_part",
    "hub_sources_are_named",
    "shares_are_whole",
]

# Thirds are written with few digits.
SHARE_ERROR = 1e-3


def hub_sources_are_named(case: Case) -> None:
    """A data set of the hub has an id, and is no file beside the spec."""
    for path, source in sources_of(case.spec):
        if isinstance(source, HubSource):
            place = (*path, "hub")
            if case.has_file(source.hub):
                message = f"`{source.hub}` is a file beside the spec, not a data set of the hub"
                case.error("bad-value", place, message, f'write `path = "{source.hub}"`')
            else:
                check_hub_id(case, place, source.hub)


def conditions_say_something(case: Case) -> None:
    """A condition of `where` has a key, and its limits leave room."""
    for table, source in sources_of(case.spec):
        where: dict[str, Condition] = getattr(source, "where", {})
        for column, condition in where.items():
            path = (*table, "where", column)
            if not condition.model_fields_set:
                case.error(
                    "missing-key",
                    path,
                    f"the condition on `{column}` says nothing",
                    "write one such as `{ equals = 1 }` or `{ at_most = 2 }`",
                    at="key",
                )
            low, high = condition.at_least, condition.at_most
            if low is not None and high is not None and low > high:
                case.error(
                    "bad-value",
                    (*path, "at_least"),
                    f"`at_least = {low:g}` is above `at_most = {high:g}`, which keeps no row",
                )


def evaluation_is_held_out(case: Case) -> None:
    """The rows to evaluate on are not those that are trained on."""
    for path, _, train, held_out in row_tables(case.spec):
        match train, held_out:
            case PathSource(), PathSource():
                same = PurePosixPath(train.path) == PurePosixPath(held_out.path)
            case HubSource(), HubSource():
                keys = ("hub", "config", "split", "revision")
                same = all(getattr(train, key) == getattr(held_out, key) for key in keys)
            case _:
                continue
        if same and train.where == held_out.where:
            case.error(
                "conflicting-keys",
                (*path, "eval"),
                "`eval` has the same rows as `train`",
                "write `eval = { holdout = 0.1 }`, which takes them out of `train`",
                at="key",
                related=(((*path, "train"), "the rows that are trained on"),),
            )


def shares_are_whole(case: Case) -> None:
    """The sources of a list have shares that add up to 1, or none of them has one."""
    for table in row_tables(case.spec):
        for key, written in (("train", table.train), ("eval", table.eval)):
            path = (*table.path, key)
            sources = written if isinstance(written, list) else []
            shares = [source.share for source in sources if source.share is not None]
            if isinstance(written, SourceTable) and written.share is not None:
                message = "`share` has no effect on a source that stands alone"
                hint = "leave it out, or write a list of sources"
                case.warning("no-effect", (*path, "share"), message, hint, at="key")
            elif shares and len(shares) < len(sources):
                message = f"{len(shares)} of {len(sources)} sources have a `share`"
                hint = "give each of them one, or none of them"
                case.error("conflicting-keys", path, message, hint, at="key")
            elif shares and abs(sum(shares) - 1) > SHARE_ERROR:
                message = f"the shares of the sources add up to {sum(shares):.4g}, not to 1"
                case.error("bad-value", path, message, "let them add up to 1", at="key")


def holdout_is_a_part(case: Case) -> None:
    """What is held out leaves rows to train on."""
    for table in row_tables(case.spec):
        holdout, rows = table.eval, _most_rows(case, table)
        if isinstance(holdout, Holdout) and rows is not None and _held_out(holdout, rows) >= rows:
            message = f"`holdout` takes {_held_out(holdout, rows)} of {rows} rows, and leaves none"
            hint = "write a share such as `0.1`, or fewer rows"
            case.error("too-few-rows", (*table.path, "eval", "holdout"), message, hint)


def enough_rows(case: Case) -> None:
    """The rows fill one step: GRPO drops a batch that is not full, and would train nothing."""
    for name, stage in case.spec.stages.items():
        rows = _training_rows(case, name)
        rollout = stage.updates_per_rollout if isinstance(stage, RolloutStage) else 1
        if not 0 < rows < stage.prompts_per_step * rollout:
            continue
        keys = [("stages", name, key) for key in ("prompts_per_step", "updates_per_rollout")]
        path = next(filter(case.writes, keys), ("stages", name))
        what = "rollout" if rollout > 1 else "step"
        wanted = f"one {what} of `{name}` takes {stage.prompts_per_step * rollout}"
        there = f"there are {rows} rows" if rows > 1 else "there is 1 row"
        least = max(1, rows // rollout)
        hint = f"write `prompts_per_step = {least}` or less, or bring more rows"
        if isinstance(stage, RolloutStage):
            case.error("too-few-rows", path, f"{wanted} prompts, and {there}", hint)
        else:
            message = f"{wanted} rows, and {there}, so that each step is an epoch"
            case.warning("too-few-rows", path, message, hint)


def _training_rows(case: Case, name: str) -> int:
    """The rows that a stage trains on, or more; 0 where their number is not known."""
    own = case.spec.stages[name].data is not None
    table = next(each for each in row_tables(case.spec) if each.stage == (name if own else None))
    rows = _most_rows(case, table)
    if rows is None or learns_turns(case.spec, name):
        return 0
    if isinstance(holdout := table.eval, Holdout):
        rows -= 1 if holdout.by is not None else _held_out(holdout, rows)
    return 2 * rows if is_unpaired(case.spec, name) else rows


def _most_rows(case: Case, table: RowTable) -> int | None:
    """The rows of the training source before the holdout, or more, for `where` may drop some."""
    source = table.train
    shape = case.shape(source)
    if source is None or shape is None or shape.rows is None:
        return None
    shots = case.spec.prompt.shots if table.stage is None else None
    shown = len(set(shots.rows)) if isinstance(shots, ShotRows) else 0
    rows = max(0, shape.rows - shown)
    sampled = None if isinstance(source, list) else source.rows
    return rows if sampled is None else min(rows, sampled)


def _held_out(holdout: Holdout, rows: int) -> int:
    """How many rows are held out, as the project's own function counts them."""
    return max(1, round(holdout.holdout * rows)) if holdout.holdout < 1 else int(holdout.holdout)
