"""How rewards for the length score a completion."""

from compiler.literals import literal
from compiler.resolve.asking import chain_of
from compiler.resolve.inputs import Inputs
from compiler.resolve.rewards.scoring import COMPLETION, IDS, TEXT, Scoring
from spec_schema import TaskSpec
from spec_schema.rewards import Reward
from spec_schema.rewards.length import LengthReward

__all__ = ["counts_tokens", "score_length", "sees_tokens"]


def counts_tokens(reward: Reward) -> bool:
    """Whether a reward counts tokens."""
    if isinstance(reward, LengthReward):
        limits = (reward.target_tokens, reward.min_tokens, reward.max_tokens)
        return any(limit is not None for limit in limits)
    if reward.kind == "repetition":
        return reward.on == "completion"
    return reward.kind in ("overlong", "cosine_length")


def sees_tokens(spec: TaskSpec, name: str) -> bool:
    """Whether a reward, or one that it waits for, counts tokens."""
    return any(counts_tokens(spec.rewards[each]) for each in chain_of(spec, name))


def score_length(constant: str, reward: LengthReward, _inputs: Inputs) -> Scoring:
    """Count tokens as they were sampled, or the characters of the text."""
    unit = "tokens" if counts_tokens(reward) else "characters"
    limits = {
        limit: value
        for limit in ("target", "min", "max")
        if (value := getattr(reward, f"{limit}_{unit}")) is not None
    }
    match tuple(limits):
        case ("target",):
            kind = "length_target"
        case ("min", "max"):
            kind = "length_between"
        case ("min",):
            kind = "length_at_least"
        case _:
            kind = "length_at_most"
    constants = {f"{constant}_{limit.upper()}_{unit.upper()}": limits[limit] for limit in limits}
    arguments = ", ".join(constants)
    length, counted = (
        ("len(ids)", f"tokens({TEXT})") if unit == "tokens" else (f"len({TEXT})", f"len({TEXT})")
    )
    return Scoring(
        (kind,),
        f"score_{kind}({length}, {arguments})",
        f"explain_{kind}({counted}, {arguments})",
        (COMPLETION, IDS) if unit == "tokens" else (COMPLETION,),
        tuple((name, literal(value)) for name, value in constants.items()),
    )
