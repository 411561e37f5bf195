"""The peer of a GRPO case: TRL as one would write it by hand, on the same model and rows.

Run in the case's folder as `by_hand.py PER_DEVICE ACCUMULATION STEPS COMPLETION`.
"""

import json
import statistics
import sys
import tempfile
import time

import torch
from datasets import load_dataset
from peft import LoraConfig
from transformers import TrainerCallback
from trl import GRPOConfig, GRPOTrainer

per_device, accumulation, steps, completion = map(int, sys.argv[1:])
gpu = torch.cuda.is_available()


def length(completions, completion_ids, **kwargs):
    """1 for a completion of at most half of the limit."""
    return [min(1.0, completion / 2 / len(ids)) for ids in completion_ids]


class Clock(TrainerCallback):
    """The time of each step, from the end of the one before."""

    def __init__(self):
        self.seconds = []

    def on_train_begin(self, *_, **__):
        self.start = time.perf_counter()

    def on_step_end(self, *_, **__):
        if gpu:
            torch.cuda.synchronize()
        now = time.perf_counter()
        self.seconds.append(now - self.start)
        self.start = now


clock = Clock()


rows = load_dataset("json", data_files="rows.jsonl", split="train")
rows = rows.map(
    lambda row: {"prompt": [{"role": "user", "content": row["question"]}]},
    remove_columns=["question", "chosen", "rejected", "good", "text"],
)
with tempfile.TemporaryDirectory() as folder:
    trainer = GRPOTrainer(
        model="model",
        reward_funcs=length,
        args=GRPOConfig(
            output_dir=folder,
            max_steps=steps,
            per_device_train_batch_size=per_device,
            gradient_accumulation_steps=accumulation,
            num_generations=8,
            max_completion_length=completion,
            learning_rate=1e-5,
            use_cpu=not gpu,
            bf16=gpu,
            model_init_kwargs={"dtype": "bfloat16" if gpu else "float32"},
            save_strategy="no",
            report_to="none",
            logging_steps=1,
            disable_tqdm=True,
        ),
        train_dataset=rows,
        peft_config=LoraConfig(r=16, lora_alpha=32, target_modules="all-linear"),
        callbacks=[clock],
    )
    trainer.train()
print(json.dumps({"seconds": statistics.median(clock.seconds[2:])}))
