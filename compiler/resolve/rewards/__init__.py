"""The rewards of a task as functions with TRL's signature, and the mix of each stage."""

import ast
from collections.abc import Callable
from typing import Any

from compiler.literals import docstring, text_literal
from compiler.pieces import read_piece
from compiler.plan.stages import RewardPlan, RewardsFile
from compiler.plan.values import Origin
from compiler.resolve.ideal import ideal_template
from compiler.resolve.inputs import Inputs
from compiler.resolve.mixes import mix_of
from compiler.resolve.rewards.correctness import score_correct
from compiler.resolve.rewards.layout import score_tags
from compiler.resolve.rewards.length import counts_tokens, score_length
from compiler.resolve.rewards.own import score_python
from compiler.resolve.rewards.scoring import COMPLETION, TEXT, Scoring
from compiler.resolve.rewards.style import score_forbidden
from spec_schema.rewards import ForbiddenReward, PythonReward, Reward

__all__ = ["counts_tokens", "plan_rewards", "scoring_of"]

# How each kind scores: (prefix of its constants, the reward, what is known of the task).
SCORINGS: dict[str, Callable[[str, Any, Inputs], Scoring]] = {
    "correct": score_correct,
    "xml_format": score_tags,
    "xml_tags": score_tags,
    "length": score_length,
    "forbidden": score_forbidden,
    "python": score_python,
}


def scoring_of(name: str, reward: Reward, inputs: Inputs) -> Scoring:
    """How a reward scores; its constants bear its name, since score and explanation share them."""
    return SCORINGS[reward.kind](name.upper(), reward, inputs)


def plan_rewards(inputs: Inputs) -> tuple[RewardsFile, tuple[str, ...]]:
    """The context of rewards.py and the names of its pieces."""
    spec = inputs.spec
    scorings = {name: scoring_of(name, reward, inputs) for name, reward in spec.rewards.items()}
    rewards = tuple(
        _reward(name, spec.rewards[name], scoring) for name, scoring in scorings.items()
    )
    pieces = dict.fromkeys(piece for scoring in scorings.values() for piece in scoring.pieces)
    by_token = any(counts_tokens(reward) for reward in spec.rewards.values())
    has_ideal = ideal_template(spec, inputs.system) is not None
    text_is_used = not all(isinstance(reward, PythonReward) for reward in spec.rewards.values())
    plan = RewardsFile(
        rewards=rewards,
        constants=tuple(constant for reward in rewards for constant in reward.constants),
        mixes=tuple(
            mix for name in inputs.stage_names if (mix := mix_of(inputs, name)) is not None
        ),
        imports=_imports(inputs, has_ideal=has_ideal, counts_tokens=by_token),
        has_answer=spec.answer is not None and spec.data.gold is not None,
        has_ideal=has_ideal,
        tokenizer="BASE" if by_token else None,
        revision=None if spec.model.revision is None else text_literal(spec.model.revision),
        count_tokens=_tuple_of_names(
            tuple(reward for reward in rewards if counts_tokens(spec.rewards[reward.name]))
        ),
        has_python=any(isinstance(reward, PythonReward) for reward in spec.rewards.values()),
        names=_tuple_of_names(rewards),
        name_width=max(len(reward.name) for reward in rewards),
    )
    return plan, (("completion_text",) if text_is_used else ()) + tuple(pieces)


def _tuple_of_names(rewards: tuple[RewardPlan, ...]) -> str:
    names = ", ".join(reward.name for reward in rewards)
    return f"({names},)" if len(rewards) == 1 else f"({names})"


def _reward(name: str, reward: Reward, scoring: Scoring) -> RewardPlan:
    about = (
        f"The task's own reward, `{scoring.score}`, from {scoring.lowest:g} to {scoring.highest:g}."
        if isinstance(reward, PythonReward)
        else _promise(scoring.pieces[0])
    )
    return RewardPlan(
        name=name,
        kind=reward.kind,
        lowest=scoring.lowest,
        highest=scoring.highest,
        weight=reward.weight,
        about=about,
        function=_function(name, scoring, about),
        constants=tuple(f"{constant} = {code}" for constant, code in scoring.constants),
        reason=f"{text_literal(name)}: {scoring.explain.replace(TEXT, 'text')}",
        origin=Origin("spec", path=("rewards", name)),
    )


def _function(name: str, scoring: Scoring, about: str) -> str:
    """The text of a reward function: one value for each completion."""
    text = docstring(about.replace("\n", "\n    "))
    if not scoring.columns:
        return (
            f"def {name}(**columns: Any) -> list[float | None]:\n    {text}\n"
            f"    return list({scoring.score}(**columns))\n"
        )
    parameters = ", ".join(column.parameter for column in scoring.columns)
    return (
        f"def {name}({parameters}, **columns: Any) -> list[float | None]:\n    {text}\n"
        f"    return [{_score(scoring)} for {_loop(scoring)}]\n"
    )


def _score(scoring: Scoring) -> str:
    return scoring.score.replace(TEXT, "completion_text(completion)")


def _loop(scoring: Scoring) -> str:
    """What goes through the columns that a score looks at; the others are only parameters."""
    used = [column for column in scoring.columns if column != COMPLETION or TEXT in scoring.score]
    items = ", ".join(column.item for column in used)
    names = ", ".join(column.name for column in used)
    return f"{items} in {names}" if len(used) == 1 else f"{items} in zip({names}, strict=True)"


def _promise(name: str) -> str:
    """What a piece's score function says of itself: what it pays for, and how it is gamed."""
    for node in ast.parse(read_piece(name) or "").body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("score_"):
            return ast.get_docstring(node) or ""
    message = f"no score function in the piece {name!r}"
    raise ValueError(message)


def _imports(inputs: Inputs, *, has_ideal: bool, counts_tokens: bool) -> tuple[str, ...]:
    """The imports of rewards.py beside those of its pieces."""
    spec = inputs.spec
    lines: list[str] = []
    if spec.answer is not None and spec.data.gold is not None:
        lines.append("from answers import read_answer")
    if has_ideal:
        lines.append("from prompts import ideal_completion")
    if counts_tokens:
        lines += [
            "from functools import cache",
            "from transformers import AutoTokenizer, PreTrainedTokenizerBase",
            "from stages import BASE",
        ]
    for reward in spec.rewards.values():
        match reward:
            case ForbiddenReward():
                lines.append("import re")
            case PythonReward(function=function):
                lines.append(f"import {function.partition('.py:')[0]}")
            case _:
                pass
    return tuple(dict.fromkeys(lines))
