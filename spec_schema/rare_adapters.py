"""Adapters that few specs have."""

from typing import Literal

from pydantic import Field

from spec_schema.adapter_keys import AdapterTable

__all__ = ["DoraAdapter", "QloraAdapter"]


class QloraAdapter(AdapterTable):
    """Train low-rank additions beside weights of 4 bit (nf4, quantized twice, arXiv 2305.14314).

    At the end of a stage they are merged into its start as it is on disk, never into 4-bit weights.
    Needs a GPU.
    """

    kind: Literal["qlora"] = Field(description="Which adapter.")


class DoraAdapter(AdapterTable):
    """Train low-rank additions to the direction of the weights, and their magnitude beside them.

    As LoRA (arXiv 2402.09353); slower, since each layer is normalized anew in every pass.
    """

    kind: Literal["dora"] = Field(description="Which adapter.")
