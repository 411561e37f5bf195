"""The export of the model that the last stage trained."""

import json

from compiler.literals import literal, text_literal
from compiler.markdown import inline
from compiler.plan.export import ExportFile
from compiler.plan.stages import StagePlan
from compiler.resolve.data_page import trained_on
from compiler.resolve.gpus import gpu_of, torch_device
from compiler.resolve.graded import revision
from compiler.resolve.inputs import Inputs
from compiler.resolve.methods import METHODS
from compiler.resolve.own_data import builds_prompts
from compiler.resolve.stage_rows import stage_prompts
from compiler.resolve.starts import model_of

__all__ = ["answer_tokens", "plan_export", "policy_chain"]

ANSWER_TOKENS = 1024  # of an answer in a chat, where no stage limits completions


def plan_export(inputs: Inputs, stages: tuple[StagePlan, ...]) -> ExportFile | None:
    """The context of export.py; None where no stage trains the policy."""
    chain = policy_chain(stages)
    if not chain:
        return None
    last = chain[-1]
    load, prompts = stage_prompts(inputs, last.name)
    return ExportFile(
        chain=literal({stage.name: _start(inputs, stage) for stage in chain}),
        last=text_literal(last.name),
        start=last.start_code,
        model=last.model if last.lora else None,
        from_base=last.lora is not None and last.start_code == "BASE",
        from_folder=last.lora is not None and "HERE" in (last.model or ""),
        revision=revision(inputs) if last.start_code == "BASE" else None,
        adapter=last.lora is not None,
        quantization=last.quantization,
        dtype=literal(last.mechanics.precision),
        # All weights are trained in float32, and rounded by the export alone.
        trained_dtype="DTYPE" if last.lora else literal("float32"),
        rounds=gpu_of(inputs.spec.hardware) is not None,
        device=literal(torch_device(inputs.spec.hardware)),
        rows_import=f"from data import {load}",
        prompts=prompts,
        card=text_literal(_card(inputs, chain)),
        system=bool(inputs.system) and builds_prompts(inputs.spec),
        rewards=any(stage.mix for stage in chain),
        answer_tokens=literal(answer_tokens(chain)),
    )


def answer_tokens(chain: tuple[StagePlan, ...]) -> int:
    """The longest answer in a chat: as long as a stage has let one be, and never short."""
    lengths = [stage.value("max_completion_length") for stage in chain if stage.group is not None]
    return max([*lengths, ANSWER_TOKENS])


def _start(inputs: Inputs, stage: StagePlan) -> str:
    """Where a stage started, as text of the model card."""
    return stage.start or inline(model_of(inputs, stage.name))


def policy_chain(stages: tuple[StagePlan, ...]) -> tuple[StagePlan, ...]:
    """The stages from the base model to the last one that trained the policy, in their order."""
    by_name = {stage.name: stage for stage in stages}
    chain = [stage for stage in stages if METHODS[stage.method].trains_policy][-1:]
    while chain and (start := chain[0].start) is not None:
        chain.insert(0, by_name[start])
    return tuple(chain)


def _card(inputs: Inputs, chain: tuple[StagePlan, ...]) -> str:
    """The head of the model card: what a hub reads of it, the name, the base and the data."""
    spec = inputs.spec
    base = model_of(inputs, chain[0].name)
    on_hub = not base.startswith(("./", "../", "/"))
    tags = ("trl", *dict.fromkeys(stage.method for stage in chain))
    head = [
        "---",
        *([f"base_model: {json.dumps(base)}"] if on_hub else []),
        "library_name: transformers",
        "pipeline_tag: text-generation",
        f"tags: [{', '.join(tags)}]",
        "---",
        "",
        f"# {inline(spec.project.name)}",
        "",
    ]
    if spec.project.description:
        head += [inline(spec.project.description), ""]
    adapters = {stage.lora is not None for stage in chain}
    trained = "Adapters, merged into" if adapters == {True} else "Trained from"
    head += [f"{trained} {inline(base)}, on {trained_on(inputs)}.", ""]
    return "\n".join(head)
