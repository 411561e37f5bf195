def concise(completions, **kwargs):
    return [len(one) for one in completions
