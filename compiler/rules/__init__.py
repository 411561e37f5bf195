"""What types cannot say: one function a rule, each reporting at the exact key."""

from collections.abc import Callable

from compiler.diagnostics import Report
from compiler.parse import Document
from compiler.resolve.starts import uses_unsloth
from compiler.rules import (
    adapters,
    answers,
    chat,
    code,
    columns,
    comparison,
    data,
    endings,
    evaluation,
    files,
    generated,
    ideal,
    limits,
    mix,
    model,
    names,
    notebook,
    options,
    own_data,
    pattern_fit,
    patterns,
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


def backend_trains_the_stages(case: Case) -> None:
    """Unsloth has rules of its own, and few specs train with it."""
    if uses_unsloth(case.spec):
        from compiler.rules.unsloth import check_unsloth

        check_unsloth(case)


RULES: tuple[Callable[[Case], None], ...] = (
    project.name_is_free,
    project.stack_is_known,
    project.overlay_has_a_source,
    notebook.notebook_stands_alone,
    names.stages_are_ordered,
    names.names_are_free,
    names.mixes_name_rewards,
    model.base_is_a_model,
    chat.template_is_there,
    chat.base_has_a_template,
    chat.named_template_fits,
    chat.system_role_is_known,
    chat.thinking_has_a_switch,
    chat.template_bears_the_prompt,
    model.revision_is_of_the_hub,
    model.size_is_known,
    adapters.output_head_is_left_alone,
    adapters.quantization_has_a_gpu,
    backend_trains_the_stages,
    files.paths_stay_inside,
    files.sources_are_readable,
    files.options_of_text_files,
    own_data.stages_have_rows,
    own_data.prompts_have_a_template,
    own_data.columns_make_a_format,
    own_data.own_columns_exist,
    own_data.own_golds_are_compared,
    own_data.whole_prompts_are_alone,
    data.hub_sources_are_named,
    generated.generators_are_known,
    generated.generated_rows_differ,
    data.conditions_say_something,
    data.evaluation_is_held_out,
    data.shares_are_whole,
    data.holdout_is_a_part,
    data.enough_rows,
    prompts.texts_are_not_blank,
    prompts.templates_are_whole,
    prompts.prompts_differ,
    prompts.gold_is_not_shown,
    prompts.system_file_is_text,
    prompts.shots_are_rows,
    ideal.shots_are_read,
    columns.columns_exist,
    generated.generated_columns_exist,
    columns.no_reserved_columns,
    columns.no_reserved_holes,
    columns.fields_have_free_names,
    columns.fields_hide_no_column,
    answers.answer_and_gold_together,
    answers.pattern_has_a_group,
    answers.answer_is_asked_for,
    comparison.comparison_keys_belong,
    comparison.comparison_fits_reading,
    comparison.date_formats_are_clear,
    options.gold_names_an_option,
    options.options_differ,
    options.options_are_compared,
    options.options_are_shown,
    ideal.ideal_is_read_back,
    ideal.ideal_is_well_formed,
    rewards.reads_an_answer,
    generated.verified_rows_are_generated,
    rewards.checks_answer_tells_right_from_wrong,
    rewards.fields_are_compared,
    rewards.contains_looks_for_the_gold,
    rewards.format_has_tags,
    rewards.length_has_one_measure,
    rewards.tokens_are_of_the_whole,
    rewards.patterns_compile,
    patterns.patterns_stay_cheap,
    pattern_fit.patterns_fit_the_ideal,
    rewards.range_rises,
    limits.limit_is_known,
    limits.limit_names_are_free,
    limits.buffer_is_in_the_limit,
    limits.cosine_values_are_in_order,
    limits.limit_fits_the_stages,
    rewards.schemas_are_sound,
    rewards.asked_models_are_there,
    endings.gates_and_endings,
    code.row_columns_arrive,
    code.entry_points_are_known,
    code.shares_are_counted,
    code.setups_are_python,
    code.databases_are_sqlite,
    references.functions_exist,
    references.loaders_take_nothing,
    references.answers_take_texts,
    references.rewards_take_columns,
    stages.stages_start_from_earlier_ones,
    stages.one_length,
    stages.former_names_are_free,
    stages.trainer_fields,
    mix.weights_move_and_wait,
    mix.grpo_is_paid,
    mix.rewards_are_called,
    mix.right_answers_are_paid,
    stages.sft_has_a_target,
    stages.packed_rows_stay_apart,
    stages.assistant_turns_are_there,
    stages.completions_are_there,
    evaluation.evaluation_has_rows,
    evaluation.greedy_samples_once,
    evaluation.greedy_ignores_the_rest,
    evaluation.thinking_is_sampled,
    evaluation.evaluation_is_reached,
    evaluation.compared_stages_hold_rows_out,
    evaluation.minimum_can_be_reached,
    evaluation.completions_are_sampled,
    evaluation.tracking_keys_are_used,
)


LAUNCH_KEYS = frozenset({"launcher", "slurm", "skypilot"})


def check_spec(spec: TaskSpec, document: Document, report: Report) -> None:
    """Report everything that is wrong with a spec of the right types, in the order of the file."""
    found = Report()
    case = Case(spec, document, found)
    for rule in RULES:
        rule(case)
    hardware = spec.hardware
    if hardware.model_fields_set & {"gpus", "nodes", "sharding", "reserve_gb"}:
        from compiler.rules import machine  # most specs are for one GPU of their own

        machine.gpus_are_shared_out(case)
        machine.sharding_has_gpus(case)
        machine.reserve_leaves_memory(case)
    if spec.model.attention is not None:
        from compiler.rules.attention import check_attention  # most leave it to the model

        check_attention(case)
    if hardware.rollout is not None:
        from compiler.rules.rollout import check_rollout  # most specs leave it to the compiler

        check_rollout(case)
    if spec.hardware.nodes > 1 or LAUNCH_KEYS & spec.hardware.model_fields_set:
        from compiler.rules import launch  # most runs are started by hand, on one machine

        launch.check_launch(case)
    report.diagnostics += sorted(
        found.diagnostics, key=lambda finding: finding.place.span.start if finding.place else 0
    )
