"""How rewards for the layout score a completion."""

from compiler.literals import literal
from compiler.resolve.ideal import layout_tags
from compiler.resolve.inputs import Inputs
from compiler.resolve.rewards.scoring import COMPLETION, TEXT, Scoring
from compiler.resolve.thinking import begins_thinking
from spec_schema import TaskSpec
from spec_schema.rewards.layout import XmlFormatReward, XmlTagsReward

__all__ = ["opened_text", "score_tags"]


def score_tags(constant: str, reward: XmlFormatReward | XmlTagsReward, inputs: Inputs) -> Scoring:
    """Look for the tags that the reward names, or for those of the layout."""
    tags = (
        tuple(reward.tags) if reward.tags is not None else layout_tags(inputs.spec, inputs.system)
    )
    text = opened_text(inputs.spec) if tags[:1] == ("think",) else TEXT
    return Scoring(
        (reward.kind,),
        f"score_{reward.kind}({text}, {constant}_TAGS)",
        f"explain_{reward.kind}({text}, {constant}_TAGS)",
        (COMPLETION,),
        ((f"{constant}_TAGS", literal(tags)),),
    )


def opened_text(spec: TaskSpec) -> str:
    """The completion's text with the `<think>` that the chat template has put into the prompt."""
    return f'"<think>" + {TEXT}' if begins_thinking(spec) else TEXT
