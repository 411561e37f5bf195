"""Rewards that ask another model."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from spec_schema.base import Finite, NonEmptyText, Purpose
from spec_schema.rewards.table import RewardTable, TextRewardTable

__all__ = ["JudgeReward", "RewardModelReward"]


class RewardModelReward(RewardTable):
    """The score that a reward model gives the conversation, prompt and completion together.

    The model is a sequence classifier with one label, trained on preferences, with a chat template.
    It is loaded beside the policy, in bfloat16 on a GPU and in float32 on the CPU.
    """

    pays_for: ClassVar[Purpose] = "model"

    kind: Literal["reward_model"] = Field(description="What is paid for.")
    model: NonEmptyText = Field(
        description="Hub id, a local path that begins with `./`, `../` or `/`, or the name of a "
        "`reward` stage that runs before."
    )
    revision: NonEmptyText | None = Field(
        default=None, description="Branch, tag or commit of the hub. Left out: its main branch."
    )
    squash: Literal["none", "sigmoid"] = Field(
        default="none",
        description="`none`: the logit as it is, without bounds. `sigmoid`: between 0 and 1.",
    )

    def bounds(self) -> tuple[float, float]:
        """A logit has no bounds; a squashed one stays between 0 and 1."""
        return (0.0, 1.0) if self.squash == "sigmoid" else (float("-inf"), float("inf"))


class JudgeReward(TextRewardTable):
    """The grade that a language model gives the completion under a rubric, as a share of its scale.

    The model is asked through the chat completions of an OpenAI-compatible endpoint, a hosted one
    or a local one of vLLM. A grade is remembered for the run: the same text is asked about once. A
    reply without a grade, a text that the endpoint declines, and a request that fails in all its
    attempts are not judged; an endpoint that refuses every request, or fails in many of them in a
    row, ends the run.
    """

    pays_for: ClassVar[Purpose] = "model"

    kind: Literal["judge"] = Field(description="What is paid for.")
    base_url: NonEmptyText = Field(
        description="The endpoint up to its version, such as `http://localhost:8000/v1`."
    )
    model: NonEmptyText = Field(description="The model's name at the endpoint.")
    rubric: NonEmptyText = Field(
        description="What the judge is told, with `{completion}`, `{prompt}` and `{gold}` where "
        "they go; `{{` and `}}` for braces. How the grade is written is added to it."
    )
    scale: Annotated[list[Finite], Field(min_length=2, max_length=2)] = Field(
        default=[1, 10],
        description="Lowest and highest grade, which pay 0 and 1.",
    )
    max_calls: int = Field(
        ge=1,
        description="The most requests that a script sends, those sent again counted. Once they "
        "are used up the run ends with an error. No default: calls are paid for.",
    )
    api_key_env: NonEmptyText | None = Field(
        default=None,
        description="The environment variable that holds the key, such as `OPENAI_API_KEY`; the "
        "key itself stands in no file. Left out: no key is sent.",
    )
    temperature: float | None = Field(
        default=None,
        ge=0,
        allow_inf_nan=False,
        description="Temperature of the judge; 0 grades most evenly. Left out: not sent, since "
        "some models refuse it.",
    )
    timeout_seconds: float = Field(
        default=60.0, gt=0, le=3600, description="Time for each attempt at a request."
    )
    attempts: int = Field(
        default=5,
        ge=1,
        le=20,
        description="Attempts at a request that fails with 429 or 5xx, or without a reply. The "
        "pause doubles from 1 second on, and is longer where the endpoint says so.",
    )
    concurrency: int = Field(
        default=8, ge=1, le=256, description="Requests that are under way at once."
    )
