"""Tell what a model thinks from what it says."""


def after_thinking(text: str, *, opened: bool = False) -> str:
    """Return what follows the thinking of a completion, "" where its thinking never ends.

    A `</think>` without a `<think>` closes a block that the prompt opened. `opened` says that the
    chat template always does so: then a text without `</think>` is thinking all through.
    """
    _, closing, said = text.rpartition("</think>")
    unclosed = "<think>" in said or (opened and not closing)
    return "" if unclosed else said.lstrip()


def thinking_of(text: str, *, opened: bool = False) -> str:
    """Return what a completion thinks, to its end where it never ends; "" where it does not."""
    thought, closing, said = text.rpartition("</think>")
    if "<think>" in said or (opened and not closing):
        thought = text
    return thought.strip().removeprefix("<think>").strip()
