"""Constructs the TRL config that a stage writes out, as one of several processes would."""

from typing import Any
from unittest.mock import PropertyMock, patch

import trl
from transformers import TrainingArguments

from compiler.plan.stages import StagePlan
from compiler.stack import load_stack

__all__ = ["constructed"]

CONFIGS = load_stack("trl-1.16").configs
# What needs a GPU, or a package that is not there, or is the project's own function.
ELSEWHERE = {"bf16", "fp16", "tf32", "optim", "report_to", "output_dir", "reward_weights"}


def constructed(stage: StagePlan, folder: str) -> Any:  # noqa: ANN401 - a config of any method
    """The config of a stage; raises what TRL would raise for this number of processes."""
    config = getattr(trl, CONFIGS[stage.method])
    values = {argument.name: argument.value.value for argument in stage.arguments}
    kept = {name: value for name, value in values.items() if name not in ELSEWHERE}
    kept |= {"use_cpu": True, "bf16": False, "report_to": "none", "output_dir": folder}
    world = PropertyMock(return_value=stage.batch.processes)
    with patch.object(TrainingArguments, "world_size", world):
        return config(**kept)
