"""Parsing: values with places, and every wrong text ends in findings that name the cure."""

import re
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.diagnostics import Diagnostic, Place, Report, Severity, Stop
from compiler.parse import Document, parse
from compiler.render import render_concise, render_full, render_json
from compiler.source import SourceFile, read_source

CASES = Path(__file__).parent / "cases"
CODES = (
    "bad-number",
    "control-character",
    "curly-quote",
    "damaged-backslash",
    "date-value",
    "duplicate-key",
    "not-a-file",
    "not-finite",
    "odd-space",
    "too-deep",
    "toml-syntax",
    "unquoted-text",
)
SPEC = '''spec = 1 # the version
[project]
name = "gsm8k-reasoner"
stages = ["warmup", "reasoning"]
[model]
base = "Qwen/Qwen2.5-1.5B-Instruct"
adapter = { kind = "lora", r = 16 }
[prompt]
system = """
Put the answer in <answer> tags.
It's \\"quoted\\", \\\\boxed{} and é.
"""
user = '{question}'
[[prompt.shots]]
user = "1+1?"
assistant = \'\'\'2\'\'\'
[rewards.forbidden]
patterns = ['(?i)\\bas an ai\\b', 'x']
weight = 2e-1
[stages.reasoning]
method = "grpo"
trainer.top_entropy_quantile = 0.2
'''


def source_of(text: str) -> SourceFile:
    return SourceFile(Path("task.toml"), "task.toml", text)


def parsed(text: str) -> Document:
    report = Report()
    document = parse(source_of(text), report)
    assert report.diagnostics == []
    return document


def findings(text: str) -> list[Diagnostic]:
    report = Report()
    with pytest.raises(Stop):
        parse(source_of(text), report)
    assert report.has_errors
    return report.diagnostics


def told(text: str) -> list[str]:
    """Give code, line and column of each finding."""
    found = findings(text)
    lines = render_concise(found, {"task.toml": source_of(text)}).splitlines()
    return [re.sub(r"^task\.toml:(\d+:\d+): \w+\[(.+?)\].*", r"\2 \1", line) for line in lines]


def shown(document: Document, place: Place) -> str:
    return document.source.text[place.span.start : place.span.end]


def test_values_are_those_of_tomllib() -> None:
    assert parsed(SPEC).values == tomllib.loads(SPEC)


def test_keys_and_values_have_places() -> None:
    document = parsed(SPEC)
    assert shown(document, document.key_place(("model", "base"))) == "base"
    adapter_rank = ("model", "adapter", "r")
    assert shown(document, document.key_place(adapter_rank)) == "r"
    assert shown(document, document.value_place(adapter_rank)) == "16"
    assert shown(document, document.value_place(("project", "stages", 1))) == '"reasoning"'
    quantile = ("stages", "reasoning", "trainer", "top_entropy_quantile")
    assert shown(document, document.key_place(quantile)) == "top_entropy_quantile"
    assert shown(document, document.key_place(quantile[:-1])) == "trainer"
    assert shown(document, document.key_place(("prompt", "shots", 0))) == "[[prompt.shots]]"
    assert shown(document, document.value_place(("prompt", "shots", 0, "user"))) == '"1+1?"'


def test_what_is_not_there_has_the_place_of_what_is_around_it() -> None:
    document = parsed(SPEC)
    assert shown(document, document.key_place(("model", "revision"))) == "[model]"
    assert shown(document, document.value_place(("stages", "reasoning", "x", 3))).startswith(
        "[stages.reasoning]"
    )
    assert document.key_place(("hardware",)).span.start == 0
    assert document.value_place(()).span.start == 0


def test_a_byte_order_mark_and_crlf_change_neither_values_nor_places(tmp_path: Path) -> None:
    path = tmp_path / "task.toml"
    path.write_bytes(b"\xef\xbb\xbf" + SPEC.replace("\n", "\r\n").encode())
    document = parse(read_source(path, Report()), Report())
    plain = parsed(SPEC)
    assert document.values == plain.values
    assert document.key_spans == plain.key_spans


