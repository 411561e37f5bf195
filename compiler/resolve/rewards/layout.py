"""How rewards for the layout score a completion."""

from compiler.literals import literal
from compiler.resolve.ideal import layout_tags
from compiler.resolve.inputs import Inputs
from compiler.resolve.rewards.scoring import COMPLETION, Scoring
from spec_schema.rewards import XmlFormatReward, XmlTagsReward

__all__ = ["score_tags"]


def score_tags(constant: str, reward: XmlFormatReward | XmlTagsReward, inputs: Inputs) -> Scoring:
    """Look for the tags that the reward names, or for those of the layout."""
    tags = (
        tuple(reward.tags) if reward.tags is not None else layout_tags(inputs.spec, inputs.system)
    )
    return Scoring(
        (reward.kind,),
        f"score_{reward.kind}({{text}}, {constant}_TAGS)",
        f"explain_{reward.kind}({{text}}, {constant}_TAGS)",
        (COMPLETION,),
        ((f"{constant}_TAGS", literal(tags)),),
    )
