"""Queries on a database, and the comparison of their results."""

import sqlite3
from pathlib import Path

import pytest
from compare_rows import is_ordered, same_rows
from run_query import QueryLimits
from sql import explain_sql, score_sql


@pytest.fixture
def limits(tmp_path: Path) -> QueryLimits:
    """A shop's orders, in a folder whose name has signs that a URI would read."""
    folder = tmp_path / "50% of #1?"
    folder.mkdir()
    with sqlite3.connect(folder / "shop.sqlite") as connection:
        connection.execute("CREATE TABLE orders (id INTEGER, customer TEXT, total REAL, paid)")
        rows = [(1, "ada", 1.5, 1), (2, "bob", 2.5, None), (3, "ada", 2.5, 0), (4, None, 0.1, 1)]
        connection.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", rows)
    connection.close()
    return QueryLimits(folder / "shop.sqlite", seconds=2.0, memory_mb=256, max_rows=100)


@pytest.mark.parametrize(
    ("query", "gold", "right"),
    [
        ("SELECT id FROM orders", "SELECT id FROM orders ORDER BY 1", True),
        ("SELECT id FROM orders ORDER BY 1 DESC", "SELECT id FROM orders", True),
        ("SELECT id FROM orders ORDER BY 1 DESC", "SELECT id FROM orders ORDER BY 1", False),
        ("SELECT total FROM orders", "SELECT DISTINCT total FROM orders", False),
        ("SELECT customer AS who FROM orders", "SELECT customer FROM orders", True),
        ("SELECT id, total FROM orders", "SELECT total, id FROM orders", False),
        ("SELECT COUNT(*) FROM orders", "SELECT 4.0", True),
        ("SELECT '4'", "SELECT 4", False),
        ("SELECT paid FROM orders WHERE id = 2", "SELECT NULL", True),
        ("SELECT 0", "SELECT NULL", False),
        ("SELECT ''", "SELECT NULL", False),
        ("SELECT x'01'", "SELECT x'01'", True),
        ("SELECT '01'", "SELECT x'01'", False),
        ("SELECT 0.1 + 0.2", "SELECT 0.3", True),
        ("SELECT 1 WHERE 0", "SELECT 2 WHERE 0", True),
        ("SELECT 1; -- the answer", "SELECT 1", True),
        ("SELECT 1", "SELECT", False),
    ],
)
def test_a_result_is_compared_by_rows(
    limits: QueryLimits, query: str, gold: str, *, right: bool
) -> None:
    assert score_sql(query, gold, limits) == float(right), explain_sql(query, gold, limits)


ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT "


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("DELETE FROM orders", "not authorized"),
        ("UPDATE orders SET total = 0 RETURNING 1", "not authorized"),
        ("CREATE TABLE x (y)", "not authorized"),
        ("ATTACH 'other.sqlite' AS x", "not authorized"),
        ("VACUUM INTO 'copy.sqlite'", "authorization denied"),
        ("PRAGMA writable_schema = 1", "not authorized"),
        ("SELECT load_extension('x')", "not authorized"),
        ("SELECT 1; DELETE FROM orders", "one statement"),
        (f"{ENDLESS} COUNT(*) FROM n", "no end within 2 s"),
        (f"{ENDLESS} x FROM n", "more than 100 rows"),
        ("SELECT randomblob(1000000000)", "Memory"),
        ("SELECT hex(zeroblob(500000000))", ""),
        ("SELECT * FROM nowhere", "no such table"),
        ("", "no query"),
    ],
)
def test_a_query_reads_and_ends(limits: QueryLimits, query: str, why: str) -> None:
    before = limits.database.read_bytes()
    assert score_sql(query, "SELECT 1", limits) == 0.0
    assert why in explain_sql(query, "SELECT 1", limits)
    assert limits.database.read_bytes() == before
    assert [entry.name for entry in limits.database.parent.iterdir()] == ["shop.sqlite"]


def test_what_is_no_query_and_no_row(limits: QueryLimits) -> None:
    assert score_sql(None, "SELECT 1", limits) == 0.0
    assert score_sql("SELECT 1", None, limits) is None
    with pytest.raises(FileNotFoundError):
        score_sql("SELECT 1", "SELECT 2", limits._replace(database=Path("nowhere.sqlite")))


@pytest.mark.parametrize(
    ("query", "ordered"),
    [
        ("SELECT a FROM t ORDER BY a", True),
        ("select a from t order\n  by a limit 3", True),
        ("SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 3)", False),
        ("SELECT ROW_NUMBER() OVER (ORDER BY a) FROM t", False),
        ("SELECT ROW_NUMBER() OVER (ORDER BY f(a)) FROM t ORDER BY a", True),
        ("SELECT 'order by' FROM t", False),
        ('SELECT "order by" FROM t -- order by', False),
        ("SELECT a /* order by */ FROM t", False),
        ("SELECT ')' FROM (SELECT a FROM t ORDER BY a)", False),
    ],
)
def test_where_the_order_matters(query: str, *, ordered: bool) -> None:
    assert is_ordered(query) == ordered


def test_rows_of_several_types_are_matched() -> None:
    rows = [[None, 1], ["a", 1.0], ["b", 2], [2, None]]
    assert same_rows(rows, rows[::-1], ordered=False)
    assert not same_rows(rows, rows[::-1], ordered=True)
    assert not same_rows(rows, [*rows[:3], [2, 0]], ordered=False)
    near = [[0.1 + 0.2, "x"], [0.3, "y"]]
    assert same_rows(near, [[0.3, "y"], [0.3, "x"]], ordered=False)
