"""What the model is shown and what it should write, as expressions over a row."""

from compiler.literals import (
    docstring,
    literal,
    parse_template,
    template_literal,
    text_literal,
)
from compiler.plan.modules import PromptsFile, Shot
from compiler.resolve.ideal import ideal_template
from compiler.resolve.inputs import Inputs
from compiler.resolve.own_data import builds_prompts, whole_prompts
from spec_schema.prompt import ShotRows, TextFile

__all__ = ["plan_prompts", "prompt_pieces"]


def plan_prompts(inputs: Inputs) -> PromptsFile | None:
    """The context of prompts.py, None where the rows hold whole prompts."""
    prompt = inputs.spec.prompt
    if not builds_prompts(inputs.spec):
        return None
    ideal = ideal_template(inputs.spec, inputs.system)
    written = prompt.shots if isinstance(prompt.shots, list) else []
    return PromptsFile(
        system=_system_code(inputs),
        system_is_file=isinstance(prompt.system, TextFile),
        conversation=_conversation(inputs),
        user=template_literal(parse_template(prompt.user or ""), "row"),
        ideal=None if ideal is None else template_literal(ideal, "row"),
        ideal_docstring=docstring(
            "What the model should write for a row: the target of SFT and of the self-test."
        ),
        shots=tuple(
            Shot(text_literal(shot.user), text_literal(shot.assistant)) for shot in written
        ),
        shot_rows=literal(tuple(prompt.shots.rows)) if isinstance(prompt.shots, ShotRows) else None,
    )


def _conversation(inputs: Inputs) -> str | None:
    """The messages of a row that holds its whole prompt."""
    match whole_prompts(inputs.spec):
        case ("messages", column):
            return f"open_turn(row[{text_literal(column)}])"
        case (_, column):
            return f'chat_messages(row[{text_literal(column)}], "user")'
        case None:
            return None


def prompt_pieces(inputs: Inputs) -> tuple[str, ...]:
    """The pieces of prompts.py."""
    match whole_prompts(inputs.spec):
        case None:
            return ()
        case (part, _):
            return ("open_turn",) if part == "messages" else ("chat_messages",)


def _system_code(inputs: Inputs) -> str | None:
    match inputs.spec.prompt.system:
        case TextFile(file=file):
            place = f"Path(__file__).parent / {text_literal(file)}"
            return f'({place}).read_text(encoding="utf-8-sig")'
        case None:
            return None
        case text:
            return text_literal(text)
