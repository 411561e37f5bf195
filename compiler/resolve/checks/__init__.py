"""What a project checks of itself: data report, evaluation, export, and fast tests."""

from compiler.plan.project import PlannedFile
from compiler.plan.rewards import RewardPlan
from compiler.plan.stages import StagePlan
from compiler.resolve.checks.answer_report import plan_answer_report
from compiler.resolve.checks.evaluation import plan_evaluation
from compiler.resolve.checks.probes import plan_probes
from compiler.resolve.checks.report import plan_report
from compiler.resolve.checks.stage_report import plan_stage_report
from compiler.resolve.checks.tests import plan_test_data, plan_test_rewards
from compiler.resolve.export import plan_export
from compiler.resolve.inputs import Inputs
from compiler.resolve.tokens import plan_template_report

__all__ = ["plan_checks"]


def plan_checks(
    inputs: Inputs, stages: tuple[StagePlan, ...], rewards: tuple[RewardPlan, ...]
) -> tuple[PlannedFile, ...]:
    """The data report, evaluate.py, export.py, and the tests of rows and rewards."""
    probes = plan_probes(inputs, stages, rewards)
    contexts: dict[str, object] = {"template_report.py": plan_template_report(inputs)}
    own = plan_stage_report(inputs)
    if own is not None:
        contexts["tests/test_stage_rows.py"] = own
        if own.checks:
            contexts["stage_report.py"] = own
    if inputs.spec.data.train is not None:
        contexts["data_report.py"] = plan_report(inputs, stages, rewards)
        contexts["tests/test_data.py"] = plan_test_data(inputs)
    if probes is not None:
        contexts["probes.py"] = probes
    if (export := plan_export(inputs, stages)) is not None:
        contexts["export.py"] = export
    if rewards:
        contexts["tests/test_rewards.py"] = plan_test_rewards(inputs, stages, rewards)
    answers = plan_answer_report(inputs, stages, rewards)
    return (
        *(() if answers is None else (answers,)),
        PlannedFile("findings.py", "findings.py.jinja", None, ("findings", "empty_columns")),
        *(PlannedFile(path, f"{path}.jinja", plan) for path, plan in contexts.items()),
        *plan_evaluation(inputs, stages, rewards),
    )
