"""What looks at a run: the tracker it is sent to, its alarms, and the report of what it logged."""

from compiler.plan.project import PlannedFile
from compiler.plan.stages import StagePlan
from compiler.resolve.inputs import Inputs
from compiler.resolve.watching.monitor import plan_monitor
from compiler.resolve.watching.report import plan_run_report

__all__ = ["plan_watching"]


def plan_watching(inputs: Inputs, stages: tuple[StagePlan, ...]) -> tuple[PlannedFile, ...]:
    """The files of the tracker, of the alarms and of the report."""
    report = plan_run_report(inputs, stages)
    monitor, alarms = plan_monitor(inputs, stages)
    files = [
        PlannedFile("alarms.py", "alarms.py.jinja", None, alarms),
        PlannedFile("monitor.py", "monitor.py.jinja", monitor),
        PlannedFile("charts.py", "charts.py.jinja", None),
        PlannedFile("report.py", "report.py.jinja", report),
    ]
    if any(stage.writes_completions for stage in stages):
        files.append(PlannedFile("completion_tables.py", "completion_tables.py.jinja", None))
    if inputs.spec.run.tracker == "wandb":
        files.append(PlannedFile("tracking.py", "tracking.py.jinja", None))
    if report.evaluates:
        files.append(PlannedFile("scores.py", "scores.py.jinja", None))
    if report.has_rollouts:
        files.append(PlannedFile("samples.py", "samples.py.jinja", None))
    return tuple(files)
