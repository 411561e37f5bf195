"""Stand for an object of another process that is not trusted.

Runs inside a confined process, on the standard library alone.
"""

import operator
from collections.abc import Callable
from typing import Any

# What is asked of an object on the other side. To be equal, greater or true is never asked, nor to
# differ from a plain value: an object that saw what is expected could answer what suits it.
ASKED: dict[str, Callable[..., Any]] = {
    "call": lambda function, *values, **named: function(*values, **named),
    "getattr": getattr,
    "setattr": setattr,
    "isinstance": isinstance,
    **{function.__name__: function for function in (iter, next, len, str, repr, round, divmod)},
    **{
        name: getattr(operator, name)
        for name in (
            *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_"),
            *("xor", "lshift", "rshift", "neg", "pos", "abs", "invert"),
            *("getitem", "setitem", "delitem"),
        )
    },
}
BETWEEN = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor")
BETWEEN += ("lshift", "rshift", "divmod")
NOT_ASKED = {"__contains__"} | {
    name
    for kind in (str, int, float, set)
    for name in dir(kind)
    if name.startswith("is") or name.endswith("swith")
}


class Handle:
    """An object of the other process, which is never asked whether it is equal, or true.

    `core` is the plain value of a subclass of one, such as a named tuple, in a tuple; it is empty
    where there is none, and the object is equal to itself alone.
    """

    __slots__ = ("_core", "_line", "_number")

    def __init__(self, line: Any, number: int, core: tuple[Any, ...] = ()) -> None:
        object.__setattr__(self, "_line", line)
        object.__setattr__(self, "_number", number)
        object.__setattr__(self, "_core", core)

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        same = other._core if isinstance(other, Handle) else (other,)
        return self is other or (self._core != () and self._core == same)

    def __hash__(self) -> int:
        return hash(self._core[0]) if self._core else id(self)

    def __call__(self, *values: Any, **named: Any) -> Any:
        return self._line.ask("call", self, *values, **named)

    def __getattr__(self, name: str) -> Any:
        if name in NOT_ASKED:
            raise AttributeError(name)
        return self._line.ask("getattr", self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._line.ask("setattr", self, name, value)

    def __instancecheck__(self, instance: Any) -> bool:
        return self._line.ask("isinstance", instance, self) is True


def forward(name: str) -> Callable[..., Any]:
    """A method of Handle that asks the other process; an operator, only between two handles."""

    def method(self: Handle, *values: Any) -> Any:
        if name in BETWEEN and not isinstance(values[0], Handle):
            return NotImplemented
        return self._line.ask(name, self, *values)

    return method


for asked in ASKED.keys() - {"call", "getattr", "setattr", "isinstance"}:
    setattr(Handle, f"__{asked.strip('_')}__", forward(asked))
