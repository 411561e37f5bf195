"""Write what the preferences example trains on and with: its rows and its tiny model.

Run it as `python prepare.py`; it downloads nothing. Beside itself it writes

    data/answers.jsonl       letters to a support desk, each with one answer, good or bad
    data/pairs.jsonl         letters with two answers, the better one as `chosen`
    data/held_out.jsonl      more of these pairs, about orders that are in no other file
    tiny-model/              an untrained Qwen2 model of some 100,000 weights, with its tokenizer

Two runs write the same bytes.

An answer has three parts: it opens, says what became of the order or evades, and closes. To say
what became of the order is worth two points, a polite opening and a polite closing one each, and
the answer with more points is the better one. So no word, no length and no single part tells which
one that is: a reward model has to weigh the three against each other.
"""

import json
import random
from pathlib import Path

import torch
from tokenizers.pre_tokenizers import ByteLevel
from transformers import PreTrainedTokenizerBase, Qwen2Config, Qwen2ForCausalLM, Qwen2Tokenizer

HERE = Path(__file__).resolve().parent
SEED = 0
ANSWER_ROWS = 600
PAIR_ROWS = 600
HELD_OUT_ROWS = 150

END_OF_TURN = "<|im_end|>"
PADDING = "<|endoftext|>"  # not the end-of-turn token: a padded position must never be trained on

CHAT_TEMPLATE = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)

ITEMS = ["lamp", "kettle", "desk", "tent", "clock", "radio", "chair", "scarf", "drill", "piano"]
TROUBLES = [
    "is late",
    "is broken",
    "has not come",
    "came twice",
    "has a scratch",
    "is the wrong one",
]
KIND_OPENINGS = [
    "Thank you for your letter.",
    "I am sorry about this.",
    "Sorry to hear that.",
    "Good that you wrote.",
    "We regret the trouble.",
    "I see why you ask.",
]
CURT_OPENINGS = [
    "Again a letter.",
    "You could have looked it up.",
    "What now?",
    "This is no place for complaints.",
    "We are busy today.",
    "Read your receipt first.",
]
NEWS = [
    "Order {order} left us on Monday.",
    "A new {item} for order {order} is on its way.",
    "We pay back order {order} today.",
    "Order {order} comes tomorrow.",
]
EVASIONS = [
    "Nobody here knows about that.",
    "That is for others to say.",
    "It will turn up some day.",
    "Such things happen to every {item}.",
]
KIND_CLOSINGS = [
    "Write to me at any time.",
    "I wish you a good day.",
    "Please tell me if it is not right.",
    "I am glad to help.",
    "Thanks for your patience.",
    "We look forward to your visit.",
]
CURT_CLOSINGS = [
    "Do not write again.",
    "That is all.",
    "We close at noon.",
    "Next time buy it elsewhere.",
    "Now leave us alone.",
    "There is nothing more to say.",
]


def letter(generator: random.Random) -> dict[str, str]:
    """Draw what a customer has ordered, and what is wrong with it."""
    item, trouble = generator.choice(ITEMS), generator.choice(TROUBLES)
    order = str(generator.randrange(100, 1000))
    return {"item": item, "order": order, "customer": f"My {item} {trouble}, order {order}."}


def answer(about: dict[str, str], parts: tuple[bool, bool, bool], generator: random.Random) -> str:
    """Write an answer whose opening, middle and closing are good or bad."""
    opening, middle, closing = parts
    said = [
        generator.choice(KIND_OPENINGS if opening else CURT_OPENINGS),
        generator.choice(NEWS if middle else EVASIONS),
        generator.choice(KIND_CLOSINGS if closing else CURT_CLOSINGS),
    ]
    return " ".join(said).format(**about)


def points(parts: tuple[bool, bool, bool]) -> int:
    """What an answer is worth."""
    opening, middle, closing = parts
    return opening + 2 * middle + closing


def some_parts(generator: random.Random) -> tuple[bool, bool, bool]:
    """Draw which parts of an answer are good."""
    return generator.random() < 0.5, generator.random() < 0.5, generator.random() < 0.5


def answered(about: dict[str, str], generator: random.Random) -> dict[str, str]:
    """Make a row of a letter with an answer of any worth."""
    said = answer(about, some_parts(generator), generator)
    return {"customer": about["customer"], "answer": said}


def compared(about: dict[str, str], generator: random.Random) -> dict[str, str]:
    """Make a row of a letter with two answers, of which one is worth more."""
    better = worse = some_parts(generator)
    while points(better) == points(worse):
        better, worse = sorted((some_parts(generator), some_parts(generator)), key=points)[::-1]
    return {
        "customer": about["customer"],
        "good": answer(about, better, generator),
        "bad": answer(about, worse, generator),
    }


def make_rows() -> tuple[list[dict[str, str]], list[dict[str, str]], list[dict[str, str]]]:
    """Draw the answers, the pairs and the held-out pairs, whose orders are in no other row."""
    generator = random.Random(SEED)
    letters: dict[str, dict[str, str]] = {}
    while len(letters) < 2 * (ANSWER_ROWS + PAIR_ROWS):
        about = letter(generator)
        letters.setdefault(about["customer"], about)
    held_out = [about for about in letters.values() if int(about["order"]) % 7 == 0]
    others = [about for about in letters.values() if int(about["order"]) % 7 != 0]
    return (
        [answered(about, generator) for about in others[:ANSWER_ROWS]],
        [compared(about, generator) for about in others[ANSWER_ROWS:][:PAIR_ROWS]],
        [compared(about, generator) for about in held_out[:HELD_OUT_ROWS]],
    )


def make_tokenizer(rows: list[dict[str, str]]) -> PreTrainedTokenizerBase:
    """Train a small byte-level BPE tokenizer that has a token for nearly every word."""
    roles = ["system", "user", "assistant"]
    texts = [text for row in rows for text in row.values()]
    trained = Qwen2Tokenizer().train_new_from_iterator(
        [*roles, *texts],
        vocab_size=640,
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
        max_position_embeddings=256,
        tie_word_embeddings=True,
        initializer_range=0.1,  # near 1 / sqrt(hidden_size); the usual 0.02 is for wide models
        eos_token_id=vocabulary[END_OF_TURN],
        pad_token_id=vocabulary[PADDING],
        bos_token_id=None,
    )
    torch.manual_seed(SEED)
    return Qwen2ForCausalLM(config)


def write_rows(name: str, rows: list[dict[str, str]]) -> None:
    """Write rows as JSON lines."""
    path = HERE / "data" / name
    path.parent.mkdir(exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    """Write the rows, the tokenizer and the model beside this file."""
    answers, pairs, held_out = make_rows()
    write_rows("answers.jsonl", answers)
    write_rows("pairs.jsonl", pairs)
    write_rows("held_out.jsonl", held_out)
    tokenizer = make_tokenizer([*answers, *pairs])
    tokenizer.save_pretrained(HERE / "tiny-model")
    make_model(tokenizer).save_pretrained(HERE / "tiny-model")


if __name__ == "__main__":
    main()
