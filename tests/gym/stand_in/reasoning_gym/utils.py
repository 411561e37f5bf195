"""How the package reads an answer."""

import re


def extract_answer(completion: str) -> str | None:
    """The content of the last `<answer>`."""
    found = re.findall("<answer>(.*?)</answer>", completion, re.DOTALL)
    return found[-1].strip() if found else None
