"""Rules on the values of a `kto` stage, most of them from the KL term of its loss."""

from collections.abc import Iterator

from compiler.stack.effect_rules import NEVER, NOT_PRECOMPUTED, NOT_SYNCED, Ignored, no_effect
from compiler.stack.finding import Finding, Settings

__all__ = ["ignored_fields", "lone_completions", "order", "weights"]


def order(settings: Settings) -> Iterator[Finding]:
    """Report an order in which a completion does not meet the one it is paired with.

    The KL term is estimated on pairs made beforehand of neighbours (kto_trainer.py:838).
    """
    chosen = settings.text("train_sampling_strategy")
    if settings.text("loss_type") == "kto" and chosen != "sequential":
        yield Finding(
            ("train_sampling_strategy", "loss_type"),
            "settings-conflict",
            "the KL term of KTO is estimated on neighbours, so rows must come in their order, not "
            f'in that of `train_sampling_strategy = "{chosen}"`',
            'leave it out, or write `loss_type = "apo_zero_unpaired"`',
        )


def lone_completions(settings: Settings) -> Iterator[Finding]:
    """Report micro-batches of one, where the KL term is the row's own (kto_trainer.py:845)."""
    size = settings.number("per_device_train_batch_size")
    if settings.text("loss_type") == "kto" and size == 1:
        yield Finding(
            ("per_device_train_batch_size", "loss_type"),
            "settings-conflict",
            "the KL term of KTO is estimated on the other rows of a micro-batch, and here it has "
            "one row",
            'raise `prompts_per_step`, or write `loss_type = "apo_zero_unpaired"`',
        )


def weights(settings: Settings) -> Iterator[Finding]:
    """Report a loss that counts no row."""
    if settings.number("desirable_weight") == 0 == settings.number("undesirable_weight"):
        yield Finding(
            ("desirable_weight", "undesirable_weight"),
            "settings-conflict",
            "`desirable_weight` and `undesirable_weight` are both 0, so nothing would be trained",
            "write 1.0 for one of them",
        )


IGNORED: Ignored = {
    "label_smoothing_factor": (NEVER,),
    "length_column_name": (NEVER,),
    "precompute_ref_batch_size": (NOT_PRECOMPUTED,),
    "ref_model_mixup_alpha": (NOT_SYNCED,),
    "ref_model_sync_steps": (NOT_SYNCED,),
}


def ignored_fields(settings: Settings) -> Iterator[Finding]:
    """Warn of each written field that this plan would ignore."""
    return no_effect(settings, IGNORED)
