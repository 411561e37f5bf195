"""Rewards beside a limit of tokens: there is one, and it leaves something to tell apart."""

from itertools import pairwise

from compiler.resolve.mixes import buffer_of, functions_of, limits_of, weights_of
from compiler.rules.case import Case
from spec_schema.rewards import Reward
from spec_schema.stages.rollout import RolloutStage

__all__ = [
    "buffer_is_in_the_limit",
    "cosine_values_are_in_order",
    "limit_fits_the_stages",
    "limit_is_known",
    "limit_names_are_free",
]


def limit_is_known(case: Case) -> None:
    """A reward beside the completion limit has one, of its own or of a stage."""
    for name, reward in case.spec.rewards.items():
        match reward.kind:
            case "overlong" | "cosine_length" if reward.max_tokens is None:
                if not limits_of(case.spec, name):
                    message = f"reward `{name}` has no limit: no stage samples completions"
                    hint = "add `max_tokens`, or a stage of method `grpo`"
                    case.error("missing-key", ("rewards", name), message, hint, at="key")
            case _:
                pass


def limit_names_are_free(case: Case) -> None:
    """The function for a stage with another limit is called like no other reward."""
    for name in case.spec.rewards:
        for function in functions_of(case.spec, name):
            if function != name and function in case.spec.rewards:
                case.error(
                    "reserved-name",
                    ("rewards", function),
                    f"a reward cannot be called `{function}` beside `{name}`",
                    f"`{name}` has that name in a stage with another `max_completion_length`",
                    at="key",
                )


def buffer_is_in_the_limit(case: Case) -> None:
    """The penalty of `overlong` begins behind the first token."""
    for name in case.spec.rewards:
        for reward in functions_of(case.spec, name).values():
            if reward.kind != "overlong" or reward.max_tokens is None:
                continue
            if buffer_of(reward) > reward.max_tokens:
                case.error(
                    "bad-value",
                    ("rewards", name, "buffer_tokens"),
                    f"a buffer of {buffer_of(reward)} tokens is more than the limit of "
                    f"{reward.max_tokens}",
                    "let the penalty begin somewhere before the limit",
                )


def cosine_values_are_in_order(case: Case) -> None:
    """A wrong answer is never paid more than a right one, nor a long right one than a short one."""
    for name, reward in case.spec.rewards.items():
        if reward.kind != "cosine_length":
            continue
        rising = ("min_value_wrong", "max_value_wrong", "min_value_correct", "max_value_correct")
        for lower, higher in pairwise(rising):
            low, high = getattr(reward, lower), getattr(reward, higher)
            if low > high:
                at = higher if case.writes(("rewards", name, higher)) else lower
                case.error(
                    "bad-value",
                    ("rewards", name, at),
                    f"`{lower} = {low:g}` is above `{higher} = {high:g}`",
                    f"let them rise in this order: {', '.join(f'`{key}`' for key in rising)}",
                )


def limit_fits_the_stages(case: Case) -> None:
    """A limit of the reward's own tells the lengths apart that the stages sample."""
    for name, reward in case.spec.rewards.items():
        for key, stage in case.spec.stages.items():
            if not isinstance(stage, RolloutStage):
                continue
            message = _alike(name, reward, key, stage.max_completion_length)
            if message is not None and name in weights_of(case.spec, stage):
                case.warning(
                    "no-effect",
                    ("rewards", name, "max_tokens"),
                    message,
                    "leave `max_tokens` out: the stage's own limit is taken",
                    related=((("stages", key, "max_completion_length"), "the stage's limit"),),
                )


def _alike(name: str, reward: Reward, stage: str, sampled: int) -> str | None:
    """Which lengths a reward with a limit of its own pays alike though a stage samples them."""
    match reward.kind:
        case "cosine_length" if reward.max_tokens is not None and reward.max_tokens < sampled:
            limit = reward.max_tokens
            return f"`{name}` pays all lengths from {limit} to the {sampled} of `{stage}` alike"
        case "overlong" if reward.max_tokens is not None:
            free = reward.max_tokens - buffer_of(reward)
            if free >= sampled:
                return (
                    f"`{name}` takes nothing away up to {free} tokens, `{stage}` ends at {sampled}"
                )
        case _:
            pass
    return None
