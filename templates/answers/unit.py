"""Take a unit off a number."""

from normal_form import normal_form
from number import unwrapped


def without_unit(text: str, units: tuple[str, ...]) -> str:
    """Return `text` without the one of `units` that stands behind or before it."""
    plain = unwrapped(text)
    for unit in sorted(map(normal_form, units), key=len, reverse=True):  # `km` before `m`
        ending = unit.rstrip(".")  # `plain` has lost its full stop
        if ending and plain.endswith(ending):
            return plain.removesuffix(ending)
        if plain.startswith(unit):
            return plain.removeprefix(unit)
    return plain
