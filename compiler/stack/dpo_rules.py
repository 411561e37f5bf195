"""Rules on the values of a `dpo` stage that TRL refuses at the first step, or not at all."""

from collections.abc import Callable, Iterator

from compiler.closest import closest, quoted_list
from compiler.diagnostics import Severity
from compiler.stack.effect_rules import (
    NEVER,
    NOT_PRECOMPUTED,
    NOT_SYNCED,
    Condition,
    Ignored,
    no_effect,
)
from compiler.stack.finding import Finding, Settings
from compiler.stack.table import quoted

__all__ = [
    "divergence",
    "ignored_fields",
    "label_smoothing",
    "lone_likelihood",
    "loss_types",
    "loss_weights",
    "sorted_batches",
    "weighting",
]

# dpo_trainer.py:1386-1515 compares with these when the first loss is computed.
LOSS_TYPES = (
    *("sigmoid", "hinge", "ipo", "exo_pair", "nca_pair", "robust", "bco_pair", "sppo_hard"),
    *("aot", "aot_unpaired", "apo_zero", "apo_down", "discopop", "sft", "sigmoid_norm"),
)
# Also compared with at the first step only (dpo_trainer.py:1348-1381).
DIVERGENCES = ("reverse_kl", "forward_kl", "js_divergence", "alpha_divergence")
# In the others a term of the partition function does not cancel (dpo_trainer.py:807-817).
WITH_DIVERGENCE = frozenset(
    {"sigmoid", "sigmoid_norm", "hinge", "ipo", "exo_pair", "robust", "discopop", "sft"}
)
SORTED = frozenset({"aot", "aot_unpaired"})
SMOOTHED = frozenset({"exo_pair", "robust"}) | SORTED


def loss_types(settings: Settings) -> Iterator[Finding]:
    """Report a loss that TRL would refuse only at the first step, or none at all."""
    names = settings.texts("loss_type")
    if not names:
        hint = 'write `loss_type = "sigmoid"`, the loss of DPO'
        yield Finding(("loss_type",), "bad-value", "`loss_type` names no loss", hint)
    for name in names:
        if name in LOSS_TYPES:
            continue
        hint = settings.stack.retired_value(settings.method, "loss_type", name)
        if hint is None:
            meant = closest(name, LOSS_TYPES)
            hint = f"did you mean `{meant}`?" if meant else f"it can be {quoted_list(LOSS_TYPES)}"
        message = f"{quoted(name)} is no loss of `dpo`"
        yield Finding(("loss_type",), "bad-value", message, hint)


def loss_weights(settings: Settings) -> Iterator[Finding]:
    """Report weights that do not fit the losses (dpo_config.py:353), or that pay for the worse."""
    weights = settings.numbers("loss_weights")
    if weights is None:
        return
    losses = len(settings.texts("loss_type"))
    if len(weights) != losses:
        yield Finding(
            ("loss_weights", "loss_type"),
            "settings-conflict",
            f"`loss_weights` and `loss_type` differ in length: {len(weights)} and {losses}",
            "write one number for each loss",
        )
    elif any(weight < 0 for weight in weights):
        message = "`loss_weights` must be 0 or more: a negative one trains for the opposite"
        yield Finding(("loss_weights",), "bad-value", message)
    elif not any(weights):
        message = "`loss_weights` are all 0, so nothing would be trained"
        yield Finding(("loss_weights",), "bad-value", message)


def label_smoothing(settings: Settings) -> Iterator[Finding]:
    """Report the smoothing that a loss cannot do without (dpo_trainer.py:830).

    With 0 `robust` is the sigmoid loss.
    """
    if settings.number("label_smoothing"):
        return
    if "exo_pair" in settings.texts("loss_type"):
        yield Finding(
            ("label_smoothing", "loss_type"),
            "settings-conflict",
            "`exo_pair` needs `label_smoothing` above 0",
            "write `label_smoothing = 0.001` in the stage, as in its paper",
        )
    elif "robust" in settings.texts("loss_type"):
        yield Finding(
            ("label_smoothing", "loss_type"),
            "off-recipe",
            "`robust` with `label_smoothing = 0` is the same as `sigmoid`",
            "write `label_smoothing = 0.1` in the stage: the share of pairs that are swapped",
            Severity.WARNING,
        )


