"""The rewards of this task, one function each with TRL's signature, and the mix of each stage.

`python rewards.py [--row N] [--text FILE]` scores a text (left out: the ideal completion of that
training row, or of the first one) and says why.
"""

import argparse
import math
import warnings
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from transformers import AutoTokenizer, PreTrainedTokenizerBase

from data import load_train
from prompts import ideal_completion
from reward_models import RewardModel
from stages import BASE

LIKED_MODEL = RewardModel(
    str(Path(__file__).parent / "outputs/judge/model"), dtype="bfloat16", device="cuda"
)
BRIEF_MAX_TOKENS = 60


def liked(completions: list[Any], prompts: list[Any], **columns: Any) -> list[float | None]:
    """Pay the sigmoid of a reward model's logit; None for what it cannot read whole.

    Gamed by whatever the model was never shown: length, flattery, lists, one phrase again and
    again. Near 0 and 1 it hardly tells completions apart.
    """
    return finite("liked", score_reward_model_sigmoid(LIKED_MODEL, prompts, completions))


def brief(
    completions: list[Any], completion_ids: list[list[int]], **columns: Any
) -> list[float | None]:
    """Pay 1.0 up to the maximum length, falling evenly to 0.0 at twice the maximum.

    Gamed by saying nothing: an empty completion is paid in full.
    """
    return [score_length_at_most(len(ids), BRIEF_MAX_TOKENS) for ids in completion_ids]


MIXES: dict[str, dict[Callable[..., list[float | None]], float]] = {
    "improve": {
        liked: 1.0,
        brief: 0.2,
    },
}


COUNT_TOKENS = (brief,)


@cache
def tokenizer() -> PreTrainedTokenizerBase:
    """The base model's tokenizer, for the rewards that count tokens."""
    return AutoTokenizer.from_pretrained(BASE)


def tokens(text: str) -> int:
    """The length of a text in tokens."""
    return len(tokenizer().encode(text, add_special_tokens=False))


def pay(reward: Callable[..., list[float | None]], text: str, row: dict[str, Any]) -> float | None:
    """What one reward gives a text written for a row of `load_train` or `load_eval`."""
    ids = tokenizer().encode(text, add_special_tokens=False) if reward in COUNT_TOKENS else []
    calls = {name: [value] for name, value in row.items() if name != "prompt"} | {
        "prompts": [row["prompt"]],
        "completions": [[{"role": "assistant", "content": text}]],
        "completion_ids": [ids],
    }
    return reward(**calls)[0]


def score(text: str, row: dict[str, Any]) -> dict[str, float | None]:
    """What each reward gives a text written for a row, by the reward's name."""
    return {reward.__name__: pay(reward, text, row) for reward in (liked, brief)}


def reasons(text: str, row: dict[str, Any]) -> dict[str, str]:
    """Why each reward scores a text as it does, by the reward's name."""
    return {
        "liked": explain_reward_model_sigmoid(LIKED_MODEL, row["prompt"], text),
        "brief": explain_length_at_most(tokens(text), BRIEF_MAX_TOKENS),
    }


def main() -> None:
    """Print what was read in one text, each reward of it, and why."""
    parser = argparse.ArgumentParser(description="Score one text under the rewards of this task.")
    parser.add_argument(
        "--row", type=int, help="position in the source, from 0; left out: the first"
    )
    parser.add_argument(
        "--text", type=Path, help="file with the text; left out: the row's ideal completion"
    )
    arguments = parser.parse_args()
    if arguments.text and not arguments.text.is_file():
        parser.error(f"--text: {arguments.text} is no file")
    rows = {row["row_number"]: row for row in load_train().to_list()}
    number = min(rows) if arguments.row is None else arguments.row
    if number not in rows:
        raise SystemExit(f"row {number} is not trained on: it is held out, left out, or not there")
    row = rows[number]
    text = arguments.text.read_text(encoding="utf-8") if arguments.text else ideal_completion(row)
    print(text, end="\n\n")
    why = reasons(text, row)
    for name, value in score(text, row).items():
        rounded = None if value is None else round(value, 4)
        print(f"{name:<5} {rounded!s:>6}  {why[name]}")


def completion_text(completion: str | list[dict[str, Any]], *, opening: str = "<think>\n") -> str:
    """Return the last thing the assistant said with its thinking, or "" where it said nothing.

    `opening` begins a thinking block; it is empty where the prompt does that already.
    """
    # TRL gives a string for a plain prompt and a list of messages for a conversation.
    if isinstance(completion, str):
        return without_end_tokens(completion)
    for message in reversed(completion):
        if message.get("role", "assistant") != "assistant":
            continue
        said = message.get("content") or ""
        # TRL takes the thinking out of the content where the tokenizer says how to parse it.
        if thought := message.get("reasoning_content"):
            said = f"{opening}{thought}\n</think>\n\n{said}"
        if said:
            return without_end_tokens(said)
    return ""


def score_reward_model_sigmoid(
    model: RewardModel, prompts: list[Any], completions: list[Any]
) -> list[float | None]:
    """Pay the sigmoid of a reward model's logit; None for what it cannot read whole.

    Gamed by whatever the model was never shown: length, flattery, lists, one phrase again and
    again. Near 0 and 1 it hardly tells completions apart.
    """
    logits = model.scores(prompts, completions)
    # The sigmoid, in a form that no logit overflows.
    return [None if logit is None else (1 + math.tanh(logit / 2)) / 2 for logit in logits]


def explain_reward_model_sigmoid(
    model: RewardModel, prompt: list[dict[str, Any]], text: str
) -> str:
    """Say which model it is, and its logit before the sigmoid."""
    logit = model.scores([prompt], [text])[0]
    if logit is None:
        return "longer than the model reads"
    return f"{model.name} says {logit:.4g}, before the sigmoid"


def finite(name: str, values: Iterable[float | None]) -> list[float | None]:
    """Return a reward's values, with None, not judged, for what is no finite number.

    TRL would make an advantage of 3.4e38 of an infinity, and a NaN would go unnoticed.
    """
    kept: list[float | None] = []
    for value in values:
        judged = value is None or math.isfinite(value)
        if not judged:
            warnings.warn(f"{name} gave {value}, which counts as not judged", stacklevel=2)
        kept.append(value if judged else None)
    return kept


def score_length_at_most(length: int, maximum: int) -> float:
    """Pay 1.0 up to the maximum length, falling evenly to 0.0 at twice the maximum.

    Gamed by saying nothing: an empty completion is paid in full.
    """
    return min(1.0, max(0.0, 2.0 - length / maximum))


def explain_length_at_most(length: int, maximum: int) -> str:
    """Say the length and the most that is paid in full."""
    return f"length {length}, at most {maximum}"


END_TOKENS = (
    "<|im_end|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|eot|>",
    "<|EOT|>",
    "<|end|>",
    "<|return|>",
    "<|user|>",
    "<|observation|>",
    "<|end_of_turn|>",
    "<|END_OF_TURN_TOKEN|>",
    "<|pad|>",
    "<|finetune_right_pad_id|>",
    "<\uff5cend\u2581of\u2581sentence\uff5c>",
    "<end_of_turn>",
    "<turn|>",
    "<eos>",
    "<pad>",
    "</s>",
)


def without_end_tokens(text: str) -> str:
    """Return `text` without end-of-turn and padding tokens at its end, and without outer blanks."""
    text = text.strip()
    end = len(text)
    while text.endswith(END_TOKENS, 0, end):
        end = text.rindex("<", 0, end)
        while text[end - 1 : end].isspace():
            end -= 1
    return text[:end]


if __name__ == "__main__":
    main()
