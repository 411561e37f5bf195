"""Find the part of a completion that an answer can stand in."""

from end_tokens import without_end_tokens
from thinking import after_thinking


def final_text(text: str, *, opened: bool = False) -> str:
    """Return what a completion says behind its thinking, without end-of-turn tokens.

    What is only thought is no answer; a completion that was cut off while it thought has none.
    `opened` says that the chat template opens the thinking in the prompt.
    """
    return after_thinking(without_end_tokens(text), opened=opened)
