"""Get the text of a completion, in either shape that TRL hands to a reward."""

from typing import Any

from end_tokens import without_end_tokens


def completion_text(completion: str | list[dict[str, Any]], *, opening: str = "<think>\n") -> str:
    """Return the last thing the assistant said with its thinking, or "" where it said nothing.

    `opening` begins a thinking block; it is empty where the prompt does that already.
    """
    # TRL gives a string for a plain prompt and a list of messages for a conversation.
    if isinstance(completion, str):
        return without_end_tokens(completion)
    for message in reversed(completion):
        if message.get("role", "assistant") != "assistant":
            continue
        said = message.get("content") or ""
        # TRL takes the thinking out of the content where the tokenizer says how to parse it.
        if thought := message.get("reasoning_content"):
            said = f"{opening}{thought}\n</think>\n\n{said}"
        if said:
            return without_end_tokens(said)
    return ""
