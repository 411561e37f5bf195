"""Where a model lies on this machine: in its folder, or in the cache of the hub.

Found by path, so that neither huggingface_hub nor the network is needed.
"""

import os
from pathlib import Path

__all__ = ["model_folder"]


def model_folder(base: str, revision: str | None, folder: Path) -> Path | None:
    """The folder of a model: that of the spec, or the snapshot in the hub's cache, None without."""
    if base.startswith(("./", "../", "/")):
        return folder / base
    model = _cache() / f"models--{base.replace('/', '--')}"
    reference = model / "refs" / (revision or "main")
    try:
        commit = reference.read_text(encoding="utf-8").strip() if reference.is_file() else revision
    except (OSError, ValueError):
        return None
    return None if commit is None else model / "snapshots" / commit


def _cache() -> Path:
    """Where huggingface_hub keeps what it downloads (huggingface_hub/constants.py)."""
    cache = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE")
    if cache:
        return Path(cache).expanduser()
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(os.environ.get("HF_HOME") or f"{home}/huggingface").expanduser() / "hub"
