"""An entry of a generator of reasoning-gym, made again from what its row says."""

import json
from functools import cache, lru_cache
from typing import Any

import reasoning_gym
from reasoning_gym.dataset import ProceduralDataset


@cache
def generator(arguments: str) -> ProceduralDataset:
    """Make a generator from its arguments as JSON, once: some read a word list."""
    return reasoning_gym.create_dataset(**json.loads(arguments))


@lru_cache(maxsize=10_000)
def generated_entry(made_by: str) -> tuple[ProceduralDataset, dict[str, Any]]:
    """Return the generator of a row, and the entry with all that its verifier needs."""
    said = json.loads(made_by)
    made_of = generator(json.dumps(said["generator"]))
    return made_of, made_of[said["entry"]]
