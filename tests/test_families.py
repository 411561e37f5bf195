"""What the name of a base model tells."""

import importlib.util
from pathlib import Path

import pytest
from jinja2 import Environment
from jinja2.sandbox import ImmutableSandboxedEnvironment

from compiler.families import family_of, opens_thinking


@pytest.mark.parametrize(
    ("base", "name"),
    [
        ("Qwen/Qwen2.5-1.5B-Instruct", "Qwen2.5"),
        ("unsloth/Qwen2.5-0.5B-Instruct-bnb-4bit", "Qwen2.5"),
        ("Qwen/Qwen3-0.6B", "Qwen3"),
        ("Qwen/Qwen3-30B-A3B", "Qwen3 MoE"),
        ("meta-llama/Llama-3.2-1B-Instruct", "Llama 3"),
        ("meta-llama/Meta-Llama-3-8B-Instruct", "Llama 3"),
        ("TinyLlama/TinyLlama-1.1B-Chat-v1.0", "TinyLlama"),
        ("HuggingFaceTB/SmolLM2-135M-Instruct", "SmolLM2"),
        ("HuggingFaceTB/SmolLM3-3B", "SmolLM3"),
        ("google/gemma-2b-it", "Gemma"),
        ("google/gemma-2-2b-it", "Gemma 2"),
        ("google/gemma-3-1b-it", "Gemma 3"),
        ("mistralai/Mistral-7B-Instruct-v0.2", "Mistral 0.1"),
        ("mistralai/Mistral-7B-Instruct-v0.3", "Mistral"),
        ("microsoft/Phi-3-mini-4k-instruct", "Phi-3"),
        ("microsoft/Phi-4-mini-instruct", "Phi-3"),
        ("microsoft/phi-4", "Phi-4"),
        ("ibm-granite/granite-3.1-2b-instruct", "Granite"),
        ("allenai/OLMo-2-0425-1B-Instruct", "OLMo 2"),
    ],
)
def test_a_known_name_tells_its_family(base: str, name: str) -> None:
    family = family_of(base)

    assert family.name == name
    assert not family.assumed


@pytest.mark.parametrize(
    "base",
    ["./tiny-model", "/models/Llama-3.2-1B", "acme/house-model", "google/gemma-3-4b-it", "gpt2"],
)
def test_a_folder_or_an_unknown_name_is_assumed(base: str) -> None:
    assert family_of(base).assumed


@pytest.mark.parametrize(
    "base",
    ["x/qwen2.5", "x/qwen3-1b", "x/llama-3", "x/mistral", "x/phi-3", "x/phi-4", "x/granite-3"],
)
def test_a_chat_template_renders_what_is_said_and_ends_the_answer(base: str) -> None:
    family = family_of(base)
    assert {family.end_of_turn, family.end_of_text} <= {*family.special_tokens}
    turns = [("system", "be brief"), ("user", "1+1?"), ("assistant", "2")]
    text = (
        Environment(autoescape=False)
        .from_string(family.chat_template)
        .render(
            messages=[{"role": role, "content": content} for role, content in turns],
            bos_token=family.begin_of_text or "",
            eos_token=family.end_of_text,
        )
    )

    assert all(content in text for _, content in turns)
    assert text.rstrip().endswith(f"2{family.end_of_turn}")


# Templates that TRL ships as these checkpoints do, byte for byte (trl/chat_templates/README.md).
SHIPPED = {
    "deepseek-ai/DeepSeek-R1-Distill-Qwen-7B": "deepseek_r1_distill",
    "deepseek-ai/DeepSeek-R1-Distill-Llama-8B": "deepseek_r1_distill",
    "Qwen/Qwen3.5-4B": "qwen3_5_think",
    "Qwen/Qwen3.5-27B": "qwen3_5_think",
    "Qwen/Qwen3.5-2B": "qwen3_5_nothink",
    "Qwen/Qwen3.5-0.8B": "qwen3_5_nothink",
    "Qwen/Qwen3.6-27B": "qwen3_6",
    "Qwen/Qwen3.8-27B": "qwen3_8",
    "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16": "nemotron_3_nano",
    "nvidia/NVIDIA-Nemotron-3.5-Lightning-8B": "nemotron_3_5_lightning",
    "Qwen/Qwen2.5-1.5B-Instruct": "qwen2_5",
    "Qwen/Qwen3-1.7B": "qwen3",
    "Qwen/Qwen3-4B-Instruct-2507": "qwen3_instruct_2507",
    "google/gemma-3-1b-it": "gemma3",
    "meta-llama/Llama-3.2-1B-Instruct": "llama3_2",
    "microsoft/Phi-3-mini-4k-instruct": "phi3",
}


@pytest.mark.parametrize("base", SHIPPED)
def test_a_name_tells_whether_the_prompt_opens_the_thinking(base: str) -> None:
    found = importlib.util.find_spec("trl")
    assert found is not None
    (folder,) = found.submodule_search_locations or ()
    source = (Path(folder) / "chat_templates" / f"{SHIPPED[base]}.jinja").read_text("utf-8")
    # As transformers renders them (transformers/utils/chat_template_utils.py).
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    environment.globals["strftime_now"] = lambda form: form
    text = environment.from_string(source).render(
        messages=[{"role": "user", "content": "1+1?"}],
        add_generation_prompt=True,
        bos_token="<s>",
        eos_token="</s>",
    )
    assert opens_thinking(base) == text.rstrip().endswith("<think>")


@pytest.mark.parametrize(
    ("base", "opens"),
    [
        ("Qwen/QwQ-32B", True),
        ("Qwen/QwQ-32B-Preview", False),
        ("Qwen/Qwen3-4B-Thinking-2507", True),
        ("Qwen/Qwen3-30B-A3B-Thinking-2507", True),
        ("deepseek-ai/DeepSeek-R1-0528-Qwen3-8B", False),
        ("./DeepSeek-R1-Distill-Qwen-7B", False),
        ("acme/house-model", False),
    ],
)
def test_what_is_known_of_other_names(base: str, opens: bool) -> None:
    assert opens_thinking(base) == opens
