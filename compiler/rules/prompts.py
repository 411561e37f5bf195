"""`[prompt]`: its templates are whole, its files are text, and the gold is not given away."""

from collections.abc import Iterator

from compiler.literals import parse_template
from compiler.parse import KeyPath
from compiler.resolve.prompts import ideal_template
from compiler.rules.case import Case
from spec_schema.prompt import ShotRows, TextFile

__all__ = [
    "gold_is_not_shown",
    "holes",
    "prompt_templates",
    "shots_are_rows",
    "system_file_is_text",
    "templates_are_whole",
]


def prompt_templates(case: Case) -> Iterator[tuple[KeyPath, str]]:
    """The texts of `[prompt]` that have holes for columns."""
    prompt = case.spec.prompt
    yield ("prompt", "user"), prompt.user
    if prompt.assistant is not None:
        yield ("prompt", "assistant"), prompt.assistant


def holes(template: str) -> tuple[str, ...]:
    """The names in a template's holes, none where the template is not whole."""
    try:
        return tuple(name for _, name in parse_template(template) if name is not None)
    except ValueError:
        return ()


def templates_are_whole(case: Case) -> None:
    """A brace opens a hole with a name, or is doubled."""
    for path, template in prompt_templates(case):
        try:
            parse_template(template)
        except ValueError as error:
            case.error(
                "bad-template",
                path,
                f"`{path[-1]}` is no whole template: {_reason(error)}",
                "a hole is `{column}`; write `{{` and `}}` for braces of the text",
            )


def _reason(error: ValueError) -> str:
    """Python's words on braces in ours."""
    text = str(error)
    if "Single '}'" in text:
        return "a `}` closes nothing"
    if "Single '{'" in text or "expected '}'" in text:
        return "a `{` is not closed"
    return text


def gold_is_not_shown(case: Case) -> None:
    """A user's message with the gold in it teaches to copy."""
    if "gold" in holes(case.spec.prompt.user):
        case.warning(
            "gold-in-prompt",
            ("prompt", "user"),
            "`{gold}` stands in `user`: the model is shown the answer that it is paid for",
            "use `{gold}` in `assistant` only",
        )


def system_file_is_text(case: Case) -> None:
    """The file of the system prompt is there and is UTF-8."""
    system = case.spec.prompt.system
    if not isinstance(system, TextFile):
        return
    path = ("prompt", "system", "file")
    file = case.folder / system.file
    if not file.is_file():
        case.error("file-not-found", path, f"there is no file `{system.file}` beside the spec")
        return
    try:
        file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        case.error("unreadable-data", path, f"`{system.file}` is not UTF-8: byte {error.start}")
    except OSError as error:
        case.error("unreadable-data", path, f"`{system.file}` cannot be read: {error.strerror}")


def shots_are_rows(case: Case) -> None:
    """Shots by row name rows that exist, once each, and have an ideal completion to show."""
    shots = case.spec.prompt.shots
    if not isinstance(shots, ShotRows):
        return
    path: KeyPath = ("prompt", "shots", "rows")
    if ideal_template(case.spec, None) is None:
        case.error(
            "missing-key",
            ("prompt",),
            "`assistant` is missing: shots by row show the ideal completion of their rows",
            at="key",
        )
    shape = case.shape(case.spec.data.train)
    for position, row in enumerate(shots.rows):
        if row in shots.rows[:position]:
            case.error("bad-value", (*path, position), f"row {row} is shown twice")
        elif shape is not None and shape.rows is not None and row >= shape.rows:
            last = shape.rows - 1
            case.error("bad-value", (*path, position), f"there is no row {row}: the last is {last}")
