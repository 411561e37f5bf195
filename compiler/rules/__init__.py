"""What types cannot say: one function a rule, each reporting at the exact key."""

from collections.abc import Callable

from compiler.diagnostics import Report
from compiler.parse import Document
from compiler.rules import answers, columns, data, names, prompts, references, rewards, stages
from compiler.rules.case import Case
from compiler.rules.plan import check_plan
from spec_schema import TaskSpec

__all__ = ["check_plan", "check_spec"]

RULES: tuple[Callable[[Case], None], ...] = (
    names.stages_are_ordered,
    names.names_are_free,
    names.mixes_name_rewards,
    stages.stages_start_from_earlier_ones,
    stages.one_length,
    stages.trainer_fields,
    stages.grpo_is_paid,
    stages.sft_has_a_target,
    stages.evaluation_has_rows,
    answers.answer_and_gold_together,
    answers.pattern_has_a_group,
    data.stack_is_known,
    data.paths_stay_inside,
    data.sources_are_readable,
    data.holdout_is_a_part,
    data.enough_rows,
    data.options_of_text_files,
    prompts.templates_are_whole,
    prompts.gold_is_not_shown,
    prompts.system_file_is_text,
    prompts.shots_are_rows,
    columns.columns_exist,
    columns.no_reserved_columns,
    rewards.correct_has_a_gold,
    rewards.format_has_tags,
    rewards.length_has_one_measure,
    rewards.patterns_compile,
    rewards.range_rises,
    references.functions_exist,
    references.rewards_take_columns,
)


def check_spec(spec: TaskSpec, document: Document, report: Report) -> None:
    """Report everything that is wrong with a spec of the right types, in the order of the file."""
    found = Report()
    case = Case(spec, document, found)
    for rule in RULES:
        rule(case)
    report.diagnostics += sorted(
        found.diagnostics, key=lambda finding: finding.place.span.start if finding.place else 0
    )
