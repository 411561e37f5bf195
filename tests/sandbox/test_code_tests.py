"""Code against tests of each form, and what crosses between the two."""

import threading

import pytest
import run_code
from code_tests import explain_code_tests, score_code_tests
from last_code import last_code
from run_code import Form, Limits, RowTests, outcomes, read_tests, worst_step

LIMITS = Limits(seconds=5.0, memory_mb=256)


def read(form: Form, *cells: object, **options: object) -> RowTests:
    tests = read_tests(form, cells, limits=LIMITS, **options)
    assert tests is not None
    return tests


def score(code: str | None, form: Form, *cells: object, **options: object) -> float | None:
    return score_code_tests(code, read(form, *cells, **options))


ADD = "def add(a, b):\n    return a + b\n"


def test_asserts_are_all_passed_or_counted() -> None:
    asserts = ["assert add(1, 2) == 3", "assert add(1, 1) == 3", "assert add('a', 'b') == 'ab'"]
    assert score(ADD, "asserts", asserts[::2]) == 1.0
    assert score(ADD, "asserts", asserts) == 0.0
    assert score(ADD, "asserts", asserts, all_of_them=True) == 2 / 3
    assert score(None, "asserts", asserts) == 0.0
    assert score(ADD, "asserts", '["assert add(1, 2) == 3"]') == 1.0


def test_a_block_checks_the_entry_point() -> None:
    block = "LIMIT = 3\n\ndef check(candidate):\n    assert candidate(1, 2) == LIMIT\n"
    assert score(ADD, "block", block, entry_point="add") == 1.0
    assert score("def add(a, b): return 4", "block", block, entry_point="add") == 0.0
    assert score("def other(a, b): return 3", "block", block, entry_point="add") == 0.0


def test_a_block_of_test_functions_is_called() -> None:
    block = "def test_add():\n    assert add(1, 2) == 3\n"
    assert score(ADD, "block", block) == 1.0
    assert score("def add(a, b): return 4", "block", block) == 0.0


def test_a_check_that_nothing_calls_is_not_passed() -> None:
    block = "def check(candidate):\n    assert candidate(1, 2) == 3\n"
    assert score(ADD, "block", block) == 0.0
    assert score(ADD, "block", "assert 1 + 1 == 2") == 0.0
    assert "no entry point" in explain_code_tests(ADD, read("block", block))
    assert "asks nothing" in explain_code_tests(ADD, read("block", "assert 1 + 1 == 2"))


def test_calls_are_compared_with_their_results() -> None:
    swap = "def swap(a, b):\n    return b, a\n"
    assert score(swap, "calls", [[1, 2], [3, "x"]], [[2, 1], ["x", 3]], entry_point="swap") == 1.0
    assert score(swap, "calls", "[[1, 2]]", "[[1, 2]]", entry_point="swap") == 0.0
    assert score(swap, "calls", '[{"a": 1, "b": 2}]', "[[2, 1]]", entry_point="swap") == 1.0
    method = "class Solution:\n    def swap(self, a, b):\n        return [b, a]\n"
    assert score(method, "calls", "[[1, 2]]", "[[2, 1]]", entry_point="Solution.swap") == 1.0
    named = explain_code_tests(swap, read("calls", "[[1, 2]]", "[[1, 2]]", entry_point="swap"))
    assert "[1, 2]" in named


def test_programs_are_compared_by_what_they_write() -> None:
    double = "for line in iter(input, ''):\n    print(int(line) * 2)\n"
    assert score(double, "programs", ["1\n2\n\n", "3\n\n"], ["2\n4", "6\n\n"]) == 1.0
    assert score(double, "programs", ["1\n\n", "3\n\n"], ["3", "6"], all_of_them=True) == 0.5
    main = (
        "import sys\nif __name__ == '__main__':\n    print(len(sys.stdin.read()))\n    sys.exit()"
    )
    assert score(main, "programs", ["a" * 300_000], ["300000  "]) == 1.0
    assert score("print(8)", "programs", [""], ["8"]) == 1.0
    assert score("print(8)\nraise ValueError", "programs", [""], ["8"]) == 0.0
    assert score("print(8, end='')\nimport os; os._exit(0)", "programs", [""], ["8"]) == 0.0
    assert score("while True: print('8' * 10**6)", "programs", [""], ["8"]) == 0.0


def test_cells_that_hold_no_tests() -> None:
    assert read_tests("asserts", (None,), limits=LIMITS) is None
    assert read_tests("asserts", ([" "],), limits=LIMITS) is None
    assert score_code_tests(ADD, None) is None
    assert "longer" in explain_code_tests(ADD, read("programs", ["1"], ["1", "2"]))
    assert "cannot be read" in explain_code_tests(ADD, read("asserts", "assert add(1, 2) == 3"))
    assert score(ADD, "asserts", "{}") == 0.0


