"""Contexts of the files that sample from models, and that score what they say."""

from typing import NamedTuple

__all__ = ["EvaluateFile", "GradingFile", "SamplingFile", "TablesFile"]


class SamplingFile(NamedTuple):
    """Context of sampling.py: Python expressions, None for what the spec leaves out."""

    revision: str | None
    dtype: str
    device: str
    completions_at_once: str


class GradingFile(NamedTuple):
    """Context of grading.py: Python expressions, None for what the spec leaves out.

    `judges` are the rewards that say what is right with their full marks, None where `[answer]`
    says it or nothing does; `labels` the options that all rows share; `measure` is what rows are
    won and lost by.
    """

    judges: str | None
    labels: str | None
    measure: str
    has_gold: bool
    has_answer: bool
    has_rewards: bool
    waits: bool

    @property
    def says_right(self) -> bool:
        """Whether a completion is right or wrong."""
        return self.has_answer or self.judges is not None

    @property
    def reads_right(self) -> bool:
        """Whether `[answer]` says which completion is right."""
        return self.has_answer and self.judges is None

    @property
    def compares(self) -> bool:
        """Whether answers are compared, with golds or with labels."""
        return self.reads_right or self.labels is not None


class EvaluateFile(NamedTuple):
    """Context of evaluate.py: Python expressions, None for what the spec leaves out.

    `models` gives the models that each is held against, by name; `tokenizer` loads that of the
    model at `path`; `sampling` are arguments of a `GenerationConfig`, as a dict.
    """

    models: str
    seed: str
    samples: str
    sampling: str
    tokenizer: str
    base_tokenizer: str
    tokenizer_import: str
    last_stage: str
    minimum: str | None
    has_scores: bool


class TablesFile(NamedTuple):
    """Context of tables.py: which columns there are, and how those of pass@k are called.

    `samples` is the largest k, None where it is 1 or nothing is right or wrong; `measure` is what
    rows are won and lost by, None where nothing is scored.
    """

    says_right: bool
    reads: bool
    has_rewards: bool
    has_labels: bool
    samples: str | None
    pass_head: str
    measure: str | None
