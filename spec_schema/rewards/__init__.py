"""The `[rewards]` table: what a completion is paid for, one module for each purpose.

The models are imported where a spec names their kind.
"""

from typing import TYPE_CHECKING, Annotated, cast

from spec_schema.base import LazyTables, Variants
from spec_schema.rewards.table import RewardTable

if TYPE_CHECKING:
    from spec_schema.rewards.code import CodeTestsReward
    from spec_schema.rewards.correctness import CorrectReward
    from spec_schema.rewards.formats import (
        BoxedFormatReward,
        JsonFormatReward,
        JsonSchemaReward,
        RegexFormatReward,
        ThinkFormatReward,
    )
    from spec_schema.rewards.generated import ReasoningGymReward
    from spec_schema.rewards.layout import XmlFormatReward, XmlTagsReward
    from spec_schema.rewards.length import LengthReward
    from spec_schema.rewards.limit import CosineLengthReward, OverlongReward
    from spec_schema.rewards.matching import ContainsReward, FieldsReward
    from spec_schema.rewards.model import JudgeReward, RewardModelReward
    from spec_schema.rewards.own import PythonReward
    from spec_schema.rewards.prose import (
        CopyingReward,
        KeywordsReward,
        LanguageReward,
        ReasoningStepsReward,
        RepetitionReward,
    )
    from spec_schema.rewards.sql import SqlReward
    from spec_schema.rewards.style import ForbiddenReward

__all__ = ["REWARDS", "Reward", "expand_short_form"]

REWARDS = LazyTables(
    "spec_schema.rewards",
    {
        "correct": "correctness:CorrectReward",
        "contains": "matching:ContainsReward",
        "fields": "matching:FieldsReward",
        "code_tests": "code:CodeTestsReward",
        "sql": "sql:SqlReward",
        "reasoning_gym": "generated:ReasoningGymReward",
        "xml_format": "layout:XmlFormatReward",
        "xml_tags": "layout:XmlTagsReward",
        "think_format": "formats:ThinkFormatReward",
        "boxed_format": "formats:BoxedFormatReward",
        "regex_format": "formats:RegexFormatReward",
        "json_format": "formats:JsonFormatReward",
        "json_schema": "formats:JsonSchemaReward",
        "length": "length:LengthReward",
        "overlong": "limit:OverlongReward",
        "cosine_length": "limit:CosineLengthReward",
        "forbidden": "style:ForbiddenReward",
        "repetition": "prose:RepetitionReward",
        "language": "prose:LanguageReward",
        "reasoning_steps": "prose:ReasoningStepsReward",
        "keywords": "prose:KeywordsReward",
        "copying": "prose:CopyingReward",
        "reward_model": "model:RewardModelReward",
        "judge": "model:JudgeReward",
        "python": "own:PythonReward",
    },
)

if TYPE_CHECKING:
    Reward = (
        CorrectReward
        | ContainsReward
        | FieldsReward
        | CodeTestsReward
        | SqlReward
        | ReasoningGymReward
        | XmlFormatReward
        | XmlTagsReward
        | ThinkFormatReward
        | BoxedFormatReward
        | RegexFormatReward
        | JsonFormatReward
        | JsonSchemaReward
        | LengthReward
        | OverlongReward
        | CosineLengthReward
        | ForbiddenReward
        | RepetitionReward
        | LanguageReward
        | ReasoningStepsReward
        | KeywordsReward
        | CopyingReward
        | RewardModelReward
        | JudgeReward
        | PythonReward
    )
else:
    Reward = Annotated[RewardTable, Variants(REWARDS, "kind")]


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
