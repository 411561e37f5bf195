def named(prompts, completion_idss, **kwargs):
    return [0.0] * len(prompts)
