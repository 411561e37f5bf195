"""Rules on the values of a `grpo` stage that TRL refuses at the first step, or not at all."""

from collections.abc import Iterator, Mapping

from compiler.closest import closest, quoted_list
from compiler.diagnostics import Severity
from compiler.stack.finding import Finding, Settings
from compiler.stack.rollout_rules import is_corrected
from compiler.stack.table import quoted

__all__ = [
    "adaptive_entropy",
    "choices",
    "cispo",
    "delta",
    "importance_sampling",
    "scaling",
    "vllm_correction",
]

# Each is compared with only when the first loss is computed, after model and data are loaded:
# grpo_trainer.py:3109-3138, 3090, 2767-2781, 2803, 2680-2707.
CHOICES: Mapping[str, tuple[str, ...]] = {
    "loss_type": ("grpo", "bnpo", "dr_grpo", "dapo", "cispo", "sapo", "luspo", "vespo"),
    "importance_sampling_level": ("token", "sequence"),
    "scale_rewards": ("group", "batch", "none"),
    "multi_objective_aggregation": ("sum_then_normalize", "normalize_then_sum"),
    "vllm_importance_sampling_mode": (
        *("token_truncate", "token_mask", "sequence_truncate", "sequence_mask"),
    ),
}

SUM_OVER_TOKENS = frozenset({"bnpo", "dr_grpo", "dapo", "cispo"})


def choices(settings: Settings) -> Iterator[Finding]:
    """Report a name that TRL would refuse only at the first step."""
    for name, allowed in CHOICES.items():
        value = settings.value(name)
        if value in allowed or (name == "scale_rewards" and isinstance(value, bool)):
            continue
        hint = settings.stack.retired_value(settings.method, name, value)
        if hint is None and isinstance(value, str) and (meant := closest(value, allowed)):
            hint = f"did you mean `{meant}`?"
        message = f"`{name}` takes {quoted_list(allowed)}, not {quoted(value)}"
        yield Finding((name,), "bad-value", message, hint)


def cispo(settings: Settings) -> Iterator[Finding]:
    """Report a CISPO without a bound of its own.

    Its ratio is clamped at `epsilon_high` itself, not at 1 + `epsilon_high`, and where that is
    unset at `epsilon`, 0.2 (grpo_trainer.py:946, 3110).
    """
    if settings.text("loss_type") != "cispo":
        return
    bound = settings.number("epsilon_high")
    if bound is None or bound < 1:
        given = "unset" if bound is None else quoted(bound)
        yield Finding(
            ("loss_type", "epsilon_high"),
            "settings-conflict",
            '`loss_type = "cispo"` caps the importance ratio itself at `epsilon_high`, which is '
            f"{given} and would shrink every gradient",
            "leave `epsilon_high` out for 5.0, as in its paper",
        )


def delta(settings: Settings) -> Iterator[Finding]:
    """Report a second bound below the first.

    TRL recommends one above 1 + `epsilon` and checks nothing (grpo_config.py:183, 697); below 1 it
    clamps every ratio and no good completion has a gradient (grpo_trainer.py:3115).
    """
    bound, epsilon = settings.number("delta"), settings.number("epsilon")
    if bound is not None and epsilon is not None and bound <= 1 + epsilon:
        yield Finding(
            ("delta", "epsilon"),
            "settings-conflict",
            f"`delta` is {quoted(bound)}, but must be above 1 + `epsilon`, here {1 + epsilon:g}",
            "write `delta = 4.0`, or leave it out",
        )


def scaling(settings: Settings) -> Iterator[Finding]:
    """Report a deviation that the loss does without, or never reads.

    Dr. GRPO (2503.20783) subtracts the mean only; `normalize_then_sum` has a scaling of its own
    (grpo_trainer.py:2790-2800).
    """
    chosen = settings.value("scale_rewards")
    if settings.text("multi_objective_aggregation") == "normalize_then_sum":
        if "scale_rewards" in settings.written:
            yield Finding(
                ("scale_rewards", "multi_objective_aggregation"),
                "no-effect",
                "`scale_rewards` has no effect with "
                '`multi_objective_aggregation = "normalize_then_sum"`',
                "leave it out",
                Severity.WARNING,
            )
    elif settings.text("loss_type") == "dr_grpo" and chosen not in ("none", False):
        yield Finding(
            ("scale_rewards", "loss_type"),
            "off-recipe",
            '`loss_type = "dr_grpo"` is meant to go with `scale_rewards = "none"`, not '
            f"{quoted(chosen)}",
            'write `scale_rewards = "none"` in the stage',
            Severity.WARNING,
        )


def importance_sampling(settings: Settings) -> Iterator[Finding]:
    """Report a level that does not go with the loss (grpo_trainer.py:916-935)."""
    loss, level = settings.text("loss_type"), settings.text("importance_sampling_level")
    hint = None
    if loss == "luspo" and level == "token":
        hint = "leave `importance_sampling_level` out for `sequence`, as in its paper"
    elif loss == "vespo" and level == "sequence":
        hint = "leave `importance_sampling_level` out; `vespo` weighs whole sequences by itself"
    elif loss in SUM_OVER_TOKENS and level == "sequence":
        hint = 'write `loss_type = "grpo"`, the loss of GSPO'
    if hint is not None:
        yield Finding(
            ("importance_sampling_level", "loss_type"),
            "off-recipe",
            f'`importance_sampling_level = "{level}"` is not meant for `loss_type = "{loss}"`',
            hint,
            Severity.WARNING,
        )


def vllm_correction(settings: Settings) -> Iterator[Finding]:
    """Report a correction for vLLM that TRL refuses (grpo_trainer.py:936, grpo_config.py:1152)."""
    if not is_corrected(settings):
        return
    mode = settings.text("vllm_importance_sampling_mode")
    if settings.text("loss_type") == "vespo" and mode in ("sequence_truncate", "sequence_mask"):
        yield Finding(
            ("vllm_importance_sampling_mode", "loss_type"),
            "settings-conflict",
            f'`loss_type = "vespo"` needs the ratio of each token, and not `"{mode}"`',
            "leave `vllm_importance_sampling_mode` out for `token_truncate`",
        )
    low = settings.number("vllm_importance_sampling_clip_min")
    high = settings.number("vllm_importance_sampling_clip_max")
    if low is not None and high is not None and low >= high:
        yield Finding(
            ("vllm_importance_sampling_clip_min", "vllm_importance_sampling_clip_max"),
            "settings-conflict",
            f"`vllm_importance_sampling_clip_min` is {quoted(low)}, not below "
            f"`vllm_importance_sampling_clip_max`, {quoted(high)}",
        )


def adaptive_entropy(settings: Settings) -> Iterator[Finding]:
    """Report bounds of the entropy bonus that cross (grpo_trainer.py:3231-3238)."""
    low, high = settings.number("entropy_coef_min"), settings.number("entropy_coef_max")
    if settings.is_on("use_adaptive_entropy") and low is not None and high is not None:
        if low <= high:
            return
        yield Finding(
            ("entropy_coef_min", "entropy_coef_max"),
            "settings-conflict",
            f"`entropy_coef_min` is {quoted(low)}, above `entropy_coef_max`, {quoted(high)}",
        )
