"""Get the text of a completion, in either shape that TRL hands to a reward."""

from typing import Any

from end_tokens import without_end_tokens


def completion_text(completion: str | list[dict[str, Any]]) -> str:
    """Return the last thing the assistant said, or "" where it said nothing."""
    # TRL gives a string for a plain prompt and a list of messages for a conversation.
    if isinstance(completion, str):
        return without_end_tokens(completion)
    said = [
        message["content"]
        for message in completion
        if message.get("role", "assistant") == "assistant" and message.get("content")
    ]
    return without_end_tokens(said[-1]) if said else ""
