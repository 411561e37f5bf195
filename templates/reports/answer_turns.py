"""Take the text of a prompt and of an answer out of their messages."""

from typing import Any


def asked(prompt: list[dict[str, Any]]) -> str:
    """Return a prompt with its roles as one text: two prompts are the same where these are."""
    return "\n\n".join(f"{turn['role']}: {turn['content'].strip()}" for turn in prompt)


def said(answer: list[dict[str, Any]]) -> str:
    """Return all that an answer says, without blanks at its ends."""
    return "\n\n".join(turn["content"] for turn in answer).strip()
