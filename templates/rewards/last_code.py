"""Find the code of a completion."""

from extract_code import code_blocks


def last_code(text: str) -> str | None:
    """Return the last closed block of code, None without one."""
    blocks = code_blocks(text)
    return blocks[-1] if blocks else None
