"""Contexts of the project's own tests."""

from dataclasses import dataclass

__all__ = ["ConftestFile", "MadeRowsFile", "SmokeFile", "TinyModelFile"]


@dataclass(frozen=True, slots=True)
class SmokeFile:
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


@dataclass(frozen=True, slots=True)
class TinyModelFile:
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


@dataclass(frozen=True, slots=True)
class ConftestFile:
    """Context of tests/conftest.py."""

    made_rows: bool


@dataclass(frozen=True, slots=True)
class MadeRowsFile:
    """Context of tests/made_rows.py: how many rows, and one as an expression of its `number`."""

    count: str
    row: str
