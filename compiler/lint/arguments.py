"""Rules over the arguments of TRL's configs and trainers, held against the table of the stack."""

import ast
from typing import NamedTuple

from compiler.closest import closest
from compiler.diagnostics import Severity
from compiler.lint import releases
from compiler.lint.calls import Given, TrlCall, entries, given, loading_calls, trl_calls
from compiler.lint.folder import Linted, LintReport
from compiler.lint.versions import Pin, is_older, pinned
from compiler.stack import Stack

__all__ = ["config_arguments", "config_attributes", "loading_arguments", "trainer_arguments"]

_SLIP = 0.84  # near enough to be a slip of the finger
# What `from_pretrained` itself takes (transformers 5.24, modeling_utils.py and auto_factory.py).
_LOADING = (
    *("adapter_kwargs", "allow_all_kernels", "attn_implementation", "cache_dir", "code_revision"),
    *("config", "device_map", "device_mesh", "distributed_config", "dtype", "force_download"),
    *("experts_implementation", "generation_config", "gguf_file", "ignore_mismatched_sizes"),
    *("kernel_config", "key_mapping", "local_files_only", "max_memory", "offload_buffers"),
    *("offload_folder", "output_loading_info", "proxies", "quantization_config", "revision"),
    *("state_dict", "subfolder", "token", "tp_plan", "tp_size", "trust_remote_code"),
    *("use_kernels", "use_safetensors", "variant", "weights_only"),
)


class _Judge(NamedTuple):
    """What the arguments of one method are held against."""

    stack: Stack
    method: str
    pin: Pin | None
    report: LintReport

    @property
    def config(self) -> str:
        return self.stack.configs[self.method]

    @property
    def is_old(self) -> bool:
        """Whether an older release than the stack's is pinned, where old names may be right."""
        return is_older(self.pin, self.stack)

    def new_name(self, name: str) -> str | None:
        """The name that the stack has for a field whose old one it still takes."""
        new = releases.deprecated(self.method, name)
        return None if new is None or self.stack.field(self.method, new) is None else new

    def is_known(self, name: str) -> bool:
        """Whether the config has the field, in the stack or in the release that is pinned."""
        if self.stack.field(self.method, name) is not None:
            return True
        last = releases.last_release(self.method, name)
        if last is None:
            was_one = releases.renamed(self.method, name) or releases.hint(self.method, name)
            return self.is_old and was_one is not None
        return self.pin is not None and self.pin.ends_by(last)


def config_arguments(linted: Linted, report: LintReport) -> None:
    """Each argument of a config is a field of it, under its present name, with a value it takes."""
    pin = pinned(linted, "trl")
    for call in trl_calls(linted):
        if call.is_config:
            judge = _Judge(linted.stack, call.method, pin, report)
            arguments = list(given(call.module, call.node, call.scope))
            for each in arguments:
                _judge_field(judge, each, {other.name for other in arguments}, "unknown-argument")


def config_attributes(linted: Linted, report: LintReport) -> None:
    """What is set on a config after it was made is a field; else it is kept and never read."""
    pin = pinned(linted, "trl")
    configs = {id(call.node): call for call in trl_calls(linted) if call.is_config}
    for module in linted.modules.values():
        if not any(call.module is module for call in configs.values()):
            continue
        for node, scope in module.nodes:
            match node:
                case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name)) as target]):
                    call = configs.get(id(module.value_of(name, scope)))
                    if call is None or target.end_col_offset is None:
                        continue
                    span = module.span(target)
                    place = module.source.place(span._replace(start=span.end - len(target.attr)))
                    judge = _Judge(linted.stack, call.method, pin, report)
                    _judge_field(
                        judge, Given(target.attr, node.value, place), set(), "swallowed-argument"
                    )
                case _:
                    pass


def trainer_arguments(linted: Linted, report: LintReport) -> None:
    """Each argument of a trainer is a parameter of it; what is the config's is said to be."""
    pin = pinned(linted, "trl")
    for call in trl_calls(linted):
        if call.is_config or is_older(pin, linted.stack):
            continue
        judge = _Judge(linted.stack, call.method, pin, report)
        known = releases.trainer_parameters(call.method)
        arguments = list(given(call.module, call.node, call.scope))
        for each in arguments:
            if each.name not in known:
                _judge_parameter(judge, call, each, {other.name for other in arguments})


def loading_arguments(linted: Linted, report: LintReport) -> None:
    """What a model is loaded with has a present name: another one is passed on and read nowhere."""
    if is_older(pinned(linted, "trl"), linted.stack):
        return
    for call in trl_calls(linted):
        if not call.is_config:
            continue
        for each in given(call.module, call.node, call.scope):
            if each.name == "model_init_kwargs":
                inner = list(entries(call.module, each.value, call.scope))
                for entry in inner:
                    _judge_loading(report, entry, inner, Severity.ERROR)
    for module, node, scope in loading_calls(linted):
        inner = list(given(module, node, scope))
        for entry in inner:
            # transformers itself still reads the old name, and warns.
            old = Severity.WARNING if entry.name == "torch_dtype" else Severity.ERROR
            _judge_loading(report, entry, inner, old)


