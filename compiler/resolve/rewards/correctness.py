"""How rewards that look at the gold score a completion."""

from compiler.resolve.inputs import Inputs
from compiler.resolve.mathematics import uses_math
from compiler.resolve.rewards.scoring import COMPLETION, GOLD, Scoring
from spec_schema.rewards.correctness import CorrectReward

__all__ = ["score_correct"]


def score_correct(_constant: str, _reward: CorrectReward, inputs: Inputs) -> Scoring:
    """Read the answer and compare it with the gold, both as `[answer]` says."""
    waits = uses_math(inputs.spec.answer)
    return Scoring(
        ("correct",),
        "score_correct({text}, one_gold)",
        'explain_correct({text}, row["gold"])',
        (COMPLETION, GOLD),
        imports=("from concurrent.futures import ThreadPoolExecutor",) if waits else (),
        waits=waits,
    )
