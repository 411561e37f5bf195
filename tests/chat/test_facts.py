"""What the name of a base model tells of its chat template."""

from datetime import datetime

import pytest

from compiler.chat.facts import chat_facts
from compiler.chat.rendering import TemplateFault, rendered
from compiler.resolve.chat import FOLD
from tests.chat.shipped import SHIPPED, shipped

TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
USER = {"role": "user", "content": "1+1?"}
SYSTEM = {"role": "system", "content": "be brief"}


def thinking_answer(thought: str) -> dict[str, str]:
    return {"role": "assistant", "content": f"<think>\n{thought}\n</think>\n\n2"}


def said(template: str, *messages: dict[str, str], **more: object) -> str:
    """What comes out where the next answer begins."""
    return rendered(template, messages, TOKENS, prompts=True, **more)


@pytest.mark.parametrize("base", SHIPPED)
def test_the_facts_are_those_of_the_shipped_template(base: str) -> None:
    facts, template = chat_facts(base), shipped(base)
    prompt = said(template, USER)

    assert facts.opens == prompt.rstrip().endswith("<think>")
    assert bool(facts.switch) == ("enable_thinking" in template)
    assert facts.has_system_role is ("be brief" in tried(template, SYSTEM, USER))
    assert bool(facts.injects) == ("system" in prompt)
    year = f"{datetime.now():%Y}"  # noqa: DTZ005 - local time, as transformers gives it
    assert ("of the day" in facts.injects) == (year in prompt)


@pytest.mark.parametrize("base", [base for base in SHIPPED if chat_facts(base).switch])
@pytest.mark.parametrize("on", [True, False])
def test_a_switch_turns_thinking_on_and_off(base: str, on: bool) -> None:
    opens = said(shipped(base), USER, enable_thinking=on).rstrip().endswith("<think>")
    assert opens == (on and chat_facts(base).opens_when_on)


@pytest.mark.parametrize("base", [base for base in SHIPPED if "gpt-oss" not in base])
def test_what_a_template_forgets_of_earlier_turns(base: str) -> None:
    turns = (USER, thinking_answer("early"), USER, thinking_answer("late"))
    assert chat_facts(base).forgets == ("early" not in said(shipped(base), *turns))


def test_the_fold_puts_a_system_message_into_the_first_user_turn() -> None:
    template, later = shipped("google/gemma-2-2b-it"), {"role": "user", "content": "2+2?"}
    with pytest.raises(TemplateFault):
        said(template, SYSTEM, USER)
    folded = {"role": "user", "content": "be brief\n\n1+1?"}
    turns = ({"role": "assistant", "content": "2"}, later)
    assert said(FOLD + template, SYSTEM, USER, *turns) == said(template, folded, *turns)
    assert said(FOLD + template, USER, *turns) == said(template, USER, *turns)


def tried(template: str, *messages: dict[str, str]) -> str:
    try:
        return said(template, *messages)
    except TemplateFault:
        return ""


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
    assert chat_facts(base).opens == opens


@pytest.mark.parametrize(
    ("base", "is_missing"),
    [
        ("meta-llama/Llama-3.2-1B", True),
        ("meta-llama/Meta-Llama-3-8B", True),
        ("google/gemma-2-2b", True),
        ("google/gemma-3-270m-pt", True),
        ("mistralai/Mistral-7B-v0.3", True),
        ("HuggingFaceTB/SmolLM2-135M", True),
        ("HuggingFaceTB/SmolLM3-3B-Base", True),
        ("allenai/OLMo-2-0425-1B", True),
        ("ibm-granite/granite-3.1-2b-base", True),
        ("meta-llama/Llama-3.2-1B-Instruct", False),
        ("NousResearch/Hermes-3-Llama-3.1-8B", False),
        ("google/gemma-3-270m-it", False),
        ("HuggingFaceTB/SmolLM3-3B", False),
        ("Qwen/Qwen2.5-0.5B", False),
    ],
)
def test_a_base_model_may_have_no_template(base: str, is_missing: bool) -> None:
    assert chat_facts(base).is_missing == is_missing


@pytest.mark.parametrize(
    ("base", "unstopped"),
    [
        ("Qwen/Qwen2.5-0.5B", True),
        ("Qwen/Qwen2.5-Coder-1.5B", True),
        ("Qwen/Qwen3-0.6B-Base", True),
        ("google/gemma-2-2b-it", True),
        ("Qwen/Qwen2.5-0.5B-Instruct", False),
        ("Qwen/Qwen3-0.6B", False),
    ],
)
def test_where_the_end_of_a_turn_is_not_the_tokenizers_end(base: str, unstopped: bool) -> None:
    assert chat_facts(base).ends_unstopped == unstopped
