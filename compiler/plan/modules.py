"""Contexts of the project's other modules."""

from typing import NamedTuple

__all__ = ["AnswersFile", "DataFile", "PromptsFile", "Shot", "SourcePlan"]


class Shot(NamedTuple):
    """One worked example of the prompt, as two Python expressions."""

    user: str
    assistant: str


class PromptsFile(NamedTuple):
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


class SourcePlan(NamedTuple):
    """One source of rows: the expression that loads it and the statements that narrow it down."""

    load: str
    described: str
    docstring: str
    steps: tuple[str, ...]


class DataFile(NamedTuple):
    """Context of data.py."""

    train: SourcePlan
    evaluation: SourcePlan | None
    holdout: str | None
    holdout_docstring: str
    has_eval: bool
    imports: tuple[str, ...]
    columns: str
    parts: str | None
    shot_rows: str | None
    shot_row: str
    max_prompt_tokens: str
    drop_long: bool
    has_sft: bool
    has_rl: bool


class AnswersFile(NamedTuple):
    """Context of answers.py: expressions for reading and comparing, and what they promise."""

    read: str
    read_docstring: str
    form: str | None
    form_type: str
    form_docstring: str
    same: str
    same_docstring: str
