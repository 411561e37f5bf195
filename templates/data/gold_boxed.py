r"""Read the gold of a worked solution from its box."""

from extract_boxed import boxed


def boxed_gold(solution: str) -> str:
    r"""Return the content of the last `\boxed{}`; raises ValueError without a closed one."""
    found = boxed(solution)
    if not found:
        raise ValueError(r"no closed \boxed{}")
    return found[-1]
