"""The conditions of `where` as one expression over a row."""

from collections.abc import Iterator, Mapping

from compiler.literals import literal, text_literal
from spec_schema.base import Scalar
from spec_schema.conditions import Condition

__all__ = ["condition_code", "reads_numbers"]

NUMBER = "number_in"  # the piece of data.py that reads a cell as a number


def condition_code(where: Mapping[str, Condition]) -> str:
    """All conditions as one expression; a cell is read as the kind of value that is asked for."""
    return " and ".join(
        test
        for column, condition in where.items()
        for test in _tests(f"row[{text_literal(column)}]", condition)
    )


def reads_numbers(where: Mapping[str, Condition]) -> bool:
    """Whether the expression calls the function that reads a number."""
    return f"{NUMBER}(" in condition_code(where)


def _tests(cell: str, condition: Condition) -> Iterator[str]:
    if condition.equals is not None:
        yield f"{_read(cell, condition.equals)} == {literal(_compared(condition.equals))}"
    if condition.not_equals is not None:
        yield f"{_read(cell, condition.not_equals)} != {literal(_compared(condition.not_equals))}"
    if condition.one_of is not None:
        yield _one_of(cell, condition.one_of)
    if condition.at_least is not None:
        yield f"{NUMBER}({cell}) >= {literal(condition.at_least)}"
    if condition.at_most is not None:
        yield f"{NUMBER}({cell}) <= {literal(condition.at_most)}"
    if condition.contains is not None:
        yield f"{cell} is not None and {text_literal(condition.contains)} in str({cell})"


def _one_of(cell: str, values: list[Scalar]) -> str:
    groups: dict[str, tuple[Scalar, ...]] = {}
    for value in values:
        read = _read(cell, value)
        groups[read] = (*groups.get(read, ()), _compared(value))
    tests = [
        f"{read} == {literal(wanted[0])}" if len(wanted) == 1 else f"{read} in {literal(wanted)}"
        for read, wanted in groups.items()
    ]
    return tests[0] if len(tests) == 1 else f"({' or '.join(tests)})"


def _read(cell: str, value: Scalar) -> str:
    """A text file has only text: 3 is `3.0` there as well, and true is `TRUE`."""
    match value:
        case bool():
            return f"str({cell}).lower()"
        case str():
            return f"str({cell})"
        case _:
            return f"{NUMBER}({cell})"


def _compared(value: Scalar) -> Scalar:
    return str(value).lower() if isinstance(value, bool) else value
