import trl

args = trl.DPOConfig(epsilon_hihg=0.28, num_generations=8, learning_rat=1e-6, peft_config=None)
trainer = trl.DPOTrainer("model", args=args, beta=0.01, max_len=5)
experimental = trl.experimental.orpo.ORPOConfig(anything=1)
