"""The tokenizer of this task, set up in one place for every script that renders or samples.

What is set here is saved with each stage's model, so that the model is used as it was trained.
"""

from typing import Any

from transformers import AutoTokenizer

# Tokens to pad with, which no text holds; the first that the vocabulary has is taken. Padding with
# the end token would hide it wherever padding is masked, and the model would never learn to stop.
PADDING = ("<|endoftext|>",)


def load_tokenizer(path: str) -> Any:
    """The tokenizer of the base model or of a stage's result; exits where it cannot be set up."""
    # The type Any, as the auto class does not say what it loads.
    tokenizer: Any = AutoTokenizer.from_pretrained(path)
    template = tokenizer.chat_template
    if template is None:
        raise SystemExit(f"{path} has no chat template: name one in the spec, as `chat_template`")
    if tokenizer.pad_token in (None, tokenizer.eos_token):
        tokenizer.pad_token = spare_token(tokenizer)
    return tokenizer


def spare_token(tokenizer: Any) -> str:
    """The first token of PADDING that the vocabulary has: a new one would need a new embedding."""
    vocabulary = tokenizer.get_vocab()
    found = [token for token in PADDING if token in vocabulary and token != tokenizer.eos_token]
    if not found:
        raise SystemExit("the tokenizer has none of PADDING: add a token that it never writes")
    return found[0]
