"""How each kind of reward scores: the registry."""

from collections.abc import Callable
from typing import Any

from compiler.resolve.inputs import Inputs
from compiler.resolve.mixes import functions_of
from compiler.resolve.rewards.code import score_code_tests, score_sql
from compiler.resolve.rewards.correctness import score_correct
from compiler.resolve.rewards.formats import (
    score_json_schema,
    score_regex_format,
    score_text,
    score_think_format,
)
from compiler.resolve.rewards.generated import score_reasoning_gym
from compiler.resolve.rewards.layout import score_tags
from compiler.resolve.rewards.length import score_length
from compiler.resolve.rewards.limit import score_cosine_length, score_overlong
from compiler.resolve.rewards.matching import score_contains, score_fields
from compiler.resolve.rewards.model import score_judge, score_reward_model
from compiler.resolve.rewards.own import score_python
from compiler.resolve.rewards.part import in_its_part
from compiler.resolve.rewards.prose import (
    score_copying,
    score_keywords,
    score_language,
    score_reasoning_steps,
    score_repetition,
)
from compiler.resolve.rewards.scoring import Scoring
from compiler.resolve.rewards.style import score_forbidden

__all__ = ["SCORINGS", "scorings_of"]

# (Prefix of its constants, the reward, what is known of the task.)
SCORINGS: dict[str, Callable[[str, Any, Inputs], Scoring]] = {
    "correct": score_correct,
    "contains": score_contains,
    "fields": score_fields,
    "code_tests": score_code_tests,
    "sql": score_sql,
    "reasoning_gym": score_reasoning_gym,
    "xml_format": score_tags,
    "xml_tags": score_tags,
    "think_format": score_think_format,
    "boxed_format": score_text,
    "regex_format": score_regex_format,
    "json_format": score_text,
    "json_schema": score_json_schema,
    "length": score_length,
    "overlong": score_overlong,
    "cosine_length": score_cosine_length,
    "forbidden": score_forbidden,
    "repetition": score_repetition,
    "language": score_language,
    "reasoning_steps": score_reasoning_steps,
    "keywords": score_keywords,
    "copying": score_copying,
    "reward_model": score_reward_model,
    "judge": score_judge,
    "python": score_python,
}


def scorings_of(name: str, inputs: Inputs) -> dict[str, Scoring]:
    """How a reward scores, for each function that it becomes, the one of its own name first.

    Constants bear the function's name, since score and explanation share them.
    """
    return {
        function: in_its_part(
            SCORINGS[reward.kind](function.upper(), reward, inputs), reward, inputs
        )
        for function, reward in functions_of(inputs.spec, name).items()
    }
