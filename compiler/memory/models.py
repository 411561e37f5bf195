"""Which architecture a base model has: by its `config.json`, its name, or the size in its name.

`models.json` holds the dimensions of the models that people train, under transformers' own keys.
They are those of the official configs, as LitGPT's `config.py` and transformers 5.24 have them.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from compiler.memory.architecture import Architecture
from compiler.memory.unusual import unusual_blocks

__all__ = ["architecture_of", "from_config", "known_models"]

CATALOGUE = Path(__file__).parent / "models.json"
LARGEST_NUMBER = 10**7
SMALLEST_MODEL, LARGEST_MODEL = 1e6, 1e15
LOCAL = ("./", "../", "/")

# What a config leaves to the code of its kind of model.
QKV_BIAS = ("qwen2",)
QUERY_NORM = (
    *("qwen3", "qwen3_moe", "qwen3_5_text", "qwen3_5_moe_text"),
    *("gemma3_text", "gemma4_text", "olmo2", "olmo3"),
)
FOUR_NORMS = ("gemma2", "gemma3_text", "gemma4_text")
# Decoders of attention and gated MLP, which the formula describes; of others it says so.
KINDS = (
    *("llama", "mistral", "mixtral", "qwen2", "qwen3", "qwen3_moe", "smollm3", "phi3"),
    *("gemma2", "gemma3_text", "granite", "olmo2", "olmo3"),
)

SIZE = r"(?<![a-z0-9.])(?:(\d+)x)?(\d+(?:\.\d+)?)([bm])(?![a-z0-9])"
_KNOWN: list[dict[str, Any]] = []


def architecture_of(base: str, folder: Path, cached: Path | None = None) -> Architecture | None:
    """Find the architecture of a base model; None where nothing tells its size.

    A local base is looked up beside the spec, in `folder`. A model that the catalogue lacks is
    looked up in `cached`, the folder of the hub's cache that would have it; else one whose name
    gives a size is taken for the nearest of the catalogue, with its own number of parameters.
    """
    if base.startswith(LOCAL):
        return _local(folder / base)
    name = base.rpartition("/")[2].lower()
    found = [
        (len(key), config) for config in known_models() for key in config["names"] if key in name
    ]
    if found:
        _, config = max(found, key=lambda each: each[0])
        return from_config(config, config["names"][0])
    here = None if cached is None else _local(cached)
    if here is not None:
        return here._replace(name=name, found="its dimensions are those of the hub's cache here")
    return _by_size(name)


def known_models() -> list[dict[str, Any]]:
    """The catalogue, read at its first use."""
    if not _KNOWN:
        _KNOWN.extend(json.loads(CATALOGUE.read_text(encoding="utf-8")))
    return _KNOWN


def from_config(config: Mapping[str, Any], name: str) -> Architecture | None:
    """Read an architecture from the values of a `config.json`; None where dimensions are missing.

    Of a model that sees images the text decoder counts.
    """
    if isinstance(config.get("text_config"), Mapping):
        config = {"model_type": config.get("model_type"), **config["text_config"]}
    kind = str(config.get("model_type"))
    said = f"`{kind}`" if kind.isidentifier() else "its kind"
    try:
        hidden, heads = _number(config, "hidden_size"), _number(config, "num_attention_heads")
        experts = _number(config, "num_experts", "num_local_experts", "n_routed_experts", default=0)
        width = ("moe_intermediate_size",) if experts else ()
        blocks = unusual_blocks(kind, config)
        return Architecture(
            name=name,
            hidden=hidden,
            layers=_number(config, "num_hidden_layers"),
            heads=heads,
            kv_heads=_number(config, "num_key_value_heads", default=heads),
            head_size=_number(config, "head_dim", default=hidden // heads),
            intermediate=_number(config, *width, "intermediate_size"),
            vocabulary=_number(config, "vocab_size"),
            tied=bool(config.get("tie_word_embeddings", kind.startswith("gemma"))),
            experts=experts,
            experts_per_token=_number(config, "num_experts_per_tok", default=0),
            shared=_number(config, "shared_expert_intermediate_size", default=0),
            norms=4 if kind in FOUR_NORMS else 2,
            query_norm=kind in QUERY_NORM,
            qkv_bias=kind in QKV_BIAS or bool(config.get("attention_bias")),
            kind=kind,
            blocks=blocks,
            assumed="" if kind in KINDS else _assumed(kind, said, counted=blocks is not None),
        )
    except (KeyError, TypeError, ValueError):
        return None


def _assumed(kind: str, said: str, *, counted: bool) -> str:
    """What is not known of a kind of model, as far as memory depends on it."""
    if kind.startswith("qwen3_5"):
        return "its Gated DeltaNet layers are counted as without flash-linear-attention"
    if counted:
        return f"what the layers of {said} save is taken for that of usual ones"
    return f"the layers of {said} are taken for usual ones"


def _number(config: Mapping[str, Any], *keys: str, default: int | None = None) -> int:
    """The first of some keys that a config has; raises where it is no dimension of a model."""
    value = next((config[key] for key in keys if config.get(key)), default)
    if value is None:
        raise KeyError(*keys)
    if not isinstance(value, int) or not 0 <= value <= LARGEST_NUMBER:
        raise ValueError(*keys)
    return value


def _local(folder: Path) -> Architecture | None:
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return from_config(config, folder.name) if isinstance(config, dict) else None  # pyright: ignore[reportUnknownArgumentType]  # JSON


def _by_size(name: str) -> Architecture | None:
    """The nearest dense model of the catalogue, with the parameters that a name gives."""
    sizes = [
        int(times or 1) * float(number) * (1e9 if unit == "b" else 1e6)
        for times, number, unit in re.findall(SIZE, name)
    ]
    if not sizes or max(sizes) < SMALLEST_MODEL:
        return None
    counted = int(min(max(sizes), LARGEST_MODEL))
    known = (from_config(config, config["names"][0]) for config in known_models())
    dense = [each for each in known if each and not each.experts and each.blocks is None]
    near = min(dense, key=lambda each: abs(each.parameters / counted - 1))
    if near.other >= counted:
        return None
    said = f"taken for {near.name} with {counted / 1e9:.3g}e9 parameters, by its name alone"
    return near._replace(name=name, assumed=said, counted=counted, kind="")
