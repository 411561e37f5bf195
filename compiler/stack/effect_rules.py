"""Which fields that a user wrote for a stage TRL would read without any effect."""

from collections.abc import Callable, Iterator, Mapping

from compiler.diagnostics import Severity
from compiler.stack.finding import Finding, Settings

__all__ = ["NEVER", "NOT_PRECOMPUTED", "NOT_SYNCED", "Condition", "Ignored", "no_effect"]


class Condition:
    """When a field is ignored."""

    def __init__(
        self, holds: Callable[[Settings], bool], why: str, hint: str = "leave it out"
    ) -> None:
        """Take the test, why it is so in words that end the sentence, and what to do."""
        self.holds = holds
        self.why = why
        self.hint = hint


Ignored = Mapping[str, tuple[Condition, ...]]

NEVER = Condition(lambda _: True, "in a stage of this method")
NOT_SYNCED = Condition(
    lambda settings: not settings.is_on("sync_ref_model"),
    "without `sync_ref_model`",
    "write `sync_ref_model = true`, or leave it out",
)
NOT_PRECOMPUTED = Condition(
    lambda settings: not settings.is_on("precompute_ref_log_probs"),
    "without `precompute_ref_log_probs`",
    "write `precompute_ref_log_probs = true`, or leave it out",
)


def no_effect(settings: Settings, ignored: Ignored) -> Iterator[Finding]:
    """Warn of each written field that this plan would ignore, by the first condition that holds."""
    for name, conditions in ignored.items():
        if name not in settings.written or settings.value(name) is None:
            continue
        for condition in conditions:
            if condition.holds(settings):
                message = f"`{name}` has no effect {condition.why}"
                yield Finding((name,), "no-effect", message, condition.hint, Severity.WARNING)
                break
