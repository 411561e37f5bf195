"""What every kind of adapter has."""

from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag

from spec_schema.base import NonEmptyText, Table, text_or_list

__all__ = ["AdapterTable"]


TargetModules = Annotated[
    Annotated[Literal["all-linear"], Tag("<text>")]
    | Annotated[list[NonEmptyText], Field(min_length=1), Tag("<list>")],
    Discriminator(text_or_list),
]


class AdapterTable(Table):
    """Low-rank additions to the weights."""

    r: int = Field(default=16, ge=1, description="Rank of the additions.")
    alpha: int = Field(
        default=32, ge=1, description="Scale of the additions; they count alpha / r."
    )
    dropout: float = Field(
        default=0.0, ge=0, lt=1, description="Share of the adapter's inputs that training drops."
    )
    target_modules: TargetModules = Field(
        default="all-linear",
        description="Which modules get an addition: all linear ones but the output head, "
        "or a list of module names.",
    )
    use_rslora: bool = Field(
        default=False,
        description="Let the additions count alpha / sqrt(r), so that a higher rank does not learn "
        "slower (arXiv 2312.03732).",
    )
