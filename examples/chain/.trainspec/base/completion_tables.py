"""Writes down what a policy sampled, each completion with its rewards.

RLOOTrainer prints completions and sends them to trackers, but leaves none on disk: these tables are
those of GRPOTrainer, so that rescore.py and report.py read both.
"""

from pathlib import Path
from typing import Any

import pandas as pd
from transformers import TrainerCallback
from trl import RLOOTrainer


class CompletionTables(TrainerCallback):
    """Writes outputs/<stage>/completions/completions_<step>.parquet with each logging window."""

    def __init__(self, trainer: RLOOTrainer) -> None:
        self.trainer = trainer

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **kwargs: Any) -> None:
        """Write the completions of the last batch of a window; those of an evaluation are not kept."""
        if not state.is_world_process_zero or "loss" not in logs:
            return
        sampled = self.trainer._logs
        table = {
            "step": [state.global_step] * len(sampled["prompt"]),
            "prompt": list(sampled["prompt"]),
            "completion": list(sampled["completion"]),
            **{name: list(values) for name, values in sampled["rewards"].items()},
            **{name: list(values) for name, values in sampled["extra"].items()},
            "advantage": list(sampled["advantages"]),
        }
        folder = Path(args.output_dir, "completions")
        folder.mkdir(exist_ok=True)
        pd.DataFrame(table).to_parquet(folder / f"completions_{state.global_step:05d}.parquet")
