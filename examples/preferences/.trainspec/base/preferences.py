"""How well the stages that learn from preferences tell better answers from worse ones.

Each is asked about the held-out rows of its own data. A conversation is read whole, also where it
is longer than the stage trained on.
"""

from typing import Any

import torch

from data import load_judge_eval, load_tone_eval
from estimates import Estimate, mean_estimate, share_estimate
from models import load_model
from reward_models import RewardModel
from stages import OUTPUTS
from tokens import load_tokenizer

Row = dict[str, Any]
Messages = list[dict[str, str]]

# The models that implicit rewards are measured from, and the `beta` that scales these.
STARTS = {"tone": str(OUTPUTS / "warmup" / "model")}
BETAS = {"tone": 0.1}
CONVERSATIONS_AT_ONCE = 8


def preference_figures(stage: str, count: int | None) -> dict[str, Any]:
    """The accuracy and the margin of a stage on its held-out rows, on the first or on all."""
    load, score = STAGES[stage]
    rows = load().to_list()[:count]
    print(f"{stage}: {len(rows)} held-out rows of its own", flush=True)
    return {"rows": len(rows), **score(stage, rows)}


def by_reward_model(stage: str, rows: list[Row]) -> dict[str, Estimate]:
    """Whether the model that the stage trained scores the chosen answer higher than the rejected."""
    model = RewardModel(str(OUTPUTS / stage / "model"), "float32", "cpu")
    prompts = [row["prompt"] for row in rows]
    return of_pairs(
        model.scores(prompts, [row["chosen"] for row in rows]),
        model.scores(prompts, [row["rejected"] for row in rows]),
    )


def by_implicit_reward(stage: str, rows: list[Row]) -> dict[str, Estimate]:
    """Whether the stage has raised the chosen answer more than the rejected."""
    prompts = [row["prompt"] for row in rows]
    answers = [row["chosen"] for row in rows] + [row["rejected"] for row in rows]
    rewards = implicit_rewards(stage, prompts + prompts, answers)
    return of_pairs(rewards[: len(rows)], rewards[len(rows) :])


def of_pairs(
    chosen: list[float] | list[float | None], rejected: list[float] | list[float | None]
) -> dict[str, Estimate]:
    """How often the chosen answer of a pair scores higher, and by how much."""
    margins = [
        better - worse
        for better, worse in zip(chosen, rejected, strict=True)
        if better is not None and worse is not None
    ]
    return {
        "accuracy": share_estimate(float(margin > 0) for margin in margins),
        "margin": mean_estimate(margins),
    }


def implicit_rewards(stage: str, prompts: list[Messages], answers: list[Messages]) -> list[float]:
    """How much likelier the stage has made each answer, the reward of DPO (arXiv 2305.18290).

    That is beta times the difference of the answer's log probability to that of the stage's start.
    """
    before = log_probabilities(STARTS[stage], prompts, answers)
    after = log_probabilities(str(OUTPUTS / stage / "model"), prompts, answers)
    return [BETAS[stage] * (now - then) for now, then in zip(after, before, strict=True)]


@torch.inference_mode()
def log_probabilities(path: str, prompts: list[Messages], answers: list[Messages]) -> list[float]:
    """The log probability of each answer, summed over its tokens."""
    tokenizer = load_tokenizer(path)
    model = load_model(path)
    sums: list[float] = []
    for start in range(0, len(prompts), CONVERSATIONS_AT_ONCE):
        batch = slice(start, start + CONVERSATIONS_AT_ONCE)
        tokens, is_answer = answer_tokens(tokenizer, prompts[batch], answers[batch])
        tokens, is_answer = tokens.to(model.device), is_answer.to(model.device)
        # Padding stands behind the answer, where no token that counts looks.
        logits = model(input_ids=tokens).logits[:, :-1].float()
        said = logits.gather(2, tokens[:, 1:, None]).squeeze(2) - logits.logsumexp(2)
        sums += (said * is_answer[:, 1:]).sum(1).tolist()
    return sums


def answer_tokens(
    tokenizer: Any, prompts: list[Messages], answers: list[Messages]
) -> tuple[torch.Tensor, torch.Tensor]:
    """The tokens of each conversation, padded on the right, and which of them are the answer's.

    As TRL parts them: the answer begins where the conversation leaves the prompt as it is sampled.
    """
    conversations: list[list[int]] = []
    begins: list[int] = []
    for prompt, answer in zip(prompts, answers, strict=True):
        asked = tokenizer.apply_chat_template(prompt, add_generation_prompt=True, return_dict=False)
        whole = tokenizer.apply_chat_template(prompt + answer, return_dict=False)
        apart = (
            at for at, pair in enumerate(zip(asked, whole, strict=False)) if pair[0] != pair[1]
        )
        begins.append(next(apart, min(len(asked), len(whole))))
        conversations.append(whole)
    tokens = torch.zeros(len(conversations), max(map(len, conversations)), dtype=torch.long)
    is_answer = torch.zeros_like(tokens)
    for at, (begin, whole) in enumerate(zip(begins, conversations, strict=True)):
        tokens[at, : len(whole)] = torch.tensor(whole)
        is_answer[at, begin : len(whole)] = 1
    return tokens, is_answer


# Where the held-out rows of each stage come from, and how they are scored.
STAGES = {"judge": (load_judge_eval, by_reward_model), "tone": (load_tone_eval, by_implicit_reward)}
