"""TRL's rules over the values of one stage, which it would check late or not at all."""

from collections.abc import Callable, Iterator

from compiler.stack import ranges, schedule_rules
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


def check_values(settings: Settings) -> tuple[Finding, ...]:
    """Return all findings on a stage's resolved values, whose types must fit their fields."""
    rules = SHARED + _rules_of(settings.method)
    return tuple(finding for rule in rules for finding in rule(settings))


def _rules_of(method: str) -> tuple[Rule, ...]:
    """The rules of a method, imported here, for a spec has stages of few."""
    match method:
        case "sft":
            return _sft()
        case "reward":
            return _reward()
        case "dpo":
            return _dpo()
        case "kto":
            return _kto()
        case "grpo":
            return _grpo()
        case _:
            return _rloo()


def _sft() -> tuple[Rule, ...]:
    from compiler.stack import sft_rules

    return (sft_rules.packing, sft_rules.padding_free, sft_rules.label_smoothing)


def _reward() -> tuple[Rule, ...]:
    from compiler.stack import reward_rules

    return (reward_rules.ignored_fields, schedule_rules.grouped_lengths)


def _dpo() -> tuple[Rule, ...]:
    from compiler.stack import dpo_rules, reference_rules

    return (
        dpo_rules.loss_types,
        dpo_rules.loss_weights,
        dpo_rules.label_smoothing,
        dpo_rules.divergence,
        dpo_rules.weighting,
        dpo_rules.lone_likelihood,
        dpo_rules.sorted_batches,
        dpo_rules.ignored_fields,
        reference_rules.reference_sync,
        reference_rules.precomputed_reference,
        schedule_rules.grouped_lengths,
    )


def _kto() -> tuple[Rule, ...]:
    from compiler.stack import kto_rules, reference_rules

    return (
        kto_rules.order,
        kto_rules.lone_completions,
        kto_rules.weights,
        kto_rules.ignored_fields,
        reference_rules.reference_sync,
        reference_rules.precomputed_reference,
        schedule_rules.grouped_lengths,
    )


def _grpo() -> tuple[Rule, ...]:
    from compiler.stack import grpo_effects, grpo_rules, reference_rules, rollout_rules

    return (
        grpo_rules.choices,
        grpo_rules.cispo,
        grpo_rules.delta,
        grpo_rules.scaling,
        grpo_rules.importance_sampling,
        grpo_rules.adaptive_entropy,
        grpo_rules.vllm_correction,
        grpo_effects.ignored_fields,
        reference_rules.reference_sync,
        rollout_rules.generation_arguments,
    )


def _rloo() -> tuple[Rule, ...]:
    from compiler.stack import reference_rules, rloo_rules, rollout_rules

    return (
        rloo_rules.clip_range,
        rloo_rules.ignored_fields,
        reference_rules.reference_sync,
        rollout_rules.generation_arguments,
    )
