"""How rewards that look at the gold score a completion."""

from compiler.resolve.inputs import Inputs
from compiler.resolve.rewards.scoring import COMPLETION, GOLD, Scoring
from spec_schema.rewards import CorrectReward

__all__ = ["score_correct"]


def score_correct(_constant: str, _reward: CorrectReward, _inputs: Inputs) -> Scoring:
    """Read the answer and compare it with the gold, both as `[answer]` says."""
    return Scoring(
        ("correct",),
        "score_correct({text}, one_gold)",
        'explain_correct({text}, row["gold"])',
        (COMPLETION, GOLD),
    )
