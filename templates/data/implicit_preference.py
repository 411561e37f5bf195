"""Find the prompt that two conversations begin with."""

from conversation import conversation


def implicit_preference(chosen: object, rejected: object) -> dict[str, list[dict[str, str]]]:
    """Return `prompt`, `chosen` and `rejected` as messages, the prompt being what both begin with.

    Messages are the same where role and content are. Raises ValueError where the first that differs
    is not the assistant's in both: an answer would then stand behind the other's prompt.
    """
    good, bad = conversation(chosen), conversation(rejected)
    pairs = enumerate(zip(good, bad, strict=False))
    shared = next((at for at, (one, other) in pairs if one != other), min(len(good), len(bad)))
    if good == bad:  # the answer is what the assistant says at the end
        while shared and good[shared - 1]["role"] == "assistant":
            shared -= 1
    rest = (good[shared:], bad[shared:])
    if shared == 0 or not all(turns and turns[0]["role"] == "assistant" for turns in rest):
        said = " and ".join(first_of(turns) for turns in rest)
        raise ValueError(f"`chosen` and `rejected` differ in message {shared + 1}: {said}")
    return {"prompt": good[:shared], "chosen": rest[0], "rejected": rest[1]}


def first_of(turns: list[dict[str, str]]) -> str:
    """Return how the first of some messages begins, for a person."""
    return f"{turns[0]['role']} {turns[0]['content'][:40]!r}" if turns else "none"
