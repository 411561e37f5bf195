"""Reading a file: encodings, line endings, and whatever is in the way."""

import os
from pathlib import Path

import pytest

from compiler.diagnostics import Report, Span, Stop
from compiler.source import SourceFile, read_source


def refusal(path: Path) -> tuple[str, str]:
    report = Report()
    with pytest.raises(Stop):
        read_source(path, report)
    (found,) = report.diagnostics
    assert found.place is not None
    assert found.place.file == str(path)
    return found.code, found.message


def written(folder: Path, data: bytes) -> Path:
    path = folder / "task.toml"
    path.write_bytes(data)
    return path


def test_a_byte_order_mark_and_crlf_are_not_part_of_the_text(tmp_path: Path) -> None:
    path = written(tmp_path, b"\xef\xbb\xbfa = 1\r\nb = '\xc3\xa9'\r\n")
    source = read_source(path, Report())
    assert source.text == "a = 1\nb = 'é'\n"
    assert source.name == str(path)


def test_an_empty_file_is_an_empty_text(tmp_path: Path) -> None:
    assert read_source(written(tmp_path, b""), Report()).text == ""


def test_lines_and_columns_count_characters_from_one() -> None:
    source = SourceFile(Path("t"), "t", "é = 1\n\n b = 2")
    assert source.line_and_column(0) == (1, 1)
    assert source.line_and_column(4) == (1, 5)
    assert source.line_and_column(5) == (1, 6)
    assert source.line_and_column(6) == (2, 1)
    assert source.line_and_column(8) == (3, 2)
    assert source.line_and_column(10**6) == (3, 7)
    assert source.place(Span(1, 2)).file == "t"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_named_with_and_without_a_mark(tmp_path: Path, encoding: str) -> None:
    path = written(tmp_path, 'name = "é"\n'.encode(encoding))
    assert refusal(path) == ("bad-encoding", f"`{path}` is UTF-16, not UTF-8")


@pytest.mark.parametrize("encoding", ["utf-32", "utf-32-le", "utf-32-be"])
def test_utf_32_is_named_with_and_without_a_mark(tmp_path: Path, encoding: str) -> None:
    path = written(tmp_path, 'name = "é"\n'.encode(encoding))
    assert refusal(path) == ("bad-encoding", f"`{path}` is UTF-32, not UTF-8")


def test_an_undecodable_byte_is_named_with_its_line_and_column(tmp_path: Path) -> None:
    code, message = refusal(written(tmp_path, "a = 1\r\nb = 'é'\n".encode("latin-1")))
    assert code == "bad-encoding"
    assert "byte `0xe9` on line 2, column 6" in message
    assert "looks like Latin-1" in message


def test_windows_1252_is_told_from_latin_1(tmp_path: Path) -> None:
    _, message = refusal(written(tmp_path, "a = “x”\n".encode("cp1252")))
    assert "looks like Windows-1252" in message


def test_a_missing_file_is_named_with_the_closest_name(tmp_path: Path) -> None:
    written(tmp_path, b"")
    report = Report()
    with pytest.raises(Stop):
        read_source(tmp_path / "taks.toml", report)
    assert report.diagnostics[0].code == "file-not-found"
    assert report.diagnostics[0].hints == (f"did you mean `{tmp_path / 'task.toml'}`?",)


def test_a_file_taken_for_a_folder_is_a_missing_file(tmp_path: Path) -> None:
    path = written(tmp_path, b"") / "task.toml"
    assert refusal(path)[0] == "file-not-found"


def test_a_name_with_a_nul_is_a_missing_file() -> None:
    assert refusal(Path("a\0b.toml"))[0] == "file-not-found"


def test_a_folder_is_refused_and_the_spec_in_it_is_named(tmp_path: Path) -> None:
    inside = written(tmp_path, b"")
    report = Report()
    with pytest.raises(Stop):
        read_source(tmp_path, report)
    assert report.diagnostics[0].code == "not-a-file"
    assert report.diagnostics[0].hints == (f"name the file: `{inside}`",)


def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    pipe = tmp_path / "task.toml"
    os.mkfifo(pipe)
    assert refusal(pipe)[0] == "not-a-file"
    # Whatever searches the temporary folder later would wait for it.
    pipe.unlink()


def test_a_file_that_may_not_be_read_is_the_fault_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, b"")

    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    # Permissions themselves do not hold for the root user of a container.
    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert refusal(path) == ("not-readable", f"cannot read `{path}`: permission denied")


def test_a_link_to_itself_is_the_fault_of_the_machine(tmp_path: Path) -> None:
    path = tmp_path / "task.toml"
    path.symlink_to(path)
    assert refusal(path)[0] == "not-readable"


def test_a_link_that_leads_nowhere_is_told_from_a_missing_file(tmp_path: Path) -> None:
    link = tmp_path / "task.toml"
    link.symlink_to("elsewhere.toml")
    code, message = refusal(link)
    assert code == "file-not-found"
    assert message == f"`{link}` is a link to `elsewhere.toml`, which is not there"
