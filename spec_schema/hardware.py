"""The `[hardware]` table: the machine that the plan is made for."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from spec_schema.base import LazyTables, Table, Variants

if TYPE_CHECKING:
    from spec_schema.launch import Rollout, Skypilot, Slurm
else:  # few specs have one
    Rollout = Annotated[Table, Variants(LazyTables("spec_schema", {"rollout": "launch:Rollout"}))]
    Slurm = Annotated[Table, Variants(LazyTables("spec_schema", {"slurm": "launch:Slurm"}))]
    Skypilot = Annotated[
        Table, Variants(LazyTables("spec_schema", {"skypilot": "launch:Skypilot"}))
    ]

__all__ = ["Backend", "Hardware", "Launcher", "Sharding", "Tier"]

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
    "t4",
    "v100",
    "v100-32gb",
    "rtx-2080-ti",
    "rtx-3060",
    "rtx-3070",
    "rtx-3080",
    "rtx-3090",
    "rtx-4060",
    "rtx-4060-ti-16gb",
    "rtx-4070",
    "rtx-4080",
    "rtx-4090",
    "rtx-5060",
    "rtx-5060-ti-16gb",
    "rtx-5070",
    "rtx-5070-ti",
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
    "h800",
    "h20",
    "h200",
    "b200",
    "b300",
    "mi300x",
    "apple",
    "apple-32gb",
    "apple-64gb",
    "apple-128gb",
]
Backend = Literal["trl", "unsloth"]
Launcher = Literal["local", "slurm", "skypilot"]
Sharding = Literal["auto", "none", "zero2", "zero3", "fsdp2"]
# More than any cluster has for one model; the numbers that share a step are sought one by one.
MOST_GPUS = 100_000


class Hardware(Table):
    """The machine that the plan is made for; it decides the mechanics, never the recipe.

    Whether a stage fits into its memory is predicted from the architecture of the base. A stage
    that cannot fit is an error; a micro-batch that does not fit is made smaller.
    """

    tier: Tier = Field(
        description="`cpu`, the memory class of one GPU, or a GPU's name: it decides the precision "
        "and into which batches a step is split. A memory class is of NVIDIA's GPUs from Ampere "
        "on; `apple` is a chip with 16 GB."
    )
    gpus: int = Field(
        default=1,
        ge=1,
        le=MOST_GPUS,
        description="Number of GPUs in all. An optimizer step is shared out among those that "
        "train; it is as large as on one.",
    )
    nodes: int = Field(
        default=1,
        ge=1,
        le=MOST_GPUS,
        description="Number of machines, which have equally many of the GPUs.",
    )
    reserve_gb: float = Field(
        default=0.0,
        ge=0,
        allow_inf_nan=False,
        description="Memory in GB on each GPU that something else takes, such as a desktop.",
    )
    backend: Backend = Field(
        default="trl",
        description="`trl`: TRL's trainers on models of transformers. `unsloth`: the same trainers "
        "on models that Unsloth has patched, on one GPU.",
    )
    sharding: Sharding = Field(
        default="auto",
        description="What the GPUs share out beside the rows of a step: `none` nothing, `zero2` "
        "the optimizer's states and the gradients, `zero3` and `fsdp2` the weights as well. "
        "`auto`: no more than a stage needs to fit.",
    )
    rollout: Rollout | None = Field(
        default=None,
        description="What samples the completions of GRPO and RLOO. Left out: vLLM beside the "
        "trainer where it works on the tier and fits, else transformers.",
    )
    launcher: Launcher = Field(
        default="local",
        description="What starts the stages beside `run.sh`: `slurm` adds a batch script, "
        "`skypilot` a task file.",
    )
    slurm: Slurm | None = Field(
        default=None, description='What `slurm.sh` asks for, with `launcher = "slurm"`.'
    )
    skypilot: Skypilot | None = Field(
        default=None, description='What `sky.yaml` asks for, with `launcher = "skypilot"`.'
    )
    price_per_gpu_hour: float | None = Field(
        default=None,
        gt=0,
        allow_inf_nan=False,
        description="What an hour of one GPU costs you, in any currency: PLAN.md then has the "
        "cost beside the hours. Left out: it has none.",
    )