def _judge_field(judge: _Judge, each: Given, others: set[str], code: str) -> None:
    name, method, report = each.name, judge.method, judge.report
    field = judge.stack.field(method, name)
    if not judge.is_known(name):
        _not_a_field(judge, each, others, code)
        return
    since = releases.first_release(method, name)
    if since is not None and judge.pin is not None and judge.pin.is_before(since):
        message = f"{judge.config} has no field `{name}` in `trl{judge.pin.text}`"
        hint = f"TRL {since} is the first release with it: move the pin, or leave it out"
        report.error("unknown-argument", message, each.place, hints=(hint,))
    elif not judge.is_old and (new := judge.new_name(name)) is not None:
        message = f"`{name}` is the old name of `{new}`, and goes in a later release"
        _rename(report, each, new, others, message=message, severity=Severity.WARNING)
    elif field is not None and isinstance(each.value, ast.Constant):
        value: object = each.value.value
        instead = judge.stack.retired_value(method, name, value)
        if instead is not None and not judge.is_old:
            message = f'`{name}="{value}"` is retired'
            report.warning("retired-argument", message, each.place, hints=(instead,))
        elif isinstance(value, str) and field.members and (why := field.accepts(value)):
            meant = closest(value, field.members)
            hints = (f"did you mean `{meant}`?",) if meant else ()
            report.error("bad-argument", f"`{name}` {why}", each.place, hints=hints)


def _not_a_field(judge: _Judge, each: Given, others: set[str], code: str) -> None:
    """Report a name that the config has not: renamed, gone, elsewhere, or misspelt."""
    name, method, report = each.name, judge.method, judge.report
    retired = "retired-argument" if code == "unknown-argument" else code
    last = releases.last_release(method, name)
    until = f"; TRL {last} was the last release with it" if last else ""
    message = f"`{name}` is no field of {judge.config} in {judge.stack.title}{until}"
    if (new := releases.renamed(method, name)) is not None:
        _rename(report, each, new, others, message=message, code=retired)
    elif (instead := releases.hint(method, name)) is not None:
        report.found(Severity.ERROR, retired, message, each.place, hints=(instead,))
    elif name in releases.trainer_parameters(method):
        trainer = f"{judge.config.removesuffix('Config')}Trainer"
        hints = (f"it is an argument of {trainer}",)
        report.found(Severity.ERROR, code, message, each.place, hints=hints)
    elif last is not None:
        report.found(Severity.ERROR, retired, message, each.place, hints=("leave it out",))
    else:
        hints = _likely_field(judge, name)
        report.found(Severity.ERROR, code, message, each.place, hints=hints)


def _likely_field(judge: _Judge, name: str) -> tuple[str, ...]:
    stack = judge.stack
    fields = stack.fields(judge.method)
    if (meant := closest(name, fields, _SLIP)) is not None:
        return (f"did you mean `{meant}`?",)
    if others := [stack.configs[other] for other in stack.methods_with(name)]:
        return (f"it is a field of {' and '.join(others)}",)
    meant = closest(name, fields)
    return (f"did you mean `{meant}`?",) if meant else ()


def _judge_parameter(judge: _Judge, call: TrlCall, each: Given, others: set[str]) -> None:
    name, report = each.name, judge.report
    message = f"{call.name} has no parameter `{name}` in {judge.stack.title}"
    new = releases.renamed("trainer", name)
    if new is not None and new in releases.trainer_parameters(call.method):
        _rename(report, each, new, others, message=message)
        return
    hint = releases.hint("trainer", name)
    new = releases.renamed(judge.method, name) or name
    if hint is not None:
        report.error("retired-argument", message, each.place, hints=(hint,))
    elif judge.stack.field(judge.method, new) is not None:
        hints = (f"it is a field of the config: `{judge.config}({new}=...)`",)
        report.error("unknown-argument", message, each.place, hints=hints)
    else:
        meant = closest(name, releases.trainer_parameters(call.method))
        hints = (f"did you mean `{meant}`?",) if meant else ()
        report.error("unknown-argument", message, each.place, hints=hints)


def _judge_loading(report: LintReport, each: Given, inner: list[Given], old: Severity) -> None:
    name, others = each.name, {other.name for other in inner}
    message = f"`{name}` is no argument that a model is loaded with"
    if (new := releases.renamed("loading", name)) is not None:
        message = f"`{name}` is the old name of `{new}`"
        if old is Severity.ERROR:
            message += ", and is not read"
        code = "swallowed-argument" if old is Severity.ERROR else "retired-argument"
        _rename(report, each, new, others, message=message, severity=old, code=code)
    elif (instead := releases.hint("loading", name)) is not None:
        report.error("swallowed-argument", message, each.place, hints=(instead,))
    elif name not in _LOADING and (meant := closest(name, _LOADING, _SLIP)) is not None:
        hints = (f"did you mean `{meant}`?",)
        report.error("swallowed-argument", message, each.place, hints=hints)


def _rename(
    report: LintReport,
    each: Given,
    new: str,
    others: set[str],
    *,
    message: str,
    severity: Severity = Severity.ERROR,
    code: str = "retired-argument",
) -> None:
    # Two old names of one field cannot both become it.
    free = new not in others and sum(other == each.name for other in others) <= 1
    edit = f"{each.quote}{new}{each.quote}" if free else None
    report.found(severity, code, message, each.place, hints=(f"write `{new}`",), edit=edit)
