"""The rewards of a task as functions with TRL's signature, and the mix of each stage."""

import ast
from collections.abc import Iterable
from typing import NamedTuple

from compiler.literals import docstring, literal, text_literal
from compiler.pieces import read_piece, with_needs
from compiler.plan.rewards import RewardPlan, RewardsFile
from compiler.plan.stages import MixPlan
from compiler.plan.values import Origin
from compiler.resolve.answers import plan_answers
from compiler.resolve.ideal import ideal_template
from compiler.resolve.inputs import Inputs
from compiler.resolve.mixes import gates_of, mix_of, schedules_of, weight_type
from compiler.resolve.rewards.length import sees_tokens
from compiler.resolve.rewards.packages import packages_of
from compiler.resolve.rewards.scoring import COMPLETION, TEXT, Scoring
from compiler.resolve.rewards.scorings import scorings_of
from spec_schema.rewards import Reward

__all__ = ["packages_of", "plan_rewards", "sees_tokens"]


def plan_rewards(inputs: Inputs) -> tuple[RewardsFile, tuple[str, ...]]:
    """The context of rewards.py and the names of its pieces."""
    spec = inputs.spec
    scorings = {name: scorings_of(name, inputs) for name in spec.rewards}
    gates = {reward.only_if for reward in spec.rewards.values()}
    rewards = tuple(
        _reward(name, reward, scorings, gates_of(spec, name), is_gate=name in gates)
        for name, reward in spec.rewards.items()
    )
    mixes = tuple(mix for name in inputs.stage_names if (mix := mix_of(inputs, name)) is not None)
    every = [scoring for functions in scorings.values() for scoring in functions.values()]
    imports, borrowed = _borrowed(inputs, every)
    pieces = dict.fromkeys((*(piece for scoring in every for piece in scoring.pieces), *borrowed))
    by_token = any(sees_tokens(spec, name) for name in spec.rewards)
    has_ideal = ideal_template(spec, inputs.system) is not None
    # Where tokens are counted rescore.py counts those of a text.
    text_is_used = by_token or any(TEXT in scoring.score for scoring in every)
    plan = RewardsFile(
        rewards=rewards,
        constants=tuple(constant for reward in rewards for constant in reward.constants),
        mixes=mixes,
        weight_type=weight_type(mixes),
        has_gates=any(name in gates for name in spec.rewards),
        imports=(*_imports(inputs, mixes, has_ideal=has_ideal, counts_tokens=by_token), *imports),
        has_answer=spec.answer is not None and spec.data.gold is not None,
        has_ideal=has_ideal,
        tokenizer="BASE" if by_token else None,
        revision=None if spec.model.revision is None else text_literal(spec.model.revision),
        count_tokens=_tuple(
            function
            for name, functions in scorings.items()
            if sees_tokens(spec, name)
            for function in functions
        ),
        has_python=any(reward.kind == "python" for reward in spec.rewards.values()),
        names=_tuple(spec.rewards),
        name_width=max(len(reward.name) for reward in rewards),
    )
    return plan, (("completion_text",) if text_is_used else ()) + tuple(pieces)


def _tuple(names: Iterable[str]) -> str:
    """A tuple of functions."""
    listed = tuple(names)
    return f"({listed[0]},)" if len(listed) == 1 else f"({', '.join(listed)})"


def _borrowed(inputs: Inputs, scorings: list[Scoring]) -> tuple[list[str], list[str]]:
    """What rewards take of the answer library: imports from answers.py, and pieces it lacks."""
    spec = inputs.spec
    provided: tuple[str, ...] = ()
    if spec.answer is not None and spec.data.gold is not None:
        provided = with_needs(plan_answers(spec, spec.answer)[1])
    lines = [line for scoring in scorings for line in scoring.imports]
    uses = dict.fromkeys(pair for scoring in scorings for pair in scoring.uses)
    lines += [f"from answers import {name}" for piece, name in uses if piece in provided]
    return lines, [piece for piece, _ in uses if piece not in provided]


class _Gate(NamedTuple):
    """The reward that another one waits for, and its full mark as Python text."""

    name: str
    full: str


