"""The options of a row of a multiple-choice task, imported where a spec has some."""

from pydantic import Field

from spec_schema.base import NonEmptyText, Table

__all__ = ["OptionColumn", "OptionColumns", "OptionTable"]


class OptionTable(Table):
    """Options that differ from row to row, lettered in the order of the data or in another."""

    shuffle: bool = Field(
        default=False,
        description="Put the options of each row into an order drawn with the project's seed and "
        "the row's number; the gold follows. Left as they are where one speaks of others, as "
        "`None of the above` does.",
    )


class OptionColumns(OptionTable):
    """One column for each option; an empty cell is none."""

    columns: list[NonEmptyText] = Field(
        min_length=2, max_length=26, description="The columns, in order."
    )

    def named(self) -> dict[tuple[str | int, ...], str]:
        """Give the columns by where they stand in the table."""
        return {("columns", position): column for position, column in enumerate(self.columns)}


class OptionColumn(OptionTable):
    """One column that holds all options of a row.

    It is a list of texts, a table of them by label, or a table with a list `text` and a list
    `label`.
    """

    column: NonEmptyText = Field(description="The column.")

    def named(self) -> dict[tuple[str | int, ...], str]:
        """Give the column by where it stands in the table."""
        return {("column",): self.column}
