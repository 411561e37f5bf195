"""The chat templates that TRL ships as the named checkpoints do, byte for byte."""

import importlib.util
from pathlib import Path

# After trl/chat_templates/README.md.
SHIPPED = {
    "deepseek-ai/DeepSeek-R1-Distill-Qwen-7B": "deepseek_r1_distill",
    "deepseek-ai/DeepSeek-R1-Distill-Llama-8B": "deepseek_r1_distill",
    "google/gemma-2-2b-it": "gemma",
    "google/gemma-3-1b-it": "gemma3",
    "google/gemma-4-E2B-it": "gemma4_v5",
    "LiquidAI/LFM2-1.2B": "lfm2",
    "meta-llama/Meta-Llama-3-8B-Instruct": "llama3",
    "meta-llama/Llama-3.1-8B-Instruct": "llama3_1",
    "meta-llama/Llama-3.2-1B-Instruct": "llama3_2",
    "microsoft/Phi-3-mini-4k-instruct": "phi3",
    "microsoft/Phi-3.5-mini-instruct": "phi3_5",
    "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16": "nemotron_3_nano",
    "nvidia/NVIDIA-Nemotron-3.5-Lightning-8B": "nemotron_3_5_lightning",
    "openai/gpt-oss-20b": "gptoss",
    "Qwen/Qwen2.5-1.5B-Instruct": "qwen2_5",
    "Qwen/Qwen3-1.7B": "qwen3",
    "Qwen/Qwen3-4B-Instruct-2507": "qwen3_instruct_2507",
    "Qwen/Qwen3.5-0.8B": "qwen3_5_nothink",
    "Qwen/Qwen3.5-2B": "qwen3_5_nothink",
    "Qwen/Qwen3.5-4B": "qwen3_5_think",
    "Qwen/Qwen3.5-27B": "qwen3_5_think",
    "Qwen/Qwen3.6-27B": "qwen3_6",
    "Qwen/Qwen3.8-27B": "qwen3_8",
    "zai-org/GLM-4.5-Air": "glm4moe",
}


def shipped(base: str) -> str:
    """The template of a model."""
    found = importlib.util.find_spec("trl")
    assert found is not None
    folder = (found.submodule_search_locations or [""])[0]
    return (Path(folder) / "chat_templates" / f"{SHIPPED[base]}.jinja").read_text("utf-8")
