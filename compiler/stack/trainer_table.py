"""Whether one entry of a stage's `trainer` table is a field that may be set there, and fits."""

from collections.abc import Collection

from compiler.closest import closest
from compiler.stack.finding import Finding
from compiler.stack.table import Field, Stack, load_stack

__all__ = ["check_trainer_entry"]

SLIP = 0.84  # near enough to be a slip of the finger


def check_trainer_entry(
    stack: Stack, method: str, name: str, value: object, keys: Collection[str] = ()
) -> Finding | None:
    """Return what is wrong with `name = value` in the `trainer` of a stage of this method.

    `keys` are those of the stage itself, none of which `trainer` may set.
    """
    field = stack.field(method, name)
    if field is None:
        return _unknown(stack, method, name)
    if name in keys:
        hint = f"write `{name}` in the stage itself"
        return Finding((name,), "owned-field", f"`{name}` cannot be set in `trainer`", hint)
    if (instead := stack.owned(method, name)) is not None:
        message = f"`{name}` cannot be set in `trainer`"
        return Finding((name,), "owned-field", message, instead)
    if (instead := stack.retired_value(method, name, value)) is not None:
        message = f'`{name} = "{value}"` is retired'
        return Finding((name,), "retired-field", message, instead)
    if (reason := field.accepts(value)) is not None:
        code = "bad-value" if field.members and isinstance(value, str) else "wrong-type"
        return Finding((name,), code, f"`{name}` {reason}", _member_meant(field, value))
    return None


def _unknown(stack: Stack, method: str, name: str) -> Finding:
    config = stack.configs[method]
    if (instead := stack.retired(method, name)) is not None:
        message = f"`{name}` is no field of {config} in {stack.title}"
        return Finding((name,), "retired-field", message, instead)
    settable = [field for field in stack.fields(method) if stack.owned(method, field) is None]
    newer = load_stack(stack.name)  # the other sets have older releases, with fewer fields
    if (instead := newer.owned(method, name)) is not None:
        return Finding((name,), "unknown-field", f"{config} has no field `{name}`", instead)
    # An owned name may be the one that was meant, and then its own hint says what to write.
    fields = stack.fields(method)
    meant = closest(name, fields, SLIP) or closest(name, settable) or closest(name, fields)
    others = [stack.configs[other] for other in stack.methods_with(name)]
    hint = None
    if others:
        hint = f"it is a field of {' and '.join(others)}"
    elif meant is not None:
        hint = f"did you mean `{meant}`?"
    return Finding((name,), "unknown-field", f"{config} has no field `{name}`", hint)


def _member_meant(field: Field, value: object) -> str | None:
    if not isinstance(value, str):
        return None
    meant = closest(value, field.members)
    return None if meant is None else f"did you mean `{meant}`?"
