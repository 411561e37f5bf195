"""Pay what a reward model gives."""

from typing import Any

from reward_models import RewardModel


def score_reward_model(
    model: RewardModel, prompts: list[Any], completions: list[Any]
) -> list[float | None]:
    """Pay the logit of a reward model, which has no bounds; None for what it cannot read whole.

    Gamed by whatever the model was never shown: length, flattery, lists, one phrase again and
    again. What it pays for and what is good drift apart the longer it is trained against.
    """
    return model.scores(prompts, completions)


def explain_reward_model(model: RewardModel, prompt: list[dict[str, Any]], text: str) -> str:
    """Say which model it is, and its logit."""
    logit = model.scores([prompt], [text])[0]
    return "longer than the model reads" if logit is None else f"{model.name} says {logit:.4g}"
