"""A template rendered here is what transformers renders."""

from typing import Any, cast

import pytest

from compiler.chat.rendering import TemplateFault, rendered
from tests.chat.shipped import SHIPPED, shipped

TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
TURNS = [
    {"role": "user", "content": "1+1?"},
    {"role": "assistant", "content": "<think>\none\n</think>\n\n2"},
    {"role": "user", "content": 'in "words" <é>?'},
]


@pytest.mark.slow
@pytest.mark.parametrize("base", SHIPPED)
@pytest.mark.parametrize("prompts", [True, False])
def test_it_is_what_transformers_renders(base: str, prompts: bool) -> None:
    from transformers.utils import chat_template_utils  # noqa: PLC0415 - takes seconds

    render = cast("Any", chat_template_utils).render_jinja_template
    conversations, _ = render(
        [TURNS], chat_template=shipped(base), add_generation_prompt=prompts, **TOKENS
    )
    assert rendered(shipped(base), TURNS, TOKENS, prompts=prompts) == conversations[0]


@pytest.mark.parametrize(
    ("template", "reason"),
    [
        ("{{ raise_exception('no system role') }}", "no system role"),
        ("{% for message in messages %}", "Unexpected end of template"),
        ("{{ messages[0].content + 1 }}", "can only concatenate str"),
        ("{{ ''.__class__.__mro__ }}", "unsafe"),
        ("{{ messages.append(1) }}", "unsafe"),
    ],
)
def test_a_fault_has_its_reason(template: str, reason: str) -> None:
    with pytest.raises(TemplateFault, match=reason):
        rendered(template, TURNS, TOKENS)


def test_the_tag_of_generation_and_the_controls_of_loops_are_known() -> None:
    template = (
        "{% for message in messages %}{% if loop.index > 2 %}{% break %}{% endif %}"
        "{% generation %}{{ message.content | tojson }}{% endgeneration %}{% endfor %}"
    )
    said = rendered(template, [{"role": "user", "content": '"é'}], TOKENS)
    assert said == '"\\"é"'
