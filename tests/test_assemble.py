"""Pieces of the library become one module with the template's text."""

import ast

from compiler.assemble import assemble

PIECES = {
    "paint": (
        '"""About paint."""\n\nimport re\n\nfrom colour import mix\n\n\n'
        "def paint() -> str:\n    return mix()\n"
    ),
    "colour": (
        '"""About colour."""\n\nimport re\n\nRED = "red"  # the first\n\n\n'
        "def mix() -> str:\n    return RED\n"
    ),
}
SOURCE = '"""A module."""\n\nimport json\n\n\ndef use() -> str:\n    return paint()\n'
MAIN = '\n\nif __name__ == "__main__":\n    use()\n'


def test_a_piece_brings_its_imports_and_the_pieces_that_it_needs() -> None:
    text = assemble(SOURCE, ("paint",), PIECES.get, {})
    scope: dict[str, object] = {}
    exec(text, scope)
    assert scope["use"]() == "red"  # type: ignore[operator]  # a function of the text
    assert "from colour" not in text
    assert "About" not in text, "a piece's docstring speaks to the library's readers"


def test_a_piece_is_added_once() -> None:
    text = assemble(SOURCE, ("paint", "colour"), PIECES.get, {})
    assert text.count("def mix") == 1


def test_the_main_part_stays_last() -> None:
    text = assemble(SOURCE + MAIN, ("paint",), PIECES.get, {})
    assert isinstance(ast.parse(text).body[-1], ast.If)


def test_a_piece_that_another_module_holds_is_imported_from_there() -> None:
    text = assemble(SOURCE, ("paint",), PIECES.get, {"colour": "palette"})
    assert "from palette import mix" in text
    assert "def mix" not in text


def test_comments_of_a_piece_stay_with_its_code() -> None:
    assert '"red"  # the first' in assemble(SOURCE, ("colour",), PIECES.get, {})
