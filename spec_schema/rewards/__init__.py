"""The `[rewards]` table: what a completion is paid for, one module for each purpose."""

from typing import Annotated, cast

from spec_schema.base import Variants
from spec_schema.rewards.correctness import CorrectReward
from spec_schema.rewards.layout import XmlFormatReward, XmlTagsReward
from spec_schema.rewards.length import LengthReward
from spec_schema.rewards.own import PythonReward
from spec_schema.rewards.style import ForbiddenReward

__all__ = [
    "REWARDS",
    "CorrectReward",
    "ForbiddenReward",
    "LengthReward",
    "PythonReward",
    "Reward",
    "XmlFormatReward",
    "XmlTagsReward",
    "expand_short_form",
]

REWARDS = {
    "correct": CorrectReward,
    "xml_format": XmlFormatReward,
    "xml_tags": XmlTagsReward,
    "length": LengthReward,
    "forbidden": ForbiddenReward,
    "python": PythonReward,
}

Reward = Annotated[
    CorrectReward | XmlFormatReward | XmlTagsReward | LengthReward | ForbiddenReward | PythonReward,
    Variants(REWARDS, "kind"),
]


def expand_short_form(value: object) -> object:
    """Write `name = number` out as `{ kind = name, weight = number }`; leave all else as it is."""
    if not isinstance(value, dict):
        return value
    return {
        name: {"kind": name, "weight": reward}
        if isinstance(reward, int | float) and not isinstance(reward, bool)
        else reward
        for name, reward in cast("dict[str, object]", value).items()
    }
