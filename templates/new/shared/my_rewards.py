"""A reward of your own, which the spec names; change it as you like."""

from typing import Any


def says_it_once(completions: list[Any], **columns: list[Any]) -> list[float]:
    """Pay for lines that do not stand in the completion twice, as their share of its lines.

    Called with a batch of completions, each a list of chat messages, and with the columns of their
    rows: name one, such as `question`, as a parameter of its own to use it. Gamed by a completion
    of a single line.
    """
    paid: list[float] = []
    for completion in completions:
        text = completion if isinstance(completion, str) else completion[-1]["content"]
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        paid.append(len(set(lines)) / len(lines) if lines else 0.0)
    return paid
