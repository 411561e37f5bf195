"""Contexts of what looks at a run while it trains and after: report.py, monitor.py, tracking.py."""

from typing import NamedTuple

__all__ = ["MonitorFile", "ReportFile"]


class MonitorFile(NamedTuple):
    """Context of monitor.py: entries of its tables, `ranges` empty where nothing is paid."""

    alarms_import: str
    stages: tuple[str, ...]
    ranges: tuple[str, ...]


class ReportFile(NamedTuple):
    """Context of report.py: Python expressions; `charts` are finished `Chart(...)` calls."""

    title: str
    stages: str
    recipe: str
    charts: tuple[str, ...]
    has_rollouts: bool
    evaluates: bool
