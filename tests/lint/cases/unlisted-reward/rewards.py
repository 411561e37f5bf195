def polite(completions, **kwargs):
    return [0.5 for _ in completions]


def score_polite(completions):
    return 1.0


def correct(completions, **kwargs):
    return [1.0 for _ in completions]


def measured(completions, **kwargs):
    return [1.0 for _ in completions]


MIXES = {"reasoning": {correct: 1.0}}
