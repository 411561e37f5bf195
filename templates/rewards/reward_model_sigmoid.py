"""Pay what a reward model gives, between 0 and 1."""

import math
from typing import Any

from reward_models import RewardModel


def score_reward_model_sigmoid(
    model: RewardModel, prompts: list[Any], completions: list[Any]
) -> list[float | None]:
    """Pay the sigmoid of a reward model's logit; None for what it cannot read whole.

    Gamed by whatever the model was never shown: length, flattery, lists, one phrase again and
    again. Near 0 and 1 it hardly tells completions apart.
    """
    logits = model.scores(prompts, completions)
    # The sigmoid, in a form that no logit overflows.
    return [None if logit is None else (1 + math.tanh(logit / 2)) / 2 for logit in logits]


def explain_reward_model_sigmoid(
    model: RewardModel, prompt: list[dict[str, Any]], text: str
) -> str:
    """Say which model it is, and its logit before the sigmoid."""
    logit = model.scores([prompt], [text])[0]
    if logit is None:
        return "longer than the model reads"
    return f"{model.name} says {logit:.4g}, before the sigmoid"
