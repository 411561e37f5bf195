"""What PLAN.md says of the mix of a stage."""

import math

from compiler.plan.stages import MixPlan, StagePlan

__all__ = ["mix_lines"]

# What TRL makes of the weighted sums (grpo_trainer.py, `_generate_and_score_completions`).
SCALINGS = {
    "group": "Advantages are divided by the spread of their group: it counts how the weights "
    "compare, not how large they are.",
    "batch": "Advantages are divided by the spread of the batch: it counts how the weights "
    "compare, not how large they are, and a group whose completions differ more moves the model "
    "more.",
    "none": "Advantages are divided by no spread: twice the weights are twice the advantages.",
}
# RLOO has no such setting; `normalize_advantages` divides by the spread of the batch
# (rloo_trainer.py, `_generate_and_score_completions`).
LEFT_OUT = (
    "An advantage is the sum of a completion less the mean of the others of its group: twice the "
    "weights are twice the advantages."
)
NORMALIZED = (
    "each reward is divided by its own spread in the group before it is weighed, and the sum by "
    "that of the batch (GDPO, arXiv 2601.05242): a weight counts the same whatever the range of "
    "its reward, and what an answer earns depends on its group."
)


def mix_lines(stage: StagePlan) -> tuple[str, ...]:
    """What answers can earn in a stage, and what becomes of the weights."""
    if stage.mix is None:
        return ()
    if stage.value("multi_objective_aggregation") == "normalize_then_sum":
        return (f"`{stage.name}`: {NORMALIZED}",)
    return (f"`{stage.name}`: {_totals(stage.mix)} {_scaling(stage)}",)


def _scaling(stage: StagePlan) -> str:
    if stage.method == "rloo":
        return SCALINGS["batch"] if stage.value("normalize_advantages") else LEFT_OUT
    return SCALINGS[stage.value("scale_rewards")]


def _totals(mix: MixPlan) -> str:
    if not mix.totals:
        return "No reward that is paid tells every right answer from every wrong one."
    said = [
        f"{totals.when + ' ' if totals.when else ''}a reward without bounds is paid, so that a "
        "wrong answer can earn more than a right one"
        if math.isinf(totals.wrong - totals.right)
        else f"{totals.when + ' ' if totals.when else ''}a wrong answer earns {totals.wrong:g} at "
        f"most, and a right one {totals.right:g} at least"
        for totals in mix.totals
    ]
    text = "; ".join(said)
    return f"{text[:1].upper()}{text[1:]}."
