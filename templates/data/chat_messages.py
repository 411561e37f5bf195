"""Read the messages of a cell."""

import json


def chat_messages(cell: object, role: str) -> list[dict[str, str]]:
    """Return a list of messages as it stands, also one written as JSON; text is one of `role`.

    Raises ValueError where a message has no role or no text.
    """
    if cell is None:
        raise ValueError("no messages in it")
    messages = parsed_messages(cell)
    if messages is None:
        return [{"role": role, "content": str(cell)}]
    return [message(turn, number) for number, turn in enumerate(messages, start=1)]


def parsed_messages(cell: object) -> list[object] | None:
    """Return the elements of a list, or of JSON text of a list of objects; None for other text."""
    if isinstance(cell, list):
        return cell
    if not isinstance(cell, str) or not cell.lstrip().startswith("["):
        return None
    try:
        elements = json.loads(cell)
    except ValueError:
        return None
    return elements if elements and all(isinstance(turn, dict) for turn in elements) else None


def message(turn: object, number: int) -> dict[str, str]:
    """Return the role and the text of one message, without what else it may hold."""
    match turn:
        case {"role": str(role), "content": str(content)}:
            return {"role": role, "content": content}
        case _:
            raise ValueError(f"message {number} has no text as its `role` or its `content`")
