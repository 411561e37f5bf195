"""The peer of the smoke bench: TRL's GRPO on a tiny model made on the spot, the same four steps."""

import json
import math
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, "tests")

from datasets import Dataset
from tiny_model import write_tiny_model
from transformers import AutoTokenizer
from trl import GRPOConfig, GRPOTrainer


def length_reward(completions, **kwargs):
    """Anything that varies: the bench is about the time round it."""
    return [float(len(completion[0]["content"]) % 7) for completion in completions]


lines = Path("data/train.jsonl").read_text(encoding="utf-8").splitlines()[:16]
rows = [{"prompt": [{"role": "user", "content": json.loads(line)["question"]}]} for line in lines]
with tempfile.TemporaryDirectory() as folder:
    write_tiny_model(Path(folder) / "model", [row["prompt"][0]["content"] for row in rows])
    args = GRPOConfig(
        output_dir=folder,
        max_steps=4,
        per_device_train_batch_size=8,
        num_generations=4,
        max_completion_length=16,
        use_cpu=True,
        bf16=False,
        activation_checkpointing=False,
        optim="adamw_torch",
        save_strategy="no",
        logging_steps=1,
        disable_tqdm=True,
    )
    trainer = GRPOTrainer(
        model=f"{folder}/model",
        reward_funcs=[length_reward],
        args=args,
        train_dataset=Dataset.from_list(rows),
        processing_class=AutoTokenizer.from_pretrained(f"{folder}/model"),
    )
    trainer.train()
    trainer.save_model(f"{folder}/out")
    assert all(math.isfinite(entry.get("loss", 0.0)) for entry in trainer.state.log_history)
