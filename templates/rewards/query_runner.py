"""Run one query on a SQLite file that cannot be changed.

Runs inside a confined process, on the standard library alone.
"""

import sqlite3
from typing import Any

from confinement import confine
from messages import read_message, write_message

READS = (
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
)


def run_query() -> None:
    """Read a query, run it, and write its rows, or why there are none."""
    job = read_message(0)
    files = (job["database"],)
    write_message(1, confine(job["folder"], files, job["memory_bytes"], job["cpu_seconds"]))
    try:
        write_message(1, {"rows": rows_of(job["database"], job["query"], job["max_rows"])})
    except (sqlite3.Error, sqlite3.Warning, MemoryError, OverflowError, ValueError) as error:
        write_message(1, {"error": f"{type(error).__name__}: {error}"[:300]})


def rows_of(database: str, query: str, max_rows: int) -> list[list[Any]]:
    """The rows of a query, each value as text of its type; raises ValueError above `max_rows`."""
    # Immutable: no other program changes the file meanwhile, and none of SQLite's own lies beside.
    place = database.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    connection = sqlite3.connect(f"file:{place}?mode=ro&immutable=1", uri=True)
    connection.set_authorizer(may_do)
    cursor = connection.execute(query)
    if cursor.description is None:
        raise ValueError("it is no query")
    rows = cursor.fetchmany(max_rows + 1)
    if len(rows) > max_rows:
        raise ValueError(f"it has more than {max_rows} rows")
    return [[typed(value) for value in row] for row in rows]


def may_do(action: int, _: str | None, name: str | None, *__: object) -> int:
    """Allow to read and nothing else: no ATTACH, no PRAGMA, no extension."""
    allowed = action in READS and (action, name) != (sqlite3.SQLITE_FUNCTION, "load_extension")
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def typed(value: Any) -> Any:
    """A value as JSON holds it, so that 1 and 1.0 are equal, and text and bytes are not."""
    return {"blob": value.hex()} if isinstance(value, bytes) else value
