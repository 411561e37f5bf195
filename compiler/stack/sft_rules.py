"""Rules on the values of an `sft` stage."""

from collections.abc import Iterator

from compiler.diagnostics import Severity
from compiler.stack.finding import Finding, Settings

__all__ = ["label_smoothing", "packing", "padding_free"]


def packing(settings: Settings) -> Iterator[Finding]:
    """Report packing without a length, and what it makes idle (sft_trainer.py:1436-1468)."""
    if settings.is_on("packing"):
        if settings.number("max_length") is None:
            yield Finding(
                ("packing", "max_length"),
                "settings-conflict",
                "`packing` needs `max_length`, the length of the sequences it fills",
                "write `max_length` in the stage",
            )
        if "truncation_mode" in settings.written:
            yield _no_effect("truncation_mode", "with `packing`, which cuts rows by itself")
    elif "packing_strategy" in settings.written and not settings.is_on("eval_packing"):
        yield _no_effect("packing_strategy", "without `packing`", "write `packing = true`")


def padding_free(settings: Settings) -> Iterator[Finding]:
    """Report a flat batch that keeps no length, or mixes rows (sft_trainer.py:921, 1000)."""
    if not settings.is_on("padding_free"):
        return
    if not settings.is_on("packing") and settings.number("max_length") is not None:
        yield Finding(
            ("padding_free", "max_length"),
            "settings-conflict",
            "`padding_free` without `packing` cannot keep to `max_length`",
            "write `packing = true` as well, or leave `padding_free` out",
        )
    if settings.is_on("packing") and settings.text("packing_strategy") == "wrapped":
        yield Finding(
            ("padding_free", "packing_strategy"),
            "off-recipe",
            '`padding_free` with `packing_strategy = "wrapped"` lets a row see the one before it',
            'write `packing_strategy = "bfd"`',
            Severity.WARNING,
        )


def label_smoothing(settings: Settings) -> Iterator[Finding]:
    """Report smoothing: deprecated with `nll` (sft_trainer.py:1058), not read with `dft` (1601)."""
    if not settings.number("label_smoothing_factor"):
        return
    if settings.text("loss_type") == "dft":
        yield _no_effect("label_smoothing_factor", 'with `loss_type = "dft"`')
    else:
        yield Finding(
            ("label_smoothing_factor",),
            "deprecated-field",
            "`label_smoothing_factor` costs an extra forward pass a step, and TRL 2.0 drops it",
            "leave it out",
            Severity.WARNING,
        )


def _no_effect(name: str, why: str, hint: str | None = None) -> Finding:
    message = f"`{name}` has no effect {why}"
    return Finding((name,), "no-effect", message, hint or "leave it out", Severity.WARNING)
