"""Ids of models and data sets on the Hugging Face hub."""

import re

from compiler.closest import shortened
from compiler.parse import KeyPath
from compiler.rules.case import Case

__all__ = ["check_hub_id"]

LONGEST = 96
PART = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?", re.ASCII)
# A text, for few ids are addresses.
ADDRESS = r"(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co)/(?:datasets/)?([^/?#]+/[^/?#]+)"


def check_hub_id(case: Case, path: KeyPath, name: str) -> None:
    """Report what the hub would refuse as an id, with what was probably meant."""
    parts = name.split("/")
    if ".co/" in name and (address := re.match(ADDRESS, name)):
        fault, hint = "is an address, not an id", f"write `{address[1]}`"
    elif len(parts) > 2:  # noqa: PLR2004 - an owner and a name
        fault, hint = "has more than one slash", "an id is `owner/name`"
    elif name != name.strip() or any(character.isspace() for character in name):
        fault, hint = "holds a blank", "an id is `owner/name`"
    elif not all(PART.fullmatch(part) for part in parts) or ".." in name or "--" in name:
        fault = "cannot be an id of the hub"
        hint = "an id is `owner/name`, of letters, digits, `_`, `-` and `.`"
    elif len(name) > LONGEST:
        fault, hint = f"is longer than the {LONGEST} characters of an id", "an id is `owner/name`"
    else:
        return
    case.error("bad-value", path, f"`{shortened(name)}` {fault}", hint)
