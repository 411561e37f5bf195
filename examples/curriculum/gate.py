"""Whether the start of a stage earns its reward often enough for RL to begin.

A group whose completions are all wrong teaches nothing, and one whose are all right neither.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from transformers import GenerationConfig, TrainerCallback

from rewards import pay
from sampling import sample


class Gate(TrainerCallback):
    """Samples from the start model before the first step, and exits 5 where too few prompts pass.

    A prompt passes where one of its `pass_at` completions has the reward's full mark. The rate of
    each row is written to pass_rates.jsonl. A run that is resumed has passed already.
    """

    def __init__(
        self,
        trainer: Any,
        mix: Mapping[Any, Any],
        reward: str,
        *,
        full: float,
        pass_at: int,
        at_least: float,
        rows: int,
    ) -> None:
        self.trainer = trainer
        self.reward = next(each for each in mix if each.__name__ == reward)
        self.full = full
        self.pass_at = pass_at
        self.at_least = at_least
        self.rows = rows

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Try the start model, at a fresh start only."""
        if state.global_step > 0:
            return
        rows = self.first_rows()
        right = self.full_marks(rows)
        path = Path(args.output_dir, "pass_rates.jsonl")
        with path.open("w", encoding="utf-8") as file:
            for row, count in zip(rows, right, strict=True):
                rate = {"row_number": row["row_number"], "full": count, "samples": self.pass_at}
                file.write(json.dumps(rate) + "\n")
        passed = sum(count > 0 for count in right) / len(right)
        every = sum(count == self.pass_at for count in right) / len(right)
        name = self.reward.__name__
        print(
            f"gate: of {len(rows)} prompts {1 - passed:.1%} are all wrong, {passed - every:.1%} "
            f"mixed, {every:.1%} all right by {name}, in {self.pass_at} completions each",
            flush=True,
        )
        if passed < self.at_least:
            print(f"gate: {passed:.1%} of the prompts pass, below {self.at_least:.1%}", flush=True)
            raise SystemExit(5)

    def first_rows(self) -> list[dict[str, Any]]:
        """The first rows that the stage would train on, each once."""
        dataset = self.trainer.train_dataset
        rows: dict[str, dict[str, Any]] = {}
        for row in dataset:
            text = json.dumps(row, sort_keys=True, default=str)
            if text in rows or len(rows) == self.rows:
                break  # the next epoch begins
            rows[text] = row
        return list(rows.values())

    def full_marks(self, rows: list[dict[str, Any]]) -> list[int]:
        """How many completions of each row have a full mark, sampled as the stage samples."""
        args = self.trainer.args
        # A trainer for which vLLM samples has no config for transformers.
        sampling = GenerationConfig(
            do_sample=True,
            max_new_tokens=args.max_completion_length,
            temperature=args.temperature,
            top_p=args.top_p,
            top_k=args.top_k,
            min_p=args.min_p,
            repetition_penalty=args.repetition_penalty,
            num_return_sequences=self.pass_at,
        )
        model, tokenizer = self.trainer.model, self.trainer.processing_class
        prompts = [row["prompt"] for row in rows]
        with torch.random.fork_rng():  # training samples what it would without a gate
            torch.manual_seed(self.trainer.args.seed)
            model.eval()
            sampled = sample(model, tokenizer, prompts, sampling, "gate")
            model.train()
        return [
            sum(pay(self.reward, text, row) == self.full for text in texts)
            for row, texts in zip(rows, sampled.texts, strict=True)
        ]
