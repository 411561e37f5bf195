"""The `[eval]` and `[run]` tables: how results are measured, tracked and kept."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Discriminator, Field, Tag

from spec_schema.base import Finite, LazyTables, Name, NonEmptyText, Table, Variants

if TYPE_CHECKING:
    from spec_schema.endings import StopWhen
else:  # few specs have one
    _STOP_WHEN = LazyTables("spec_schema", {"StopWhen": "endings:StopWhen"})
    StopWhen = Annotated[Table, Variants(_STOP_WHEN)]

__all__ = ["Eval", "Run", "Tracker", "Tracking", "TrackingTable"]

Tracker = Literal["none", "tensorboard", "trackio", "wandb"]


Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class Eval(Table):
    """How `evaluate.py` scores a model on the held-out rows."""

    samples: int = Field(
        default=4,
        ge=1,
        description="Completions sampled for each row; pass@k is given for k up to this.",
    )
    temperature: float = Field(
        default=0.7,
        ge=0,
        allow_inf_nan=False,
        description="Sampling temperature; 0: the most likely token, which needs `samples = 1`.",
    )
    top_p: float = Field(
        default=1.0,
        gt=0,
        le=1,
        allow_inf_nan=False,
        description="Sample from the likeliest tokens that together have this probability.",
    )
    top_k: int = Field(
        default=0, ge=0, description="Sample from so many likeliest tokens; 0: from all."
    )
    min_p: float | None = Field(
        default=None,
        ge=0,
        le=1,
        allow_inf_nan=False,
        description="Leave out tokens less likely than this share of the likeliest one's "
        "probability. Left out: none for that.",
    )
    max_completion_length: int | None = Field(
        default=None,
        ge=1,
        description="Longest completion in tokens. Left out: that of the last stage that "
        "samples, without one 512.",
    )
    minimum: dict[Name, Finite] = Field(
        default_factory=dict[str, float],
        description="Lowest acceptable mean by reward; `evaluate.py` exits 1 where the last "
        "policy stage is below.",
    )
    minimum_accuracy: dict[Name, Share] = Field(
        default_factory=dict[str, float],
        description="Lowest acceptable accuracy by `reward`, `dpo` or `kto` stage, on the held-out "
        "rows of its own `data`: how often the better answer scores higher. `evaluate.py` exits 1 "
        "where one is below.",
    )


class TrackingTable(Table):
    """Where the curves go."""

    to: Tracker = Field(description="The tracker.")
    project: NonEmptyText | None = Field(
        default=None,
        description="Project of `trackio` or `wandb` that the runs belong to, each named as its "
        "stage. Left out: the name of this project.",
    )
    space: NonEmptyText | None = Field(
        default=None,
        description="Space of the hub, as `user/name`, where `trackio` shows the curves. "
        "Left out: they stay on this machine.",
    )


def _name_or_table(value: object) -> str:
    return "<table>" if isinstance(value, dict | TrackingTable) else "<name>"


Tracking = Annotated[
    Annotated[Tracker, Tag("<name>")] | Annotated[TrackingTable, Tag("<table>")],
    Discriminator(_name_or_table),
]


class Run(Table):
    """What is recorded and kept while training."""

    tracking: Tracking = Field(
        default="none",
        description='Where the curves go: a name, or `{ to = "wandb", project = "maths" }`.',
    )
    eval_every: int | None = Field(
        default=None,
        ge=1,
        description="Evaluate on the held-out rows after so many optimizer steps. "
        "Left out: not while training.",
    )
    save_every: int = Field(
        default=100, ge=1, description="Write a checkpoint after so many optimizer steps."
    )
    keep: int = Field(default=2, ge=1, description="Checkpoints of a stage that are kept.")
    log_completions_every: int | None = Field(
        default=None,
        ge=1,
        description="Log sampled completions after so many optimizer steps. Left out: never.",
    )
    stop_when: StopWhen | None = Field(
        default=None,
        description="Ends an RL stage whose reward has collapsed; it exits 6, as `run.sh` does.",
    )

    @property
    def tracker(self) -> Tracker:
        """Where the curves go."""
        return self.tracking.to if isinstance(self.tracking, TrackingTable) else self.tracking
