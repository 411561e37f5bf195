from trl import GRPOConfig, GRPOTrainer, SFTConfig

SHARED = {"evaluation_strategy": "steps", "no_cuda": False}

sft = SFTConfig(max_seq_length=1024, gradient_checkpointing=True, loss_type="chunked_nll")
grpo = GRPOConfig(max_prompt_length=512, use_liger_loss=True, vllm_device="cuda:0", **SHARED)
trainer = GRPOTrainer("model", reward_funcs=[], args=grpo, tokenizer=None, model_init=None)
