"""Text as a YAML scalar, character for character."""

import json
import re

__all__ = ["yaml_block", "yaml_text"]

# What YAML 1.1 may not hold as it is, or takes for the end of a line.
_NOT_PLAIN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
# Words that no reader of YAML takes for anything but text.
_WORD = re.compile(r"[A-Za-z/][A-Za-z0-9_./-]*")
_RESERVED = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})


def yaml_text(text: str) -> str:
    """A YAML scalar that is exactly `text`: bare where it is a plain word, else quoted."""
    if _WORD.fullmatch(text) and text.lower() not in _RESERVED:
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return _NOT_PLAIN.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)


def yaml_block(lines: tuple[str, ...], indent: int) -> str:
    """A YAML scalar of lines, each with its line break: a block, or quoted where no block holds it.

    It stands behind its key, whose own indentation is `indent` less than that of the lines.
    """
    text = "".join(f"{line}\n" for line in lines)
    whole = bool(lines) and lines[0][:1].strip() and lines[-1].strip()
    if not whole or _NOT_PLAIN.search(text):
        return yaml_text(text)
    return "\n".join(["|", *(f"{' ' * indent}{line}" if line else "" for line in lines)])