@pytest.mark.parametrize(
    "folder",
    [
        # Codes that a rule over a whole spec gives too.
        *(CASES / name for name in ("bad-encoding", "bad-encoding-2", "bad-encoding-3")),
        CASES / "file-not-found",
        *sorted(path for path in CASES.iterdir() if re.sub(r"-\d+$", "", path.name) in CODES),
    ],
    ids=lambda folder: folder.name,
)
def test_a_case_prints_what_is_expected(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    report, sources = Report(), {}
    with suppress(Stop):
        source = read_source(Path("task.toml"), report)
        sources[source.name] = source
        parse(source, report)
    expected = (folder / "expected.txt").read_text(encoding="utf-8")
    assert render_concise(report.diagnostics, sources) == expected


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        (
            'system_prompt = """Put the answer in \\boxed{}."""',
            "system_prompt = '''Put the answer in \\boxed{}.'''",
        ),
        ('pattern = "\\bAnswer\\b"', "pattern = '\\bAnswer\\b'"),
        ('x = "\\text{a}"', "x = '\\text{a}'"),
        ('x = "\\nabla f \\neq 0"', "x = '\\nabla f \\neq 0'"),
        ('x = "\\theta \\times \\right)"', "x = '\\theta \\times \\right)'"),
        ('x = "\\d+\\s" # digits', "x = '\\d+\\s' # digits"),
        ('x = "it\'s \\d"', "x = '''it's \\d'''"),
        ('x = "a\\tb \\d"', 'x = "a\\tb \\\\d"'),
        ('x = "\\u00e9 \\usepackage"', 'x = "\\u00e9 \\\\usepackage"'),
        ('x = ["\\d", "\\s"]', "x = ['\\d', '\\s']"),
        ('"\\d" = 1', "'\\d' = 1"),
        ('x = """a\nb \\frac c\n"""', "b \\frac c"),
    ],
)
def test_a_damaged_backslash_is_refused_with_the_mended_line(text: str, mended: str) -> None:
    found = findings(text)
    assert {finding.code for finding in found} == {"damaged-backslash"}
    assert found[0].hints[0].endswith(f": `{mended}`")


PIECES = ["\\boxed{}", "\\d", "\\frac", "\\(", "a", " ", "'", "é", '\\"', "\\\\", "\\n1", "''", "{"]


@given(st.lists(st.sampled_from(PIECES)))
def test_a_mended_line_means_what_was_meant(pieces: list[str]) -> None:
    text = f'x = "{"".join(pieces)}\\d" # end'
    (found,) = findings(text)
    mended = re.search(r"`(x = .*)`", found.hints[0])
    assert mended is not None
    meanings = {'\\"': '"', "\\\\": "\\", "\\n1": "\n1"}
    wanted = "".join(meanings.get(piece, piece) for piece in pieces) + "\\d"
    assert tomllib.loads(mended[1])["x"] == wanted


@pytest.mark.parametrize("text", ['x = "a\\tan"', 'x = "not\\not"', 'x = """a\\nu"""'])
def test_a_tab_or_newline_that_may_be_meant_is_only_a_warning(text: str) -> None:
    report = Report()
    document = parse(source_of(text), report)
    (found,) = report.diagnostics
    assert (found.code, found.severity) == ("damaged-backslash", Severity.WARNING)
    assert document.values == tomllib.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        'x = "first\\nsecond\\tthird\\n"',
        'x = "a \\"quote\\" and a \\\\boxed{}"',
        "x = '\\boxed{} \\d'",
        'x = """a\\\n   b"""',
        "x = '''\\d''''",
        'x = "“curly” and\u00a0odd are text here" # \u2018too\u2019',
        'x = "\\u00e9\\U0001F600"',
        "x = 'tab\there'",
    ],
)
def test_what_toml_and_a_spec_allow_is_not_refused(text: str) -> None:
    assert parsed(text).values == tomllib.loads(text)


@pytest.mark.parametrize("code", [*range(9), 11, 12, 13, 27, 31, 127, 133])
def test_a_control_character_is_refused_raw_and_escaped(code: int) -> None:
    assert told(f"a = 1\nb = 'x{chr(code)}y'") == ["control-character 2:7"]
    assert told(f'a = 1\nb = "x\\u{code:04x}y"') == ["control-character 2:7"]


def test_several_findings_of_all_kinds_come_at_once() -> None:
    text = (
        'a = "\\d"\nb = “x”\nc\u00a0= nan\nd = yes\ne = 007\nf = 1\nf = 2\ng : 3\nh = 2024-01-02\n'
    )
    assert told(text) == [
        "damaged-backslash 1:6",
        "curly-quote 2:5",
        "odd-space 3:2",
        "not-finite 3:5",
        "unquoted-text 4:5",
        "bad-number 5:5",
        "duplicate-key 7:1",
        "toml-syntax 8:1",
        "date-value 9:5",
    ]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a = 1\na = 2\n", "lines 1 and 2"),
        ("[a]\nx = 1\n\n[a]\ny = 2\n", "lines 1 and 4"),
        ("a.b = 1\n[a]\nc = 1\n", "line 1 and as a table on line 2"),
        ("[a]\nb = 1\n[a.b]\nc = 1\n", "line 2 and as a table on line 3"),
        ("a = {}\n[a.b]\nc = 1\n", "line 1 and as the table above another on line 2"),
        ("a = [1]\n[[a]]\nb = 1\n", "line 1 and as a list of tables on line 2"),
        ("[[a]]\nx = 1\n[a]\ny = 1\n", "line 1 and as a table on line 3"),
        ("[a]\nx = 1\n[[a]]\n", "line 1 and as a list of tables on line 3"),
        ("[a.b]\nx = 1\n[a]\nb.y = 1\n", "line 1 and as a dotted key on line 4"),
        ("a = 1\na.b = 2\n", "line 1 and as a dotted key on line 2"),
        ("'a' = 1\n\"\\u0061\" = 2\n", "lines 1 and 2"),
        ("[x]\na = { b = 1, b = 2 }\n", "in line 2"),
    ],
)
def test_a_duplicate_is_named_with_both_lines(text: str, lines: str) -> None:
    (found,) = findings(text)
    assert found.code == "duplicate-key"
    assert lines in found.message
    assert len(found.related) == 1


