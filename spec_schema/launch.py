"""The tables of `[hardware]` that few specs have: what samples, and what starts a run."""

from typing import Annotated, Literal

from pydantic import Field

from spec_schema.base import NonEmptyText, Table

__all__ = ["FORMS", "Engine", "Rollout", "Skypilot", "Slurm"]

Engine = Literal["auto", "transformers", "vllm-colocate", "vllm-server"]
# Text without a line break or another control character than a tab.
LINE = r"^[^\x00-\x08\x0a-\x1f\x7f]+$"
# A word of an `#SBATCH` line, which has no shell to read quotes.
SLURM_NAME = r"^[^\s\x00-\x1f\x7f\"'\\#]+$"
SLURM_OPTION = r"^--[a-z][a-z-]*(=[^\s\x00-\x1f\x7f\"'\\#]+)?$"
# A bucket with a folder in it, or the name of a volume.
OUTPUTS = r"^([a-z0-9]+://[^\s\x00-\x1f\x7f]+|[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?)$"
# Minutes, minutes:seconds, hours:minutes:seconds, or the same behind days and a dash (sbatch).
SLURM_TIME = r"^([0-9]+-[0-9]{1,2}(:[0-9]{2}){0,2}|[0-9]+(:[0-9]{2}){0,2})$"
# What is said of a text that does not have such a form.
FORMS = {
    LINE: "write one line of shell for each entry",
    SLURM_NAME: "write the name in one word, without quotes, backslashes and `#`",
    SLURM_OPTION: "write one option of sbatch for each entry, such as `--mem=200G`",
    OUTPUTS: "write a bucket, such as `s3://acme-runs/sums`, or the name of a volume",
    SLURM_TIME: "write `hours:minutes:seconds`, or with `days-` before it, such as `2-00:00:00`",
}

Line = Annotated[str, Field(min_length=1, pattern=LINE)]
SlurmName = Annotated[str, Field(pattern=SLURM_NAME)]
SlurmOption = Annotated[str, Field(pattern=SLURM_OPTION)]


class Rollout(Table):
    """What samples the completions of GRPO and RLOO."""

    engine: Engine = Field(
        default="auto",
        description="`transformers`: the model's own `generate`. `vllm-colocate`: vLLM in the "
        "processes that train. `vllm-server`: vLLM on GPUs of its own. `auto`: vLLM beside the "
        "trainer where it works on the tier and fits, else transformers.",
    )
    gpus: int | None = Field(
        default=None,
        ge=1,
        description="GPUs of the vLLM server, out of those in all. Left out: `tensor_parallel`.",
    )
    tensor_parallel: int | None = Field(
        default=None,
        ge=1,
        description="GPUs that hold one copy of the model together. Left out: as few as hold it, "
        "of a server as leave GPUs that can share the step.",
    )
    share: float | None = Field(
        default=None,
        gt=0,
        lt=1,
        description="Part of each GPU's memory that vLLM takes. Left out: of a server 0.9, beside "
        "the trainer as much as the weights and the completions of a step need.",
    )
    max_model_tokens: int | None = Field(
        default=None,
        ge=1,
        description="Longest prompt with its completion that vLLM makes room for. Left out: "
        "`max_prompt_tokens` and `max_completion_length` together.",
    )


class Slurm(Table):
    """What a SLURM batch script asks for, and what it does before a stage."""

    partition: SlurmName | None = Field(
        default=None, description="Partition. Left out: the cluster's default."
    )
    account: SlurmName | None = Field(
        default=None, description="Account that pays. Left out: your default."
    )
    qos: SlurmName | None = Field(
        default=None, description="Quality of service. Left out: the cluster's default."
    )
    time: Annotated[str, Field(pattern=SLURM_TIME)] = Field(
        default="24:00:00",
        description="Longest run, as sbatch writes it: `hours:minutes:seconds`, or with `days-` "
        "before it.",
    )
    options: list[SlurmOption] = Field(
        default_factory=list[str],
        description="Further options of sbatch, such as `--cpus-per-gpu=12` or `--exclusive`. "
        "Without any the cluster decides how many CPUs and how much memory a GPU comes with.",
    )
    setup: list[Line] = Field(
        default_factory=lambda: [". .venv/bin/activate"],
        description="Lines of shell that prepare each node, such as `module load cuda/13.0`. "
        "Left out: the environment in `.venv` is activated.",
    )


class Skypilot(Table):
    """What a SkyPilot task asks for."""

    infra: NonEmptyText | None = Field(
        default=None,
        description="Where to run, as SkyPilot writes it, such as `aws/us-east-1`. Left out: the "
        "cheapest place that has the GPUs.",
    )
    use_spot: bool = Field(
        default=False, description="Whether the machines may be taken away; the run then goes on."
    )
    disk_gb: int = Field(default=256, ge=50, description="Size of the disk of a machine, in GB.")
    setup: list[Line] = Field(
        default_factory=list[str],
        description="Lines of shell that prepare each machine before the packages are installed.",
    )
    outputs: Annotated[str, Field(pattern=OUTPUTS)] | None = Field(
        default=None,
        description="Where `outputs/` outlives the machines: a bucket, such as "
        "`s3://acme-runs/sums`, or a SkyPilot volume by its name, which several machines share. "
        "Left out: on the disk of the machine.",
    )
