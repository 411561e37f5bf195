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
    "rtx-3060",
    "rtx-3090",
    "rtx-4060-ti-16gb",
    "rtx-4070",
    "rtx-4080",
    "rtx-4090",
    "rtx-5060-ti-16gb",
    "rtx-5070",
    "rtx-5080",
    "rtx-5090",
    "rtx-pro-6000",
    "a10g",
    "l4",
    "a40",
    "a6000",
    "l40s",
    "a100-40gb",
    "a100-80gb",
    "h100",
    "h20",
    "h200",
    "b200",
]


class Hardware(Table):
    """The machine that the plan is made for; it decides the mechanics, never the recipe.

    Whether a stage fits into its memory is predicted from the architecture of the base. A stage
    that cannot fit is an error; a micro-batch that does not fit is made smaller.
    """

    tier: Tier = Field(
        description="`cpu`, the memory class of one GPU, or a GPU's name: it decides the precision "
        "and into which batches a step is split."
    )
    gpus: int = Field(
        default=1, ge=1, description="Number of GPUs in all; this version builds for one."
    )
