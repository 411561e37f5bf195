"""The verdicts of a smoke test, for people and as JSON for programs."""

import json
from dataclasses import asdict

from compiler.smoke import SmokeResult, StageVerdict

__all__ = ["smoke_json", "smoke_lines"]

_JSON_VERSION = 1


def smoke_lines(result: SmokeResult) -> list[str]:
    """Say of each stage what became of it, and what stood in for something else while it ran."""
    return [line for stage in result.stages for line in _stage_lines(stage)]


def smoke_json(result: SmokeResult) -> str:
    """Give the verdicts as one JSON object."""
    record = asdict(result)
    del record["output"]
    return (
        json.dumps({"version": _JSON_VERSION, "passed": result.passed, **record}, indent=2) + "\n"
    )


def _stage_lines(stage: StageVerdict) -> list[str]:
    said = f": {stage.text}" if stage.text not in {"", stage.outcome} else ""
    lines = [f"{stage.name}: {stage.outcome}{said}"]
    if stage.replaced:
        lines += [f"  {line}" for line in stage.replaced.splitlines()]
    return lines
