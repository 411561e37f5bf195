"""Read a whole conversation."""

from chat_messages import chat_messages, parsed_messages


def conversation(cell: object) -> list[dict[str, str]]:
    """Return the messages of a list, also one written as JSON; raises ValueError for other text."""
    if not parsed_messages(cell):
        raise ValueError(f"{str(cell)[:40]!r} is no list of messages")
    return chat_messages(cell, "user")
