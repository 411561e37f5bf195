"""The rewards of a task as functions with TRL's signature, and the mix of each stage."""

import ast
from typing import NamedTuple

from compiler.literals import docstring, literal, pattern_literal, text_literal
from compiler.pieces import read_piece
from compiler.plan.stages import RewardPlan, RewardsFile
from compiler.plan.values import Origin
from compiler.resolve.ideal import ideal_template, layout_tags
from compiler.resolve.inputs import Inputs
from compiler.resolve.mixes import mix_of
from spec_schema.rewards import (
    CorrectReward,
    ForbiddenReward,
    LengthReward,
    PythonReward,
    Reward,
    XmlFormatReward,
    XmlTagsReward,
)

__all__ = ["counts_tokens", "plan_rewards"]

TEXT = "completion_text(completion)"


class Scoring(NamedTuple):
    """How one reward scores a completion: its piece, and what the generated function takes."""

    piece: str
    constants: tuple[tuple[str, str], ...]
    parameters: str
    loop: str
    score: str
    explain: str
    lowest: float = 0.0
    highest: float = 1.0


def plan_rewards(inputs: Inputs) -> tuple[RewardsFile, tuple[str, ...]]:
    """The context of rewards.py and the names of its pieces."""
    spec = inputs.spec
    rewards = tuple(_reward(name, reward, inputs) for name, reward in spec.rewards.items())
    pieces = dict.fromkeys(
        _scoring(name, reward, inputs).piece
        for name, reward in spec.rewards.items()
        if not isinstance(reward, PythonReward)
    )
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


def _reward(name: str, reward: Reward, inputs: Inputs) -> RewardPlan:
    scoring = _scoring(name, reward, inputs)
    about = (
        f"The task's own reward, `{scoring.score}`, from {scoring.lowest:g} to {scoring.highest:g}."
        if isinstance(reward, PythonReward)
        else _promise(read_piece(scoring.piece) or "")
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
        reason=f"{text_literal(name)}: {scoring.explain}",
        origin=Origin("spec", path=("rewards", name)),
    )


def _function(name: str, scoring: Scoring, about: str) -> str:
    """The text of a reward function: one value for each completion."""
    text = docstring(about.replace("\n", "\n    "))
    if not scoring.loop:
        return (
            f"def {name}(**columns: Any) -> list[float | None]:\n    {text}\n"
            f"    return list({scoring.score}(**columns))\n"
        )
    return (
        f"def {name}({scoring.parameters}, **columns: Any) -> list[float | None]:\n    {text}\n"
        f"    return [{scoring.score} for {scoring.loop}]\n"
    )


def _promise(piece: str) -> str:
    """What a piece's score function says of itself: what it pays for, and how it is gamed."""
    for node in ast.parse(piece).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("score_"):
            return ast.get_docstring(node) or ""
    message = f"no score function in {piece!r}"
    raise ValueError(message)


def _scoring(name: str, reward: Reward, inputs: Inputs) -> Scoring:
    """How a reward scores: literals become constants, since score and explanation share them."""
    constant = name.upper()
    texts = ("completions: list[Any]", "completion in completions")
    match reward:
        case CorrectReward():
            return Scoring(
                "correct",
                (),
                "completions: list[Any], gold: list[str]",
                "completion, one_gold in zip(completions, gold, strict=True)",
                f"score_correct({TEXT}, one_gold)",
                'explain_correct(text, row["gold"])',
            )
        case XmlFormatReward(tags=tags) | XmlTagsReward(tags=tags):
            named = tuple(tags) if tags is not None else layout_tags(inputs.spec, inputs.system)
            return Scoring(
                reward.kind,
                ((f"{constant}_TAGS", literal(named)),),
                *texts,
                f"score_{reward.kind}({TEXT}, {constant}_TAGS)",
                f"explain_{reward.kind}(text, {constant}_TAGS)",
            )
        case ForbiddenReward(patterns=patterns):
            compiled = "".join(f"re.compile({pattern_literal(pattern)}), " for pattern in patterns)
            return Scoring(
                "forbidden",
                ((f"{constant}_PATTERNS", f"({compiled})"),),
                *texts,
                f"score_forbidden({TEXT}, {constant}_PATTERNS)",
                f"explain_forbidden(text, {constant}_PATTERNS)",
                -1.0,
                0.0,
            )
        case LengthReward():
            return _length_scoring(constant, reward)
        case PythonReward(function=function, range=limits):
            path, _, called = function.partition(":")
            dotted = f"{path.removesuffix('.py')}.{called}"
            return Scoring("", (), "", "", dotted, text_literal(f"as {dotted} says"), *limits)


def _length_scoring(constant: str, reward: LengthReward) -> Scoring:
    """A length reward counts tokens as they were sampled, or the characters of the text."""
    unit = "tokens" if counts_tokens(reward) else "characters"
    limits = {
        limit: value
        for limit in ("target", "min", "max")
        if (value := getattr(reward, f"{limit}_{unit}")) is not None
    }
    match tuple(limits):
        case ("target",):
            kind = "length_target"
        case ("min", "max"):
            kind = "length_between"
        case ("min",):
            kind = "length_at_least"
        case _:
            kind = "length_at_most"
    constants = {f"{constant}_{limit.upper()}_{unit.upper()}": limits[limit] for limit in limits}
    arguments = ", ".join(constants)
    tokens = unit == "tokens"
    length, counted = ("len(ids)", "tokens(text)") if tokens else (f"len({TEXT})", "len(text)")
    return Scoring(
        kind,
        tuple((name, literal(value)) for name, value in constants.items()),
        "completions: list[Any], completion_ids: list[list[int]]"
        if tokens
        else "completions: list[Any]",
        "ids in completion_ids" if tokens else "completion in completions",
        f"score_{kind}({length}, {arguments})",
        f"explain_{kind}({counted}, {arguments})",
    )


def counts_tokens(reward: Reward) -> bool:
    """Whether a reward counts tokens, as they were sampled."""
    return isinstance(reward, LengthReward) and any(
        limit is not None for limit in (reward.target_tokens, reward.min_tokens, reward.max_tokens)
    )


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
