"""Read answers that are JSON, or a part of one."""

import json
import re
from typing import Any

from extract_code import code_blocks

# A bracket that a value can begin with: each try that fails costs a look at all the text before it.
BRACKET = re.compile(r"\{(?=\s*[\"}])|\[(?=\s*[\]\[{\"\d\-tfn])")


def json_answers(text: str, path: tuple[str | int, ...] = ()) -> list[str]:
    """Return what stands at `path` in each JSON object or array of a text, as text.

    Where fenced blocks hold some, only those count. A string is returned without its quotes, what
    is no string as it is written. Where the path leads nowhere, to null or to "" is no answer.
    """
    fenced = [value for block in code_blocks(text) for value in json_values(block)]
    found = [json_part(value, path) for value in fenced or json_values(text)]
    return [part for part in found if part]


def json_values(text: str) -> list[str]:
    """Return each outermost JSON object or array of a text, whatever stands around them.

    What JSON itself does not allow is none (NaN, a trailing comma), nor is an object with a key
    that stands twice in it, nor what the end of the text cuts off.
    """
    decoder = json.JSONDecoder(parse_int=str, parse_float=str)
    found: list[str] = []
    end = 0
    while bracket := BRACKET.search(text, end):
        start = bracket.start()
        try:
            end = decoder.raw_decode(text, start)[1]
        except json.JSONDecodeError as error:
            if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
                break
            end = max(error.pos, start + 1)  # what stands inside a broken value is no answer
            continue
        except RecursionError:
            break
        if is_json(text[start:end]):
            found.append(text[start:end])
    return found


def is_json(text: str) -> bool:
    """Whether what Python reads as JSON is JSON: no NaN, no key twice in an object."""
    try:
        json.loads(text, object_pairs_hook=without_twins, parse_constant=int)  # no int is `NaN`
    except ValueError:
        return False
    return True


def without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; raises ValueError where a key stands in it twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key twice")
    return found


def json_part(source: str, path: tuple[str | int, ...]) -> str | None:
    """Return what stands at `path` in a JSON text, as text; None for nothing and for null."""
    part = value_at(json.loads(source, parse_int=str, parse_float=str), path)
    if part is None:
        return None
    if isinstance(part, dict | list):
        text = json.dumps(value_at(json.loads(source), path), ensure_ascii=False)
    else:
        text = str(part).lower() if isinstance(part, bool) else str(part).strip()
    # Half of a character, as "\ud83d" alone is one, could not be written to a file.
    return text.encode("utf-8", "replace").decode()


def value_at(value: object, path: tuple[str | int, ...]) -> object:
    """Return the value that keys and positions lead to; None where one of them is not there."""
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and -len(value) <= step < len(value):
            value = value[step]
        else:
            return None
    return value
