"""How a reward of the user's own is called."""

from compiler.literals import text_literal
from compiler.resolve.inputs import Inputs
from compiler.resolve.rewards.scoring import Scoring
from spec_schema.rewards.own import PythonReward

__all__ = ["score_python"]


def score_python(_constant: str, reward: PythonReward, _inputs: Inputs) -> Scoring:
    """Hand everything to the user's function, which sees all completions at once."""
    path, _, called = reward.function.partition(":")
    dotted = f"{path.removesuffix('.py')}.{called}"
    lowest, highest = reward.range
    said = text_literal(f"as {dotted} says")
    return Scoring(("finite",), dotted, said, (), lowest=lowest, highest=highest)
