"""`[prompt]`: its templates are whole, its files are text, and the gold is not given away."""

import re
from collections.abc import Iterator

from compiler.closest import shortened
from compiler.literals import parse_template
from compiler.parse import KeyPath
from compiler.resolve.own_data import is_taught_ideals
from compiler.rules.case import Case, is_inside
from compiler.rules.files import report_missing_file
from compiler.rules.ideal import has_ideal
from compiler.rules.texts import holes, prompt_templates
from spec_schema.data import Cut, Holdout
from spec_schema.prompt import ShotRows, TextFile

__all__ = [
    "gold_is_not_shown",
    "prompts_differ",
    "shots_are_rows",
    "system_file_is_text",
    "templates_are_whole",
    "texts_are_not_blank",
]


def templates_are_whole(case: Case) -> None:
    """A brace opens a hole with a name, or is doubled."""
    for path, template in prompt_templates(case):
        try:
            parts = parse_template(template)
        except ValueError as error:
            case.error(
                "bad-template",
                path,
                f"`{path[-1]}` is no whole template: {_reason(error)}",
                "a hole is `{column}`; write `{{` and `}}` for braces of the text",
            )
            continue
        names = dict.fromkeys(name for _, name in parts if name is not None)
        for name in names:
            if name != name.strip():
                case.error(
                    "bad-template",
                    path,
                    f"the hole `{{{shortened(name)}}}` has blanks around its name",
                    f"write `{{{shortened(name.strip())}}}`",
                )


def texts_are_not_blank(case: Case) -> None:
    """Every turn of the conversation says something."""
    for path, text in _texts(case):
        if not text.strip():
            hint = "leave it out" if path[-1] == "system" else "write what is said there"
            case.error("bad-value", path, f"`{path[-1]}` is blank", hint)


def prompts_differ(case: Case) -> None:
    """The user's message shows something of the row."""
    user = case.spec.prompt.user
    if user is None:
        return
    try:
        shows = any(name is not None for _, name in parse_template(user))
    except ValueError:
        return
    if not shows and user.strip():
        case.warning(
            "bad-template",
            ("prompt", "user"),
            "`user` shows no column, so that every row has the same prompt",
            "show one, such as `{question}`",
        )


def gold_is_not_shown(case: Case) -> None:
    """A user's message with the gold in it teaches to copy."""
    data = case.spec.data
    for name in holes(case.spec.prompt.user or ""):
        source = data.fields.get(name, Cut(column=name))
        if name == "gold" and data.gold is not None:
            shown = "`{gold}`"
        elif data.gold is not None and source.before is None and source.column == data.gold.column:
            shown = f"`{{{name}}}`, which holds the gold,"
        else:
            continue
        case.warning(
            "gold-in-prompt",
            ("prompt", "user"),
            f"{shown} stands in `user`: the model is shown the answer that it is paid for",
            "let it stand in `assistant` only",
        )


def system_file_is_text(case: Case) -> None:
    """The file of the system prompt is there, is UTF-8, and holds what a TOML text could hold."""
    system = case.spec.prompt.system
    if not isinstance(system, TextFile) or not is_inside(system.file):
        return
    path, shown = ("prompt", "system", "file"), shortened(system.file)
    if not case.has_file(system.file):
        report_missing_file(case, path, system.file)
        return
    try:
        text = (case.folder / system.file).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"`{shown}` is not UTF-8: byte 0x{error.object[error.start]:02x}"
        case.error("unreadable-data", path, message, "save it as UTF-8")
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        case.error("unreadable-data", path, f"`{shown}` cannot be read: {reason}")
    else:
        if found := re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text):
            message = f"`{shown}` holds the control character U+{ord(found[0]):04X}"
            case.error("unreadable-data", path, message, "save it as plain UTF-8 text")
        elif not text.strip():
            message = f"`{shown}` is empty"
            case.error("unreadable-data", path, message, "write the system prompt into it")


def shots_are_rows(case: Case) -> None:
    """Shots by row name rows that exist, once each, and have an ideal completion to show."""
    shots = case.spec.prompt.shots
    if not isinstance(shots, ShotRows):
        return
    path = ("prompt", "shots", "rows")
    learns = any(is_taught_ideals(case.spec, name) for name in case.spec.stages)
    if not has_ideal(case) and not learns:  # a stage that learns it says the same
        case.error(
            "missing-key",
            ("prompt",),
            "`assistant` is missing: shots by row show the ideal completion of their rows",
            "add `assistant` with what the model should write for a row",
            at="key",
        )
    holdout = case.spec.data.eval
    if isinstance(holdout, Holdout) and holdout.by is not None:
        case.error(
            "conflicting-keys",
            path,
            f"rows that are shown may have a value of `{holdout.by}` that is held out",
            "write the shots out in `[[prompt.shots]]`, or hold rows out without `by`",
            related=((("data", "eval", "by"), "no value of it may be in both parts"),),
        )
    shape = case.shape(case.spec.data.train)
    seen: set[int] = set()
    for position, row in enumerate(shots.rows):
        if row in seen:
            case.error("bad-value", (*path, position), f"row {row} is shown twice")
        elif shape is not None and shape.rows is not None and row >= shape.rows:
            last = shape.rows - 1
            case.error("bad-value", (*path, position), f"there is no row {row}: the last is {last}")
        seen.add(row)


def _texts(case: Case) -> Iterator[tuple[KeyPath, str]]:
    """The texts of the conversation that stand in the spec."""
    prompt = case.spec.prompt
    if isinstance(prompt.system, str):
        yield ("prompt", "system"), prompt.system
    yield from prompt_templates(case)
    for position, shot in enumerate(prompt.shots if isinstance(prompt.shots, list) else ()):
        yield ("prompt", "shots", position, "user"), shot.user
        yield ("prompt", "shots", position, "assistant"), shot.assistant


def _reason(error: ValueError) -> str:
    """Python's words on braces in ours."""
    text = str(error)
    if "Single '}'" in text:
        return "a `}` closes nothing"
    if "Single '{'" in text or "expected '}'" in text:
        return "a `{` is not closed"
    named = re.match(r"`\{(.*)\}` is not", text, re.DOTALL)
    if named is None:
        return "a hole holds more than a name"
    if not named[1].strip():
        return "a hole has no name"
    return f"the hole `{{{shortened(named[1])}...}}` holds more than a name"
