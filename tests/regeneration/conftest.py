"""Projects here need not outlive the machine, and waiting for the disk takes most of the time."""

import os
from collections.abc import Iterator

import pytest


def do_not_wait(_descriptor: int) -> None:
    """In the place of `os.fsync`."""


@pytest.fixture(autouse=True, scope="session")
def no_waiting_for_the_disk() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", do_not_wait)
        yield
