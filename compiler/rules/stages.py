"""Stages: where they start, how long they are, and what they need."""

import re

from compiler.chat.facts import hub_name
from compiler.closest import shortened
from compiler.resolve.own_data import format_of, is_taught_ideals, learns_turns
from compiler.rules.case import Case
from compiler.rules.findings import report_finding
from compiler.rules.ideal import has_ideal
from compiler.stack import check_trainer_entry, known_stacks, load_stack
from compiler.stack_choice import written_variant

__all__ = [
    "assistant_turns_are_there",
    "completions_are_there",
    "former_names_are_free",
    "one_length",
    "packed_rows_stay_apart",
    "sft_has_a_target",
    "stages_start_from_earlier_ones",
    "trainer_fields",
]

DELTA_NET = r"qwen3\.[5-8]"


def stages_start_from_earlier_ones(case: Case) -> None:
    """`from` names `base` or a stage that runs before."""
    order = case.spec.project.stages or list(case.spec.stages)
    for name, stage in case.spec.stages.items():
        start = stage.from_
        if start is not None and stage.model is not None:
            case.error(
                "conflicting-keys",
                ("stages", name, "model"),
                f"stage `{name}` has both `from` and `model`",
                "keep the one that it starts from",
                at="key",
                related=((("stages", name, "from"), "the other start"),),
            )
        if start is None or start == "base" or name not in order:
            continue
        earlier = order[: order.index(name)]
        if start in earlier and case.spec.stages[start].method == "reward" != stage.method:
            case.error(
                "bad-value",
                ("stages", name, "from"),
                f"stage `{name}` cannot start from `{start}`, which trains a reward model",
                "name the stage that trained the policy, or leave `from` out",
            )
        elif start not in earlier:
            known = ", ".join(f"`{other}`" for other in ("base", *earlier))
            why = "does not exist" if start not in case.spec.stages else "does not run before it"
            case.error(
                "unknown-stage",
                ("stages", name, "from"),
                f"stage `{name}` cannot start from `{shortened(start)}`, which {why}",
                f"it may start from {known}",
            )


def one_length(case: Case) -> None:
    """A stage has `steps` or `epochs`."""
    for name, stage in case.spec.stages.items():
        if stage.steps is not None and stage.epochs is not None:
            case.error(
                "conflicting-keys",
                ("stages", name, "epochs"),
                f"stage `{name}` has both `steps` and `epochs`",
                "keep one of them",
                at="key",
                related=((("stages", name, "steps"), "the other length"),),
            )


def former_names_are_free(case: Case) -> None:
    """`was` names no stage of the spec, and no two stages were the same one."""
    heirs: dict[str, str] = {}
    for name, stage in case.spec.stages.items():
        if stage.was is None:
            continue
        taken = stage.was in case.spec.stages
        other = stage.was if taken else heirs.setdefault(stage.was, name)
        if not taken and other == name:
            continue
        why = "is still a stage of this spec" if taken else f"is what stage `{other}` was too"
        case.error(
            "conflicting-keys",
            ("stages", name, "was"),
            f"`{stage.was}` {why}",
            "leave `was` out of the stage that is new",
            related=() if other == name else ((("stages", other), "the other stage"),),
        )


def trainer_fields(case: Case) -> None:
    """Each entry of `trainer` is a field of the method's TRL config that may be set there."""
    if case.spec.project.stack not in (None, *known_stacks()):
        return
    stack = load_stack(case.spec.project.stack, written_variant(case.spec))
    for name, stage in case.spec.stages.items():
        keys = type(stage).model_fields
        for field, value in stage.trainer.items():
            finding = check_trainer_entry(stack, stage.method, field, value, keys)
            if finding is not None:
                path = ("stages", name, "trainer", field)
                at = "value" if finding.code in ("wrong-type", "bad-value") else "key"
                report_finding(case.report, finding, case.place(path, at))


def sft_has_a_target(case: Case) -> None:
    """An SFT stage has ideal completions to learn."""
    if has_ideal(case):
        return
    for name in case.spec.stages:
        if is_taught_ideals(case.spec, name):
            case.error(
                "missing-key",
                ("prompt",),
                f"`assistant` is missing: stage `{name}` learns ideal completions",
                "add `assistant` with what the model should write for a row",
                at="key",
            )
            return


def assistant_turns_are_there(case: Case) -> None:
    """`assistant_only_loss` is for conversations; of other rows the answer alone is learnt."""
    for name, stage in case.spec.stages.items():
        if stage.method != "sft" or not stage.assistant_only_loss:
            continue
        if not learns_turns(case.spec, name):
            case.error(
                "conflicting-keys",
                ("stages", name, "assistant_only_loss"),
                f"`assistant_only_loss` is for rows of `messages`, and `{name}` has others",
                "leave it out: of a prompt and its completion only that is learnt, of a text all",
                at="key",
            )


def completions_are_there(case: Case) -> None:
    """`completion_only_loss` is read where rows have completions (sft_trainer.py:1370)."""
    for name, stage in case.spec.stages.items():
        without = format_of(case.spec, name) in (("messages",), ("text",))
        written = stage.trainer.get("completion_only_loss") is True
        if written and without and stage.method == "sft" and not learns_turns(case.spec, name):
            case.warning(
                "no-effect",
                ("stages", name, "trainer", "completion_only_loss"),
                "`completion_only_loss` has no effect on rows without completions",
                "write `assistant_only_loss = true` for rows of `messages`, or leave it out",
                at="key",
            )


def packed_rows_stay_apart(case: Case) -> None:
    """Gated DeltaNet carries what it has read from one packed row into the next without kernels.

    transformers refuses that (integrations/hub_kernels.py:1037); with attention alone it masks
    packed rows itself, whatever computes it.
    """
    for name, stage in case.spec.stages.items():
        base = stage.model or case.spec.model.base
        if stage.method == "sft" and stage.packing and re.search(DELTA_NET, hub_name(base)):
            case.warning(
                "off-recipe",
                ("stages", name, "packing"),
                f"packed rows of `{base}` are kept apart by `flash-linear-attention` alone",
                "install that package where it is trained, or leave `packing` out",
            )
