"""How rewards for the length beside a limit score a completion."""

from compiler.literals import literal
from compiler.resolve.inputs import Inputs
from compiler.resolve.mixes import buffer_of
from compiler.resolve.rewards.scoring import COMPLETION, GOLD, IDS, TEXT, Scoring
from spec_schema.rewards.limit import CosineLengthReward, OverlongReward
from spec_schema.stages.rollout import RolloutStage

__all__ = ["score_cosine_length", "score_overlong"]


def score_overlong(constant: str, reward: OverlongReward, inputs: Inputs) -> Scoring:
    """Count the tokens as they were sampled, and hold them against the limit."""
    limit = _limit(constant, reward, inputs)
    buffer = buffer_of(reward)
    share = ", a fifth of it as in DAPO" if reward.buffer_tokens is None else ""
    free = f"{(reward.max_tokens or 0) - buffer}  # {buffer} tokens before the limit{share}"
    arguments = f"{constant}_FREE_TOKENS, {constant}_MAX_TOKENS"
    return Scoring(
        ("overlong",),
        f"score_overlong(len(ids), {arguments})",
        f"explain_overlong({IDS.of_row}, {arguments})",
        (IDS,),
        (limit, (f"{constant}_FREE_TOKENS", free)),
        -1.0,
        0.0,
    )


def score_cosine_length(constant: str, reward: CosineLengthReward, inputs: Inputs) -> Scoring:
    """Compare the answer with the gold, and count the tokens as they were sampled."""
    said = _limit(constant, reward, inputs)
    values = {
        f"{constant}_CORRECT": (float(reward.min_value_correct), float(reward.max_value_correct)),
        f"{constant}_WRONG": (float(reward.min_value_wrong), float(reward.max_value_wrong)),
    }
    arguments = f"{constant}_MAX_TOKENS, correct={constant}_CORRECT, wrong={constant}_WRONG"
    least, most = reward.bounds()
    return Scoring(
        ("cosine_length",),
        f"score_cosine_length({TEXT}, {GOLD.item}, len(ids), {arguments})",
        f"explain_cosine_length({TEXT}, {GOLD.of_row}, {IDS.of_row}, {arguments})",
        (COMPLETION, GOLD, IDS),
        (said, *((name, literal(value)) for name, value in values.items())),
        float(least),
        float(most),
    )


def _limit(
    constant: str, reward: OverlongReward | CosineLengthReward, inputs: Inputs
) -> tuple[str, str]:
    """The constant that says the limit, with the stages that have it."""
    if reward.max_tokens is None:
        message = f"the limit of {constant} is not resolved"
        raise ValueError(message)
    stages = ", ".join(
        name
        for name in inputs.stage_names
        if isinstance(stage := inputs.spec.stages[name], RolloutStage)
        and stage.max_completion_length == reward.max_tokens
    )
    said = f"  # max_completion_length of {stages}" if stages else ""
    return f"{constant}_MAX_TOKENS", f"{literal(reward.max_tokens)}{said}"
