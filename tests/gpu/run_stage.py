"""Run the stage `measured` of the project in this folder and print what it took, as JSON.

The script is the project's own; what is added resets the figures where training begins.
"""

import json
import statistics
import time

import torch
import train_measured
from transformers import TrainerCallback

WARM_UP = 2  # the optimizer's states are made in the first step, and kernels chosen


class Meter(TrainerCallback):
    """Memory since training began, and the time of each step."""

    def __init__(self):
        self.seconds = []

    def on_train_begin(self, *_, **__):
        if torch.cuda.is_available():
            torch.cuda.reset_peak_memory_stats()
        self.start = time.perf_counter()

    def on_step_end(self, *_, **__):
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        now = time.perf_counter()
        self.seconds.append(now - self.start)
        self.start = now


build, meter = train_measured.build_trainer, Meter()


def build_metered():
    """The script's trainer, with the meter."""
    trainer = build()
    trainer.add_callback(meter)
    return trainer


train_measured.build_trainer = build_metered
train_measured.main()
figures = {
    "steps": len(meter.seconds),
    "seconds": statistics.median(meter.seconds[WARM_UP:]),
    "allocated": torch.cuda.max_memory_allocated() if torch.cuda.is_available() else 0,
    "reserved": torch.cuda.max_memory_reserved() if torch.cuda.is_available() else 0,
}
print(json.dumps(figures))
