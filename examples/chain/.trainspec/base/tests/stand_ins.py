"""What stands in for the models that rewards ask: tests need no network, no key and no GPU."""

from pathlib import Path

import pytest
import torch
from transformers import AutoConfig, AutoModelForSequenceClassification

import rewards
from tiny_model import tiny_tokenizer


def write_classifier(folder: Path) -> None:
    """Write a tiny random reward model, which gives different texts different scores."""
    tokenizer = tiny_tokenizer(["a few words"])
    config = AutoConfig.for_model(
        "qwen2",
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=32768,
        num_labels=1,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    torch.manual_seed(0)
    AutoModelForSequenceClassification.from_config(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def replace_models(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let each reward model be the tiny one in this folder."""
    write_classifier(folder)
    for model in (rewards.LIKED_MODEL,):
        patch.setattr(model, "name", str(folder))
        patch.setattr(model, "revision", None)
        patch.setattr(model, "dtype", "float32")
        patch.setattr(model, "device", "cpu")
