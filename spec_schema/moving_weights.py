"""Weights of rewards that change while a stage trains, imported where a spec has one."""

from typing import Literal

from pydantic import Field

from spec_schema.base import Finite, Table, Weight

__all__ = ["Adapt", "Schedule"]


class Schedule(Table):
    """A weight that moves from one number to another, counted from the first step of each stage."""

    from_: Weight = Field(alias="from", description="The weight in the first optimizer step.")
    to: Weight = Field(description="The weight once `steps` steps are done, and from then on.")
    steps: int = Field(ge=1, description="Optimizer steps of a stage after which it is at `to`.")
    shape: Literal["linear", "cosine", "step"] = Field(
        default="linear",
        description="The way there: evenly; along half a wave, slow at both ends; or all at once.",
    )


class Adapt(Table):
    """How a weight follows the reward's raw mean, looked at once each logging window."""

    below: Finite = Field(description="Under this mean the weight is multiplied by `up`.")
    above: Finite = Field(description="Over this mean the weight is multiplied by `down`.")
    up: float = Field(gt=1, allow_inf_nan=False, description="Factor while the mean is low.")
    down: float = Field(gt=0, lt=1, description="Factor while the mean is high.")
    min: Weight = Field(description="The weight falls no lower.")
    max: Weight = Field(description="The weight rises no higher.")
