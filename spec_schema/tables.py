"""Every table of the language: where it stands, what it is called, and which model describes it."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic.fields import FieldInfo

from spec_schema.answer import (
    AfterAnswer,
    BoxedAnswer,
    LastNumberAnswer,
    RegexAnswer,
    WholeAnswer,
    XmlAnswer,
)
from spec_schema.base import Condition, Table
from spec_schema.data import Cut, Data, Holdout, HubSource, PathSource, PythonSource
from spec_schema.hardware import Hardware
from spec_schema.model import LoraAdapter, Model, NoAdapter
from spec_schema.project import Project
from spec_schema.prompt import Prompt, Shot, ShotRows, TextFile
from spec_schema.rewards import (
    CorrectReward,
    ForbiddenReward,
    LengthReward,
    PythonReward,
    XmlFormatReward,
    XmlTagsReward,
)
from spec_schema.run import Eval, Run, TrackingTable
from spec_schema.stages import GrpoStage, SftStage
from spec_schema.task import TaskSpec

__all__ = ["TABLES", "TableKind", "kinds_at"]


@dataclass(frozen=True, slots=True)
class TableKind:
    """One kind of table; `*` in a path stands for any name or position.

    `chosen_by` is the key that tells this kind from the others at the same place, and `chosen`
    the value it has; `chosen` is None where the key's presence is enough.
    """

    title: str
    model: type[Table]
    paths: tuple[tuple[str, ...], ...]
    chosen_by: str | None = None
    chosen: str | None = None

    def keys(self) -> dict[str, FieldInfo]:
        """Give the table's keys as they are written in TOML, with what the model says of each."""
        return {field.alias or name: field for name, field in self.model.model_fields.items()}

    def stands_at(self, path: Sequence[str | int]) -> bool:
        """Tell whether a table of this kind may stand at a path of a document."""
        return any(
            len(pattern) == len(path)
            and all(part in ("*", key) for part, key in zip(pattern, path, strict=True))
            for pattern in self.paths
        )


_SOURCES = (("data", "train"), ("data", "eval"))
_CONDITIONS = (("data", "train", "where", "*"), ("data", "eval", "where", "*"))
_CUTS = (("data", "gold"), ("data", "fields", "*"))


def _adapter(kind: str, model: type[Table]) -> TableKind:
    return TableKind(f"a `{kind}` adapter", model, (("model", "adapter"),), "kind", kind)


def _answer(extract: str, model: type[Table]) -> TableKind:
    title = f'`[answer]` with `extract = "{extract}"`'
    return TableKind(title, model, (("answer",),), "extract", extract)


def _reward(kind: str, model: type[Table]) -> TableKind:
    article = "an" if kind.startswith("x") else "a"
    return TableKind(f"{article} `{kind}` reward", model, (("rewards", "*"),), "kind", kind)


def _stage(method: str, model: type[Table]) -> TableKind:
    article = "an" if method.startswith("s") else "a"
    return TableKind(f"{article} `{method}` stage", model, (("stages", "*"),), "method", method)


TABLES: tuple[TableKind, ...] = (
    TableKind("the top level", TaskSpec, ((),)),
    TableKind("`[project]`", Project, (("project",),)),
    TableKind("`[model]`", Model, (("model",),)),
    _adapter("lora", LoraAdapter),
    _adapter("none", NoAdapter),
    TableKind("`[hardware]`", Hardware, (("hardware",),)),
    TableKind("`[data]`", Data, (("data",),)),
    TableKind("a hub source", HubSource, _SOURCES, "hub"),
    TableKind("a file source", PathSource, _SOURCES, "path"),
    TableKind("a Python source", PythonSource, _SOURCES, "python"),
    TableKind("a holdout", Holdout, (("data", "eval"),), "holdout"),
    TableKind("a condition of `where`", Condition, _CONDITIONS),
    TableKind("a cut of a column", Cut, _CUTS),
    TableKind("`[prompt]`", Prompt, (("prompt",),)),
    TableKind("a text file", TextFile, (("prompt", "system"),)),
    TableKind("shots by row", ShotRows, (("prompt", "shots"),)),
    TableKind("a shot", Shot, (("prompt", "shots", "*"),)),
    _answer("xml", XmlAnswer),
    _answer("boxed", BoxedAnswer),
    _answer("after", AfterAnswer),
    _answer("regex", RegexAnswer),
    _answer("last_number", LastNumberAnswer),
    _answer("whole", WholeAnswer),
    _reward("correct", CorrectReward),
    _reward("xml_format", XmlFormatReward),
    _reward("xml_tags", XmlTagsReward),
    _reward("length", LengthReward),
    _reward("forbidden", ForbiddenReward),
    _reward("python", PythonReward),
    _stage("sft", SftStage),
    _stage("grpo", GrpoStage),
    TableKind("`[eval]`", Eval, (("eval",),)),
    TableKind("`[run]`", Run, (("run",),)),
    TableKind("`tracking`", TrackingTable, (("run", "tracking"),)),
)


def kinds_at(path: Sequence[str | int]) -> tuple[TableKind, ...]:
    """Give the kinds of table that may stand at a path of a document."""
    return tuple(kind for kind in TABLES if kind.stands_at(path))
