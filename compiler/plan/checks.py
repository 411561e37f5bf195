"""Contexts of what a project checks of itself: its tests, data report and evaluation."""

from typing import NamedTuple

__all__ = [
    "ConftestFile",
    "DataReportFile",
    "ListedAnswers",
    "MadeRowsFile",
    "ProbesFile",
    "RescoreFile",
    "SmokeFile",
    "StageReportFile",
    "StandInsFile",
    "TestDataFile",
    "TestRewardsFile",
    "TinyModelFile",
]


class SmokeFile(NamedTuple):
    """Context of tests/test_smoke.py, tests/checks.py and tests/crafted.py.

    `stages` are finished `Stage(...)` expressions in the order of the spec, `imports` the import
    lines of their scripts; `rollout_trainers` are the trainers that sample completions.
    `off_policy`: a stage takes several updates from a rollout. `checkpointing` is the config's
    field that has activations recomputed. `endings` are the callbacks that keep a stage from
    training, or end it. `measures`: prompts are held against a limit. `offloads`: activations of a
    stage wait on the host. `tells_vllm`: sampling arguments are vLLM's. `unsloth` trains them;
    `rounds`: it merges an adapter in 16 bit. `distributed`: several processes train.
    """

    stages: tuple[str, ...]
    imports: tuple[str, ...]
    imitates: bool
    has_sft: bool
    has_rl: bool
    has_ideal: bool
    has_answer: bool
    exports: bool
    off_policy: bool
    checkpointing: str
    has_turns: bool
    has_reference: bool
    trains_judge: bool
    judged: bool
    quantizes: bool
    measures: bool
    offloads: bool
    rollout_import: str
    rollout_trainers: str
    stand_ins: str | None = None
    asks_wandb: bool = False
    endings: str | None = None
    tells_vllm: bool = False
    unsloth: bool = False
    rounds: bool = False
    distributed: bool = False

    @property
    def trl_loads(self) -> bool:
        """Whether TRL loads the model that a stage trains."""
        return not self.unsloth


class TinyModelFile(NamedTuple):
    """Context of tests/tiny_model.py: Python expressions, None for what the family lacks."""

    docstring: str
    kind: str
    model_type: str
    sizes: tuple[str, ...]
    special_tokens: str
    end_of_turn: str
    end_of_text: str
    stops: str
    begin_of_text: str | None
    padding: str | None
    adds_begin: bool
    chat_template: str


class ConftestFile(NamedTuple):
    """Context of tests/conftest.py."""

    made_rows: bool
    models: bool = False
    judges: bool = False
    unsloth: bool = False


class StandInsFile(NamedTuple):
    """Context of tests/stand_ins.py: tuples of what rewards ask, None where there is none."""

    models: str | None
    judges: str | None


class MadeRowsFile(NamedTuple):
    """Context of tests/made_rows.py: how many rows, and one as an expression of its `number`."""

    rows: str
    row: str


class DataReportFile(NamedTuple):
    """Context of data_report.py: Python expressions, None for what the spec leaves out."""

    probed_rows: str | None
    seed: str
    has_others: bool
    others_count_tokens: bool
    opens_thinking: str | None
    prompts_needed: str | None
    completion_limits: str | None
    sequence_limits: str | None
    teaches: bool
    long_prompt: str
    tokenizer: str
    tokenizer_import: str
    sets_up_tokens: bool
    no_tokenizer: str
    has_answer: bool
    reads_others: bool
    has_eval: bool
    has_ideal: bool
    has_own: bool
    worst_steps: tuple[str, ...] = ()

    @property
    def others_at_once(self) -> bool:
        """Whether the other rewards need no tokenizer."""
        return self.has_others and not self.others_count_tokens


class StageReportFile(NamedTuple):
    """Context of stage_report.py and tests/test_stage_rows.py: Python expressions.

    `checks` are calls, one a stage; `limits` gives each stage's longest row, and what becomes of a
    longer one; `loads` gives each stage's function and the columns that its
    trainer reads; `alone` says that no row is of `[data]`, `examines` that answers are looked at,
    `renders` that conversations are rendered, and `encodes` that this takes the tokenizer.
    """

    checks: tuple[str, ...]
    limits: str
    examines: bool
    renders: bool
    encodes: bool
    loads: str
    alone: bool
    tokenizer: str
    tokenizer_import: str
    no_tokenizer: str


class ListedAnswers(NamedTuple):
    """Several answers in the place of the one: the part of a row, and the answers as a list.

    `may_be_right` says that all of them together may be the gold of another row.
    """

    hole: str
    answers: str
    may_be_right: bool


class ProbesFile(NamedTuple):
    """Context of probes.py: Python expressions, None for what the spec leaves out.

    `cut_text` is an expression of `before` and `opening`, `retracted` one of `right` and `false`.
    """

    full_marks: str | None
    others: str | None
    abstaining: str | None
    graders: str | None
    probes: tuple[str, ...]
    retracted: str | None
    listed: ListedAnswers | None
    cut_mark: str | None
    cut_text: str | None
    cut_end: str | None
    short_of: str | None
    reads: bool
    final_text: bool
    other_golds: bool
    other_solutions: bool
    marks_graders: bool
    has_ideal: bool
    has_rewards: bool
    has_others: bool
    has_surrounded: bool
    waits: bool

    @property
    def has_marks(self) -> bool:
        """Whether an ideal completion is scored by rewards."""
        return self.full_marks is not None or self.others is not None


class RescoreFile(NamedTuple):
    """Context of rescore.py: what scoring needs, and the stages that normalize each reward."""

    has_eval: bool
    counts_tokens: bool
    moves: bool
    adapts: bool
    normalized: str | None


class TestDataFile(NamedTuple):
    """Context of tests/test_data.py: Python expressions, and what the spec has."""

    roles: str | None
    parts: str
    has_answer: bool
    has_ideal: bool
    reads_back: bool
    is_probed: bool
    has_sft: bool
    has_eval: bool
    has_holdout: bool


class TestRewardsFile(NamedTuple):
    """Context of tests/test_rewards.py: Python expressions, None for what the spec leaves out."""

    stages: str
    ranges: str
    telling: str | None
    correct: str | None
    both_shapes: str | None
    pure: str | None
    has_own: bool
    has_answer: bool
    has_ideal: bool
    is_run: bool
    moves: bool
