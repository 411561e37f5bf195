"""Rules on the reference model of `dpo`, `kto`, `grpo` and `rloo` stages."""

from collections.abc import Iterator

from compiler.stack.finding import Finding, Settings

__all__ = ["precomputed_reference", "reference_sync"]


def reference_sync(settings: Settings) -> Iterator[Finding]:
    """Report a reference to be moved where there is none of its own.

    grpo_trainer.py:1190-1203, rloo_trainer.py:822-840, dpo_trainer.py:994, kto_trainer.py:1002.
    """
    if not settings.is_on("sync_ref_model"):
        return
    if not settings.number("beta"):
        yield Finding(
            ("sync_ref_model", "beta"),
            "settings-conflict",
            "`sync_ref_model` moves the reference model, but with `beta = 0` there is none",
            "write `beta = 0.001` in the stage, or leave `sync_ref_model` out",
        )
    if settings.adapter:
        yield Finding(
            ("sync_ref_model",),
            "settings-conflict",
            "`sync_ref_model` needs a reference model of its own, but a stage with an adapter "
            "shares its weights",
            "leave `sync_ref_model` out, or the adapter",
        )


def precomputed_reference(settings: Settings) -> Iterator[Finding]:
    """Report a moving reference computed once (dpo_trainer.py:1003, kto_trainer.py:1011)."""
    if settings.is_on("sync_ref_model") and settings.is_on("precompute_ref_log_probs"):
        yield Finding(
            ("precompute_ref_log_probs", "sync_ref_model"),
            "settings-conflict",
            "`precompute_ref_log_probs` computes the reference once, and `sync_ref_model` moves it",
            "leave one of them out",
        )
