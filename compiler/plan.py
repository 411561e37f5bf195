"""The plan of a project: finished values with their origins, and nothing left to decide.

Each file that is written has one context object here; its template names the class in its first line.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

__all__ = [
    "AboutFile",
    "AnswersFile",
    "Argument",
    "Batch",
    "DataFile",
    "EvaluateFile",
    "LoraPlan",
    "MixPlan",
    "Origin",
    "OriginKind",
    "PlanPage",
    "Planned",
    "PlannedFile",
    "ProjectPlan",
    "PromptsFile",
    "PyprojectFile",
    "ReadmePage",
    "RewardPlan",
    "RewardRow",
    "RewardsFile",
    "RunFile",
    "Setting",
    "Shot",
    "SourcePlan",
    "StagePlan",
    "StageRow",
    "StagesFile",
]

PLAN_VERSION = 1

OriginKind = Literal["spec", "default", "tier", "compiler"]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value comes from: a key of the spec, or the reason that something else chose it."""

    kind: OriginKind
    reason: str = ""
    path: tuple[str | int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Planned:
    """A value, the Python text that stands for it, and its origin."""

    value: Any
    code: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Argument:
    """One keyword argument of a call in a generated script, with the reason that a reader needs."""

    name: str
    value: Planned
    comment: str = ""

    @property
    def text(self) -> str:
        """The argument as it stands in the call: its comment behind it, or above it where it is long."""
        line = f"{self.name}={self.value.code},"
        if not self.comment:
            return line
        if "\n" in line or len(line) + len(self.comment) > 84:
            return f"# {self.comment}\n{line}"
        return f"{line}  # {self.comment}"


@dataclass(frozen=True, slots=True)
class Shot:
    """One worked example of the prompt, as two Python expressions."""

    user: str
    assistant: str


@dataclass(frozen=True, slots=True)
class PromptsFile:
    """Context of prompts.py: Python expressions, None for what the spec leaves out."""

    system: str | None
    system_is_file: bool
    user: str
    ideal: str | None
    ideal_docstring: str
    shots: tuple[Shot, ...]
    shot_rows: str | None

    @property
    def has_shots(self) -> bool:
        """Whether the prompt shows worked examples."""
        return bool(self.shots) or self.shot_rows is not None


@dataclass(frozen=True, slots=True)
class SourcePlan:
    """One source of rows: the expression that loads it and the statements that narrow it down."""

    load: str
    described: str
    docstring: str
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DataFile:
    """Context of data.py."""

    train: SourcePlan
    evaluation: SourcePlan | None
    holdout: str | None
    holdout_docstring: str
    has_eval: bool
    imports: tuple[str, ...]
    parts: str | None
    shot_rows: str | None
    shot_row: str
    max_prompt_tokens: str
    drop_long: bool
    has_sft: bool
    has_rl: bool


@dataclass(frozen=True, slots=True)
class AnswersFile:
    """Context of answers.py: one expression each for reading and comparing, and what they promise."""

    read: str
    read_docstring: str
    form: str | None
    form_type: str
    form_docstring: str
    same: str
    same_docstring: str


@dataclass(frozen=True, slots=True)
class RewardPlan:
    """One reward of the spec: its function as text, its constants, and how it explains itself."""

    name: str
    kind: str
    lowest: float
    highest: float
    weight: float
    about: str
    function: str
    constants: tuple[str, ...]
    reason: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class MixPlan:
    """The rewards that one stage calls, with their weights."""

    stage: str
    weights: tuple[tuple[str, float], ...]
    code: str


@dataclass(frozen=True, slots=True)
class RewardsFile:
    """Context of rewards.py."""

    rewards: tuple[RewardPlan, ...]
    constants: tuple[str, ...]
    mixes: tuple[MixPlan, ...]
    imports: tuple[str, ...]
    has_answer: bool
    has_ideal: bool
    tokenizer: str | None
    names: str
    name_width: int


@dataclass(frozen=True, slots=True)
class Batch:
    """One optimizer step: `per_device * accumulation` sequences on the one device."""

    per_device: int
    accumulation: int

    @property
    def sequences(self) -> int:
        """Sequences in one optimizer step."""
        return self.per_device * self.accumulation


@dataclass(frozen=True, slots=True)
class LoraPlan:
    """The adapter of a stage as the arguments of `LoraConfig`."""

    r: int
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class StagePlan:
    """Context of one train_<stage>.py."""

    name: str
    method: Literal["sft", "grpo"]
    docstring: str
    start: str | None
    start_code: str
    tokenizer_code: str
    stages_import: str
    arguments: tuple[Argument, ...]
    lora: LoraPlan | None
    mix: MixPlan | None
    prompts_code: str
    batch: Batch
    group: int | None
    evaluates: bool
    name_code: str

    def value(self, name: str) -> Any:  # noqa: ANN401  # a config field holds any TOML value
        """The value of a config field that the script writes out, else None."""
        found = (argument for argument in self.arguments if argument.name == name)
        return next((argument.value.value for argument in found), None)


@dataclass(frozen=True, slots=True)
class StagesFile:
    """Context of stages.py."""

    base: str
    sources: str
    packages: str
    lora: bool
    chained: bool


@dataclass(frozen=True, slots=True)
class EvaluateFile:
    """Context of evaluate.py."""

    base: str


@dataclass(frozen=True, slots=True)
class PyprojectFile:
    """Context of the project's pyproject.toml; every value is TOML text."""

    name: str
    description: str
    python: str
    dependencies: tuple[str, ...]
    modules: str


@dataclass(frozen=True, slots=True)
class AboutFile:
    """A file of the project and what it is."""

    path: str
    about: str


@dataclass(frozen=True, slots=True)
class Setting:
    """A row of PLAN.md's table of settings."""

    name: str
    value: str
    origin: str


@dataclass(frozen=True, slots=True)
class StageRow:
    """A stage as the pages show it."""

    name: str
    method: str
    start: str
    arithmetic: str = ""
    settings: tuple[Setting, ...] = ()


@dataclass(frozen=True, slots=True)
class RewardRow:
    """A row of PLAN.md's table of rewards."""

    name: str
    kind: str
    range: str
    weights: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadmePage:
    """Context of README.md."""

    title: str
    description: str
    summary: str
    stages: tuple[StageRow, ...]
    rewards: bool
    sft: bool
    grpo: bool
    files: tuple[AboutFile, ...]
    spec: str
    version: str


@dataclass(frozen=True, slots=True)
class PlanPage:
    """Context of PLAN.md."""

    title: str
    stages: tuple[StageRow, ...]
    paid_stages: tuple[str, ...]
    rewards: tuple[RewardRow, ...]
    data: tuple[str, ...]
    prompt: str
    prompt_note: str
    machine: tuple[str, ...]
    spec: str


@dataclass(frozen=True, slots=True)
class RunFile:
    """Context of run.sh."""

    stages: tuple[str, ...]
    gpu: bool
    evaluates: bool


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file to write: its path in the project, its template, the template's context, its pieces."""

    path: str
    template: str
    context: Any
    pieces: tuple[str, ...] = ()
    provided: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class ProjectPlan:
    """Everything that is decided about a project.

    `named_files` are the files that the spec names, relative to its folder; `modules` the import
    names of the project's own Python files.
    """

    project_name: str
    stack: str
    stages: tuple[StagePlan, ...]
    rewards: tuple[RewardPlan, ...]
    files: tuple[PlannedFile, ...]
    named_files: tuple[str, ...]
    modules: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The plan as plain data under a version number, for `plan --format json`."""
        return {"version": PLAN_VERSION, **asdict(self)}
