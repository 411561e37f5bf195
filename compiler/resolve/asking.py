"""Rewards that ask another model: a reward model beside the policy, or a judge at an endpoint."""

from collections.abc import Iterable

from spec_schema import TaskSpec

__all__ = ["asked_constants", "asking_files", "asks_a_model", "chain_of"]

# How the constant of rewards.py ends that holds what is asked, and the module that asks.
_ASKING = {"reward_model": ("MODEL", "reward_models"), "judge": ("JUDGE", "judges")}


def asking_files(spec: TaskSpec) -> dict[str, tuple[str, ...]]:
    """The files that ask models with their pieces, none where no reward does."""
    modules = (_ASKING[reward.kind][1] for reward in spec.rewards.values() if _asks(reward.kind))
    return {f"{module}.py": (module,) for module in dict.fromkeys(modules)}


def asked_constants(spec: TaskSpec, names: Iterable[str]) -> tuple[str, ...]:
    """The constants of rewards.py that hold what these rewards ask, and those they wait for."""
    found: dict[str, None] = {}
    for name in names:
        for asking in chain_of(spec, name):
            kind = spec.rewards[asking].kind
            if _asks(kind):
                found[f"{asking.upper()}_{_ASKING[kind][0]}"] = None
    return tuple(found)


def asks_a_model(spec: TaskSpec, name: str) -> bool:
    """Whether a reward, or one that it waits for, costs a call or needs a large model."""
    return any(_asks(spec.rewards[waited_for].kind) for waited_for in chain_of(spec, name))


def chain_of(spec: TaskSpec, name: str) -> tuple[str, ...]:
    """The reward and those that it waits for, in turn."""
    found: list[str] = []
    waited_for: str | None = name
    while waited_for in spec.rewards and waited_for not in found:
        found.append(waited_for)
        waited_for = spec.rewards[waited_for].only_if
    return tuple(found)


def _asks(kind: str) -> bool:
    return kind in _ASKING
