"""Rules over resolved values: TRL's own, which it would check late or never."""

from compiler.diagnostics import Report
from compiler.parse import Document
from compiler.plan import ProjectPlan, StagePlan
from compiler.rules.findings import report_finding
from compiler.stack import Settings, check_values, load_stack

__all__ = ["check_plan"]


def check_plan(plan: ProjectPlan, document: Document, report: Report) -> None:
    """Report the settings of a stage that TRL would refuse, or that would have no effect."""
    for stage in plan.stages:
        for finding in check_values(_settings(plan, stage, document)):
            paths = (_path(stage, field) for field in finding.fields)
            path = next((path for path in paths if path is not None), ("stages", stage.name))
            report_finding(report, finding, document.value_place(path))


def _settings(plan: ProjectPlan, stage: StagePlan, document: Document) -> Settings:
    own = {"output_dir", "reward_weights"}
    values = {
        argument.name: argument.value.value
        for argument in stage.arguments
        if argument.name not in own
    }
    return Settings(
        stack=load_stack(plan.stack),
        method=stage.method,
        values=values,
        written={
            argument.name
            for argument in stage.arguments
            if argument.value.origin.path in document.key_spans
        },
        adapter=stage.lora is not None,
    )


def _path(stage: StagePlan, field: str) -> tuple[str | int, ...] | None:
    """The key of the spec behind a field of the config."""
    found = (argument for argument in stage.arguments if argument.name == field)
    return next((argument.value.origin.path for argument in found), None)
