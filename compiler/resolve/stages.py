"""What each training script says beside its config."""

import textwrap

from compiler.literals import docstring, text_literal
from compiler.plan.mechanics import Mechanics
from compiler.plan.stages import StagePlan, UnslothPlan
from compiler.resolve.arguments import config_arguments, lora_plan
from compiler.resolve.asking import asked_constants
from compiler.resolve.chat import tokenizer_code, tokenizer_import
from compiler.resolve.inputs import Inputs, reward_models
from compiler.resolve.mechanics import mechanics_of
from compiler.resolve.memory import plan_memory
from compiler.resolve.methods import METHODS
from compiler.resolve.mixes import mix_of, some_move, weights_of
from compiler.resolve.stage_callbacks import stage_callbacks
from compiler.resolve.stage_rows import stage_rows
from compiler.resolve.starts import (
    ADAPTERS,
    adapter_of,
    is_quantized,
    model_of,
    plan_start,
    uses_unsloth,
)
from spec_schema import TaskSpec
from spec_schema.run import TrackingTable
from spec_schema.stages.rollout import RolloutStage

__all__ = ["plan_stage"]

# 4 bit with constants that are quantized too (QLoRA, arXiv 2305.14314).
QUANTIZATION = (
    'BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type="nf4", '
    'bnb_4bit_use_double_quant=True, bnb_4bit_compute_dtype="{}"{})'
)
# Weights can be shared out where they are stored as floating-point numbers; else each GPU holds all
# of them (transformers#24395, accelerate 1.15, fsdp_utils.py).
STORAGE = ', bnb_4bit_quant_storage="bfloat16"'
LINE = 96  # characters of a line of the script's docstring


def plan_stage(inputs: Inputs, name: str) -> StagePlan:
    """The context of train_<stage>.py."""
    stage = inputs.spec.stages[name]
    mechanics = mechanics_of(inputs, name)
    start = plan_start(inputs, name, distributed=mechanics.batch.processes > 1)
    mix = mix_of(inputs, name)
    asks = () if mix is None else asked_constants(inputs.spec, dict(mix.weights))
    rows = stage_rows(inputs, name)
    built = "trainer =" if mix and mix.moves else "return"
    model = model_of(inputs, name)
    return StagePlan(
        name=name,
        method=stage.method,
        docstring=_docstring(inputs, name, start.stage),
        start=start.stage,
        start_code=start.code,
        model=start.model,
        tokenizer_import=tokenizer_import(inputs.spec, model),
        tokenizer_code=tokenizer_code(inputs.spec, "start", start.revision_code, model),
        stages_import=start.stages_import,
        arguments=config_arguments(inputs, name, start.revision),
        lora=lora_plan(inputs, name),
        quantization=_quantization(inputs, name, mechanics),
        unsloth=_unsloth(inputs, name, mechanics),
        mix=mix,
        asks=asks,
        rewards_import=f"from rewards import {', '.join(('MIXES', *asks))}",
        data_import=rows.data_import,
        rows_code=rows.train,
        eval_rows_code=rows.evaluation,
        mechanics=mechanics,
        group=stage.num_generations if isinstance(stage, RolloutStage) else None,
        callbacks=stage_callbacks(inputs.spec, name),
        name_code=text_literal(name),
        built_code=f"{built} {stage.method.upper()}Trainer",
        scheduled=some_move(inputs.spec),
        was=stage.was,
        memory=plan_memory(inputs, name, mechanics),
        wandb_project=_wandb_project(inputs.spec),
    )


def _quantization(inputs: Inputs, name: str, mechanics: Mechanics) -> str | None:
    """How TRL loads the weights beside an adapter in 4 bit, None where it does not."""
    quantized = is_quantized(adapter_of(inputs.spec, name)) and not uses_unsloth(inputs.spec)
    storage = STORAGE if mechanics.sharding in ("zero3", "fsdp2") else ""
    return QUANTIZATION.format(mechanics.precision, storage) if quantized else None


def _unsloth(inputs: Inputs, name: str, mechanics: Mechanics) -> UnslothPlan | None:
    if not uses_unsloth(inputs.spec):
        return None
    from compiler.resolve.unsloth import plan_unsloth  # few specs train with it

    return plan_unsloth(inputs, name, mechanics)


def _wandb_project(spec: TaskSpec) -> str | None:
    """The project of Weights & Biases, where runs are sent there."""
    table = spec.run.tracking
    named = table.project if isinstance(table, TrackingTable) else None
    return text_literal(named or spec.project.name) if spec.run.tracker == "wandb" else None


def _judges(inputs: Inputs, name: str) -> tuple[str, ...]:
    """The stages whose reward models pay this one."""
    spec = inputs.spec
    stage = spec.stages[name]
    paid = weights_of(spec, stage) if isinstance(stage, RolloutStage) else {}
    models = [model for reward, model in reward_models(spec).items() if reward in paid]
    return tuple(dict.fromkeys(model for model in models if model in spec.stages))


def _docstring(inputs: Inputs, name: str, start: str | None) -> str:
    method = METHODS[inputs.spec.stages[name].method]
    trained = f"{method.title} on {method.on}"
    begin = f"the result of `{start}`" if start else model_of(inputs, name)
    chosen = adapter_of(inputs.spec, name)
    adapter = "" if chosen is None else f", with a {ADAPTERS[chosen.kind]} adapter"
    before = [each for each in (start, *_judges(inputs, name)) if each]
    after = f" after {' and '.join(f'train_{each}.py' for each in before)}" if before else ""
    several = inputs.spec.hardware.gpus > 1
    how = (
        "in a process for each GPU, as run.sh does" if several else f"with `python train_{name}.py`"
    )
    life = (
        f"Run {how}{after}; leaves the trained model in "
        f"outputs/{name}/model and what was run in outputs/{name}/run.json."
    )
    head = f"Stage `{name}`: {trained}, from {begin}{adapter}."
    if len(head) > LINE:
        head, life = f"Stage `{name}`: {trained}.", f"From {begin}{adapter}. {life}"
    return docstring("\n".join([head, "", *textwrap.wrap(life, LINE)]) + "\n")
