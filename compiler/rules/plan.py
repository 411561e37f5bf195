"""Rules over resolved values: what TRL would check late or never, and files that meet."""

from compiler.diagnostics import Place, Report, Span
from compiler.parse import Document, KeyPath
from compiler.plan.outline import Outline
from compiler.plan.stages import StagePlan
from compiler.rules.findings import report_finding
from compiler.rules.mix_plan import check_mixes
from compiler.stack import Finding, Settings, check_values, load_stack

__all__ = ["check_plan"]


def check_plan(outline: Outline, document: Document, report: Report) -> None:
    """Report the settings that TRL would refuse or ignore, in the order of the file."""
    found = Report()
    for stage in outline.stages:
        for finding in check_values(_settings(outline, stage, document)):
            report_finding(found, finding, _place(stage, finding, document))
    if any(stage.mechanics.faults for stage in outline.stages):
        from compiler.rules.machine import check_mechanics  # most stages have none

        check_mechanics(outline, document, found)
    if any(stage.memory is not None and stage.memory.fit != "fits" for stage in outline.stages):
        from compiler.rules.memory import check_memory  # most stages fit

        check_memory(outline, document, found)
    _lone_weights(outline, document, found)
    check_mixes(outline, document, found)
    _named_files_are_not_written(outline, document, found)
    report.diagnostics += sorted(
        found.diagnostics, key=lambda finding: finding.place.span.start if finding.place else 0
    )


def _settings(outline: Outline, stage: StagePlan, document: Document) -> Settings:
    own = {"output_dir", "reward_weights"}
    values = {
        argument.name: argument.value.value
        for argument in stage.arguments
        if argument.name not in own
    }
    return Settings(
        stack=load_stack(outline.stack, outline.variant),
        method=stage.method,
        values=values,
        written={
            argument.name
            for argument in stage.arguments
            if argument.value.origin.path in document.key_spans
        },
        adapter=stage.lora is not None,
    )


def _place(stage: StagePlan, finding: Finding, document: Document) -> Place:
    """The key that the user wrote, of those that a finding speaks of, else the stage."""
    origins = {argument.name: argument.value.origin.path for argument in stage.arguments}
    paths = [path for field in finding.fields if (path := origins.get(field)) is not None]
    written = (path for path in paths if path in document.key_spans)
    return document.value_place(next(written, ("stages", stage.name)))


def _lone_weights(outline: Outline, document: Document, report: Report) -> None:
    """A factor of all advantages is divided out by the spread of the group or batch."""
    alone: dict[KeyPath, str] = {}
    counted: set[KeyPath] = set()
    for stage in outline.stages:
        for name, planned in stage.mix.weights if stage.mix is not None else ():
            own: KeyPath = ("stages", stage.name, "rewards", name)
            path: KeyPath = own if own in document.key_spans else ("rewards", name)
            if planned.highest > 0 and _is_alone(stage):
                if planned.words != "1":
                    alone[path] = (
                        f"the weight of `{name}`, {planned.words}, has no effect in "
                        f"`{stage.name}`, where no other reward is paid"
                    )
            else:
                counted.add(path)
    for path, message in alone.items():
        if path not in counted:
            hint = "advantages are divided by their spread: write 1.0, or pay a second reward"
            report.warning("no-effect", message, document.value_place(path), hints=(hint,))


def _is_alone(stage: StagePlan) -> bool:
    weights = stage.mix.weights if stage.mix is not None else ()
    normalized = stage.value("multi_objective_aggregation") == "normalize_then_sum"
    scaled = normalized or stage.value("scale_rewards") in ("group", "batch", True)
    return scaled and sum(weight.highest > 0 for _, weight in weights) == 1


def _named_files_are_not_written(outline: Outline, document: Document, report: Report) -> None:
    """A file of the user's that the spec names is none that the project writes."""
    written = {path.lower() for path in outline.written_files}
    for name in outline.named_files:
        path = name.removeprefix("./").lower()
        if path in written or path.startswith((".trainspec/", "outputs/")):
            place = _place_of_text(document, name)
            message = f"`{name}` is a file that the project writes itself"
            report.error("reserved-name", message, place, hints=("rename your file",))


def _place_of_text(document: Document, name: str) -> Place:
    """The value that is this text, or begins with it."""
    for path in document.value_spans:
        value = _value(document.values, path)
        if isinstance(value, str) and value.partition(":")[0] == name:
            return document.value_place(path)
    return document.source.place(Span(0, 0))


def _value(values: object, path: KeyPath) -> object:
    for part in path:
        if isinstance(values, dict):
            values = values.get(part)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  # TOML
        elif isinstance(values, list) and isinstance(part, int):
            values = values[part]  # pyright: ignore[reportUnknownVariableType]  # TOML
    return values  # pyright: ignore[reportUnknownVariableType]  # TOML
