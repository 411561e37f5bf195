"""Sets the weights of a stage's rewards before each optimizer step, and logs them.

TRL logs the raw mean of a reward as `rewards/<name>/mean`. This adds `rewards/<name>/weight`, the
mean of its weights over the steps of the logging window, and `rewards/<name>/weighted`, the product
of the two: neither hides the other.
"""

from statistics import fmean
from typing import Any

import torch
from transformers import TrainerCallback
from trl import GRPOTrainer

from schedules import weights_at


class RewardWeights(TrainerCallback):
    """Gives a trainer the weights of a mix.

    All that they depend on is the trainer's state, which a checkpoint holds: a run that is resumed
    goes on with the weights that it would have had.
    """

    def __init__(self, trainer: GRPOTrainer, mix: dict[Any, Any]) -> None:
        self.trainer = trainer
        self.mix = mix
        self.used: list[list[float]] = []  # one list a step since the last log

    def on_step_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Set the weights of the step that begins."""
        weights = weights_at(self.mix, state.global_step, state.log_history)
        self.trainer.reward_weights = torch.tensor(weights, dtype=torch.float32)
        self.used.append(weights)

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **kwargs: Any) -> None:
        """Add the weights to the training metrics: to the log, and to what the trackers are handed."""
        names = [f"rewards/{reward.__name__}" for reward in self.mix]
        if f"{names[0]}/mean" not in logs:
            return  # of an evaluation, or the summary at the end
        for name, weights in zip(names, zip(*self.used, strict=True), strict=True):
            mean, weight = logs[f"{name}/mean"], fmean(weights)
            added = {f"{name}/weight": weight}
            if mean is not None:  # None where the reward judged no completion
                added[f"{name}/weighted"] = weight * mean
            logs.update(added)
            state.log_history[-1].update(added)
        self.used.clear()
