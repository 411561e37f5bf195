"""The base model and the results of stages, loaded to be scored."""

from typing import Any

from transformers import AutoModelForCausalLM


def load_model(path: str) -> Any:
    """A model that completes prompts; the type Any, since the auto class does not promise one."""
    model = AutoModelForCausalLM.from_pretrained(path, dtype="auto", device_map="cuda")
    return model.eval()
