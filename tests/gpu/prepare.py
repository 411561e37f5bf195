"""Make a case's model and rows in the folder that it is run in: `prepare.py LENGTH ROWS DEVICE`.

The weights are random and of the real shapes, as config.json there says; the tokenizer is that of
the project's own smoke test, which spells any text.
"""

import json
import sys
from pathlib import Path

import torch
from transformers import AutoConfig, AutoModelForCausalLM

sys.path.insert(0, "tests")

from tiny_model import tiny_tokenizer

WORDS = ("stone", "river", "seven", "amber", "north")


def main(length: int, rows: int, device: str) -> None:
    """Write the weights and the tokenizer to model/, and rows of `length` tokens to rows.jsonl."""
    tokenizer = tiny_tokenizer(WORDS)
    config = AutoConfig.from_pretrained("model")
    config.pad_token_id = tokenizer.pad_token_id
    config.eos_token_id = tokenizer.eos_token_id
    torch.manual_seed(0)
    with torch.device(device):
        model = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16)
    model.save_pretrained("model")
    tokenizer.save_pretrained("model")

    turns = [{"role": "user", "content": ""}, {"role": "assistant", "content": ""}]
    round_turns = len(tokenizer.apply_chat_template(turns, return_dict=False))
    room = length - round_turns
    lines = []
    for number in range(rows):
        # What differs stands in the middle, so that all rows differ and have one length.
        prompt = text_of(tokenizer, room // 2, number)
        lines.append(
            {
                "question": text_of(tokenizer, room, number),
                "prompt": prompt,
                "chosen": text_of(tokenizer, room - room // 2, number),
                "rejected": text_of(tokenizer, room - room // 2, number + 1),
                "good": number % 2 == 0,
                "text": text_of(tokenizer, 2 * length, number),
            }
        )
    Path("rows.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def text_of(tokenizer, tokens, number):
    """A text of about so many tokens, and never more."""
    words = [WORDS[(number + place * (1 + number % 4)) % len(WORDS)] for place in range(tokens)]
    kept = tokenizer(" ".join(words))["input_ids"][: tokens - 8]
    return f"{tokenizer.decode(kept)} {number}"


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
