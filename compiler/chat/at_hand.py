"""The chat template of a base model that lies on this machine: in a folder, or in the hub's cache.

Read by path, so that neither transformers nor the network is needed. What is found here never
decides what a project says, only what a check finds: another machine may have another cache.
"""

import json
from pathlib import Path
from typing import NamedTuple, cast

from compiler.hub_cache import model_folder

__all__ = ["TemplateAtHand", "template_at_hand"]

_NAMED_TOKENS = ("bos_token", "eos_token", "pad_token", "unk_token")


class TemplateAtHand(NamedTuple):
    """A tokenizer's chat template, None where it has none, and its special tokens by their names.

    `adds_begin`: the tokenizer puts its begin-of-text token before a plain text.
    """

    text: str | None
    tokens: dict[str, str]
    adds_begin: bool


def template_at_hand(base: str, revision: str | None, folder: Path) -> TemplateAtHand | None:
    """Read the template of a base model, None where its tokenizer is not on this machine."""
    try:
        place = model_folder(base, revision, folder)
        if place is None or not (place / "tokenizer_config.json").is_file():
            return None
        settings = json.loads((place / "tokenizer_config.json").read_text(encoding="utf-8"))
        beside = place / "chat_template.jinja"
        own = beside.read_text(encoding="utf-8") if beside.is_file() else None
    except (OSError, ValueError):
        return None
    if not isinstance(settings, dict):
        return None
    table = cast("dict[str, object]", settings)
    tokens = {name: _token(table.get(name)) for name in _NAMED_TOKENS}
    return TemplateAtHand(
        text=_template(table.get("chat_template")) if own is None else own,
        tokens={name: token for name, token in tokens.items() if token},
        adds_begin=table.get("add_bos_token") is True,
    )


def _token(value: object) -> str:
    """A special token, which is written as a text or as a table with its content."""
    if isinstance(value, dict):
        value = cast("dict[str, object]", value).get("content")
    return value if isinstance(value, str) else ""


def _template(value: object) -> str | None:
    """A template as a text, or the one named `default` of several."""
    if isinstance(value, list):
        entries = cast("list[object]", value)
        tables = [cast("dict[str, object]", each) for each in entries if isinstance(each, dict)]
        value = next(
            (each.get("template") for each in tables if each.get("name") == "default"), None
        )
    return value if isinstance(value, str) else None
