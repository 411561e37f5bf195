"""A generator of sums, whose entries are made from `seed` + their number, as the package does."""

import random
from typing import Any


class ProceduralDataset:
    """Sums of `min_terms` numbers; the verifier needs an entry's metadata."""

    def __init__(self, size: int, seed: int, min_terms: int = 2) -> None:
        self.size, self.seed, self.min_terms = size, seed, min_terms

    def __getitem__(self, number: int) -> dict[str, Any]:
        drawn = random.Random(self.seed + number)
        terms = [drawn.randrange(1000) for _ in range(self.min_terms)]
        question = f"What is {' + '.join(map(str, terms))}?"
        metadata = {"right": {sum(terms)}}  # a set, which no data set can hold
        return {"question": question, "answer": str(sum(terms)), "metadata": metadata}

    def score_answer(self, answer: str, entry: dict[str, Any]) -> float:
        return 1.0 if int(answer) in entry["metadata"]["right"] else 0.01
