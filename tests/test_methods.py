"""Each method becomes a training script of its own trainer, in the order of the stages."""

from pathlib import Path

import pytest

from compiler.plan.mechanics import Batch
from tests.projects import SPEC, write_project

RLOO = SPEC.replace('method = "grpo"', 'method = "rloo"')


def test_rloo_trains_with_its_own_trainer_and_holds_to_its_start(tmp_path: Path) -> None:
    script = (write_project(tmp_path / "project", RLOO) / "train_reasoning.py").read_text()
    assert "from trl import RLOOConfig, RLOOTrainer" in script
    assert "beta=0.05" in script
    assert "loss_type" not in script


@pytest.mark.parametrize(("per_device", "accumulation"), [(1, 16), (4, 4)])
def test_a_step_is_its_micro_batches(per_device: int, accumulation: int) -> None:
    assert Batch(per_device, accumulation).size == 16
