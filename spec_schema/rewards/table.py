"""What every reward has."""

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Discriminator, Field, Tag

from spec_schema.base import LazyTables, Name, Purpose, Table, Variants, Weight

if TYPE_CHECKING:
    from spec_schema.moving_weights import Adapt, Schedule
else:  # few specs have one
    Adapt, Schedule = (
        Annotated[Table, Variants(LazyTables("spec_schema", {kind: f"moving_weights:{kind}"}))]
        for kind in ("Adapt", "Schedule")
    )

__all__ = ["RewardTable", "TextRewardTable"]


def _number_or_table(value: object) -> str:
    return "<table>" if isinstance(value, dict | Table) else "<number>"


class RewardTable(Table):
    """What every reward has."""

    pays_for: ClassVar[Purpose]

    weight: Annotated[
        Annotated[Weight, Tag("<number>")] | Annotated[Schedule, Tag("<table>")],
        Discriminator(_number_or_table),
    ] = Field(
        default=1.0,
        description="Factor of this reward in the sum, 0 or more; 0: logged, not paid. "
        "Or a schedule.",
    )
    adapt: Adapt | None = Field(
        default=None,
        description="Raises or lowers a `weight` that is a number while a stage trains.",
    )
    only_if: Name | None = Field(
        default=None,
        description="The reward is paid only where the reward of this name is full, at the upper "
        "end of its range, and is 0 elsewhere.",
    )
    checks_answer: bool = Field(
        default=False,
        description="This reward is the task's correctness: a full mark is a right answer.",
    )

    @property
    def purpose(self) -> Purpose:
        """What it pays for in this task."""
        return "correctness" if self.checks_answer else self.pays_for

    def bounds(self) -> tuple[float, float]:
        """Its lowest and highest value; the highest is a full mark, infinite where none is."""
        return (0.0, 1.0)


class TextRewardTable(RewardTable):
    """What every reward has that looks at a text, and not at the layout of a whole completion."""

    on: Literal["completion", "answer", "thinking"] = Field(
        default="completion",
        description="Which part is looked at. `answer`: what `[answer]` reads, empty where it "
        "reads nothing. `thinking`: what stands in the `<think>` block.",
    )
