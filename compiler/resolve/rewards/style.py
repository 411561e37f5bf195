"""How rewards for the style score a completion."""

from compiler.literals import pattern_literal
from compiler.resolve.inputs import Inputs
from compiler.resolve.rewards.scoring import COMPLETION, Scoring
from spec_schema.rewards.style import ForbiddenReward

__all__ = ["score_forbidden"]


def score_forbidden(constant: str, reward: ForbiddenReward, _inputs: Inputs) -> Scoring:
    """Search for the patterns."""
    compiled = "".join(f"re.compile({pattern_literal(pattern)}), " for pattern in reward.patterns)
    return Scoring(
        ("forbidden",),
        f"score_forbidden({{text}}, {constant}_PATTERNS)",
        f"explain_forbidden({{text}}, {constant}_PATTERNS)",
        (COMPLETION,),
        ((f"{constant}_PATTERNS", f"({compiled})"),),
        -1.0,
        0.0,
        imports=("import re",),
    )
