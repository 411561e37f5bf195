"""Comparisons that few specs need: of a field of JSON, and of the user's own."""

from typing import Literal

from pydantic import Field

from spec_schema.base import NonEmptyText, Table
from spec_schema.comparison_keys import ComparisonKeys

__all__ = ["FieldComparison", "PythonComparison"]


class FieldComparison(ComparisonKeys):
    """When one field of a JSON object equals that of the gold."""

    compare: Literal["exact", "text", "number", "math", "date", "choice", "set", "list"] = Field(
        description="How the field is compared, as in `[answer]`; fields of the same value are "
        "always equal."
    )


class PythonComparison(Table):
    """A comparison of the user's own."""

    python: NonEmptyText = Field(
        description="File and function `(answer: str, gold: str) -> bool`, such as "
        "`my_answers.py:same`."
    )
