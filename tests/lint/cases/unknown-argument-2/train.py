from trl import GRPOConfig

args = GRPOConfig(top_p=0.9, vllm_guided_decoding_regex="a*", max_prompt_length=512)
