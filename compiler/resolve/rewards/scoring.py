"""How one reward scores a completion, as calls of the library's pieces."""

from typing import NamedTuple

__all__ = ["COMPLETION", "GOLD", "IDS", "TEXT", "Column", "Scoring"]


class Column(NamedTuple):
    """A list that TRL hands to a reward: its parameter, one item of it, and the item of a row.

    `of_row` is the same thing where one text is scored for one `row`, as `rewards.py` explains it.
    """

    parameter: str
    item: str
    of_row: str

    @property
    def name(self) -> str:
        """The name of the list."""
        return self.parameter.partition(":")[0]


COMPLETION = Column("completions: list[Any]", "completion", "text")
GOLD = Column("gold: list[str]", "one_gold", 'row["gold"]')
IDS = Column("completion_ids: list[list[int]]", "ids", "tokens(text)")

# Where a call has this, the function puts the text of the completion, and the explanation `text`.
TEXT = "{text}"


class Scoring(NamedTuple):
    """How one reward scores a completion.

    `score` and `explain` are calls with `TEXT` where the completion's text goes. `columns` are the
    lists that `score` goes through, in the order of the function's parameters, `completions` among
    them where the text is looked at; none where the function is the user's own.
    """

    pieces: tuple[str, ...]
    score: str
    explain: str
    columns: tuple[Column, ...]
    constants: tuple[tuple[str, str], ...] = ()
    lowest: float = 0.0
    highest: float = 1.0
