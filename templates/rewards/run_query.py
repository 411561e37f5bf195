"""Run a query of a completion in a process that is shut off from this machine."""

from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from sandbox import Confined, Isolation


class QueryLimits(NamedTuple):
    """The SQLite file, and what a query on it may use: wall time, memory and rows."""

    database: Path
    seconds: float = 5.0
    memory_mb: int = 512
    max_rows: int = 10000
    isolation: Isolation = "required"


@lru_cache(maxsize=1024)
def result_of(query: str, limits: QueryLimits) -> list[list[Any]] | str:
    """The rows of a query, or why there are none.

    Raises FileNotFoundError without the database, and SandboxError where this machine cannot run
    the query as it should be run.
    """
    database = str(limits.database.resolve(strict=True))
    job = {
        "query": query,
        "database": database,
        "max_rows": limits.max_rows,
        "memory_bytes": limits.memory_mb * 2**20,
        "cpu_seconds": int(limits.seconds) + 10,
    }
    with Confined("query_runner.run_query", job, limits.isolation, database) as process:
        found = process.receive(limits.seconds)
    if found is None:
        return f"no end within {limits.seconds:g} s, or within its memory"
    return found["rows"] if "rows" in found else found["error"]