SETUP = """
import math

def twice(x):
    return 2 * x

class Node:
    def __init__(self, value, after=None):
        self.value, self.after = value, after
"""
TOTAL = """
def total(node):
    found = 0
    while node:
        found += twice(node.value)
        node = node.after
    return found
"""
CHEATING = """
import math
math.isclose = lambda *_, **__: True
def twice(x): return 0
def total(node): return 7
"""


def test_a_setup_is_there_for_the_code_and_for_the_tests() -> None:
    right = ["assert math.isclose(total(Node(1, Node(2))), twice(3))"]
    assert score(TOTAL, "asserts", right, setup=SETUP) == 1.0
    assert score(CHEATING, "asserts", right, setup=SETUP) == 0.0


def test_the_solution_names_what_the_code_may_define() -> None:
    solution = "def sum(a, b):\n    return 5\n"
    asserts = ["assert sum(1, 2) == 5"]
    assert score("def sum(a, b): return 5", "asserts", asserts, solution=solution) == 1.0
    assert score("def sum(a, b): return 5", "asserts", asserts) == 0.0
    # What a solution only imports is not taken from the code, which could make it anything.
    root = ["assert root(16) == sqrt(16)"]
    solution = "from math import sqrt\ndef root(x):\n    return sqrt(x)\n"
    code = "def sqrt(x): return 1\ndef root(x): return 1\n"
    assert score(code, "asserts", root, solution=solution) == 0.0
    assert score(code, "asserts", root, solution=solution, setup="from math import sqrt") == 0.0
    assert score(solution, "asserts", root, solution=solution, setup="from math import sqrt") == 1.0


VALUES = [
    "None", "True", "3", "-2**70", "1.5", "float('inf')", "'a\\ud800'", "b'\\xff'",
    "bytearray(b'x')",
    "[1, [2]]", "(1, (2,))", "{1, 2}", "frozenset({1})", "{'a': {1: 2}}", "1 + 2j", "range(3)",
    "decimal.Decimal('1.10')", "fractions.Fraction(1, 3)", "datetime.date(2024, 2, 29)",
    "datetime.datetime(2024, 1, 2, 3, 4, 5, 6)", "datetime.timedelta(1, 2, 3)",
    "collections.Counter('aab')", "collections.OrderedDict(a=1)", "collections.deque([1, 2], 3)",
    "collections.defaultdict(list, {1: [2]})", "slice(1, 2, 3)", "int", "ValueError",
]  # fmt: skip
MODULES = "import collections, datetime, decimal, fractions\n"


@pytest.mark.parametrize("value", VALUES)
def test_a_plain_value_is_the_same_on_both_sides(value: str) -> None:
    code = f"{MODULES}def same(x): return x\ndef make(): return {value}\n"
    asserts = [
        f"assert make() == {value}",
        f"assert type(make()) is type({value})",
        f"assert same({value}) == {value}",
        f"assert type(same([{value}])[0]) is type({value})",
    ]
    found = outcomes(code, read("asserts", asserts, setup=MODULES, all_of_them=True))
    assert found == ("", "", "", "")


def test_an_argument_that_is_changed_is_changed_for_the_test() -> None:
    code = "def change(a, b, c):\n    a.sort()\n    b['a'] = a\n    c.clear()\n"
    test = (
        "a, b, c = [2, 1], {}, {3}\nchange(a, b, c)\nassert (a, b, c) == ([1, 2], {'a': a}, set())"
    )
    assert score(code, "asserts", [test]) == 1.0


