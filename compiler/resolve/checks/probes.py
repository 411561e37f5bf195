"""Crafted completions of a row, and which of them must be right, must not, or may be.

What is expected of a probe follows from how the answer is read, how it is compared, and which of
several counts. Where a way of grading pays a probe by construction (the last number of a completion
that was cut off may be the gold), its share is reported and nothing is demanded.
"""

from collections.abc import Callable
from typing import NamedTuple

from compiler.literals import literal, text_literal
from compiler.plan.checks import ProbesFile
from compiler.plan.rewards import RewardPlan
from compiler.plan.stages import StagePlan
from compiler.resolve.checks.crafts import Crafts, crafts_of
from compiler.resolve.checks.graders import READ, Grader, graders_of
from compiler.resolve.graded import (
    functions,
    has_answer,
    has_ideal,
    is_probed,
    telling,
    untold,
    waits,
)
from compiler.resolve.inputs import Inputs

__all__ = ["plan_probes"]

MAY_ABSTAIN = (
    "python",
    "language",
    "reasoning_gym",
)  # kinds that give None where they judge nothing
RETRACTED = {
    "last": "a right answer that is taken back",
    "first": "a right answer behind a wrong one",
    "only": "a right answer beside a wrong one",
}


def _never(_: Grader) -> bool:
    return False


def _always(_: Grader) -> bool:
    return True


def _by_gold(grader: Grader) -> bool:
    return grader.by_gold


def _in_place(grader: Grader) -> bool:
    return grader.in_place


def _clear(grader: Grader) -> bool:
    return grader.clear


def _reads(grader: Grader) -> bool:
    return grader.reading in READ


def _takes_a_part(grader: Grader) -> bool:
    return grader.reading != "whole"


def _finds(grader: Grader) -> bool:
    return grader.ungated and (grader.clear or grader.is_marked)


class _Probe(NamedTuple):
    """One probe, and of which graders something is demanded; the others may take it for right."""

    what: str
    craft: str
    must: Callable[[Grader], bool] = _never
    must_not: Callable[[Grader], bool] = _never
    tried: Callable[[Grader], bool] = _always

    def code(self, graders: dict[str, Grader]) -> str | None:
        """A finished `Probe(...)`, None where no grader is tried on it."""
        groups: dict[str, list[str]] = {"must": [], "must_not": [], "may": []}
        for name, grader in graders.items():
            if self.tried(grader):
                may = "must_not" if self.must_not(grader) else "may"
                groups["must" if self.must(grader) else may].append(name)
        named = "".join(
            f", {key}={literal(tuple(names))}" for key, names in groups.items() if names
        )
        return f"Probe({text_literal(self.what)}, {self.craft}{named})" if named else None


def plan_probes(
    inputs: Inputs, stages: tuple[StagePlan, ...], rewards: tuple[RewardPlan, ...]
) -> ProbesFile | None:
    """The context of probes.py, None where there is nothing to try."""
    if not is_probed(inputs):
        return None
    graders = graders_of(inputs, rewards)
    told = telling(inputs, rewards)
    marks = ", ".join(f"rewards.{reward.name}: {literal(float(reward.highest))}" for reward in told)
    ideal, reads = has_ideal(inputs), has_answer(inputs)
    others = untold(inputs, rewards) if ideal else ()
    crafts = crafts_of(inputs, graders) if ideal else Crafts()
    probes = _probes(inputs, graders, crafts)
    listing = ", ".join(f"{text_literal(name)}: {each.code}" for name, each in graders.items())
    wrong = ideal and bool(graders)
    by_reading = any(each.code == "is_right" for each in graders.values())
    return ProbesFile(
        full_marks=f"{{{marks}}}" if told else None,
        others=functions(others),
        abstaining=_abstaining(inputs, stages) if ideal else None,
        graders=f"{{{listing}}}" if graders else None,
        probes=probes,
        retracted=crafts.retracted,
        listed=crafts.listed,
        cut_mark=crafts.cut_mark,
        cut_text=crafts.cut_text,
        cut_end=crafts.cut_end,
        short_of=crafts.short_of,
        reads=by_reading or crafts.cut_mark is not None,
        final_text=reads and wrong,
        other_golds=reads and wrong,
        other_solutions=wrong and not reads,
        marks_graders=any(each.code != "is_right" for each in graders.values()),
        has_ideal=ideal,
        has_rewards=bool(rewards) and (ideal or len(graders) > by_reading),
        has_others=wrong,
        has_surrounded=any(", surrounded, " in probe for probe in probes),
        waits=waits(inputs),
    )


def _probes(inputs: Inputs, graders: dict[str, Grader], crafts: Crafts) -> tuple[str, ...]:
    """The probes as finished expressions."""
    if not graders:
        return ()
    probes = [_Probe("an empty completion", "empty", must_not=_always)]
    if has_ideal(inputs):
        probes = [*_whole_probes(inputs), *probes, *_changed_probes(inputs, crafts)]
    probes.append(_Probe("an echo of the prompt", "echo"))
    return tuple(code for probe in probes if (code := probe.code(graders)))


def _whole_probes(inputs: Inputs) -> list[_Probe]:
    """Probes with an ideal completion that is left as it is."""
    of_another = "another gold" if has_answer(inputs) else "another solution"
    return [
        _Probe(
            "the ideal completion with sentences around it",
            "surrounded",
            must=_finds,
            tried=_takes_a_part,
        ),
        _Probe(
            f"the ideal completion of a row with {of_another}",
            "wrong",
            must_not=_by_gold,
        ),
    ]


def _changed_probes(inputs: Inputs, crafts: Crafts) -> list[_Probe]:
    """Probes with an ideal completion that is changed, as far as this task has them."""
    answer = inputs.spec.answer if has_answer(inputs) else None
    several = "last" if answer is None else answer.several
    probes: list[_Probe] = []
    if crafts.listed is not None:
        probes.append(
            _Probe(
                "a list of several answers",
                "every_answer",
                must_not=_reads,
                tried=_by_gold,
            )
        )
    if crafts.cuts:
        probes.append(
            _Probe(
                "the ideal completion, cut off inside its answer",
                "cut",
                must_not=_in_place,
            )
        )
    if crafts.short_of is not None:
        probes.append(_Probe("the ideal completion, cut off before its last gold", "cut_short"))
    if crafts.retracted is not None:
        probes.append(_Probe(RETRACTED[several], "retracted", must_not=_clear))
    return probes


def _abstaining(inputs: Inputs, stages: tuple[StagePlan, ...]) -> str | None:
    """The stages of which every paid reward may judge nothing in a row."""
    found: list[str] = []
    for stage in stages:
        mix = stage.mix.weights if stage.mix is not None else ()
        paid = [name for name, weight in mix if weight.highest > 0]
        if paid and all(inputs.spec.rewards[name].kind in MAY_ABSTAIN for name in paid):
            named = "".join(f"rewards.{name}, " for name in paid)
            found.append(f"{stage.name_code}: ({named})")
    return f"{{{', '.join(found)}}}" if found else None
