"""Score conversations with reward models, as TRL does it with one that it is handed.

Each is loaded here and called by a function of rewards.py, so that it can be gated, squashed,
scheduled and rescored like any other reward, and is logged under its own name.
"""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import Any

import torch
from transformers import (
    AutoConfig,
    AutoModelForSequenceClassification,
    AutoTokenizer,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

CONVERSATIONS_AT_ONCE = 16


@dataclass
class RewardModel:
    """A sequence classifier with one label; it is loaded once, when it is first needed.

    `name` is a hub id or a folder.
    """

    name: str
    dtype: str
    device: str
    revision: str | None = None
    # Rewards may be called from several threads, and the model fits once.
    lock: RLock = field(default_factory=RLock, init=False, repr=False)

    def ready(self) -> None:
        """Load the model; exits where it is no reward model."""
        with self.lock:
            _ = self.loaded

    def scores(self, prompts: list[Any], completions: list[Any]) -> list[float | None]:
        """The logit of each conversation, as TRL takes it of a reward model.

        None for one of more tokens than the model reads: the score of a cut text says nothing.
        """
        with self.lock:
            model, tokenizer = self.loaded
            texts = [
                str(tokenizer.apply_chat_template([*prompt, *said(completion)], tokenize=False))
                for prompt, completion in zip(prompts, completions, strict=True)
            ]
            # The chat template has written the special tokens.
            lengths = [
                len(tokenizer(text, add_special_tokens=False)["input_ids"]) for text in texts
            ]
            fitting = [at for at in range(len(texts)) if lengths[at] <= tokenizer.model_max_length]
            fitting.sort(key=lambda at: lengths[at])  # texts of like length need little padding
            found: list[float | None] = [None] * len(texts)
            for start in range(0, len(fitting), CONVERSATIONS_AT_ONCE):
                chosen = fitting[start : start + CONVERSATIONS_AT_ONCE]
                batch = tokenizer(
                    [texts[at] for at in chosen],
                    add_special_tokens=False,
                    padding=True,
                    padding_side="right",
                    return_tensors="pt",
                )
                with torch.inference_mode():
                    logits = model(**batch.to(self.device)).logits[:, 0].float().tolist()
                for at, logit in zip(chosen, logits, strict=True):
                    found[at] = logit
            return found

    @cached_property
    def loaded(self) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
        """The model and its own tokenizer."""
        if Path(self.name).is_absolute() and not (Path(self.name) / "config.json").is_file():
            raise SystemExit(f"{self.name} is not there yet: a stage or a download has to bring it")
        config = AutoConfig.from_pretrained(self.name, revision=self.revision)
        # Seen before the weights are fetched.
        kinds = ", ".join(config.architectures or [])
        if "CausalLM" in kinds or "LMHead" in kinds:
            raise SystemExit(
                f"{self.name} is a {kinds}: its scoring head would be random, name a reward model"
            )
        if config.num_labels != 1:
            raise SystemExit(
                f"{self.name} has {config.num_labels} labels, and a reward model has one"
            )
        tokenizer = AutoTokenizer.from_pretrained(self.name, revision=self.revision)
        if tokenizer.chat_template is None:
            raise SystemExit(f"{self.name} has no chat template, and cannot read a conversation")
        model, report = AutoModelForSequenceClassification.from_pretrained(
            self.name, revision=self.revision, dtype=self.dtype, output_loading_info=True
        )
        if report["missing_keys"]:
            missing = ", ".join(sorted(report["missing_keys"]))
            raise SystemExit(f"{self.name} lacks {missing}, which would be random")
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.eos_token
        # The score stands at the last token that is no padding.
        model.config.get_text_config().pad_token_id = tokenizer.pad_token_id
        return model.eval().requires_grad_(requires_grad=False).to(self.device), tokenizer


def said(completion: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A completion as messages, in either shape that TRL hands to a reward."""
    if isinstance(completion, str):
        return [{"role": "assistant", "content": completion}]
    return completion
