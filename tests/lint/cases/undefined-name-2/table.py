import rewards


def names(rewards):
    return rewards.keys(), rewards.concise
