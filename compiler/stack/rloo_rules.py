"""Rules on the values of an `rloo` stage."""

from collections.abc import Iterator

from compiler.stack.effect_rules import NEVER, NOT_SYNCED, Ignored, no_effect
from compiler.stack.finding import Finding, Settings
from compiler.stack.rollout_rules import ON_POLICY, VLLM

__all__ = ["clip_range", "ignored_fields"]

RANGE = (-10.0, 10.0)  # an example: wide for a mix whose weights are near 1


def clip_range(settings: Settings) -> Iterator[Finding]:
    """Report a range that is none, or that makes all rewards equal (rloo_trainer.py:1660)."""
    bounds = settings.numbers("reward_clip_range")
    if bounds is not None and (len(bounds) != len(RANGE) or bounds[0] >= bounds[1]):
        yield Finding(
            ("reward_clip_range",),
            "bad-value",
            "`reward_clip_range` takes two numbers, the lower one first",
            f"write `reward_clip_range = {list(RANGE)}`, or leave it out",
        )


IGNORED: Ignored = {
    "cache_implementation": (VLLM,),
    "epsilon": (ON_POLICY,),
    "epsilon_high": (ON_POLICY,),
    "label_smoothing_factor": (NEVER,),
    "length_column_name": (NEVER,),
    "ref_model_mixup_alpha": (NOT_SYNCED,),
    "ref_model_sync_steps": (NOT_SYNCED,),
    "train_sampling_strategy": (NEVER,),
}


def ignored_fields(settings: Settings) -> Iterator[Finding]:
    """Warn of each written field that this plan would ignore."""
    return no_effect(settings, IGNORED)
