"""Read answers with a regular expression."""

import re


def regex_answers(text: str, pattern: str) -> list[str]:
    """Return the group `answer` of each match; an empty group is no answer."""
    found = [match["answer"] for match in re.finditer(pattern, text)]
    return [answer.strip() for answer in found if answer and answer.strip()]
