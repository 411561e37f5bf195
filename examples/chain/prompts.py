"""What the model is shown and what it should write: a row's messages and its ideal completion."""

from collections.abc import Mapping
from typing import Any

SYSTEM = "You answer the customers of a bicycle shop."


def build_messages(row: Mapping[str, Any]) -> list[dict[str, str]]:
    """The chat messages that ask for a row's answer."""
    return [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": user_text(row)},
    ]


def user_text(row: Mapping[str, Any]) -> str:
    """What the user says in a row's prompt."""
    return f"{row['request']}"


def ideal_completion(row: Mapping[str, Any]) -> str:
    """What the model should write for a row: the target of SFT and of the self-test."""
    return f"{row['reply']}"
