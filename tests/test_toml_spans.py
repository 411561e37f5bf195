"""Places: wherever `tomllib` finds a key or a value, the span shows exactly that."""

import json
import math
import tomllib
from collections.abc import Iterator
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from compiler.diagnostics import Span
from compiler.toml_scanner import scan
from compiler.toml_spans import KeyPath, locate

BARE = st.from_regex(r"[A-Za-z0-9_-]{1,6}", fullmatch=True)
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8)
PLAIN = TEXT.map(lambda text: text.replace("'", ""))
SPACE = st.sampled_from(["", " ", "\t", "  "])
COMMENT = st.sampled_from(["", " # note", "# a = '", '# """', "\t#] } x = 1"])

KEY_PART = st.one_of(
    BARE, TEXT.map(lambda text: json.dumps(text, ensure_ascii=False)), PLAIN.map("'{}'".format)
)
KEY = st.lists(KEY_PART, min_size=1, max_size=3).flatmap(
    lambda parts: SPACE.map(lambda space: f"{space}.{space}".join(parts))
)
MULTILINE = st.one_of(
    st.lists(st.sampled_from(["a", '"', '""', "\\n", "\\\n  ", "\n", "# x", "'", "é", "\\\\", "]"]))
    .map("".join)
    .map(lambda text: f'"""{text.replace(chr(34) * 3, "")}"""'),
    st.lists(st.sampled_from(["a", "'", "''", "\\", "\n", '"', "[", "= 1"]))
    .map("".join)
    .map(lambda text: f"'''{text.replace(chr(39) * 3, '')}'''"),
)
SCALAR = st.one_of(
    st.integers(-(2**63), 2**63 - 1).map(str),
    st.floats(allow_nan=False).map(repr),
    st.sampled_from(
        [
            "true",
            "false",
            "0x1F",
            "1_000",
            "nan",
            "-inf",
            "1979-05-27T07:32:00Z",
            "1979-05-27",
            "07:32:00.5",
        ]
    ),
    st.sampled_from(["1979-05-27 07:32:00", "1979-05-27", "07:32:00.5"]),
    st.sampled_from(['""', "''", '"\\u00e9\\""']),
    TEXT.map(lambda text: json.dumps(text, ensure_ascii=False)),
    PLAIN.map("'{}'".format),
    MULTILINE,
)
ARRAY_SPACE = st.sampled_from(["", " ", "\n", " # , ]\n", "\n\n\t"])


def _array(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    items = st.lists(st.tuples(ARRAY_SPACE, inner, ARRAY_SPACE).map("".join), max_size=3)
    ending = st.tuples(st.sampled_from(["", ","]), ARRAY_SPACE)
    return st.tuples(items, ending).map(
        lambda drawn: f"[{','.join(drawn[0])}{drawn[1][0] if drawn[0] else ''}{drawn[1][1]}]"
    )


def _inline_table(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pairs = st.lists(
        st.tuples(KEY, SPACE, inner).map(lambda p: f" {p[0]}{p[1]}={p[2]}"), max_size=3
    )
    return pairs.map(lambda found: f"{{{','.join(found)} }}")


VALUE = st.recursive(SCALAR, lambda inner: st.one_of(_array(inner), _inline_table(inner)))
PAIR = st.tuples(SPACE, KEY, SPACE, SPACE, VALUE, COMMENT).map(
    lambda p: f"{p[0]}{p[1]}{p[2]}={p[3]}{p[4]}{p[5]}"
)
HEADER = st.tuples(st.booleans(), SPACE, KEY, COMMENT).map(
    lambda h: f"{'[' * (1 + h[0])}{h[1]}{h[2]}{h[1]}{']' * (1 + h[0])}{h[3]}"
)
LINES = st.lists(st.one_of(PAIR, PAIR, HEADER, COMMENT), max_size=8)


def accepted(lines: list[str]) -> str:
    """Keep those lines, in order, that `tomllib` takes after the ones before them."""
    text = ""
    for line in lines:
        longer = f"{text}{line}\n"
        try:
            tomllib.loads(longer)
        except tomllib.TOMLDecodeError:
            continue
        text = longer
    return text


def leaves(value: object, path: KeyPath = ()) -> Iterator[tuple[KeyPath, object]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from leaves(inner, (*path, index))
    else:
        yield path, value


def containers(value: object, path: KeyPath = ()) -> Iterator[KeyPath]:
    if path:
        yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from containers(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from containers(inner, (*path, index))


def is_same(first: object, second: object) -> bool:
    both_nan = isinstance(first, float) and isinstance(second, float) and math.isnan(first)
    return both_nan or (type(first) is type(second) and first == second)


def check_places(text: str) -> None:
    values = tomllib.loads(text)
    found = scan(text)
    assert found.breaks == []
    keys, spans = locate(found)

    def written(span: Span) -> str:
        return text[span.start : span.end]

    for path, value in leaves(values):
        again = tomllib.loads(f"value = {written(spans[path])}")["value"]
        assert is_same(again, value), path
        if isinstance(path[-1], str):
            (name,) = tomllib.loads(f"{written(keys[path])} = 1")
            assert name == path[-1]
    for path in containers(values):
        assert path in keys
        assert path in spans


@given(LINES)
@example(["[[a]]", "x = 1", "[[a.b]]", "y = 2", "[a.b.c]", "z = 3", "[[a]]", "x = 4"])
@example(["a.b . 'c' = 1", "a.b.d = [ {x = 1}, [ '#' ] ]"])
@example(["3.14 = 15", '"" = 1', "t = 1979-05-27 07:32:00 # now"])
@example(["x = '''\\d''''", 'y = """a"""""', "z = ''"])
def test_every_value_of_a_document_is_located_and_reads_as_itself(lines: list[str]) -> None:
    check_places(accepted(lines))


@given(st.one_of(st.text(), st.text("ab=[]{}\"'#.,\n \\", max_size=60)))
def test_any_text_can_be_walked(text: str) -> None:
    found = scan(text)
    try:
        tomllib.loads(text)
    except (ValueError, RecursionError):
        return
    assert found.breaks == []


def test_a_table_is_its_header_and_a_table_above_is_its_part_of_the_header() -> None:
    text = "[a.b]\nx = 1\n[[c]]\ny = { z = 2 }\n"
    keys, values = locate(scan(text))

    def written(spans: dict[KeyPath, Span], path: KeyPath) -> str:
        return text[spans[path].start : spans[path].end]

    assert written(keys, ("a", "b")) == "[a.b]"
    assert written(keys, ("a",)) == "a"
    assert written(keys, ("c", 0)) == "[[c]]"
    assert written(keys, ("c", 0, "y")) == "y"
    assert written(values, ("c", 0, "y")) == "{ z = 2 }"
    assert written(keys, ("c", 0, "y", "z")) == "z"
    assert written(values, ("c", 0, "y", "z")) == "2"


def test_the_specs_of_the_repository_are_located() -> None:
    for path in sorted(Path(__file__).parents[1].glob("examples/*/*.toml")):
        check_places(path.read_text(encoding="utf-8"))
