"""What tokens.py sets in the tokenizer."""

from compiler.families import family_of
from compiler.literals import literal, text_literal
from compiler.plan.tokens import TokensFile
from compiler.resolve.chat import asks_system, base_facts, folds_system
from spec_schema import TaskSpec

__all__ = ["FOLD", "plan_tokens"]

# In front of a template without a system role; one blank line parts the two texts.
FOLD = (
    "{%- if messages[0].role == 'system' and messages[1:2] and messages[1].role == 'user' -%}\n"
    "{%- set messages = [{'role': 'user', 'content': messages[0].content + '\\n\\n' + "
    "messages[1].content}] + messages[2:] -%}\n"
    "{%- endif -%}\n"
)
ANY_SWITCH = "enable_thinking"  # what templates of most families call it


def plan_tokens(spec: TaskSpec) -> TokensFile:
    """The context of tokens.py."""
    model, facts = spec.model, base_facts(spec)
    family = family_of(model.base)
    folds, switches = folds_system(spec), model.thinking != "auto"
    switch = facts.switch or ANY_SWITCH
    preamble = FOLD if folds else ""
    if switches:
        preamble += _thinking(switch, on=model.thinking == "on")
    return TokensFile(
        preamble=text_literal(preamble) if preamble else None,
        folds=folds,
        switches=switches,
        switch_unseen=text_literal(switch) if switches and facts.switch is None else None,
        end_of_turn=text_literal(family.end_of_turn) if facts.ends_unstopped else None,
        spare=literal(family.spare) if family.spare else None,
        revision=None if model.revision is None else text_literal(model.revision),
        asks_system=asks_system(spec),
    )


def _thinking(switch: str, *, on: bool) -> str:
    """The default of the switch; whoever renders a prompt may still set it."""
    value = "true" if on else "false"
    return f"{{%- if {switch} is not defined -%}}{{%- set {switch} = {value} -%}}{{%- endif -%}}\n"
