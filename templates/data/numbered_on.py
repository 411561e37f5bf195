"""Number the rows of several sources."""

from datasets import Dataset


def numbered_on(sources: list[Dataset]) -> list[Dataset]:
    """Return the sources with `row_number`, which goes on from each to the next, from 0."""
    first = 0
    numbered: list[Dataset] = []
    for rows in sources:
        numbered.append(rows.add_column("row_number", list(range(first, first + len(rows)))))
        first += len(rows)
    return numbered
