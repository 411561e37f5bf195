"""The `[hardware]` table: the machine that the plan must fit."""

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
    """The machine that the plan must fit; it decides the mechanics, never the recipe."""

    tier: Tier = Field(description="`cpu`, or the memory of one GPU.")
    gpus: int = Field(default=1, ge=1, description="Number of GPUs in all.")
