"""Texts of `[prompt]`: its templates with their holes, and its system prompt."""

from collections.abc import Iterator

from compiler.literals import parse_template
from compiler.parse import KeyPath
from compiler.rules.case import Case
from spec_schema.prompt import TextFile

__all__ = ["holes", "prompt_templates", "system_text", "words_shown"]


def prompt_templates(case: Case) -> Iterator[tuple[KeyPath, str]]:
    """The texts of `[prompt]` that have holes for columns."""
    prompt = case.spec.prompt
    if prompt.user is not None:
        yield ("prompt", "user"), prompt.user
    if prompt.assistant is not None:
        yield ("prompt", "assistant"), prompt.assistant


def holes(template: str) -> tuple[str, ...]:
    """The names in a template's holes, each once; none where the template is not whole."""
    try:
        parts = parse_template(template)
    except ValueError:
        return ()
    return tuple(dict.fromkeys(name for _, name in parts if name is not None))


def system_text(case: Case) -> str:
    """The system prompt, empty where there is none or its file cannot be read."""
    match case.spec.prompt.system:
        case TextFile(file=file):
            try:
                return (case.folder / file).read_text(encoding="utf-8-sig")
            except (OSError, ValueError):
                return ""
        case None:
            return ""
        case text:
            return text


def words_shown(case: Case) -> str:
    """What each prompt shows whatever the row: system prompt, written shots, the user's template.

    Empty where the template is not whole.
    """
    prompt = case.spec.prompt
    try:
        words = "".join(text for text, _ in parse_template(prompt.user or ""))
    except ValueError:
        return ""
    shots = prompt.shots if isinstance(prompt.shots, list) else ()
    return "\n".join((system_text(case), *(shot.assistant for shot in shots), words))
