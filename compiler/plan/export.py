"""Context of export.py."""

from typing import NamedTuple

__all__ = ["ExportFile"]


class ExportFile(NamedTuple):
    """Context of export.py: Python expressions, None for what the last stage does not have.

    `chain` maps the stages that the exported model went through to what each started from, and
    `start` is the last one's: its own `model` where it has one. `prompts` are those that the two
    models are compared on, loaded by `rows_import`. `dtype` is that of the export, `trained_dtype`
    that in which the stage computed; `rounds` says that these have 16 bit. `answer_tokens` is the
    longest answer in a chat.
    """

    chain: str
    last: str
    start: str
    model: str | None
    from_base: bool
    from_folder: bool
    revision: str | None
    adapter: bool
    quantization: str | None
    dtype: str
    trained_dtype: str
    rounds: bool
    device: str
    rows_import: str
    prompts: str
    card: str
    system: bool
    rewards: bool
    answer_tokens: str
