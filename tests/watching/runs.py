"""Made outputs of a project's stages, as training leaves them."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

Entry = dict[str, Any]


def rollout_log(steps: int = 30, every: int = 5, **changed: object) -> list[Entry]:
    """The log of a healthy GRPO stage with the one reward `correct`; a callable takes the step."""
    log: list[Entry] = []
    for step in range(every, steps + 1, every):
        entry: Entry = {
            "loss": 0.01,
            "grad_norm": 0.5,
            "learning_rate": 1e-5,
            "rewards/correct/mean": 0.2 + step / 100,
            "rewards/correct/std": 0.4,
            "reward": 0.2 + step / 100,
            "reward_std": 0.4,
            "frac_reward_zero_std": 0.25,
            "completions/mean_length": 100.0,
            "completions/clipped_ratio": 0.01,
            "entropy": 0.8,
            "epoch": step / 10,
            "step": step,
        }
        for name, value in changed.items():
            entry[name.replace("__", "/")] = value(step) if callable(value) else value
        log.append(entry)
    return log


def write_run(project: Path, stage: str, log: list[Entry], *, ended: bool = True) -> Path:
    """The folder of a stage: run.json of one that ended, else its newest checkpoint; its recipe."""
    folder = project / "outputs" / stage
    folder.mkdir(parents=True, exist_ok=True)
    recipe = {"rewards": {"correct": "2.0"}, "config": {"learning_rate": 1e-5}}
    (folder / "recipe.json").write_text(json.dumps(recipe))
    if not ended:
        checkpoint = folder / f"checkpoint-{log[-1]['step']}"
        checkpoint.mkdir()
        state = {"global_step": log[-1]["step"], "max_steps": 500, "log_history": log}
        (checkpoint / "trainer_state.json").write_text(json.dumps(state))
        return folder
    (folder / "model").mkdir()
    (folder / "model" / "config.json").write_text("{}")
    run = {
        "stage": stage,
        "start": str(project / "outputs" / "warmup" / "model"),
        "rows": {"count": 12},
        "versions": {"trl": "1.16.0"},
        "config": {"learning_rate": 1e-5, "num_generations": 4},
        "log": log,
    }
    (folder / "run.json").write_text(json.dumps(run))
    return folder


def write_completions(folder: Path, step: int, texts: dict[str, float]) -> None:
    """A table of completions as TRL writes it, each text with what `correct` gave."""
    lines = [
        {
            "step": step,
            "prompt": [{"role": "user", "content": "1+1?"}],
            "completion": [{"role": "assistant", "content": text}],
            "correct": value,
            "advantage": value - 0.5,
        }
        for text, value in texts.items()
    ]
    (folder / "completions").mkdir(exist_ok=True)
    path = folder / "completions" / f"completions_{step:05d}.parquet"
    parquet.write_table(pa.Table.from_pylist(lines), path)
