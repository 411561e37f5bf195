"""What the name of a base model tells."""

import pytest
from jinja2 import Environment

from compiler.families import family_of


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


@pytest.mark.parametrize("base", ["x/llama-3", "x/smollm2", "x/smollm3", "x/phi-3", "x/granite-3"])
def test_a_family_that_pads_with_its_end_has_a_spare_token(base: str) -> None:
    family = family_of(base)
    spare = [token for token in family.spare if token in family.special_tokens]
    assert spare
    assert not {*spare} & {family.end_of_turn, family.end_of_text}
