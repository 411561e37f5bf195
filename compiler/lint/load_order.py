"""A model is loaded once the config of its trainer is there."""

from compiler.diagnostics import Report
from compiler.lint.calls import loading_calls, trl_calls
from compiler.lint.folder import Linted
from compiler.lint.module import Module, Scope

__all__ = ["config_before_model"]


def config_before_model(linted: Linted, report: Report) -> None:
    """No model is loaded before the config of the trainer is made, in the same function.

    DeepSpeed ZeRO-3 splits a model while it is loaded, which transformers does only where a
    `TrainingArguments` is alive by then ("Non-Trainer DeepSpeed integration", transformers docs).
    """
    first: dict[tuple[str, int], int] = {}
    for call in trl_calls(linted):
        if call.is_config:
            key = _key(call.module, call.scope)
            first[key] = min(first.get(key, call.node.lineno), call.node.lineno)
    for module, node, scope in loading_calls(linted):
        made = first.get(_key(module, scope))
        if made is not None and node.lineno < made:
            message = "the model is loaded before the config of its trainer is made"
            hint = "make the config first: with DeepSpeed ZeRO-3 the model is split while it loads"
            report.warning("model-before-config", message, module.place(node), hints=(hint,))


def _key(module: Module, scope: Scope) -> tuple[str, int]:
    return module.path, id(scope)
