"""Contexts of the pages and of the files that are no Python."""

from typing import NamedTuple

__all__ = [
    "AboutFile",
    "ChatTemplateFile",
    "GitignoreFile",
    "PlanPage",
    "PyprojectFile",
    "ReadmePage",
    "RewardRow",
    "Setting",
    "StageRow",
    "WorkflowFile",
]


class ChatTemplateFile(NamedTuple):
    """Context of chat_template.jinja."""

    text: str


class GitignoreFile(NamedTuple):
    """Context of .gitignore: what lies in the folder, logs of SLURM jobs or code of Unsloth's."""

    slurm: bool
    unsloth: bool


class PyprojectFile(NamedTuple):
    """Context of the project's pyproject.toml; every value is TOML text.

    `unsloth` writes a folder of its own beside the scripts.
    `vllm` is its requirement where a stage samples with it: an extra, for the tests do without it,
    and where there is no GPU it cannot even be imported.
    """

    name: str
    description: str
    python: str
    dependencies: tuple[str, ...]
    vllm: str | None
    modules: tuple[str, ...]
    unsloth: bool = False


class AboutFile(NamedTuple):
    """A file of the project and what it is."""

    path: str
    about: str


class Setting(NamedTuple):
    """A row of PLAN.md's table of settings."""

    name: str
    value: str
    origin: str


class StageRow(NamedTuple):
    """A stage as the pages show it."""

    name: str
    method: str
    start: str
    trains: str
    arithmetic: str = ""
    settings: tuple[Setting, ...] = ()
    memory: tuple[str, ...] = ()
    time: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()


class RewardRow(NamedTuple):
    """A row of PLAN.md's table of rewards."""

    name: str
    kind: str
    range: str
    weights: tuple[str, ...]


class ReadmePage(NamedTuple):
    """Context of README.md.

    `sampled` are the titles of the methods that learn from what they sample, empty without one;
    `several` is how many completions a held-out row gets, None where it gets one. `start` is the
    command for all stages, as wide as a comment behind it needs, `starting` what is said of it.
    """

    title: str
    description: str
    summary: str
    stages: tuple[StageRow, ...]
    rewards: bool
    sft: bool
    reward: bool
    dpo: bool
    kto: bool
    sampled: str
    evaluates: bool
    completes: bool
    compares: bool
    several: str | None
    last: str | None
    repository: str
    unsloth: bool
    local_base: str | None
    start: str
    starting: tuple[str, ...]
    gates: bool
    stops: bool
    files: tuple[AboutFile, ...]
    spec: str
    version: str


class PlanPage(NamedTuple):
    """Context of PLAN.md."""

    title: str
    stages: tuple[StageRow, ...]
    paid_stages: tuple[str, ...]
    rewards: tuple[RewardRow, ...]
    mixes: tuple[str, ...]
    data: tuple[str, ...]
    prompt: str
    prompt_note: str
    chat: tuple[str, ...]
    machine: tuple[str, ...]
    spec: str


class WorkflowFile(NamedTuple):
    """Context of the workflow; `pins` are requirements with the versions of the stack."""

    pins: tuple[str, ...]
