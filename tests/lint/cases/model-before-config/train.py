from transformers import AutoModelForCausalLM, AutoTokenizer
from trl import SFTConfig


def early():
    tokenizer = AutoTokenizer.from_pretrained("model")
    model = AutoModelForCausalLM.from_pretrained("model")
    return SFTConfig(output_dir="outputs"), model, tokenizer


def late():
    args = SFTConfig(output_dir="outputs")
    return AutoModelForCausalLM.from_pretrained("model"), args


def alone():
    return AutoModelForCausalLM.from_pretrained("model")
