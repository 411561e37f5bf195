"""How rewards for the length score a completion."""

from compiler.literals import literal
from compiler.resolve.inputs import Inputs
from compiler.resolve.rewards.scoring import COMPLETION, IDS, Scoring
from spec_schema.rewards import LengthReward, Reward

__all__ = ["counts_tokens", "score_length"]


def counts_tokens(reward: Reward) -> bool:
    """Whether a reward counts tokens, as they were sampled."""
    return isinstance(reward, LengthReward) and any(
        limit is not None for limit in (reward.target_tokens, reward.min_tokens, reward.max_tokens)
    )


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
        ("len(ids)", "tokens({text})") if unit == "tokens" else ("len({text})", "len({text})")
    )
    return Scoring(
        (kind,),
        f"score_{kind}({length}, {arguments})",
        f"explain_{kind}({counted}, {arguments})",
        (COMPLETION, IDS) if unit == "tokens" else (COMPLETION,),
        tuple((name, literal(value)) for name, value in constants.items()),
    )
