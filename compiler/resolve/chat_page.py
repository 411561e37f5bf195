"""What PLAN.md says of the chat template and the tokens."""

from compiler.families import family_of
from compiler.resolve.chat import asks_system, base_facts, folds_system, switch_of
from compiler.resolve.ends import own_end
from compiler.resolve.inputs import Inputs

__all__ = ["chat_lines"]


def chat_lines(inputs: Inputs) -> tuple[str, ...]:
    """What is known of the template, and what is set in it and in the tokenizer."""
    spec = inputs.spec
    own, facts = spec.model.chat_template, base_facts(spec)
    named = f"`{own}`, which the trained model keeps" if own else "that of the base model"
    unknown = facts.has_system_role is None and own is None
    looked = "; what it does is not known from the model's name, and `python data.py` looks at it"
    lines = [f"The chat template is {named}{looked if unknown else ''}."]
    if folds_system(spec):
        lines.append("A system message goes in front of the first user turn, in every stage.")
    elif asks_system(spec):
        lines.append("The system message is kept; tokens.py refuses a template that drops it.")
    if facts.injects:
        lines.append(f"It puts in {facts.injects}.")
    if spec.model.thinking != "auto":
        switch = f"`{switch_of(facts)}`"
        lines.append(f"Thinking is {spec.model.thinking}: the default of its switch {switch}.")
    if facts.forgets:
        lines.append("It leaves out the reasoning of earlier turns.")
    return (*lines, *_token_lines(inputs))


def _token_lines(inputs: Inputs) -> tuple[str, ...]:
    """How a turn ends, and what pads, where the tokenizer says otherwise or is not known."""
    family, own = family_of(inputs.spec.model.base), own_end(inputs)
    lines: list[str] = []
    end = own or (family.end_of_turn if base_facts(inputs.spec).ends_unstopped else None)
    if end is not None:
        lines.append(f"A turn ends with `{end}`, which is made the end token.")
    if family.spare and not family.assumed:
        lines.append(f"Rows are padded with `{family.spare[0]}`, which ends nothing.")
    return tuple(lines)
