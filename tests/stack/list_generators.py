"""Write the table of reasoning-gym's generators, which the compiler reads.

    python tests/stack/list_generators.py      # writes compiler/stack/reasoning_gym.json

Run it where reasoning-gym is installed; `tests/gym/test_real_generators.py` holds the two together.
"""

import dataclasses
import importlib
import json
import pathlib
import typing
from importlib import metadata

__all__ = ["TABLE", "generators"]

TABLE = pathlib.Path(__file__).parents[2] / "compiler" / "stack" / "reasoning_gym.json"
OURS = ("seed", "size")  # which the project sets itself


def generators() -> dict[str, typing.Any]:
    """Return the release, and the settings of each of its generators by name."""
    registered = importlib.import_module("reasoning_gym.factory").DATASETS
    importlib.import_module("reasoning_gym")  # registers them
    return {
        "release": metadata.version("reasoning-gym"),
        "generators": {
            name: [field.name for field in dataclasses.fields(config) if field.name not in OURS]
            for name, (_, config) in sorted(registered.items())
        },
    }


if __name__ == "__main__":
    TABLE.write_text(json.dumps(generators(), indent=1) + "\n", encoding="utf-8")
