"""Completions of a model outside of training: the one place of this project that samples them."""

import copy
import time
from typing import Any, NamedTuple

import torch
from transformers import GenerationConfig

COMPLETIONS_AT_ONCE = 64
SECONDS_BETWEEN_LINES = 10  # of progress


class Completions(NamedTuple):
    """What was sampled: for each prompt a list with one entry a completion.

    `lengths` are tokens, the end token with them; `truncated` says which completions reached the
    limit before an end token.
    """

    texts: list[list[str]]
    lengths: list[list[int]]
    truncated: list[list[bool]]


@torch.inference_mode()
def sample(
    model: Any,
    tokenizer: Any,
    prompts: list[list[dict[str, str]]],
    sampling: GenerationConfig,
    label: str,
) -> Completions:
    """Sample `num_return_sequences` completions of each prompt; `label` begins lines of progress.

    `sampling` has to name every setting: what it leaves out comes from the model's own config.
    """
    samples = sampling.num_return_sequences or 1
    ends = end_tokens(model.generation_config.eos_token_id, tokenizer.eos_token_id)
    padding = min(ends) if tokenizer.pad_token_id is None else tokenizer.pad_token_id
    sampling = copy.deepcopy(sampling)
    sampling.eos_token_id, sampling.pad_token_id = sorted(ends), padding
    sampled = Completions([], [], [])
    told = time.monotonic()
    at_once = max(1, COMPLETIONS_AT_ONCE // samples)
    for start in range(0, len(prompts), at_once):
        if time.monotonic() - told > SECONDS_BETWEEN_LINES:
            told = time.monotonic()
            print(f"{label}: {start} of {len(prompts)} rows", flush=True)
        batch = tokenizer.apply_chat_template(
            prompts[start : start + at_once],
            add_generation_prompt=True,
            padding=True,
            tokenizer_kwargs={"padding_side": "left"},  # so that each completion follows its prompt
            return_tensors="pt",
            return_dict=True,
        ).to(model.device)
        output = model.generate(**batch, generation_config=sampling)
        tokens = output[:, batch["input_ids"].shape[1] :].tolist()
        for first in range(0, len(tokens), samples):
            group = tokens[first : first + samples]
            lengths = [completion_length(ids, ends) for ids in group]
            said = [ids[:length] for ids, length in zip(group, lengths, strict=True)]
            sampled.texts.append(tokenizer.batch_decode(said, skip_special_tokens=True))
            sampled.lengths.append(lengths)
            sampled.truncated.append([ends.isdisjoint(ids) for ids in group])
    return sampled


def end_tokens(*declared: int | list[int] | None) -> set[int]:
    """The tokens that end a completion: a model may declare one, several or none."""
    ends: set[int] = set()
    for tokens in declared:
        ends.update([] if tokens is None else [tokens] if isinstance(tokens, int) else tokens)
    return ends


def completion_length(ids: list[int], ends: set[int]) -> int:
    """The number of tokens up to the first end token and with it, all of them where none is."""
    return next((count for count, token in enumerate(ids, start=1) if token in ends), len(ids))
