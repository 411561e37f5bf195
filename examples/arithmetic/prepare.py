"""Write what the arithmetic example trains on and with: its rows and its tiny model.

Run it as `python prepare.py`; it downloads nothing. Beside itself it writes

    data/train.jsonl    sums of two-digit numbers, each with a rationale and an answer
    data/eval.jsonl     held-out sums: neither a+b nor b+a is among the training rows
    tiny-model/         an untrained Qwen2 model of some 100,000 weights, with its tokenizer

Two runs write the same bytes.

The rationales are of mixed quality on purpose, as in most collected data: two authors in five work
out the columns, the others only claim to know the sum. The warm-up imitates the mixture, so the
warmed-up model mostly guesses. GRPO sees no rationale, only whether the answer is right, and has to
find out by itself that working out the columns pays.
"""

import json
import random
from pathlib import Path

import torch
from tokenizers.pre_tokenizers import ByteLevel
from transformers import PreTrainedTokenizerBase, Qwen2Config, Qwen2ForCausalLM, Qwen2Tokenizer

HERE = Path(__file__).resolve().parent
SEED = 0
TRAIN_ROWS = 2500
EVAL_ROWS = 256
WORKED_SHARE = 0.4

END_OF_TURN = "<|im_end|>"
PADDING = "<|endoftext|>"  # not the end-of-turn token: a padded position must never be trained on

CHAT_TEMPLATE = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)

# What the tokenizer has to spell besides the rows: the layout that the system prompt asks for.
LAYOUT = """Respond in the following format:
<reasoning>
...
</reasoning>
<answer>
...
</answer>
"""


def columns(first: int, second: int) -> str:
    """Work out a sum of two-digit numbers as at school: the ones, then the tens and the carry."""
    ones = first % 10 + second % 10
    tens = first // 10 + second // 10 + ones // 10
    carry = "+1" if ones >= 10 else ""
    return f"{first % 10}+{second % 10}={ones}\n{first // 10}+{second // 10}{carry}={tens}"


def row(first: int, second: int, *, worked: bool) -> dict[str, str]:
    """Make one row of the data: the question, a rationale, and the answer."""
    return {
        "question": f"What is {first}+{second}?",
        "rationale": columns(first, second) if worked else "I know this sum.",
        "answer": str(first + second),
    }


def make_rows() -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """Draw the training and the held-out rows from pairs that differ in more than their order."""
    generator = random.Random(SEED)
    pairs = [(first, second) for first in range(10, 100) for second in range(first, 100)]
    drawn = generator.sample(pairs, TRAIN_ROWS + EVAL_ROWS)
    rows = []
    for pair in drawn:
        first, second = generator.sample(pair, 2)
        rows.append(row(first, second, worked=generator.random() < WORKED_SHARE))
    return rows[:TRAIN_ROWS], rows[TRAIN_ROWS:]


def make_tokenizer(rows: list[dict[str, str]]) -> PreTrainedTokenizerBase:
    """Train a small byte-level BPE tokenizer that cuts text as Qwen2's does, digit by digit."""
    roles = ["system", "user", "assistant"]
    texts = [text for example in rows for text in example.values()]
    trained = Qwen2Tokenizer().train_new_from_iterator(
        [LAYOUT, *roles, *texts],
        vocab_size=384,
        initial_alphabet=sorted(ByteLevel.alphabet()),
        new_special_tokens=["<|im_start|>", END_OF_TURN],
        show_progress=False,
    )
    trained.eos_token = END_OF_TURN
    trained.pad_token = PADDING
    trained.chat_template = CHAT_TEMPLATE
    return trained


def make_model(tokenizer: PreTrainedTokenizerBase) -> Qwen2ForCausalLM:
    """Make an untrained Qwen2 model whose random weights depend on the seed alone."""
    vocabulary = tokenizer.get_vocab()
    config = Qwen2Config(
        vocab_size=len(vocabulary),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=1024,
        tie_word_embeddings=True,
        initializer_range=0.1,  # near 1 / sqrt(hidden_size); the usual 0.02 is for wide models
        eos_token_id=vocabulary[END_OF_TURN],
        pad_token_id=vocabulary[PADDING],
        bos_token_id=None,
    )
    torch.manual_seed(SEED)
    return Qwen2ForCausalLM(config)


def write_rows(path: Path, rows: list[dict[str, str]]) -> None:
    """Write rows as JSON lines."""
    path.parent.mkdir(exist_ok=True)
    text = "".join(json.dumps(example) + "\n" for example in rows)
    path.write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    """Write the rows, the tokenizer and the model beside this file."""
    train_rows, eval_rows = make_rows()
    write_rows(HERE / "data" / "train.jsonl", train_rows)
    write_rows(HERE / "data" / "eval.jsonl", eval_rows)
    tokenizer = make_tokenizer(train_rows)
    tokenizer.save_pretrained(HERE / "tiny-model")
    make_model(tokenizer).save_pretrained(HERE / "tiny-model")


if __name__ == "__main__":
    main()