@pytest.mark.parametrize(
    ("text", "code", "hint"),
    [
        ("x = yes", "unquoted-text", 'write `"yes"` for the text'),
        ("x = True", "unquoted-text", "write `true` for the switch"),
        ("x = None", "unquoted-text", "leave the key out: TOML has no empty value"),
        ("x = a \\d", "unquoted-text", 'write `"a"` for the text'.replace('"a"', "'a \\d'")),
        ("x = [a, b]", "unquoted-text", 'write `"a"` for the text'),
        ("x = 007", "bad-number", 'write `"007"` for the text'),
        ("x = -007", "bad-number", "write `-7` for the number"),
        ("x = 1,000", "bad-number", "write `1_000` for the number"),
        ("x = .5", "bad-number", "write `0.5` for the number"),
        ("x = 99999999999999999999", "bad-number", "write a smaller number"),
        (f"x = {'9' * 5000}", "bad-number", "write a smaller number"),
        ("x = 2024-01-02", "date-value", 'write `"2024-01-02"` for the text'),
        ("x = 2024-13-01", "date-value", 'write `"2024-13-01"` for the text'),
        ("x = 07:32:00", "date-value", 'write `"07:32:00"` for the text'),
        ("x = [inf]", "not-finite", "write a finite number"),
        ("x = 1e999", "not-finite", "write a finite number"),
        ("x = #### 5", "toml-syntax", '`#` begins a comment: write `"#### 5"` if it is the value'),
        ("größe = 1", "toml-syntax", 'quote it: `"größe"`'),
    ],
)
def test_a_hint_names_the_form_to_write(text: str, code: str, hint: str) -> None:
    found = findings(text)
    assert found[0].code == code
    assert hint in found[0].hints


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("a = [1,\n  2\n[b]\nc = 1\n", ["toml-syntax 1:5"]),
        ('a = [\n"x"\n"y"\n]\nb = yes\n', ["toml-syntax 3:1", "unquoted-text 5:5"]),
        ("[a\nx = 1\n[b]\nx = 1\nx = 2\n", ["toml-syntax 1:1", "duplicate-key 5:1"]),
        ('a = """x\nb = 1\nc = 2', ["toml-syntax 1:5"]),
        ("a = {b = 1,\n c = 2}\n", ["toml-syntax 1:5"]),
        ('a = “x\nb = ”y"\n', ["curly-quote 1:5", "curly-quote 2:5"]),
        ("a = “““\nb = 'x\n”””\nc = yes", ["curly-quote 1:5", "unquoted-text 4:5"]),
        ("a = 1 b = 2", ["toml-syntax 1:5"]),
        ('x = "\\ud800"', ["toml-syntax 1:12"]),
    ],
)
def test_one_slip_is_one_finding_at_its_place(text: str, places: list[str]) -> None:
    assert told(text) == places


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 100_000,
        "a = " + "[" * 200 + "]" * 200,
        "a = " + "{a=" * 5000,
        "[" * 5000,
        ".".join("a" * 5000) + " = 1",
        f"[{'.'.join('a' * 5000)}]",
        "a = " + '"\\' * 50_000,
        "\u00a0x" * 20_000,
        "“x" * 20_000,
        '"“' * 20_000,
        "'" * 50_001,
    ],
)
def test_a_hostile_text_ends_in_findings(text: str) -> None:
    assert findings(text)


def ends_well(text: str) -> None:
    report, source = Report(), source_of(text)
    try:
        document = parse(source, report)
    except Stop:
        assert report.has_errors
    else:
        assert not report.has_errors
        assert document.values == tomllib.loads(text)
    for finding in report.diagnostics:
        assert finding.place is not None
        assert finding.place.span.start <= len(text)
    sources = {"task.toml": source}
    for render in (render_full, render_concise, render_json):
        render(report.diagnostics, sources)


@given(st.one_of(st.text(), st.text("ab=[]{}\"'#.,\n \\01“”\u00a0", max_size=60)))
def test_any_text_ends_in_a_document_or_in_findings(text: str) -> None:
    ends_well(text)


@given(st.integers(0, len(SPEC)))
def test_a_truncated_spec_ends_in_a_document_or_in_findings(length: int) -> None:
    ends_well(SPEC[:length])


@given(st.integers(0, len(SPEC)), st.integers(0, 2), st.one_of(st.characters(), st.text()))
def test_a_spec_with_a_slip_ends_in_a_document_or_in_findings(
    at: int, removed: int, added: str
) -> None:
    ends_well((SPEC[:at] + added + SPEC[at + removed :]).replace("\r\n", "\n"))


@given(st.binary())
def test_any_bytes_end_in_a_document_or_in_findings(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "bytes.toml"
    path.write_bytes(data)
    report = Report()
    try:
        parse(read_source(path, report), report)
    except Stop:
        assert report.has_errors
