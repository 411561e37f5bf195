"""The parent of all runs of a session."""

from tests.life.conftest import runs

__all__ = ["runs"]
