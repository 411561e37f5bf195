"""Read an answer as messages behind a prompt."""

from chat_messages import chat_messages


def answer_to(prompt: list[dict[str, str]], cell: object) -> list[dict[str, str]]:
    """Return the messages of an answer, without the prompt where it begins with that.

    TRL would show the repeated messages twice. Raises ValueError where what remains is not the
    assistant's at its beginning and its end.
    """
    messages = chat_messages(cell, "assistant")
    if messages[: len(prompt)] == prompt:
        messages = messages[len(prompt) :]
    if not messages:
        raise ValueError("an answer has no message of its own")
    for turn in (messages[0], messages[-1]):
        if turn["role"] != "assistant":
            said = f"{turn['role']}: {turn['content'][:40]!r}"
            raise ValueError(f"an answer neither repeats the prompt nor is the assistant's: {said}")
    return messages
