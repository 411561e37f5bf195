"""The pages behind `trainspec explain CODE`."""

from compiler.places import explain_folder

__all__ = ["explained_codes", "explanation"]


def explained_codes() -> list[str]:
    """Give every diagnostic code that has a page, in order."""
    return sorted(page.stem for page in explain_folder().glob("*.md"))


def explanation(code: str) -> str | None:
    """Give the page of a code, or None where there is no such code."""
    # A look among the known codes, so that no text from the command line becomes a path.
    if code not in explained_codes():
        return None
    return (explain_folder() / f"{code}.md").read_text(encoding="utf-8")
