"""What a stage must be able to do before it trains, and what ends it early."""

from compiler.closest import closest, shortened
from compiler.parse import KeyPath
from compiler.resolve.mixes import weights_of
from compiler.rules.case import Case
from spec_schema.stages.rollout import RolloutStage

__all__ = ["gates_and_endings"]


def gates_and_endings(case: Case) -> None:
    """`gate`, `until` and `stop_when` name a reward that is called, and values that it can have."""
    for name, stage in case.spec.stages.items():
        if not isinstance(stage, RolloutStage):
            continue
        if stage.gate is not None and _is_called(case, name, stage, "gate", stage.gate.reward):
            _can_be_full(case, ("stages", name, "gate", "reward"), stage.gate.reward)
        if stage.until is not None and _is_called(case, name, stage, "until", stage.until.reward):
            path = ("stages", name, "until", "at_least")
            _acts_sometimes(case, path, stage.until.reward, stage.until.at_least, ends="at_least")
    _stop_when_watches(case)


def _stop_when_watches(case: Case) -> None:
    stop = case.spec.run.stop_when
    if stop is None or not _exists(case, ("run", "stop_when", "reward"), stop.reward):
        return
    stages = [each for each in case.spec.stages.values() if isinstance(each, RolloutStage)]
    if not any(stop.reward in weights_of(case.spec, stage) for stage in stages):
        message = f"no stage calls `{stop.reward}`, so that nothing is watched"
        hint = "name a reward of a stage that samples, or leave `stop_when` out"
        case.error("uncalled-reward", ("run", "stop_when", "reward"), message, hint)
        return
    path = ("run", "stop_when", "below")
    _acts_sometimes(case, path, stop.reward, stop.below, ends="below")


def _exists(case: Case, path: KeyPath, reward: str) -> bool:
    rewards = case.spec.rewards
    if reward in rewards:
        return True
    meant = closest(reward, rewards)
    hints = (f"did you mean `{meant}`?",) if meant else ()
    case.error(
        "unknown-reward", path, f"there is no reward `{shortened(reward)}` in `[rewards]`", *hints
    )
    return False


def _is_called(case: Case, name: str, stage: RolloutStage, key: str, reward: str) -> bool:
    path = ("stages", name, key, "reward")
    if not _exists(case, path, reward):
        return False
    if reward in weights_of(case.spec, stage):
        return True
    message = f"`{name}` does not call `{reward}`"
    hint = f"add `{reward} = 0.0` to the stage's `rewards`: it is then measured and not paid"
    case.error("uncalled-reward", path, message, hint)
    return False


def _can_be_full(case: Case, path: KeyPath, reward: str) -> None:
    if case.spec.rewards[reward].bounds()[1] == float("inf"):
        message = f"`{reward}` has no upper end, so that it is never full"
        case.error("bad-gate", path, message, "name a reward with a bounded range")


def _acts_sometimes(case: Case, path: KeyPath, reward: str, value: float, *, ends: str) -> None:
    """A mean can be on both sides of the value: else it ends every run, or none."""
    low, high = case.spec.rewards[reward].bounds()
    always = value <= low if ends == "at_least" else value > high
    never = value > high if ends == "at_least" else value <= low
    within = f"`{reward}` lies between {low:g} and {high:g}"
    if always:
        message = f"{within}, so that every run ends at once"
        case.error("bad-value", path, message, "write a value between the two")
    elif never:
        message = f"{within}, so that no run ends by this"
        case.warning("no-effect", path, message, "write a value between the two")
