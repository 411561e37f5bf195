"""A chat template rendered as transformers does, without transformers.

The environment is that of transformers/utils/chat_template_utils.py: a sandbox, the tags of loops
and of generation, and the functions that templates of the hub call.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, NoReturn

from jinja2 import Template, TemplateError, nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

__all__ = ["Message", "TemplateFault", "rendered"]

Message = Mapping[str, str]

# What an expression of a template raises beside Jinja's own errors.
_FAULTS = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError)


class TemplateFault(Exception):
    """A template that cannot be rendered; the text is its own reason, or Jinja's."""


def rendered(
    template: str,
    messages: Sequence[Message],
    tokens: Mapping[str, str],
    *,
    prompts: bool = False,
    **options: object,
) -> str:
    """Render a conversation; with `prompts` up to where the next answer begins.

    `tokens` are the special tokens by their names in the tokenizer, `options` what else the
    template is given. Raises `TemplateFault`.
    """
    try:
        compiled = _compiled(template)
        said = [dict(message) for message in messages]
        return compiled.render(
            messages=said,
            add_generation_prompt=prompts,
            tools=None,
            raise_exception=_refuse,
            strftime_now=_now,
            **tokens,
            **options,
        )
    except (TemplateError, *_FAULTS) as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise TemplateFault(reason) from error


class _Generation(Extension):
    """The tag around what an assistant says; it renders what is in it."""

    tags = {"generation"}  # noqa: RUF012 - as Jinja declares it

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.Scope(body).set_lineno(line)


@cache
def _compiled(template: str) -> Template:
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, "jinja2.ext.loopcontrols"]
    )
    environment.filters["tojson"] = _to_json  # pyright: ignore[reportUnknownMemberType]  # Jinja's
    return environment.from_string(template)


def _to_json(value: object, **options: Any) -> str:  # noqa: ANN401 - what json.dumps takes
    options.setdefault("ensure_ascii", False)
    return json.dumps(value, **options)


def _refuse(message: str) -> NoReturn:
    raise TemplateError(message)


def _now(form: str) -> str:
    return datetime.now().strftime(form)  # noqa: DTZ005 - local time, as transformers gives it
