"""The table of losses and recipes: what each is, its papers, and the values that it wants."""

import pathlib
import tomllib
from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = ["Loss", "Recipe", "read_losses", "read_recipes"]

FILE = pathlib.Path(__file__).with_name("losses.toml")


class Loss(NamedTuple):
    """A loss by TRL's name; `papers` are numbers of arXiv, `wants` values by the field's name."""

    name: str
    meaning: str
    papers: tuple[str, ...]
    wants: Mapping[str, object]


class Recipe(NamedTuple):
    """A named method that is a loss with certain settings, and what a stage writes for it."""

    name: str
    meaning: str
    papers: tuple[str, ...]
    writes: Mapping[str, object]


def read_losses(method: str) -> tuple[Loss, ...]:
    """Return the losses of a method, in the order in which they are explained."""
    return tuple(
        Loss(name, entry["meaning"], tuple(entry.get("papers", ())), entry.get("wants", {}))
        for name, entry in _table("losses", method).items()
    )


def read_recipes(method: str) -> tuple[Recipe, ...]:
    """Return the recipes of a method, in the order in which they are explained."""
    return tuple(
        Recipe(name, entry["meaning"], tuple(entry["papers"]), entry["writes"])
        for name, entry in _table("recipes", method).items()
    )


def _table(part: str, method: str) -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))[part].get(method, {})
