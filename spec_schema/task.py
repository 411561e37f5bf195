"""The root of a spec: `TaskSpec`, version 1 of the language."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from spec_schema.answer import Answer
from spec_schema.base import Name, Table
from spec_schema.data import Data
from spec_schema.hardware import Hardware
from spec_schema.model import Model
from spec_schema.project import Project
from spec_schema.prompt import Prompt
from spec_schema.rewards import Reward, expand_short_form
from spec_schema.run import Eval, Run
from spec_schema.stages import Stage

__all__ = ["TaskSpec"]


class TaskSpec(Table):
    """A post-training task: model, data, prompt, how answers are read and paid, and stages."""

    spec: Literal[1] = Field(description="Version of the language.")
    project: Project = Field(description="Name, order of the stages, seed.")
    model: Model = Field(description="Which model is trained, and which of its weights.")
    hardware: Hardware = Field(description="The machine that the plan is made for.")
    data: Data = Field(
        default_factory=Data,
        description="Where rows come from and what their gold is. May be left out where every "
        "stage has `data` of its own.",
    )
    prompt: Prompt = Field(
        default_factory=Prompt,
        description="What the model is shown. May be left out where the rows hold whole prompts.",
    )
    answer: Answer | None = Field(
        default=None, description="How an answer is read and compared. Left out: rows have no gold."
    )
    rewards: Annotated[dict[Name, Reward], BeforeValidator(expand_short_form)] = Field(
        default_factory=dict[str, Reward],
        description="What a completion is paid for, by name. `name = number` is short for "
        "`{ kind = name, weight = number }`.",
    )
    stages: dict[Name, Stage] = Field(
        min_length=1, description="What is trained, by name, each with a `method`."
    )
    eval: Eval = Field(default_factory=Eval, description="How results are measured.")
    run: Run = Field(default_factory=Run, description="What is recorded and kept.")
