"""The further ways to read an answer: their calls, and the ideal completions made from them."""

import json
import re
from typing import NamedTuple

from compiler.literals import Template, literal
from spec_schema.answer import Answer
from spec_schema.structured_answer import ChoiceAnswer, CodeAnswer, JsonAnswer

__all__ = ["Finder", "finder_of", "made_ideal", "stand_in"]

# What people write behind a fence for the same language.
ALIASES = {
    "python": ("python", "py", "python3"),
    "javascript": ("javascript", "js"),
    "typescript": ("typescript", "ts"),
    "bash": ("bash", "sh", "shell"),
    "cpp": ("cpp", "c++"),
    "csharp": ("csharp", "c#", "cs"),
    "rust": ("rust", "rs"),
}
# Golds that are compared as these hold no character that a JSON string has to escape.
PLAIN = ("number", "date", "choice")


class Finder(NamedTuple):
    """The function of a piece that finds all answers of a text, and what these are.

    `arguments` stand behind the text in its call.
    """

    piece: str
    function: str
    arguments: tuple[object, ...]
    about: str

    def call(self, text: str) -> str:
        """The call, for the text that an expression gives."""
        return f"{self.function}({', '.join([text, *map(literal, self.arguments)])})"


def finder_of(answer: Answer, options: tuple[str, ...]) -> Finder | None:
    """How the answers of a text are found; None for a reader of the user's own."""
    match answer:
        case JsonAnswer(path=path):
            arguments = () if path is None else (_json_path(path),)
            about = "JSON object or array" if path is None else f"value at {path} of a JSON value"
            return Finder("extract_json", "json_answers", arguments, about)
        case CodeAnswer(language=language):
            arguments = () if language is None else (_languages(language),)
            about = f"closed block of {language or 'code'}"
            return Finder("extract_code", "code_blocks", arguments, about)
        case ChoiceAnswer() if options:
            about = f"choice of {' or '.join(options)}"
            return Finder("extract_option", "options_in", (options,), about)
        case ChoiceAnswer():
            return Finder("extract_choice", "choices_in", (), "choice of an option")
        case _:
            return None


def _json_path(path: str) -> tuple[str | int, ...]:
    """The keys and positions of a path such as `items[0].name`."""
    steps = re.findall(r"\[(-?\d+)\]|([^.\[\]]+)", path)
    return tuple(int(position) if position else key for position, key in steps)


def _languages(language: str) -> tuple[str, ...]:
    """The words behind a fence that mean a language, in lower case."""
    name = language.lower()
    found = (words for words in ALIASES.values() if name in words)
    return next(found, (name,))


def made_ideal(answer: Answer, right: str) -> Template | None:
    """An ideal completion where the gold alone makes one."""
    match answer:
        case ChoiceAnswer():
            return (("ANSWER: ", right),)
        case CodeAnswer(language=language):
            return ((f"```{language or ''}\n", right), ("\n```", None))
        case JsonAnswer(path=None):
            return (("", right),)
        case JsonAnswer(path=str(path)) if answer.compare in PLAIN:
            return _object_around(_json_path(path), right)
        case _:
            return None


def stand_in(answer: Answer, options: tuple[str, ...], gold: str) -> str:
    """A text of the gold's form in the place of `gold`, which is a number."""
    match answer:
        case JsonAnswer(path=None):
            return f'{{"{gold}": 0}}'
        case ChoiceAnswer():
            return options[0] if options else "B"
        case _:
            return gold


def _object_around(path: tuple[str | int, ...], right: str) -> Template | None:
    """The smallest JSON that holds a text at `path`; none where it is not the first of a list."""
    if any(isinstance(step, int) and step not in (0, -1) for step in path):
        return None
    keys = [f"{{{json.dumps(step)}: " if isinstance(step, str) else "[" for step in path]
    ends = ["}" if isinstance(step, str) else "]" for step in reversed(path)]
    return ((f'{"".join(keys)}"', right), (f'"{"".join(ends)}', None))
