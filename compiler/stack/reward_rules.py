"""Which fields that a user wrote for a `reward` stage TRL would read without any effect."""

from collections.abc import Iterator

from compiler.stack.effect_rules import NEVER, Ignored, no_effect
from compiler.stack.finding import Finding, Settings

__all__ = ["ignored_fields"]

IGNORED: Ignored = {"label_smoothing_factor": (NEVER,), "length_column_name": (NEVER,)}


def ignored_fields(settings: Settings) -> Iterator[Finding]:
    """Warn of each written field that this plan would ignore."""
    return no_effect(settings, IGNORED)
