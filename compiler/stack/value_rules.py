"""TRL's rules over the values of one stage, which it would check late or not at all."""

from collections.abc import Callable, Iterator, Mapping

from compiler.stack import effect_rules, grpo_rules, ranges, schedule_rules, sft_rules
from compiler.stack.finding import Finding, Settings

__all__ = ["check_values"]

Rule = Callable[[Settings], Iterator[Finding]]

SHARED: tuple[Rule, ...] = (
    ranges.out_of_range,
    schedule_rules.evaluation_for_scheduler,
    schedule_rules.scheduler_arguments,
    schedule_rules.best_model,
    schedule_rules.data_workers,
    schedule_rules.named_values,
)

RULES: Mapping[str, tuple[Rule, ...]] = {
    "sft": (sft_rules.packing, sft_rules.padding_free, sft_rules.label_smoothing),
    "grpo": (
        grpo_rules.choices,
        grpo_rules.cispo,
        grpo_rules.delta,
        grpo_rules.scaling,
        grpo_rules.importance_sampling,
        grpo_rules.reference_sync,
        grpo_rules.adaptive_entropy,
        grpo_rules.generation_arguments,
        effect_rules.no_effect,
    ),
}


def check_values(settings: Settings) -> tuple[Finding, ...]:
    """Return all findings on a stage's resolved values, whose types must fit their fields."""
    rules = SHARED + RULES[settings.method]
    return tuple(finding for rule in rules for finding in rule(settings))
