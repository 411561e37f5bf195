"""Contexts of what a project checks of itself: its tests, data report and evaluation."""

from typing import NamedTuple

__all__ = [
    "ConftestFile",
    "DataReportFile",
    "EvaluateFile",
    "MadeRowsFile",
    "SmokeFile",
    "TestDataFile",
    "TestRewardsFile",
    "TinyModelFile",
]


class SmokeFile(NamedTuple):
    """Context of tests/test_smoke.py, tests/checks.py and tests/crafted.py.

    `stages` are finished `Stage(...)` expressions in the order of the spec, `imports` the import
    lines of their scripts.
    """

    stages: tuple[str, ...]
    imports: tuple[str, ...]
    has_sft: bool
    has_rl: bool
    has_ideal: bool
    has_answer: bool


class TinyModelFile(NamedTuple):
    """Context of tests/tiny_model.py: Python expressions, None for what the family lacks."""

    docstring: str
    kind: str
    model_type: str
    sizes: tuple[str, ...]
    special_tokens: str
    end_of_turn: str
    end_of_text: str
    begin_of_text: str | None
    padding: str | None
    adds_begin: bool
    chat_template: str


class ConftestFile(NamedTuple):
    """Context of tests/conftest.py."""

    made_rows: bool


class MadeRowsFile(NamedTuple):
    """Context of tests/made_rows.py: how many rows, and one as an expression of its `number`."""

    rows: str
    row: str


class DataReportFile(NamedTuple):
    """Context of data_report.py: Python expressions, None for what the spec leaves out."""

    full_marks: str | None
    others: str | None
    others_count_tokens: bool
    prompts_needed: str | None
    completion_limits: str | None
    sequence_limits: str | None
    long_prompt: str
    no_tokenizer: str
    revision: str | None
    has_answer: bool
    has_eval: bool
    has_ideal: bool
    reads_back: bool

    @property
    def others_at_once(self) -> bool:
        """Whether the other rewards need no tokenizer."""
        return self.others is not None and not self.others_count_tokens

    @property
    def has_marks(self) -> bool:
        """Whether an ideal completion is scored."""
        return self.full_marks is not None or self.others is not None


class EvaluateFile(NamedTuple):
    """Context of evaluate.py: Python expressions, None for what the spec leaves out."""

    stages: str
    samples: str
    rows_at_once: str
    seed: str
    shown_rewards: str | None
    last_stage: str
    minimum: str | None
    revision: str | None
    dtype: str
    device: str
    decoding: tuple[str, ...]
    max_new_tokens: str
    has_answer: bool
    has_rewards: bool

    @property
    def has_scores(self) -> bool:
        """Whether completions are scored."""
        return self.has_answer or self.has_rewards


class TestDataFile(NamedTuple):
    """Context of tests/test_data.py: Python expressions, and what the spec has."""

    roles: str
    parts: str
    has_answer: bool
    has_ideal: bool
    reads_back: bool
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
    has_answer: bool
    has_ideal: bool
