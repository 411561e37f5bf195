"""Rules over the resolved mixes: a right answer pays best, and completions are told apart."""

import math

from compiler.diagnostics import Report
from compiler.parse import Document, KeyPath
from compiler.plan.outline import Outline
from compiler.plan.stages import MixPlan, StagePlan

__all__ = ["check_mixes"]


def check_mixes(outline: Outline, document: Document, report: Report) -> None:
    """Report what a mix would teach beside the task; of a chain, the last stage on rewards counts.

    What an earlier stage teaches of form, a later one may still set right.
    """
    mixes = [stage.mix for stage in outline.stages if stage.mix is not None]
    for mix in mixes:
        _lone_length(mix, document, report)
        _constant(mix, document, report)
    for mix in mixes[-1:]:
        _wrong_beats_right(mix, document, report)
    for stage in outline.stages:
        _unreached(stage, document, report)


def _wrong_beats_right(mix: MixPlan, document: Document, report: Report) -> None:
    for totals in mix.totals:
        if totals.wrong < totals.right:
            continue
        hint = (
            f"raise the weight of `{totals.correctness}`, lower the others, or let them wait for "
            f'it with `only_if = "{totals.correctness}"`'
        )
        when = f" {totals.when}" if totals.when else ""
        if math.isinf(totals.wrong - totals.right):
            report.warning(
                "wrong-beats-right",
                f"`{mix.stage}` pays a reward without bounds{when}: a wrong answer can earn more "
                "than a right one",
                document.key_place(_mix_path(mix, document)),
                hints=('give it bounds with `squash = "sigmoid"`, and then weigh it',),
            )
            return
        report.warning(
            "wrong-beats-right",
            f"a wrong answer can earn {totals.wrong:g} in `{mix.stage}`{when}, and a right one as "
            f"little as {totals.right:g}",
            document.key_place(_mix_path(mix, document)),
            hints=(hint,),
        )
        return


def _lone_length(mix: MixPlan, document: Document, report: Report) -> None:
    if mix.lone_length is None:
        return
    own: KeyPath = ("stages", mix.stage, "rewards", mix.lone_length)
    path: KeyPath = own if own in document.key_spans else ("rewards", mix.lone_length)
    report.warning(
        "length-alone",
        f"`{mix.lone_length}` has no counterweight in `{mix.stage}`: any text of that length is "
        "best",
        document.key_place(path),
        hints=("pay for correctness or format beside it, or wait for one with `only_if`",),
    )


def _constant(mix: MixPlan, document: Document, report: Report) -> None:
    if not mix.constant:
        return
    report.warning(
        "constant-mix",
        f"`{mix.stage}` pays an ideal, a wrong, an empty and a cut completion the same",
        document.key_place(_mix_path(mix, document)),
        hints=("pay a reward that tells them apart: a group that scores alike teaches nothing",),
    )


def _unreached(stage: StagePlan, document: Document, report: Report) -> None:
    """A schedule is over within its stage, where the length of that is known."""
    steps: int | None = stage.value("max_steps")
    if stage.mix is None or steps is None:
        return
    for name, weight in stage.mix.weights:
        if weight.steps is not None and weight.steps > steps:
            report.warning(
                "unreached-weight",
                f"the weight of `{name}` takes {weight.steps} steps to {weight.last:g}, and "
                f"`{stage.name}` has {steps}",
                document.value_place(("rewards", name, "weight", "steps")),
                hints=("let `steps` be no more than those of the stage",),
            )


def _mix_path(mix: MixPlan, document: Document) -> KeyPath:
    own: KeyPath = ("stages", mix.stage, "rewards")
    return own if own in document.key_spans else ("rewards",)
