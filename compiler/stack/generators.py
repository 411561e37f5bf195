"""The generators of reasoning-gym with their settings, from a table of one release."""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

__all__ = ["UNSTEADY", "Generators", "load_generators"]

# Of reasoning-gym 0.1.25, rows made under two values of PYTHONHASHSEED: these take them from sets,
# or from Python's own random numbers, so that each process would have other rows.
UNSTEADY = (
    *("codeio", "intermediate_integration", "isomorphic_strings", "knight_swap", "list_functions"),
    *("polynomial_multiplication", "ransom_note", "word_ladder"),
)

TABLE = Path(__file__).parent / "reasoning_gym.json"


class Generators(NamedTuple):
    """The release that the table is of, and the settings of each generator by name.

    `seed` and `size`, which every generator has, are none of them.
    """

    release: str
    generators: dict[str, tuple[str, ...]]


@cache
def load_generators() -> Generators:
    """Read the table, which `tests/stack/list_generators.py` writes."""
    table = json.loads(TABLE.read_bytes())
    found = {name: tuple(settings) for name, settings in table["generators"].items()}
    return Generators(table["release"], found)
