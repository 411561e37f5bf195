"""Chat template and tokens of `[model]`: what the base is known for, against what the spec asks."""

from compiler.chat.at_hand import template_at_hand
from compiler.chat.named import NAMED, is_file
from compiler.closest import closest, quoted_list, shortened
from compiler.families import family_of
from compiler.resolve.chat import base_facts
from compiler.resolve.inputs import own_template
from compiler.rules.case import Case, is_inside
from compiler.rules.files import report_missing_file

__all__ = [
    "base_has_a_template",
    "named_template_fits",
    "system_role_is_known",
    "template_bears_the_prompt",
    "template_is_there",
    "thinking_has_a_switch",
]

OWN = ("model", "chat_template")


def template_is_there(case: Case) -> None:
    """`chat_template` is a file beside the spec, or one of our names."""
    own = case.spec.model.chat_template
    if own is None or own in NAMED:
        return
    if is_file(own):
        if is_inside(own) and not case.has_file(own):
            report_missing_file(case, OWN, own)
        return
    meant = closest(own, list(NAMED))
    hints = [f"did you mean `{meant}`?"] if meant else []
    hints.append(f"names are {quoted_list(tuple(NAMED))}; a file ends with `.jinja`")
    case.error("bad-value", OWN, f"there is no chat template `{shortened(own)}`", *hints)


def base_has_a_template(case: Case) -> None:
    """A base model that comes without a chat template cannot render a prompt."""
    base = case.spec.model.base
    if not base_facts(case.spec).is_missing:
        return
    layout = family_of(base).layout.removesuffix("-system")
    name = f'write `chat_template = "{layout}"`' if layout in NAMED else "write a `chat_template`"
    case.error(
        "no-chat-template",
        ("model", "base"),
        f"`{base}` is a base model, which comes without a chat template",
        f"{name}, or name its instruct version",
    )


def template_bears_the_prompt(case: Case) -> None:
    """The chat template renders the prompt, where it lies beside the spec or on this machine."""
    model = case.spec.model
    own = own_template(case.spec, case.folder)
    at_hand = template_at_hand(model.base, model.revision, case.folder)
    if own is not None or at_hand is not None:
        # Rendering needs Jinja, and most checks have no template at hand.
        from compiler.rules.templates import check_template

        check_template(case, own, at_hand)


def named_template_fits(case: Case) -> None:
    """The vocabulary has the token that ends a turn: a new one would mean nothing to the model."""
    model = case.spec.model
    own, family = NAMED.get(model.chat_template or ""), family_of(model.base)
    if own is None or family.assumed or own.layout == family.layout:
        return
    fitting = family.layout.removesuffix("-system")
    hint = (
        f'write `chat_template = "{fitting}"`' if fitting in NAMED else "write a file of your own"
    )
    if own.end_of_turn is not None and own.end_of_turn not in family.special_tokens:
        message = f"the vocabulary of {family.name} has no token `{own.end_of_turn}`, with which "
        case.error("unfit-template", OWN, f"{message}`{model.chat_template}` ends a turn", hint)
    elif family.adds_begin and "bos_token" not in own.text:
        message = f"`{model.chat_template}` begins no text with `{family.begin_of_text}`, "
        case.error("unfit-template", OWN, f"{message}as {family.name} was trained to read it", hint)


def system_role_is_known(case: Case) -> None:
    """A system message is not kept for a template that is known to have no system role."""
    model = case.spec.model
    if model.system_role == "keep" and base_facts(case.spec).has_system_role is False:
        case.error(
            "no-system-role",
            ("model", "system_role"),
            f"the chat template of `{model.chat_template or model.base}` has no system role",
            'write `system_role = "fold"`, or leave it out',
        )


def thinking_has_a_switch(case: Case) -> None:
    """Thinking is turned on or off where the template is not known to lack a switch for it."""
    model, facts = case.spec.model, base_facts(case.spec)
    if model.thinking == "auto" or facts.switch != "":
        return
    thinks = facts.opens and model.thinking == "on"
    case.error(
        "no-thinking-switch",
        ("model", "thinking"),
        f"the chat template of `{model.chat_template or model.base}` has no switch for thinking",
        "leave it out: the model thinks by itself" if thinks else "leave it out",
    )
