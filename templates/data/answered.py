"""Make a prompt and its answer of two cells."""

from answer_to import answer_to
from chat_messages import chat_messages


def answered(prompt: object, completion: object) -> dict[str, list[dict[str, str]]]:
    """Return `prompt` and `completion` as messages."""
    asked = chat_messages(prompt, "user")
    return {"prompt": asked, "completion": answer_to(asked, completion)}
