"""What looks at a run: the report of what it logged."""

from compiler.plan.project import PlannedFile
from compiler.plan.stages import StagePlan
from compiler.resolve.inputs import Inputs
from compiler.resolve.watching.report import plan_run_report

__all__ = ["plan_watching"]


def plan_watching(inputs: Inputs, stages: tuple[StagePlan, ...]) -> tuple[PlannedFile, ...]:
    """The files of the report."""
    report = plan_run_report(inputs, stages)
    files = [
        PlannedFile("charts.py", "charts.py.jinja", None),
        PlannedFile("report.py", "report.py.jinja", report),
    ]
    if report.has_rollouts:
        files.append(PlannedFile("samples.py", "samples.py.jinja", None))
    return tuple(files)
