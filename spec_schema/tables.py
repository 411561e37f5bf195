"""Every table of the language: where it stands, what it is called, and which model describes it."""

from collections.abc import Mapping, Sequence
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
from spec_schema.base import Table
from spec_schema.columns import Columns
from spec_schema.conditions import Condition
from spec_schema.data import Cut, Data, Gold, Holdout, HubSource, PathSource, PythonSource
from spec_schema.endings import Gate, StopWhen, Until
from spec_schema.generators import ReasoningGymSource
from spec_schema.hardware import Hardware
from spec_schema.launch import Rollout, Skypilot, Slurm
from spec_schema.model import LoraAdapter, Model, NoAdapter
from spec_schema.moving_weights import Adapt, Schedule
from spec_schema.options import OptionColumn, OptionColumns
from spec_schema.overlay import Overlay
from spec_schema.project import Project
from spec_schema.prompt import Prompt, Shot, ShotRows, TextFile
from spec_schema.rare_adapters import DoraAdapter, QloraAdapter
from spec_schema.rare_comparison import FieldComparison, PythonComparison
from spec_schema.rewards.code import (
    AssertTests,
    BlockTests,
    CallTests,
    CodeTestsReward,
    ProgramTests,
    RowText,
)
from spec_schema.rewards.correctness import CorrectReward
from spec_schema.rewards.formats import (
    BoxedFormatReward,
    JsonFormatReward,
    JsonSchemaReward,
    RegexFormatReward,
    SchemaFile,
    ThinkFormatReward,
)
from spec_schema.rewards.generated import ReasoningGymReward
from spec_schema.rewards.layout import XmlFormatReward, XmlTagsReward
from spec_schema.rewards.length import LengthReward
from spec_schema.rewards.limit import CosineLengthReward, OverlongReward
from spec_schema.rewards.matching import ContainsReward, FieldsReward
from spec_schema.rewards.model import JudgeReward, RewardModelReward
from spec_schema.rewards.own import PythonReward
from spec_schema.rewards.prose import (
    CopyingReward,
    KeywordsReward,
    LanguageReward,
    ReasoningStepsReward,
    RepetitionReward,
)
from spec_schema.rewards.sql import SqlReward
from spec_schema.rewards.style import ForbiddenReward
from spec_schema.run import Eval, Run, TrackingTable
from spec_schema.stage_data import StageData
from spec_schema.stages.dpo import DpoStage
from spec_schema.stages.grpo import GrpoStage
from spec_schema.stages.kto import KtoStage
from spec_schema.stages.reward import RewardStage
from spec_schema.stages.rloo import RlooStage
from spec_schema.stages.sft import SftStage
from spec_schema.structured_answer import (
    ChoiceAnswer,
    CodeAnswer,
    JsonAnswer,
    PythonAnswer,
    PythonReader,
)
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

    def is_chosen_in(self, table: Mapping[str, object]) -> bool:
        """Tell whether a table says that it is of this kind: `{ python = "..." }` says `python`."""
        if self.chosen_by is None or self.chosen_by not in table:
            return False
        value = table[self.chosen_by]
        return self.chosen in (None, value) or (isinstance(value, dict) and self.chosen in value)

    def stands_at(self, path: Sequence[str | int]) -> bool:
        """Tell whether a table of this kind may stand at a path of a document."""
        return any(
            len(pattern) == len(path)
            and all(part in ("*", key) for part, key in zip(pattern, path, strict=True))
            for pattern in self.paths
        )


_STAGE_DATA = ("stages", "*", "data")
_TRAIN = (("data", "train"), (*_STAGE_DATA, "train"))
_EVAL = (("data", "eval"), (*_STAGE_DATA, "eval"))
_SOURCES = tuple(path for each in (*_TRAIN, *_EVAL) for path in (each, (*each, "*")))
_CONDITIONS = tuple((*source, "where", "*") for source in _SOURCES)
_OPTIONS = (("data", "options"),)


_ROW_TEXTS = tuple(("rewards", "*", key) for key in ("setup", "entry_point", "solution"))


def _adapter(kind: str, model: type[Table]) -> TableKind:
    places = (("model", "adapter"), ("stages", "*", "adapter"))
    return TableKind(f"a `{kind}` adapter", model, places, "kind", kind)


def _answer(extract: str, model: type[Table]) -> TableKind:
    title = f'`[answer]` with `extract = "{extract}"`'
    return TableKind(title, model, (("answer",),), "extract", extract)


def _reward(kind: str, model: type[Table]) -> TableKind:
    article = "an" if kind.startswith(("x", "o")) else "a"
    return TableKind(f"{article} `{kind}` reward", model, (("rewards", "*"),), "kind", kind)


def _tests(key: str, model: type[Table]) -> TableKind:
    return TableKind(f"tests by `{key}`", model, (("rewards", "*", "tests"),), key)


def _stage(method: str, model: type[Table]) -> TableKind:
    article = "an" if method.startswith("s") else "a"
    return TableKind(f"{article} `{method}` stage", model, (("stages", "*"),), "method", method)


