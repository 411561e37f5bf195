"""Completions that a random model would never write, in the place of its own.

Each group holds the ideal completion of its row, a wrong one, an empty one and a malformed one.
"""

import asyncio
import functools
import inspect
from collections.abc import Callable
from typing import Any

import torch
from trl import RLOOTrainer

from prompts import ideal_completion
from tiny_model import END_OF_TURN, prompt_ids

CRAFTED_BATCHES = 3  # the batch after them is sampled by the model
KINDS = ("ideal", "wrong", "empty", "malformed")


def completions_of(row: dict[str, Any], rows: list[dict[str, Any]]) -> list[str]:
    """One completion of each kind for a row."""
    text = ideal_completion(row)
    others = [other for other in rows if ideal_completion(other) != text]
    assert others, f"all {len(rows)} rows have the same ideal completion: see data.py"
    wrong = ideal_completion(others[0])
    return [text, wrong, "", text[: len(text) // 2]]


class CraftedRollouts:
    """Generates for a trainer that samples, and notes what each reward gives."""

    def __init__(self, trainer: RLOOTrainer, rows: list[dict[str, Any]]) -> None:
        self.tokenizer: Any = trainer.processing_class
        model: Any = trainer.model
        self.sample = model.generate
        prompts = [tuple(prompt_ids(row["prompt"], self.tokenizer)) for row in rows]
        self.rows = dict(zip(prompts, rows, strict=True))
        self.completions = {ids: completions_of(row, rows) for ids, row in self.rows.items()}
        self.weights = dict(
            zip(trainer.reward_func_names, trainer.reward_weights.tolist(), strict=True)
        )
        self.batches = 0
        self.sampled_tokens = 0
        self.groups: list[dict[str, Any]] = []  # the row of each crafted group
        self.values: dict[str, list[float | None]] = {name: [] for name in self.weights}
        rewards: list[Any] = trainer.reward_funcs
        trainer.reward_funcs = [self.watched(reward) for reward in rewards]

    def generate(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, **options: Any
    ) -> torch.Tensor:
        """Prompts with completions behind them, as the model's own `generate` returns them."""
        self.batches += 1
        if self.batches > CRAFTED_BATCHES:
            output = self.sample(input_ids=input_ids, attention_mask=attention_mask, **options)
            self.check_sampled(input_ids, output, options["generation_config"].max_new_tokens)
            return output
        end = self.tokenizer.convert_tokens_to_ids(END_OF_TURN)
        completions = []
        for position, (ids, mask) in enumerate(zip(input_ids, attention_mask, strict=True)):
            prompt = tuple(ids[mask.bool()].tolist())
            kind = position % len(KINDS)
            if kind == 0:
                self.groups.append(self.rows[prompt])
            text = self.completions[prompt][kind]
            completions.append([*self.tokenizer.encode(text, add_special_tokens=False), end])
        width = max(map(len, completions))
        padded = [ids + [end] * (width - len(ids)) for ids in completions]
        return torch.cat([input_ids, torch.tensor(padded)], dim=1)

    def check_sampled(self, input_ids: torch.Tensor, output: torch.Tensor, limit: int) -> None:
        """What the model sampled stands behind its prompt, is not too long and can be read."""
        count, prompt_length = input_ids.shape
        self.sampled_tokens = output.shape[1] - prompt_length
        assert len(output) == count, f"{len(output)} completions were sampled for {count} prompts"
        assert torch.equal(output[:, :prompt_length], input_ids), "sampling changed a prompt"
        assert 0 < self.sampled_tokens <= limit, f"{self.sampled_tokens} tokens of {limit} sampled"
        assert output.max() < len(self.tokenizer), f"token {output.max()} is not in the vocabulary"

    def watched(self, reward: Callable[..., Any]) -> Callable[..., list[float | None]]:
        """The reward, checked at each call: it returns one number or None for each completion."""
        name = reward.__name__
        said = f"reward `{name}` ({reward.__module__}.py)"

        @functools.wraps(reward)
        def watch(**columns: Any) -> list[float | None]:
            try:
                values = reward(**columns)
                if inspect.iscoroutine(values):
                    values = asyncio.run(values)
            except Exception as error:
                raise AssertionError(f"{said} raised {type(error).__name__}: {error}") from error
            assert isinstance(values, list), f"{said} returned {values!r}, which is no list"
            count = len(columns["completions"])
            assert len(values) == count, f"{said} gave {len(values)} values to {count} completions"
            for value in values:
                number = value is None or isinstance(value, int | float)
                assert number, f"{said} gave {value!r}, which is neither a number nor None"
            if self.batches <= CRAFTED_BATCHES:
                self.values[name] += values
            return values

        return watch

    def check_rewards(self, must_vary: tuple[str, ...]) -> tuple[list[str], list[str]]:
        """The rewards that tell the completions of every group apart, and those that do not."""
        size = len(KINDS)
        constant: set[str] = set()
        for number in range(len(self.groups)):
            part = slice(number * size, (number + 1) * size)
            group = {name: values[part] for name, values in self.values.items()}
            constant |= {name for name, values in group.items() if len(set(values)) == 1}
            row_number = self.groups[number]["row_number"]
            self.check_group(f"completions of row {row_number}", group, must_vary)
        return [name for name in self.weights if name not in constant], sorted(constant)

    def check_group(
        self, which: str, group: dict[str, list[float | None]], must_vary: tuple[str, ...]
    ) -> None:
        """The ideal completion earns most where it must, and the completions differ in sum."""
        where = f"{', '.join(KINDS)} {which}"
        for name in filter(self.weights.get, must_vary):
            values = group[name]
            message = f"reward `{name}` is constant ({values[0]}) over the {where}"
            assert len(set(values)) > 1, f"{message}: see {name} in rewards.py"
            best = values[0] == max(value or 0.0 for value in values)
            message = f"reward `{name}` gives {values} to the {where}"
            assert best, f"{message}, which is not most to the ideal one: see rewards.py"
        paid = [
            sum(self.weights[name] * (values[kind] or 0.0) for name, values in group.items())
            for kind in range(len(KINDS))
        ]
        # Where none of them varies, nothing says that one should: test_smoke.py warns of it.
        varying = any(self.weights[name] and len(set(group[name])) > 1 for name in group)
        message = f"the weighted sum of the rewards is constant ({paid[0]}) over the {where}"
        assert len(set(paid)) > 1 or not varying, f"{message}: see MIXES in rewards.py"
