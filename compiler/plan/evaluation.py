"""Contexts of the files that sample from models, and that score what they say."""

from typing import NamedTuple

__all__ = ["EvaluateFile", "GradingFile", "ModelsFile", "SamplingFile", "TablesFile"]


class SamplingFile(NamedTuple):
    """Context of sampling.py: how many completions are sampled at once, as an expression."""

    completions_at_once: str


class ModelsFile(NamedTuple):
    """Context of models.py: Python expressions, None for what the spec leaves out."""

    revision: str | None
    dtype: str
    device: str


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
    def scores(self) -> bool:
        """Whether completions are scored at all; else there is no such file."""
        return self.says_right or self.has_rewards

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

    `names` are all that can be scored, `preferences` the stages with held-out rows of their own;
    `models` gives those that complete the rows of `[data]` with which others each is held against,
    None where there are no such rows. `tokenizer` loads that of the model at `path`; `sampling` are
    arguments of a `GenerationConfig`, as a dict.
    """

    names: str
    models: str | None
    preferences: str | None
    seed: str
    samples: str
    sampling: str
    tokenizer: str
    base_tokenizer: str
    tokenizer_import: str
    last_stage: str
    minimum: str | None
    minimum_accuracy: str | None
    has_scores: bool

    @property
    def demands(self) -> bool:
        """Whether something has to be reached."""
        return self.minimum is not None or self.minimum_accuracy is not None


class TablesFile(NamedTuple):
    """Context of tables.py: which tables and columns there are, how those of pass@k are called.

    `samples` is the largest k, None where it is 1 or nothing is right or wrong; `measure` is what
    rows are won and lost by, None where nothing is scored.
    """

    samples_rows: bool
    has_preferences: bool
    says_right: bool
    reads: bool
    has_rewards: bool
    has_labels: bool
    samples: str | None
    pass_head: str
    measure: str | None


class PreferencesFile(NamedTuple):
    """Context of preferences.py: Python expressions, None for what the spec leaves out.

    `stages` gives the rows and the score of each stage by name. Of the stages of a policy `starts`
    gives the path of the model that each began with, `betas` the scale of its rewards; both are
    None where only reward models are scored.
    """

    stages: str
    data_import: str
    reward_models: bool
    pairs: bool
    labels: bool
    starts: str | None
    betas: str
    from_base: bool
    at_once: str
    tokenizer: str
    tokenizer_import: str
    dtype: str
    device: str

    @property
    def has_pairs(self) -> bool:
        """Whether two answers to one prompt are compared."""
        return self.reward_models or self.pairs
