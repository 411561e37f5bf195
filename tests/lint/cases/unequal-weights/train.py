from trl import GRPOConfig, GRPOTrainer


def correct(completions, **kwargs):
    return [1.0 for _ in completions]


def build(mix, more):
    rewards = [correct, *mix]
    args = GRPOConfig(reward_weights=list(mix.values()))
    GRPOTrainer("model", reward_funcs=rewards, args=args)
    GRPOTrainer("model", reward_funcs=list(mix), args=args)
    GRPOTrainer("model", reward_funcs=list(more), args=args)


args = GRPOConfig(reward_weights=[1.0, 0.5])
GRPOTrainer("model", reward_funcs=[correct], args=args)
GRPOTrainer("model", reward_funcs=[correct] + [correct], args=args)
