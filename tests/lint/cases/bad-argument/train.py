from trl import GRPOConfig

args = GRPOConfig(eval_strategy="step", scale_rewards=True)
