"""Pay for a query whose result is right."""

from compare_rows import is_ordered, same_rows
from run_query import QueryLimits, result_of


def score_sql(query: str | None, solution: str | None, limits: QueryLimits) -> float | None:
    """Pay 1.0 where the query has the result of the row's own query, else 0.0.

    Gamed by a query that is wrong and happens to have that result: an empty result, or one number,
    is easily met. A row without a query gets None.
    """
    if solution is None:
        return None
    return 0.0 if query_fault(query, solution, limits) else 1.0


def explain_sql(query: str | None, solution: str | None, limits: QueryLimits) -> str:
    """Say what is wrong with the query, or that nothing is."""
    if solution is None:
        return "the row has no query"
    return query_fault(query, solution, limits) or "the result is right"


def query_fault(query: str | None, solution: str, limits: QueryLimits) -> str | None:
    """Return what is wrong with the query, or None."""
    if query is None:
        return "no closed block of code"
    found, expected = result_of(query, limits), result_of(solution, limits)
    if isinstance(expected, str):
        return f"the row's own query fails: {expected}"
    if isinstance(found, str):
        return f"the query fails: {found}"
    if same_rows(found, expected, ordered=is_ordered(solution)):
        return None
    return f"{len(found)} rows from {found[:1]} on, not {len(expected)} from {expected[:1]} on"
