"""What PLAN.md says of a stage's gate, and of what ends the stage before its last step."""

from compiler.resolve.stage_endings import gated, stopped, timed
from spec_schema import TaskSpec

__all__ = ["ending_lines"]


def ending_lines(spec: TaskSpec, name: str) -> tuple[str, ...]:
    """When a stage does not begin, and when it ends early, a sentence each."""
    lines: list[str] = []
    if (gate := gated(spec, name)) is not None:
        lines.append(
            f"Trains only where its start gets full marks by `{gate.reward}` in one of "
            f"{gate.pass_at} completions for {gate.at_least:.4g} of {gate.rows} prompts or more; "
            "else it exits 5."
        )
    if (until := timed(spec, name)) is not None:
        lines.append(
            f"Ends early, as a success, once the mean of `{until.reward}` over the last "
            f"{until.window} logging windows is {until.at_least:g} or more."
        )
    if (stop := stopped(spec, name)) is not None:
        later = f" after step {stop.after}" if stop.after else ""
        lines.append(
            f"Exits 6 where the mean of `{stop.reward}` over a logging window{later} is below "
            f"{stop.below:g}."
        )
    return tuple(lines)
