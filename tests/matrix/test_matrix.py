"""Every tier with models, methods, adapters and numbers of GPUs: one recipe, or a way out."""

import functools
import itertools
import random
from pathlib import Path
from typing import NamedTuple, get_args

import pytest

from compiler.diagnostics import Report
from compiler.memory import device_of
from compiler.parse import parse
from compiler.plan.stages import StagePlan
from compiler.resolve import Inputs, gather, outline_of
from compiler.source import SourceFile
from compiler.validate import validate
from spec_schema.hardware import Tier
from tests.memory.configs import constructed

TIERS = [tier for tier in get_args(Tier) if tier != "cpu"]
MODELS = (
    *("Qwen/Qwen2.5-0.5B", "Qwen/Qwen2.5-1.5B", "Qwen/Qwen2.5-7B", "Qwen/Qwen2.5-14B"),
    *("Qwen/Qwen2.5-32B", "Qwen/Qwen3-30B-A3B"),
)
METHODS = ("sft", "reward", "dpo", "kto", "grpo", "rloo")
ADAPTERS = ("none", "lora", "qlora")
GPUS = (1, 2, 3, 4, 6, 8, 12, 16)
SPEC = """
spec = 1
[project]
name = "matrix"
[model]
base = "{model}"
adapter = {{ kind = "{adapter}" }}
[hardware]
tier = "80gb"
{rest}
[run]
eval_every = 10
"""
SAMPLED = """
[data]
train = { hub = "acme/sums", split = "train" }
eval = { holdout = 0.1 }
gold = { column = "answer" }
[prompt]
user = "{question}"
assistant = "<answer>{answer}</answer>"
[answer]
extract = "xml"
tag = "answer"
[rewards]
correct = 1.0
[stages.only]
method = "METHOD"
prompts_per_step = 48
"""
WRITTEN = """
[stages.only]
method = "METHOD"
prompts_per_step = 48
[stages.only.data]
train = { hub = "acme/pairs", split = "train" }
eval = { holdout = 0.1 }
columns = { COLUMNS }
"""
COLUMNS = {
    "sft": ("prompt", "completion"),
    "dpo": ("prompt", "chosen", "rejected"),
    "kto": ("prompt", "completion", "label"),
    "reward": ("prompt", "chosen", "rejected"),
}
# What the tier decides, by the name of the argument; all else is the recipe's.
MECHANICS = {
    *("per_device_train_batch_size", "gradient_accumulation_steps", "steps_per_generation"),
    *("per_device_eval_batch_size", "model_init_kwargs", "bf16", "fp16", "optim", "use_vllm"),
    *("activation_checkpointing", "gradient_checkpointing", "activation_offloading"),
    *("vllm_mode", "vllm_gpu_memory_utilization", "vllm_enable_sleep_mode"),
    *("vllm_tensor_parallel_size", "vllm_max_model_length", "vllm_importance_sampling_mode"),
    "generation_kwargs",  # how vLLM is told where a completion ends
}


class Cell(NamedTuple):
    """One plan of the matrix."""

    model: str
    method: str
    adapter: str
    tier: str
    gpus: int


def is_possible(cell: Cell) -> bool:
    """Whether the rules over the spec let it pass: an Apple chip is one GPU, without 4 bit."""
    device = device_of(cell.tier)
    assert device is not None
    return device.quantizes or (cell.gpus == 1 and cell.adapter != "qlora")


CELLS = [
    cell
    for cell in itertools.starmap(Cell, itertools.product(MODELS, METHODS, ADAPTERS, TIERS, GPUS))
    if is_possible(cell)
]


@functools.cache
def inputs_of(model: str, method: str, adapter: str) -> Inputs:
    """What a spec of one stage says; its machine is put in afterwards."""
    if method in COLUMNS:
        named = ", ".join(f'{name} = "{name}"' for name in COLUMNS[method])
        rest = WRITTEN.replace("COLUMNS", named)
    else:
        rest = SAMPLED
    text = SPEC.format(model=model, adapter=adapter, rest=rest.replace("METHOD", method))
    report = Report()
    document = parse(SourceFile(Path("task.toml"), "task.toml", text), report)
    inputs = gather(validate(document, report), Path())
    assert not report.diagnostics
    return inputs


def stage_of(cell: Cell) -> StagePlan:
    inputs = inputs_of(cell.model, cell.method, cell.adapter)
    machine = inputs.spec.hardware.model_copy(update={"tier": cell.tier, "gpus": cell.gpus})
    spec = inputs.spec.model_copy(update={"hardware": machine})
    [stage] = outline_of(inputs._replace(spec=spec)).stages
    return stage


def recipe(stage: StagePlan) -> tuple[tuple[str, str], ...]:
    return tuple(
        (each.name, each.value.code) for each in stage.arguments if each.name not in MECHANICS
    )


def check(cells: list[Cell]) -> list[StagePlan]:
    """Hold the plans of some cells to what is promised; those that are accepted."""
    accepted: list[StagePlan] = []
    recipes: dict[tuple[str, str, str], tuple[tuple[str, str], ...]] = {}
    for cell in cells:
        stage = stage_of(cell)
        assert stage.memory is not None
        told = recipes.setdefault(cell[:3], recipe(stage))
        assert recipe(stage) == told, cell
        faults = stage.mechanics.faults
        assert all(fault.hints for fault in faults), cell
        assert stage.memory.fit == "fits" or stage.memory.edits, cell
        if faults or stage.memory.fit == "does not fit":
            continue
        assert stage.batch.size == 48 * (stage.group or 1), cell
        assert stage.batch.processes == cell.gpus, cell
        accepted.append(stage)
    return accepted


def test_a_sample_of_the_matrix_keeps_its_recipe_or_names_a_way_out(tmp_path: Path) -> None:
    """And TRL takes the config of each plan that is accepted, in as many processes as it has."""
    accepted = check(random.Random(6).sample(CELLS, 240))
    assert len(accepted) > 120
    for stage in accepted[:60]:
        config = constructed(stage, str(tmp_path))
        assert config.world_size != 0
        if stage.group:
            assert config.generation_batch_size == stage.batch.size


@pytest.mark.slow
def test_all_of_the_matrix_keeps_its_recipe_or_names_a_way_out(tmp_path: Path) -> None:
    accepted = check(CELLS)
    of_a_kind = {
        (stage.method, stage.group, stage.batch, stage.mechanics.rollout): stage
        for stage in accepted
    }
    for stage in of_a_kind.values():
        constructed(stage, str(tmp_path))
