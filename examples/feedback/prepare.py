"""Write what the feedback example trains on and with: its rows and its tiny model.

Run it as `python prepare.py`; it downloads nothing. Beside itself it writes

    data/answers.jsonl       questions to a museum, each with one answer, good or bad
    data/thumbs.jsonl        more of these, each with the thumb that a visitor gave: up or down
    data/held_out.jsonl      more of these, about rooms that are in no other file
    tiny-model/              an untrained Qwen2 model of some 100,000 weights, with its tokenizer

Two runs write the same bytes.

An answer has three parts: it greets, says where the thing is or does not, and closes. A visitor who
learns where the thing is, and is spoken to kindly at least once, gives a thumb up. Three answers in
eight are such: there are more thumbs down than up, for which the weights of the two make up.
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
THUMB_ROWS = 800
HELD_OUT_ROWS = 200

END_OF_TURN = "<|im_end|>"
PADDING = "<|endoftext|>"  # not the end-of-turn token: a padded position must never be trained on

CHAT_TEMPLATE = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)

THINGS = ["vase", "crown", "map", "whale", "mummy", "clock", "globe", "mask", "coin", "sword"]
KIND_GREETINGS = [
    "Welcome to the museum.",
    "Good morning.",
    "Glad that you ask.",
    "What a good choice.",
    "Gladly.",
    "You will like it.",
]
CURT_GREETINGS = [
    "Again that one.",
    "There are signs for this.",
    "Be quick.",
    "Everybody asks that.",
    "You again.",
    "Look at your plan.",
]
PLACES = [
    "The {thing} is in room {room}.",
    "Go to room {room} for the {thing}.",
    "Room {room} shows the {thing} today.",
    "You find it in room {room}.",
]
EVASIONS = [
    "The {thing} is somewhere upstairs.",
    "Ask somebody else for it.",
    "I do not work with the {thing}.",
    "It may be on loan.",
]
KIND_CLOSINGS = [
    "Enjoy your visit.",
    "Ask me at any time.",
    "Have a good day.",
    "I can take you there.",
    "The view is worth it.",
    "Come back soon.",
]
CURT_CLOSINGS = [
    "Move on now.",
    "We close soon.",
    "Touch nothing.",
    "That is all.",
    "Others are waiting.",
    "No more questions.",
]


def visit(generator: random.Random) -> dict[str, str]:
    """Draw what a visitor looks for, and the room where it is."""
    thing, room = generator.choice(THINGS), str(generator.randrange(100, 1000))
    return {"thing": thing, "room": room, "question": f"My plan says {room}. Where is the {thing}?"}


def answered(about: dict[str, str], generator: random.Random) -> dict[str, str | bool]:
    """Make a row of a question with an answer, and what its visitor thinks of that."""
    greeting, place, closing = (generator.random() < 0.5 for _ in range(3))
    said = [
        generator.choice(KIND_GREETINGS if greeting else CURT_GREETINGS),
        generator.choice(PLACES if place else EVASIONS),
        generator.choice(KIND_CLOSINGS if closing else CURT_CLOSINGS),
    ]
    return {
        "question": about["question"],
        "answer": " ".join(said).format(**about),
        "thumb_up": place and (greeting or closing),
    }


def make_rows() -> tuple[list[dict[str, str | bool]], ...]:
    """Draw the answers, those with a thumb, and the held-out ones, of rooms in no other row."""
    generator = random.Random(SEED)
    visits: dict[str, dict[str, str]] = {}
    while len(visits) < 2 * (ANSWER_ROWS + THUMB_ROWS):
        about = visit(generator)
        visits.setdefault(about["question"], about)
    held_out = [about for about in visits.values() if int(about["room"]) % 7 == 0]
    others = [about for about in visits.values() if int(about["room"]) % 7 != 0]
    rows = [answered(about, generator) for about in others[: ANSWER_ROWS + THUMB_ROWS]]
    return (
        [{name: row[name] for name in ("question", "answer")} for row in rows[:ANSWER_ROWS]],
        rows[ANSWER_ROWS:],
        [answered(about, generator) for about in held_out[:HELD_OUT_ROWS]],
    )


def make_tokenizer(rows: list[dict[str, str | bool]]) -> PreTrainedTokenizerBase:
    """Train a small byte-level BPE tokenizer that has a token for nearly every word."""
    roles = ["system", "user", "assistant"]
    texts = [str(text) for row in rows for text in row.values()]
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


def write_rows(name: str, rows: list[dict[str, str | bool]]) -> None:
    """Write rows as JSON lines."""
    path = HERE / "data" / name
    path.parent.mkdir(exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    """Write the rows, the tokenizer and the model beside this file."""
    answers, thumbs, held_out = make_rows()
    write_rows("answers.jsonl", answers)
    write_rows("thumbs.jsonl", thumbs)
    write_rows("held_out.jsonl", held_out)
    tokenizer = make_tokenizer([*answers, *thumbs])
    tokenizer.save_pretrained(HERE / "tiny-model")
    make_model(tokenizer).save_pretrained(HERE / "tiny-model")


if __name__ == "__main__":
    main()
