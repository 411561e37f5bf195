"""When a stage must not begin, and when it ends before its last step."""

from pydantic import Field

from spec_schema.base import Finite, Name, Table

__all__ = ["Gate", "StopWhen", "Until"]


class Gate(Table):
    """What the stage's start must be able to do, measured before the first step."""

    reward: Name = Field(description="The reward whose full marks are counted.")
    pass_at: int = Field(
        default=8, ge=1, description="Completions sampled for each prompt, as the stage samples."
    )
    at_least: float = Field(
        gt=0,
        le=1,
        allow_inf_nan=False,
        description="Lowest share of prompts with a full mark in one of their completions; below "
        "it the stage does not train and exits 5.",
    )
    rows: int = Field(default=64, ge=1, description="Training prompts that are tried.")


class Until(Table):
    """What ends the stage early, as a success."""

    reward: Name = Field(description="The reward whose raw mean is watched.")
    at_least: Finite = Field(description="The mean with which the stage ends.")
    window: int = Field(
        default=5, ge=1, description="Logged values over which the mean is taken, the latest ones."
    )


class StopWhen(Table):
    """What ends an RL stage, and the chain with it, as a failure."""

    reward: Name = Field(description="The reward whose raw mean is watched.")
    below: Finite = Field(
        description="A logging window with a lower mean ends the stage; it exits 6."
    )
    after: int = Field(
        default=0, ge=0, description="Optimizer steps of a stage in which nothing is watched yet."
    )
