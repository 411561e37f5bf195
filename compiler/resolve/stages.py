"""What each training script says beside its config."""

import textwrap

from compiler.chat.named import FILE_ENDINGS
from compiler.literals import docstring, literal, text_literal
from compiler.plan.stages import StagePlan, StagesFile
from compiler.resolve.arguments import config_arguments, lora_plan
from compiler.resolve.asking import asked_constants
from compiler.resolve.batch import solve_batch
from compiler.resolve.chat import tokenizer_code, tokenizer_import
from compiler.resolve.inputs import Inputs
from compiler.resolve.memory import plan_memory
from compiler.resolve.methods import METHODS
from compiler.resolve.mixes import mix_of, some_move
from compiler.resolve.paths import named_files, written_files
from compiler.resolve.stage_rows import stage_rows
from spec_schema import TaskSpec
from spec_schema.model import LoraAdapter
from spec_schema.run import TrackingTable
from spec_schema.stages.rollout import RolloutStage

__all__ = ["plan_stage", "plan_stages_file", "start_of"]

# What decides a run beside the training script, of which run.json keeps the digests.
SOURCES = (
    *(
        "prompts.py",
        "tokens.py",
        "chat_template.jinja",
        "data.py",
        "readers.py",
        "answers.py",
        "rewards.py",
    ),
    *("schedules.py", "weights.py", "reward_models.py", "judges.py"),
)

LINE = 96  # characters of a line of the script's docstring


def start_of(inputs: Inputs, name: str) -> str | None:
    """The stage that this one starts from, or None for the base model.

    Left out it is the last one before that trained the policy: a reward model is a side branch.
    """
    written = inputs.spec.stages[name].from_
    if written is not None:
        return None if written == "base" else written
    before = inputs.stage_names[: inputs.stage_names.index(name)]
    policies = (
        each for each in reversed(before) if METHODS[inputs.spec.stages[each].method].trains_policy
    )
    return next(policies, None)


def plan_stage(inputs: Inputs, name: str) -> StagePlan:
    """The context of train_<stage>.py."""
    stage = inputs.spec.stages[name]
    start = start_of(inputs, name)
    mix = mix_of(inputs, name)
    asks = () if mix is None else asked_constants(inputs.spec, dict(mix.weights))
    batch = solve_batch(inputs, stage)
    rows = stage_rows(inputs, name)
    revision = inputs.spec.model.revision if start is None else None
    begin = "BASE" if start is None else "result_of"
    built = "trainer =" if mix and mix.moves else "return"
    return StagePlan(
        name=name,
        method=stage.method,
        docstring=_docstring(inputs, name, start),
        start=start,
        start_code=begin if start is None else f"{begin}({text_literal(start)})",
        tokenizer_import=tokenizer_import(inputs.spec),
        tokenizer_code=tokenizer_code(
            inputs.spec, "start", literal(revision) if revision else None
        ),
        stages_import=f"from stages import {begin}, output_of, save_result",
        arguments=config_arguments(inputs, name, revision),
        lora=lora_plan(inputs, "SEQ_CLS" if stage.method == "reward" else "CAUSAL_LM"),
        mix=mix,
        asks=asks,
        rewards_import=f"from rewards import {', '.join(('MIXES', *asks))}",
        data_import=rows.data_import,
        rows_code=rows.train,
        eval_rows_code=rows.evaluation,
        batch=batch,
        group=stage.num_generations if isinstance(stage, RolloutStage) else None,
        name_code=text_literal(name),
        built_code=f"{built} {stage.method.upper()}Trainer",
        scheduled=some_move(inputs.spec),
        was=stage.was,
        memory=plan_memory(inputs, stage, batch),
        wandb_project=_wandb_project(inputs.spec),
    )


def _wandb_project(spec: TaskSpec) -> str | None:
    """The project of Weights & Biases, where runs are sent there."""
    table = spec.run.tracking
    named = table.project if isinstance(table, TrackingTable) else None
    return text_literal(named or spec.project.name) if spec.run.tracker == "wandb" else None


def plan_stages_file(inputs: Inputs) -> StagesFile:
    """The context of stages.py."""
    spec = inputs.spec
    base = spec.model.base
    local = base.startswith(("./", "../", "/"))
    written = written_files(inputs)
    sources = [path for path in SOURCES if path in written]
    sources += [path for path in named_files(inputs) if path.endswith((".py", *FILE_ENDINGS))]
    lora = isinstance(spec.model.adapter, LoraAdapter)
    packages = ["trl", "transformers", "datasets", "torch", *(["peft"] if lora else [])]
    return StagesFile(
        base=f"str(HERE / {text_literal(base)})" if local else text_literal(base),
        revision=None if spec.model.revision is None else text_literal(spec.model.revision),
        sources=literal(tuple(sources)),
        packages=literal(tuple(packages)),
        lora=lora,
    )


def _docstring(inputs: Inputs, name: str, start: str | None) -> str:
    method = METHODS[inputs.spec.stages[name].method]
    trained = f"{method.title} on {method.on}"
    begin = f"the result of `{start}`" if start else inputs.spec.model.base
    lora = isinstance(inputs.spec.model.adapter, LoraAdapter)
    adapter = ", with a LoRA adapter" if lora else ""
    after = f" after train_{start}.py" if start else ""
    life = (
        f"Run with `python train_{name}.py`{after}; leaves the trained model in "
        f"outputs/{name}/model and what was run in outputs/{name}/run.json."
    )
    head = f"Stage `{name}`: {trained}, from {begin}{adapter}."
    if len(head) > LINE:
        head, life = f"Stage `{name}`: {trained}.", f"From {begin}{adapter}. {life}"
    return docstring("\n".join([head, "", *textwrap.wrap(life, LINE)]) + "\n")
