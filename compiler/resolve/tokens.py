"""What tokens.py sets in the tokenizer."""

from compiler.chat.named import NAMED, WRITTEN, is_file
from compiler.families import family_of
from compiler.literals import literal, text_literal
from compiler.plan.project import PlannedFile
from compiler.plan.texts import ChatTemplateFile
from compiler.plan.tokens import TemplateReportFile, TokensFile
from compiler.resolve.chat import (
    asks_system,
    base_facts,
    folds_system,
    preamble,
    sets_up_tokens,
    switch_of,
)
from compiler.resolve.ends import declared_end
from compiler.resolve.inputs import Inputs
from compiler.resolve.own_data import is_taught_ideals, learns_conversations
from spec_schema import TaskSpec

__all__ = ["plan_template_report", "token_files"]


def token_files(inputs: Inputs) -> tuple[PlannedFile, ...]:
    """tokens.py and the chat template, each where there is something for it to say."""
    files: list[PlannedFile] = []
    if sets_up_tokens(inputs.spec):
        files.append(PlannedFile("tokens.py", "tokens.py.jinja", _tokens(inputs)))
    if inputs.spec.model.chat_template in NAMED:
        text = ChatTemplateFile((inputs.chat_template or "").rstrip("\n"))
        files.append(PlannedFile(WRITTEN, "chat_template.jinja.jinja", text))
    return tuple(files)


def plan_template_report(inputs: Inputs) -> TemplateReportFile:
    """The context of template_report.py."""
    spec = inputs.spec
    own = any(learns_conversations(spec, name) for name in spec.stages)
    return TemplateReportFile(
        has_system=spec.prompt.system is not None,
        learns=own or any(is_taught_ideals(spec, name) for name in spec.stages),
        reads_rows=own,
        revision=None if spec.model.revision is None else text_literal(spec.model.revision),
    )


def _tokens(inputs: Inputs) -> TokensFile:
    """The context of tokens.py."""
    spec = inputs.spec
    model, facts = spec.model, base_facts(spec)
    family = family_of(model.base)
    switches, front = model.thinking != "auto", preamble(spec)
    unseen = switches and facts.switch is None and model.chat_template is None
    end = declared_end(inputs)
    return TokensFile(
        preamble=text_literal(front) if front else None,
        folds=folds_system(spec),
        switches=switches,
        switch_unseen=text_literal(switch_of(facts)) if unseen else None,
        template=_template_code(spec),
        end_of_turn=None if end is None else text_literal(end),
        spare=literal(family.spare) if family.spare else None,
        revision=None if model.revision is None else text_literal(model.revision),
        asks_system=asks_system(spec),
    )


def _template_code(spec: TaskSpec) -> str | None:
    """Where the spec's own chat template lies, None where that of the base is taken."""
    own = spec.model.chat_template
    return None if own is None else text_literal(own if is_file(own) else WRITTEN)
