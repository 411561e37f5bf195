"""Make a prompt and two answers of three cells."""

from answer_to import answer_to
from chat_messages import chat_messages


def preference(prompt: object, chosen: object, rejected: object) -> dict[str, list[dict[str, str]]]:
    """Return `prompt`, `chosen` and `rejected` as messages."""
    asked = chat_messages(prompt, "user")
    return {
        "prompt": asked,
        "chosen": answer_to(asked, chosen),
        "rejected": answer_to(asked, rejected),
    }
