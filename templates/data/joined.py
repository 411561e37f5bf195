"""Put several sources one after the other."""

from datasets import Dataset, concatenate_datasets


def joined(sources: list[Dataset]) -> Dataset:
    """Return the rows of all sources; a column that one has, all have, with nothing in it.

    Exits where a column holds text in one source and something else in another.
    """
    try:
        return concatenate_datasets(sources)
    except ValueError as error:
        raise SystemExit(f"the sources cannot be put together: {error}") from error
