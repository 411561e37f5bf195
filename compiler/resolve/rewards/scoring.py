"""How one reward scores a completion, as calls of the library's pieces."""

from typing import NamedTuple

__all__ = ["COMPLETION", "GOLD", "IDS", "PROMPT", "TEXT", "Column", "Scoring"]


class Column(NamedTuple):
    """A list that TRL hands to a reward: its parameter, one item of it, and the item of a row.

    `of_row` is the same thing where one text is scored for one `row`, as `rewards.py` explains it.
    """

    parameter: str
    item: str
    of_row: str

    @property
    def name(self) -> str:
        """The list as an expression."""
        return self.parameter.partition(":")[0] if self.is_parameter else self.parameter

    @property
    def is_parameter(self) -> bool:
        """Whether the function names it; else it is taken as `columns["a name"]`."""
        return not self.parameter.startswith("columns[")


COMPLETION = Column("completions: list[Any]", "completion", "text")
GOLD = Column("gold: list[str]", "one_gold", 'row["gold"]')
PROMPT = Column("prompts: list[Any]", "prompt", 'row["prompt"]')
IDS = Column("completion_ids: list[list[int]]", "ids", "tokens(text)")

# Where a call has this, the function puts the text of the completion, and the explanation `text`.
TEXT = "{text}"


class Scoring(NamedTuple):
    """How one reward scores a completion.

    `score` and `explain` are calls with `TEXT` where the completion's text goes. `columns` are the
    lists that `score` goes through, in the order of the function's parameters, `completions` among
    them where the text is looked at; none where the function is the user's own. `imports` are
    import lines, and `uses` pairs of a piece of the answer library and a function of it. `waits`
    says that a score waits for another process, so that several are scored at once in threads, as
    many as `threads` says. `at_once` says that `score` takes the lists whole and gives one.
    `text` is what a function puts in the place of `TEXT`.
    """

    pieces: tuple[str, ...]
    score: str
    explain: str
    columns: tuple[Column, ...]
    constants: tuple[tuple[str, str], ...] = ()
    lowest: float = 0.0
    highest: float = 1.0
    imports: tuple[str, ...] = ()
    uses: tuple[tuple[str, str], ...] = ()
    waits: bool = False
    threads: str = ""
    at_once: bool = False
    text: str = "completion_text(completion)"
