"""Pay for code that passes tests."""

from run_code import RowTests, outcomes


def score_code_tests(code: str | None, tests: RowTests | None) -> float | None:
    """Pay 1.0 where the code passes all tests of its row, or the share that it passes; else 0.0.

    Gamed by a table of answers where the prompt shows the tests, and by anything where they are
    few. A row without tests gets None.
    """
    if tests is None:
        return None
    if code is None:
        return 0.0
    passed = sum(not why for why in outcomes(code, tests))
    return passed / tests.number if tests.all_of_them else float(passed == tests.number)


def explain_code_tests(code: str | None, tests: RowTests | None) -> str:
    """Say how many tests pass, and why the first one that fails does."""
    if tests is None:
        return "the row has no tests"
    if code is None:
        return "no closed block of code"
    found = outcomes(code, tests)
    failed = [(number, why) for number, why in enumerate(found, 1) if why]
    passed = f"{len(found) - len(failed)} of {tests.number} tests pass"
    return f"{passed}; test {failed[0][0]}: {failed[0][1]}" if failed else passed
