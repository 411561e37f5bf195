"""Read a text file whose encoding is known."""

from pathlib import Path


def read_text(path: Path, encoding: str) -> str:
    """Return the file's text without a byte order mark; exits with the line that cannot be read."""
    content = path.read_bytes()
    try:
        return content.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        utf_16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
        guess = "it looks like utf-16" if utf_16 else "it may be cp1252, latin-1 or gb18030"
        raise SystemExit(f"{path}:{line}: not {encoding}: {guess}") from error
