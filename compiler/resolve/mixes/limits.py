"""The completion limit that a reward shares with the stages that call it."""

from typing import TYPE_CHECKING

from compiler.resolve.asking import chain_of
from compiler.resolve.mixes.weights import weights_of
from spec_schema import TaskSpec
from spec_schema.rewards import Reward
from spec_schema.stages.rollout import RolloutStage

if TYPE_CHECKING:
    from spec_schema.rewards.limit import OverlongReward

__all__ = ["buffer_of", "function_of", "functions_of", "gates_of", "limits_of"]


def buffer_of(reward: "OverlongReward") -> int:
    """The tokens before the limit in which the penalty of `overlong` grows.

    A fifth of the limit where the reward does not say: in DAPO 4096 of 20480 (arXiv 2503.14476,
    section 4.1).
    """
    if reward.buffer_tokens is not None:
        return reward.buffer_tokens
    return max(1, round((reward.max_tokens or 0) / 5))


def limits_of(spec: TaskSpec, name: str) -> dict[str, int]:
    """The `max_completion_length` of each stage that calls a reward, in the order of the stages.

    Of every stage that samples where none calls it, itself or for one that waits for it; empty
    where nothing is sampled, and where neither the reward nor one that it waits for needs a limit.
    """
    if not any(_takes_limit(spec.rewards[each]) for each in chain_of(spec, name)):
        return {}
    order = spec.project.stages or list(spec.stages)
    stages = {stage: spec.stages[stage] for stage in order if stage in spec.stages}
    sampled = {key: stage for key, stage in stages.items() if isinstance(stage, RolloutStage)}
    calling = {
        key
        for key, stage in sampled.items()
        if any(name in chain_of(spec, called) for called in weights_of(spec, stage))
    }
    return {
        key: stage.max_completion_length
        for key, stage in sampled.items()
        if key in calling or not calling
    }


def functions_of(spec: TaskSpec, name: str) -> dict[str, Reward]:
    """The functions of rewards.py that a reward becomes, each with its limit in place.

    The first has the reward's name and the limit of the last stage that calls it; each other limit
    has a function of its own, such as `overlong_256`.
    """
    reward = spec.rewards[name]
    limits = list(limits_of(spec, name).values())
    functions: dict[str, Reward] = {name: reward}
    for limit in reversed(limits):
        limited = (
            reward.model_copy(update={"max_tokens": limit}) if _takes_limit(reward) else reward
        )
        functions[_function_at(spec, name, limit)] = limited
    return functions


def gates_of(spec: TaskSpec, name: str) -> dict[str, str]:
    """For each function of a reward the one that it waits for, which has the same limit."""
    gate = spec.rewards[name].only_if
    if gate is None:
        return {}
    limits = {*limits_of(spec, name).values()}
    gates = {_function_at(spec, name, limit): _function_at(spec, gate, limit) for limit in limits}
    return gates or {name: gate}


def function_of(spec: TaskSpec, stage: str, name: str) -> str:
    """The function of rewards.py that a stage calls for a reward."""
    return _function_at(spec, name, limits_of(spec, name).get(stage))


def _function_at(spec: TaskSpec, name: str, limit: int | None) -> str:
    """The function of a reward that has this limit: the one of its own name has the last."""
    limits = [*limits_of(spec, name).values()]
    return f"{name}_{limit}" if limit in limits[:-1] and limit != limits[-1] else name


def _takes_limit(reward: Reward) -> bool:
    """Whether a reward is held against the limit of the stage."""
    match reward.kind:
        case "overlong" | "cosine_length":
            return reward.max_tokens is None
        case _:
            return False
