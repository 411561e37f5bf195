import math


def correct(completions, **kwargs):
    return [1.0 for _ in completions]


MIXES = {"first": {correct: float("nan")}, "second": {correct: 0.0}, "third": {correct: -math.inf}}
