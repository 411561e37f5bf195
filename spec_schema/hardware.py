"""The `[hardware]` table: the machine that the plan is made for."""

from typing import Literal

from pydantic import Field

from spec_schema.base import Table

__all__ = ["Hardware", "Tier"]

Tier = Literal[
    "cpu",
    "8gb",
    "12gb",
    "16gb",
    "24gb",
    "32gb",
    "40gb",
    "48gb",
    "80gb",
    "96gb",
    "141gb",
    "192gb",
]


class Hardware(Table):
    """The machine that the plan is made for; it decides the mechanics, never the recipe.

    Whether the model fits into its memory is not checked in this version.
    """

    tier: Tier = Field(
        description="`cpu`, or the memory class of one GPU: it decides the precision and "
        "into which batches a step is split."
    )
    gpus: int = Field(
        default=1, ge=1, description="Number of GPUs in all; this version builds for one."
    )