def test_objects_are_used_through_handles() -> None:
    code = """
import collections, enum
Point = collections.namedtuple('Point', 'x y')
class Level(enum.IntEnum):
    LOW = 1
class Vector:
    def __init__(self, *parts): self.parts = list(parts)
    def __add__(self, other): return Vector(*map(sum, zip(self.parts, other.parts)))
    def __len__(self): return len(self.parts)
    def __getitem__(self, at): return self.parts[at]
    def __setitem__(self, at, value): self.parts[at] = value
    def __iter__(self): return iter(self.parts)
    def __repr__(self): return 'Vector'
    def __call__(self, x): return x
    @property
    def first(self): return self.parts[0]
    @classmethod
    def unit(cls): return cls(1, 1)
class Longer(Vector): pass
def level(): return Level.LOW
def point(): return Point(1, 2)
def naturals():
    number = 0
    while True:
        yield number
        number += 1
def adder(a):
    return lambda b: a + b
"""
    asserts = [
        "v = Vector(1, 2) + Vector(3, 4)\nassert v.parts == [4, 6] and len(v) == 2 and v[1] == 6",
        "v = Vector(1)\nv[0] = 5\nassert list(v) == [5] and v.first == 5 and 5 in v",
        "v = Vector(1)\nv.parts = [7]\nassert v.first == 7",
        "assert isinstance(Longer(1), Vector) and not isinstance(Vector(1), Longer)",
        "assert not isinstance(3, Vector) and isinstance(Vector.unit(), Vector)",
        "assert repr(Vector()) == 'Vector' and f'{Vector()}' == 'Vector' and Vector()(3) == 3",
        "assert hasattr(Vector(1), 'first') and not hasattr(Vector(), 'x')",
        "v = Vector()\nassert v == v and v != Vector() and v in [v]",
        "assert point() == (1, 2) and point().x == 1 and (1, 2) == point() and point() != (2, 1)",
        "assert level() == 1 and level().name == 'LOW' and {level(): 'x'}[1] == 'x'",
        "n = naturals()\nassert [next(n), next(n)] == [0, 1]",
        "import itertools\nassert list(itertools.islice(naturals(), 3)) == [0, 1, 2]",
        "assert adder(1)(2) == 3 and list(map(adder(1), [1, 2])) == [2, 3]",
    ]
    found = outcomes(code, read("asserts", asserts, all_of_them=True))
    assert dict(zip(asserts, found, strict=True)) == dict.fromkeys(asserts, "")


def test_functions_of_the_tests_are_called_by_the_code() -> None:
    code = (
        "def apply(function, items): return [function(item) for item in items]\n"
        "def once(items): return list(items)\n"
    )
    asserts = [
        "assert apply(lambda item: item + 1, [1, 2]) == [2, 3]",
        "assert apply(str, [1]) == ['1'] and apply(len, ['ab']) == [2]",
        "import operator\nassert apply(operator.itemgetter(0), [(5, 6)]) == [5]",
        "assert apply(lambda item: apply(abs, [item])[0], [-1]) == [1]",
        "try:\n    apply(lambda x: 1 / x, [0])\n    assert False\nexcept ZeroDivisionError: pass",
        "assert once(x * x for x in range(3)) == [0, 1, 4]",
    ]
    assert not any(outcomes(code, read("asserts", asserts, all_of_them=True)))


def test_exceptions_of_the_code_are_caught_by_name() -> None:
    code = """
class Empty(ValueError): pass
class VeryEmpty(Empty): pass
def fail(kind):
    raise {'own': Empty, 'sub': VeryEmpty, 'key': KeyError, 'out': IndexError}[kind]('why')
"""
    test = "try:\n    fail('{}')\n    assert 0\nexcept {} as error:\n    assert 'why' in str(error)"
    asserts = [
        test.format(kind, caught)
        for kind, caught in [
            ("own", "Empty"), ("own", "ValueError"), ("sub", "Empty"), ("sub", "VeryEmpty"),
            ("key", "KeyError"), ("key", "LookupError"), ("out", "(TypeError, IndexError)"),
        ]
    ]  # fmt: skip
    assert not any(outcomes(code, read("asserts", asserts, all_of_them=True)))
    assert score(code, "asserts", [test.format("own", "KeyError")]) == 0.0


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("```python\na\n```", "a"),
        ("```\na\n```", "a"),
        ("~~~\na\n~~~", "a"),
        ("```python\r\na\r\n```\r\n", "a"),
        ("```python\na\n```\nbetter:\n```py\nb\n```\n", "b"),
        ("no block", None),
        ("```python\nnever closed", None),
    ],
)
def test_the_last_closed_block_is_the_code(text: str, code: str | None) -> None:
    assert last_code(text) == code


def test_the_same_code_on_the_same_tests_is_run_once(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []
    start = run_code.Confined

    def counted(function: str, *rest: object) -> run_code.Confined:
        started.append(function)
        return start(function, *rest)

    monkeypatch.setattr(run_code, "Confined", counted)
    tests = read("asserts", ["assert once_only() == 1"])
    scores: list[float | None] = []

    def mark() -> None:
        scores.append(score_code_tests("def once_only(): return 1", tests))

    threads = [threading.Thread(target=mark) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert scores == [1.0] * 8
    assert len(started) == 1


def test_the_longest_step_is_told() -> None:
    many: list[RowTests | None] = [read("asserts", ["assert f() == 1"] * 200), None]
    said = worst_step("passes", many, 128)
    assert "200 tests of 5 s for each of 128 completions" in said