TABLES: tuple[TableKind, ...] = (
    TableKind("the top level", TaskSpec, ((),)),
    TableKind("`[project]`", Project, (("project",),)),
    TableKind("an overlay", Overlay, (("project", "overlay"),)),
    TableKind("`[model]`", Model, (("model",),)),
    _adapter("lora", LoraAdapter),
    _adapter("qlora", QloraAdapter),
    _adapter("dora", DoraAdapter),
    _adapter("none", NoAdapter),
    TableKind("`[hardware]`", Hardware, (("hardware",),)),
    TableKind("`rollout`", Rollout, (("hardware", "rollout"),)),
    TableKind("`[hardware.slurm]`", Slurm, (("hardware", "slurm"),)),
    TableKind("`[hardware.skypilot]`", Skypilot, (("hardware", "skypilot"),)),
    TableKind("`[data]`", Data, (("data",),)),
    TableKind("a hub source", HubSource, _SOURCES, "hub"),
    TableKind("a file source", PathSource, _SOURCES, "path"),
    TableKind("a Python source", PythonSource, _SOURCES, "python"),
    TableKind("a reasoning-gym source", ReasoningGymSource, _SOURCES, "reasoning_gym"),
    TableKind("a holdout", Holdout, _EVAL, "holdout"),
    TableKind("a condition of `where`", Condition, _CONDITIONS),
    TableKind("the gold", Gold, (("data", "gold"),)),
    TableKind("a field", Cut, (("data", "fields", "*"),)),
    TableKind("options in columns", OptionColumns, _OPTIONS, "columns"),
    TableKind("options in one column", OptionColumn, _OPTIONS, "column"),
    TableKind("`[prompt]`", Prompt, (("prompt",),)),
    TableKind("a text file", TextFile, (("prompt", "system"),)),
    TableKind("shots by row", ShotRows, (("prompt", "shots"),)),
    TableKind("a shot", Shot, (("prompt", "shots", "*"),)),
    _answer("xml", XmlAnswer),
    _answer("boxed", BoxedAnswer),
    _answer("after", AfterAnswer),
    _answer("regex", RegexAnswer),
    _answer("json", JsonAnswer),
    _answer("code", CodeAnswer),
    _answer("choice", ChoiceAnswer),
    _answer("last_number", LastNumberAnswer),
    _answer("whole", WholeAnswer),
    TableKind(
        "`[answer]` with a reader of your own", PythonAnswer, (("answer",),), "extract", "python"
    ),
    TableKind("a reader of your own", PythonReader, (("answer", "extract"),)),
    TableKind("a comparison of your own", PythonComparison, (("answer", "compare"),)),
    TableKind("the comparison of a field", FieldComparison, (("answer", "fields", "*"),)),
    _reward("correct", CorrectReward),
    _reward("contains", ContainsReward),
    _reward("fields", FieldsReward),
    _reward("code_tests", CodeTestsReward),
    _tests("asserts", AssertTests),
    _tests("block", BlockTests),
    _tests("stdin", ProgramTests),
    _tests("arguments", CallTests),
    TableKind("a text of the row", RowText, _ROW_TEXTS),
    _reward("sql", SqlReward),
    _reward("reasoning_gym", ReasoningGymReward),
    _reward("xml_format", XmlFormatReward),
    _reward("xml_tags", XmlTagsReward),
    _reward("think_format", ThinkFormatReward),
    _reward("boxed_format", BoxedFormatReward),
    _reward("regex_format", RegexFormatReward),
    _reward("json_format", JsonFormatReward),
    _reward("json_schema", JsonSchemaReward),
    TableKind("a schema's file", SchemaFile, (("rewards", "*", "schema"),), "file"),
    _reward("length", LengthReward),
    _reward("overlong", OverlongReward),
    _reward("cosine_length", CosineLengthReward),
    _reward("forbidden", ForbiddenReward),
    _reward("repetition", RepetitionReward),
    _reward("language", LanguageReward),
    _reward("reasoning_steps", ReasoningStepsReward),
    _reward("keywords", KeywordsReward),
    _reward("copying", CopyingReward),
    _reward("reward_model", RewardModelReward),
    _reward("judge", JudgeReward),
    _reward("python", PythonReward),
    _stage("sft", SftStage),
    _stage("reward", RewardStage),
    _stage("dpo", DpoStage),
    _stage("kto", KtoStage),
    _stage("grpo", GrpoStage),
    _stage("rloo", RlooStage),
    TableKind("`data` of a stage", StageData, (_STAGE_DATA,)),
    TableKind("`columns`", Columns, (("data", "columns"), (*_STAGE_DATA, "columns"))),
    TableKind("a schedule of a weight", Schedule, (("rewards", "*", "weight"),)),
    TableKind("`gate` of a stage", Gate, (("stages", "*", "gate"),)),
    TableKind("`until` of a stage", Until, (("stages", "*", "until"),)),
    TableKind("`adapt`", Adapt, (("rewards", "*", "adapt"),)),
    TableKind("`[eval]`", Eval, (("eval",),)),
    TableKind("`[run]`", Run, (("run",),)),
    TableKind("`stop_when`", StopWhen, (("run", "stop_when"),)),
    TableKind("`tracking`", TrackingTable, (("run", "tracking"),)),
)


def kinds_at(path: Sequence[str | int]) -> tuple[TableKind, ...]:
    """Give the kinds of table that may stand at a path of a document."""
    return tuple(kind for kind in TABLES if kind.stands_at(path))
