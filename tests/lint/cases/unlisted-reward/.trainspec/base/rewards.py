def correct(completions, **kwargs):
    return [1.0 for _ in completions]


def measured(completions, **kwargs):
    return [1.0 for _ in completions]


MIXES = {"reasoning": {correct: 1.0}}