def divergence(settings: Settings) -> Iterator[Finding]:
    """Report an unknown divergence, or one that the losses do not go with."""
    chosen = settings.text("f_divergence_type")
    if chosen not in DIVERGENCES:
        meant = closest(str(chosen), DIVERGENCES)
        yield Finding(
            ("f_divergence_type",),
            "bad-value",
            f"`f_divergence_type` takes {quoted_list(DIVERGENCES)}, not {quoted(chosen)}",
            None if meant is None else f"did you mean `{meant}`?",
        )
    elif chosen != "reverse_kl":
        losses = settings.texts("loss_type")
        wrong = [name for name in losses if name in LOSS_TYPES and name not in WITH_DIVERGENCE]
        if wrong:
            yield Finding(
                ("f_divergence_type", "loss_type"),
                "settings-conflict",
                f'`f_divergence_type = "{chosen}"` does not go with {quoted_list(wrong)}',
                f"it goes with {quoted_list(sorted(WITH_DIVERGENCE))}",
            )


def weighting(settings: Settings) -> Iterator[Finding]:
    """Report weights of pairs where a loss sorts them apart (dpo_trainer.py:820)."""
    wrong = [name for name in settings.texts("loss_type") if name in SORTED]
    if settings.is_on("use_weighting") and wrong:
        yield Finding(
            ("use_weighting", "loss_type"),
            "settings-conflict",
            f"`use_weighting` weighs pairs, which {quoted_list(wrong)} sorts apart",
            "leave `use_weighting` out",
        )


def lone_likelihood(settings: Settings) -> Iterator[Finding]:
    """Report a DPO without preference: the rejected answers are not read."""
    if settings.texts("loss_type") == ("sft",):
        yield Finding(
            ("loss_type",),
            "off-recipe",
            '`loss_type = "sft"` alone reads no rejected answer, and loads a reference in vain',
            'write `loss_type = ["sigmoid", "sft"]`, or `method = "sft"`',
            Severity.WARNING,
        )


def sorted_batches(settings: Settings) -> Iterator[Finding]:
    """Report sorting where there is nothing to sort: micro-batches of one pair."""
    names = [name for name in settings.texts("loss_type") if name in SORTED]
    if names and settings.number("per_device_train_batch_size") == 1:
        yield Finding(
            ("loss_type",),
            "off-recipe",
            f"`{names[0]}` compares the pairs of a step, and here it has one",
            "raise `prompts_per_step`",
            Severity.WARNING,
        )


def _unless_any(*losses: str) -> Callable[[Settings], bool]:
    return lambda settings: not set(losses) & set(settings.texts("loss_type"))


IGNORED: Ignored = {
    "discopop_tau": (Condition(_unless_any("discopop"), "without the loss `discopop`"),),
    "f_alpha_divergence_coef": (
        Condition(
            lambda settings: settings.text("f_divergence_type") != "alpha_divergence",
            'without `f_divergence_type = "alpha_divergence"`',
        ),
    ),
    "label_smoothing": (
        Condition(
            _unless_any(*SMOOTHED),
            "with this `loss_type`",
            'write `loss_type = "robust"`, which expects swapped pairs, or leave it out',
        ),
    ),
    "label_smoothing_factor": (NEVER,),
    "length_column_name": (NEVER,),
    "padding_free": (
        Condition(lambda settings: settings.is_on("padding_free"), "in TRL 1.16, which pads"),
    ),
    "precompute_ref_batch_size": (NOT_PRECOMPUTED,),
    "ref_model_mixup_alpha": (NOT_SYNCED,),
    "ref_model_sync_steps": (NOT_SYNCED,),
}


def ignored_fields(settings: Settings) -> Iterator[Finding]:
    """Warn of each written field that this plan would ignore."""
    return no_effect(settings, IGNORED)
