"""Which part of a completion a reward looks at."""

from compiler.resolve.inputs import Inputs
from compiler.resolve.rewards.scoring import TEXT, Scoring
from compiler.resolve.thinking import begins_thinking
from spec_schema.rewards import Reward

__all__ = ["in_its_part"]

# What is thought is no output: these look behind the thinking where they look at a completion.
BEHIND_THINKING = ("boxed_format", "json_format", "json_schema")


def in_its_part(scoring: Scoring, reward: Reward, inputs: Inputs) -> Scoring:
    """Let a scoring look at the part that `on` names, instead of the whole completion."""
    part, pieces, uses = _part(reward, inputs)
    text = 'completion_text(completion, opening="")'
    return scoring._replace(
        text=text if begins_thinking(inputs.spec) else scoring.text,
        pieces=(*scoring.pieces, *pieces),
        score=scoring.score.replace(TEXT, part),
        explain=scoring.explain.replace(TEXT, part),
        uses=(*scoring.uses, *uses),
    )


def _part(
    reward: Reward, inputs: Inputs
) -> tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The part as an expression, its pieces, and what it takes of the answer library."""
    opened = ", opened=True" if begins_thinking(inputs.spec) else ""
    on = getattr(reward, "on", "completion")
    if on == "answer":
        return f"answer_text({TEXT})", ("answer_text",), ()
    if on == "thinking":
        return f"thinking_of({TEXT}{opened})", (), (("thinking", "thinking_of"),)
    if reward.kind in BEHIND_THINKING:
        return f"after_thinking({TEXT}{opened})", (), (("thinking", "after_thinking"),)
    return TEXT, (), ()