def _reward(
    name: str,
    reward: Reward,
    scorings: dict[str, dict[str, Scoring]],
    gates: dict[str, str],
    *,
    is_gate: bool,
) -> RewardPlan:
    functions = scorings[name]
    scoring = functions[name]
    waits_for: dict[str, _Gate] = {}
    if reward.only_if is not None:
        full = literal(float(scorings[reward.only_if][reward.only_if].highest))
        waits_for = {function: _Gate(gate, full) for function, gate in gates.items()}
    gate = waits_for.get(name)
    about = (
        f"The task's own reward, `{scoring.score}`, from {scoring.lowest:g} to {scoring.highest:g}."
        if reward.kind == "python"
        else _promise(scoring.pieces[0])
    )
    return RewardPlan(
        name=name,
        kind=reward.kind,
        lowest=scoring.lowest if gate is None else min(scoring.lowest, 0.0),
        highest=scoring.highest if gate is None else max(scoring.highest, 0.0),
        about=about,
        functions=tuple(functions),
        code="\n\n".join(
            ("@once_a_batch\n" if is_gate else "")
            + _function(function, each, about, waits_for.get(function))
            for function, each in functions.items()
        ),
        constants=_constants(functions.values()),
        reason=f"{text_literal(name)}: {scoring.explain.replace(TEXT, 'text')}"
        + (f' + ", paid only where `{gate.name}` is full"' if gate else ""),
        origin=Origin("spec", path=("rewards", name)),
        gate=reward.only_if,
    )


def _constants(scorings: Iterable[Scoring]) -> tuple[str, ...]:
    """The assignments of what the functions of a reward are told."""
    return tuple(f"{name} = {code}" for scoring in scorings for name, code in scoring.constants)


def _function(name: str, scoring: Scoring, about: str, gate: _Gate | None) -> str:
    """The text of a reward function: one value for each completion."""
    named = [column for column in scoring.columns if column.is_parameter]
    parameters = "".join(f"{column.parameter}, " for column in named)
    about = about if gate is None else _gated_promise(about, gate)
    text = docstring(about.replace("\n", "\n    "))
    head = f"def {name}({parameters}**columns: Any) -> list[float | None]:\n    {text}\n"
    if gate is not None:
        passed = "".join(f"{column.name}={column.name}, " for column in named)
        head += f"    gate = {gate.name}({passed}**columns)\n"
    if scoring.columns and not scoring.at_once:
        score = _score(scoring) + (f" if full == {gate.full} else 0.0" if gate else "")
        items, lists = _loop(scoring, gate)
        if scoring.waits:
            each = ", ".join(f"{item}: Any" for item in items)
            return (
                f"{head}\n    def mark({each}) -> float | None:\n        return {score}\n\n"
                f"    with ThreadPoolExecutor({scoring.threads}) as threads:\n"
                f"        return list(threads.map(mark, {', '.join(lists)}))\n"
            )
        together = lists[0] if len(lists) == 1 else f"zip({', '.join(lists)}, strict=True)"
        return f"{head}    return [{score} for {', '.join(items)} in {together}]\n"
    call = scoring.score if scoring.at_once else f"{scoring.score}(**columns)"
    marks = f"finite({text_literal(name)}, {call})"
    if gate is None:
        return f"{head}    return {marks}\n"
    return (
        f"{head}    marks = {marks}\n    return [mark if full == {gate.full} else 0.0 "
        "for mark, full in zip(marks, gate, strict=True)]\n"
    )


def _gated_promise(about: str, gate: _Gate) -> str:
    opened = f"This holds where `{gate.name}` gives its full {gate.full}; elsewhere it is 0.0."
    return f"{about}\n{opened}" if "\n\n" in about else f"{about}\n\n{opened}"


def _score(scoring: Scoring) -> str:
    return scoring.score.replace(TEXT, scoring.text)


def _loop(scoring: Scoring, gate: _Gate | None) -> tuple[list[str], list[str]]:
    """What a score looks at, one by one, and the lists of it; other lists are only parameters."""
    used = [column for column in scoring.columns if column != COMPLETION or TEXT in scoring.score]
    items = [*(column.item for column in used), *(["full"] if gate else [])]
    return items, [*(column.name for column in used), *(["gate"] if gate else [])]


def _promise(name: str) -> str:
    """What a piece's score function says of itself: what it pays for, and how it is gamed."""
    for node in ast.parse(read_piece(name) or "").body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("score_"):
            return ast.get_docstring(node) or ""
    message = f"no score function in the piece {name!r}"
    raise ValueError(message)


def _imports(
    inputs: Inputs, mixes: tuple[MixPlan, ...], *, has_ideal: bool, counts_tokens: bool
) -> tuple[str, ...]:
    """The imports of rewards.py beside those of its pieces."""
    spec = inputs.spec
    lines: list[str] = []
    if any(reward.only_if for reward in spec.rewards.values()):
        lines.append("from functools import wraps")
    if schedules := schedules_of(mixes):
        lines.append(f"from schedules import {', '.join(schedules)}")
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
    lines += [
        f"import {reward.function.partition('.py:')[0]}"
        for reward in spec.rewards.values()
        if reward.kind == "python"
    ]
    return tuple(dict.fromkeys(lines))
