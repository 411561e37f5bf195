"""When an answer equals the gold: the keys of `[answer]` that every way of reading has."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Discriminator, Field, Tag

from spec_schema.base import LazyTables, NonEmptyText, Table, Variants
from spec_schema.comparison_keys import ComparisonKeys

if TYPE_CHECKING:
    from spec_schema.rare_comparison import FieldComparison, PythonComparison
else:  # few specs have one
    FieldComparison, PythonComparison = (
        Annotated[Table, Variants(LazyTables("spec_schema", {kind: f"rare_comparison:{kind}"}))]
        for kind in ("FieldComparison", "PythonComparison")
    )

__all__ = ["AnswerTable"]


def _word_or_table(value: object) -> str:
    return "<table>" if isinstance(value, dict) else "<word>"


class AnswerTable(ComparisonKeys):
    """What every way of reading an answer has: which one counts, and when it equals the gold.

    Every way reads what a completion says behind its thinking, without end-of-turn tokens: what
    stands in `<think>...</think>` is no answer, and a completion that ends inside has none. Bold,
    code marks and LaTeX around a whole answer (`**5**`, `$5$`) do not count.
    """

    several: Literal["last", "first", "only"] = Field(
        default="last",
        description="Which answer counts where a completion holds several. "
        "`only`: a completion that gives two different ones has no answer.",
    )
    compare: Annotated[
        Annotated[
            Literal["exact", "text", "number", "math", "date", "choice", "set", "list", "json"],
            Tag("<word>"),
        ]
        | Annotated[PythonComparison, Tag("<table>")],
        Discriminator(_word_or_table),
    ] = Field(
        default="exact",
        description="When an answer equals the gold. `exact`: the same characters, blanks at both "
        "ends and dressing apart. `text`: the same text under `case` and `whitespace`, after "
        "Unicode NFKC. `number`: the same number under the number keys. `math`: the same "
        "mathematics, in LaTeX or plain, by Math-Verify; several values are a set, of which all "
        "must be given. `date`: the same day. `choice`: the same option, by its letter or its "
        "text. `set`: the same elements in any order, `list`: in the same order. `json`: the same "
        'JSON value, with a comparison a field. `{ python = "my_answers.py:same" }`: as a function '
        "of your own says.",
    )
    fields: dict[NonEmptyText, FieldComparison] = Field(
        default_factory=dict[NonEmptyText, FieldComparison],
        description="With `json`: how fields of the object are compared, by their name; any other "
        "field must have the same value. A field that the answer lacks is wrong.",
    )
    extra_fields: Literal["forbid", "ignore"] = Field(
        default="forbid",
        description="With `json`: whether an object with a field that the gold lacks is wrong.",
    )
