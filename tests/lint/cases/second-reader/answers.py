def read_answer(text: str) -> str | None:
    return text or None


def same_answer(answer: str, gold: str) -> bool:
    return answer == gold
