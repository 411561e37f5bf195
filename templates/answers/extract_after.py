"""Read answers that stand after a marker, on the same line."""

import re


def after_marker(text: str, marker: str) -> list[str]:
    """Return what follows each `marker` on its line; upper and lower case are the same."""
    words = marker.strip().removesuffix(":")
    # `**Answer:** 5`, `**Answer**: 5` and a full-width colon are the same marker; a word that
    # only ends like it is not.
    start = r"(?<!\w)" if words[:1].isalnum() else ""
    colon = r"(?:\*\*)?\s*[:\uff1a]" if marker.strip().endswith(":") else ""
    pattern = rf"{start}{re.escape(words)}{colon}(?:\*\*)?"
    found: list[str] = []
    for rest in re.split(pattern, text, flags=re.IGNORECASE)[1:]:
        line = rest.partition("\n")[0].strip()
        # In `**Answer: 5**` the bold opens before the marker and closes after the answer.
        found.append(line.removesuffix("**").rstrip() if line.count("**") % 2 else line)
    return [line for line in found if line]
