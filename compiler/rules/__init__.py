"""What types cannot say: one function a rule, each reporting at the exact key."""

from collections.abc import Callable

from compiler.diagnostics import Report
from compiler.parse import Document
from compiler.rules import (
    answers,
    columns,
    data,
    evaluation,
    files,
    ideal,
    model,
    names,
    project,
    prompts,
    references,
    rewards,
    stages,
)
from compiler.rules.case import Case
from compiler.rules.plan import check_plan
from spec_schema import TaskSpec

__all__ = ["check_plan", "check_spec"]

RULES: tuple[Callable[[Case], None], ...] = (
    project.name_is_free,
    project.stack_is_known,
    names.stages_are_ordered,
    names.names_are_free,
    names.mixes_name_rewards,
    model.base_is_a_model,
    model.base_takes_a_system_prompt,
    model.revision_is_of_the_hub,
    files.paths_stay_inside,
    files.sources_are_readable,
    files.options_of_text_files,
    data.hub_sources_are_named,
    data.conditions_say_something,
    data.evaluation_is_held_out,
    data.holdout_is_a_part,
    data.enough_rows,
    prompts.texts_are_not_blank,
    prompts.templates_are_whole,
    prompts.prompts_differ,
    prompts.gold_is_not_shown,
    prompts.system_file_is_text,
    prompts.shots_are_rows,
    columns.columns_exist,
    columns.no_reserved_columns,
    columns.no_reserved_holes,
    columns.fields_have_free_names,
    columns.fields_hide_no_column,
    answers.answer_and_gold_together,
    answers.pattern_has_a_group,
    ideal.ideal_is_read_back,
    ideal.ideal_is_well_formed,
    rewards.correct_has_a_gold,
    rewards.format_has_tags,
    rewards.length_has_one_measure,
    rewards.patterns_compile,
    rewards.range_rises,
    references.functions_exist,
    references.loaders_take_nothing,
    references.rewards_take_columns,
    stages.stages_start_from_earlier_ones,
    stages.one_length,
    stages.trainer_fields,
    stages.grpo_is_paid,
    stages.rewards_are_called,
    stages.sft_has_a_target,
    evaluation.evaluation_has_rows,
    evaluation.greedy_samples_once,
    evaluation.minimum_can_be_reached,
    evaluation.completions_are_sampled,
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
