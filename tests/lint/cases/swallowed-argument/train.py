from transformers import AutoModelForCausalLM
from trl import GRPOConfig

loading = dict(torch_dtype="bfloat16", device_mapp="auto", attn_implementation="sdpa", n_layer=2)
args = GRPOConfig(model_init_kwargs=loading)
args.max_completion_lenght = 2048
args.learning_rate = 1e-6
model = AutoModelForCausalLM.from_pretrained("model", load_in_4bit=True)
