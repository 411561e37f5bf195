"""How the verifier of a row's generator scores a completion."""

from compiler.resolve.inputs import Inputs
from compiler.resolve.rewards.scoring import COMPLETION, TEXT, Column, Scoring
from compiler.resolve.thinking import begins_thinking
from spec_schema.rewards.generated import ReasoningGymReward

__all__ = ["score_reasoning_gym"]

MADE_BY = Column('columns["reasoning_gym"]', "made_by", 'row["reasoning_gym"]')
READER = "from reasoning_gym.utils import extract_answer"


def score_reasoning_gym(_constant: str, _reward: ReasoningGymReward, inputs: Inputs) -> Scoring:
    """Read the answer as `[answer]` says, else as reasoning-gym does, and ask the verifier."""
    spec = inputs.spec
    if spec.answer is not None and spec.data.gold is not None:
        answer, imports, uses = f"read_answer({TEXT})", (), ()
    else:
        opened = ", opened=True" if begins_thinking(spec) else ""
        answer = f"extract_answer(after_thinking({TEXT}{opened}))"
        imports, uses = (READER,), (("thinking", "after_thinking"),)
    return Scoring(
        ("verified",),
        f"score_verified({answer}, {MADE_BY.item})",
        f"explain_verified({answer}, {MADE_BY.of_row})",
        (COMPLETION, MADE_BY),
        imports=imports,
        uses=uses,
    )
