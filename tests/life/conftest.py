"""The parent of all runs of a session."""

from collections.abc import Iterator

import pytest

from tests.life.runs import Driver, driver


@pytest.fixture(scope="session")
def runs() -> Iterator[Driver]:
    """The process that runs stages."""
    with driver() as started:
        yield started
