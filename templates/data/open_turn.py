"""Take the end off a conversation that a model is asked to go on with."""

from conversation import conversation


def open_turn(cell: object) -> list[dict[str, str]]:
    """Return the messages of a conversation without those of the assistant at its end.

    Raises ValueError where nobody else speaks.
    """
    messages = conversation(cell)
    while messages and messages[-1]["role"] == "assistant":
        messages.pop()
    if not any(turn["role"] != "system" for turn in messages):
        raise ValueError("the conversation asks nothing")
    return messages
