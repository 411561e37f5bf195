"""`[run] eval_every`: every method evaluates while it trains, whatever its batch and group."""

from pathlib import Path

import pytest

from tests.evaluation.projects import TINY, run
from tests.projects import SPEC, write_project

EVALUATED = (
    SPEC.replace(
        'gold = { column = "answer" }', 'gold = { column = "answer" }\neval = { holdout = 3 }'
    )
    .replace("Qwen/Qwen2.5-0.5B-Instruct", "./tiny-model")
    .replace("num_generations = 4", "num_generations = 6\nmax_completion_length = 4\nsteps = 1")
    .replace("[stages.reasoning]", "steps = 1\n[stages.reasoning]")
    .replace('stages = ["warmup", "reasoning"]\n', 'stages = ["warmup", "reasoning", "alone"]\n')
    + '[stages.alone]\nmethod = "rloo"\nprompts_per_step = 2\nnum_generations = 3\n'
    "max_completion_length = 4\nsteps = 1\n[run]\neval_every = 1\n"
)
# Trains a stage, and prints what its log says of the evaluation.
TRAIN = """
import importlib, sys
trainer = importlib.import_module(f"train_{sys.argv[1]}").build_trainer()
trainer.train()
print("told", [entry for entry in trainer.state.log_history if "eval_loss" in entry])
trainer.save_model(f"outputs/{sys.argv[1]}/model")
trainer.processing_class.save_pretrained(f"outputs/{sys.argv[1]}/model")
"""


@pytest.mark.heavy
def test_field_62_sft_grpo_and_rloo_evaluate_while_they_train(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project", EVALUATED)
    assert run(project, "-c", TINY, path="tests").returncode == 0
    for stage, figure in (
        ("warmup", "eval_loss"),
        ("reasoning", "eval_reward"),
        ("alone", "eval_reward"),
    ):
        done = run(project, "-c", TRAIN, stage)
        assert done.returncode == 0, done.stderr
        told = next(line for line in done.stdout.splitlines() if line.startswith("told "))
        assert f"'{figure}'" in told


def test_the_batch_of_an_evaluation_holds_whole_groups(tmp_path: Path) -> None:
    spec = EVALUATED.replace('tier = "cpu"', 'tier = "24gb"')
    project = write_project(tmp_path / "project", spec)
    reasoning = (project / "train_reasoning.py").read_text(encoding="utf-8")
    assert "per_device_train_batch_size=4," in reasoning
    assert "per_device_eval_batch_size=6," in reasoning
    alone = (project / "train_alone.py").read_text(encoding="utf-8")
    assert "per_device_eval_batch_size=3," in alone
