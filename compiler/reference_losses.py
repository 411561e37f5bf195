"""The losses and recipes of a method as the reference shows them: papers, values, what to write."""

import json
from collections.abc import Collection, Iterator, Mapping

from compiler.stack.loss_defaults import loss_defaults
from compiler.stack.losses import Loss, Recipe, read_losses, read_recipes

__all__ = ["losses_part"]


def losses_part(method: str, keys: Collection[str]) -> str:
    """The tables of a method; empty where it has neither. `keys` are those of its stages."""
    tables = "".join(
        [
            *_table(
                f"Losses of `{method}`",
                "Values are those of the paper, or where it has none of TRL's page of papers; "
                "those with a * are set where the spec leaves them out.",
                ("`loss_type`", "what it is", "paper", "values"),
                [_loss_row(method, loss, keys) for loss in read_losses(method)],
            ),
            *_table(
                f"Recipes of `{method}`",
                "What papers call a method of its own, and is this one with certain settings.",
                ("name", "what it is", "paper", "what a stage writes"),
                [_recipe_row(recipe, keys) for recipe in read_recipes(method)],
            ),
        ]
    )
    return tables[:-1]


def _table(
    heading: str, note: str, columns: tuple[str, ...], rows: list[tuple[str, ...]]
) -> Iterator[str]:
    if not rows:
        return
    yield f"### {heading}\n\n{note}\n\n"
    yield from map(_line, (columns, ("---",) * len(columns), *rows))
    yield "\n"


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _loss_row(method: str, loss: Loss, keys: Collection[str]) -> tuple[str, ...]:
    filled = {default.field for default in loss_defaults(method, (loss.name,))}
    values = _written(loss.wants, keys, filled)
    return (f"`{loss.name}`", loss.meaning, _papers(loss.papers), values)


def _recipe_row(recipe: Recipe, keys: Collection[str]) -> tuple[str, ...]:
    return (recipe.name, recipe.meaning, _papers(recipe.papers), _written(recipe.writes, keys))


def _papers(papers: tuple[str, ...]) -> str:
    return ", ".join(f"[{paper}](https://arxiv.org/abs/{paper})" for paper in papers)


def _written(
    values: Mapping[str, object], keys: Collection[str], filled: Collection[str] = ()
) -> str:
    """Each value as a line of the stage's table; one without a key of its own is in `trainer`."""
    return ", ".join(
        f"`{name if name in keys else f'trainer.{name}'} = {_toml(value)}`"
        f"{'*' if name in filled else ''}"
        for name, value in values.items()
    )


def _toml(value: object) -> str:
    return json.dumps(value).replace("e-0", "e-")
