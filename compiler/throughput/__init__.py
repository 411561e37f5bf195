"""How long a stage takes on its GPUs, predicted from the model and the plan.

Pure arithmetic. `speeds` has the GPUs, `training` the tokens a second, `sampling` the rollouts. All
figures are good to a factor of two, which `around` gives.
"""

from compiler.throughput.sampling import Rollout, sampling_seconds
from compiler.throughput.speeds import SPEEDS, Speed
from compiler.throughput.training import Interval, Work, around, multiplied, training_rate

__all__ = [
    "SPEEDS",
    "Interval",
    "Rollout",
    "Speed",
    "Work",
    "around",
    "multiplied",
    "sampling_seconds",
    "training_rate",
]
