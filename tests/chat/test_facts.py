"""What the name of a base model tells of its chat template."""

import importlib.util
import json
from pathlib import Path

import pytest
from jinja2 import TemplateError, nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from compiler.chat.facts import chat_facts
from compiler.resolve.tokens import FOLD

# Templates that TRL ships as these checkpoints do, byte for byte (trl/chat_templates/README.md).
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
USER = {"role": "user", "content": "1+1?"}
SYSTEM = {"role": "system", "content": "be brief"}


def thinking_answer(thought: str) -> dict[str, str]:
    return {"role": "assistant", "content": f"<think>\n{thought}\n</think>\n\n2"}


class Generation(Extension):
    """The tag around what an assistant says, as transformers knows it."""

    tags = {"generation"}  # noqa: RUF012 - declared so by Jinja

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.Scope(body).set_lineno(line)


def shipped(base: str) -> str:
    found = importlib.util.find_spec("trl")
    assert found is not None
    folder = (found.submodule_search_locations or [""])[0]
    return (Path(folder) / "chat_templates" / f"{SHIPPED[base]}.jinja").read_text("utf-8")


def refuse(message: str) -> None:
    raise TemplateError(message)


def rendered(template: str, *messages: dict[str, str], **more: object) -> str:
    """As transformers renders them (transformers/utils/chat_template_utils.py)."""
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, "jinja2.ext.loopcontrols"]
    )
    environment.globals |= {"raise_exception": refuse, "strftime_now": lambda form: f"now {form}"}
    environment.filters["tojson"] = json.dumps
    values = {"add_generation_prompt": True, "bos_token": "<s>", "eos_token": "</s>", **more}
    return environment.from_string(template).render(messages=list(messages), **values)


@pytest.mark.parametrize("base", SHIPPED)
def test_the_facts_are_those_of_the_shipped_template(base: str) -> None:
    facts, template = chat_facts(base), shipped(base)
    prompt = rendered(template, USER)

    assert facts.opens == prompt.rstrip().endswith("<think>")
    assert bool(facts.switch) == ("enable_thinking" in template)
    assert facts.has_system_role is ("be brief" in tried(template, SYSTEM, USER))
    assert bool(facts.injects) == ("system" in prompt)
    assert ("now %" in prompt) == ("of the day" in facts.injects)


@pytest.mark.parametrize("base", [base for base in SHIPPED if chat_facts(base).switch])
@pytest.mark.parametrize("on", [True, False])
def test_a_switch_turns_thinking_on_and_off(base: str, on: bool) -> None:
    opens = rendered(shipped(base), USER, enable_thinking=on).rstrip().endswith("<think>")
    assert opens == (on and chat_facts(base).opens_when_on)


@pytest.mark.parametrize("base", [base for base in SHIPPED if "gpt-oss" not in base])
def test_what_a_template_forgets_of_earlier_turns(base: str) -> None:
    turns = (USER, thinking_answer("early"), USER, thinking_answer("late"))
    assert chat_facts(base).forgets == ("early" not in rendered(shipped(base), *turns))


def test_the_fold_puts_a_system_message_into_the_first_user_turn() -> None:
    template, later = shipped("google/gemma-2-2b-it"), {"role": "user", "content": "2+2?"}
    with pytest.raises(TemplateError):
        rendered(template, SYSTEM, USER)
    folded = {"role": "user", "content": "be brief\n\n1+1?"}
    turns = ({"role": "assistant", "content": "2"}, later)
    assert rendered(FOLD + template, SYSTEM, USER, *turns) == rendered(template, folded, *turns)
    assert rendered(FOLD + template, USER, *turns) == rendered(template, USER, *turns)


def tried(template: str, *messages: dict[str, str]) -> str:
    try:
        return rendered(template, *messages)
    except TemplateError:
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
