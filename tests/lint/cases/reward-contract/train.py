from trl import GRPOTrainer, RLOOTrainer

from mine import named


def polite(completion):
    return float("please" in completion)


def yielding(completions, **kwargs):
    for one in completions:
        yield len(one)


def silent(completions, **kwargs):
    print(completions)


def by_position(completions, /, **kwargs):
    return 1.0


async def fine(completions, gold=None, *, prompts, **kwargs):
    return [float(one == other) for one, other in zip(completions, prompts)]


def unused(text):
    return 1.0


rewards = [polite, yielding, silent, fine]
GRPOTrainer("model", reward_funcs=rewards)
RLOOTrainer("model", reward_funcs=[by_position, named, lambda completions, **kwargs: 0.0])
