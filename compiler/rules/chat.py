"""Chat template and tokens of `[model]`: what the base is known for, against what the spec asks."""

from compiler.resolve.chat import base_facts
from compiler.rules.case import Case

__all__ = ["base_has_a_template", "system_role_is_known", "thinking_has_a_switch"]


def base_has_a_template(case: Case) -> None:
    """A base model that comes without a chat template cannot render a prompt."""
    base = case.spec.model.base
    if base_facts(case.spec).is_missing:
        case.error(
            "no-chat-template",
            ("model", "base"),
            f"`{base}` is a base model, which comes without a chat template",
            "name its instruct version",
        )


def system_role_is_known(case: Case) -> None:
    """A system message is not kept for a template that is known to have no system role."""
    if case.spec.model.system_role == "keep" and base_facts(case.spec).has_system_role is False:
        case.error(
            "no-system-role",
            ("model", "system_role"),
            f"the chat template of `{case.spec.model.base}` has no system role",
            'write `system_role = "fold"`, or leave it out',
        )


def thinking_has_a_switch(case: Case) -> None:
    """Thinking is turned on or off where the template is not known to lack a switch for it."""
    thinking, facts = case.spec.model.thinking, base_facts(case.spec)
    if thinking == "auto" or facts.switch != "":
        return
    opens = facts.opens and thinking == "on"
    what = "it thinks by itself" if opens else "leave it out"
    case.error(
        "no-thinking-switch",
        ("model", "thinking"),
        f"the chat template of `{case.spec.model.base}` has no switch for thinking",
        f"leave it out: {what}" if opens else what,
    )
