"""Carry values between two processes that do not trust each other.

Runs inside a confined process, on the standard library alone.
"""

import builtins
import importlib
from collections.abc import Callable, Iterator
from typing import Any

from handles import ASKED, Handle
from messages import Gone, read_message, write_message

LARGEST_INT = 2**63  # Python limits the digits of a decimal integer; larger ones cross as hex

# Values that are rebuilt from what they are made of; a subclass of one of them is an object.
REBUILT: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "builtins.bytes": lambda value: (value.decode("latin-1"), "latin-1"),
    "builtins.bytearray": lambda value: (value.decode("latin-1"), "latin-1"),
    "builtins.complex": lambda value: (value.real, value.imag),
    "builtins.range": lambda value: (value.start, value.stop, value.step),
    "builtins.slice": lambda value: (value.start, value.stop, value.step),
    "collections.Counter": lambda value: (dict(value),),
    "collections.OrderedDict": lambda value: (list(value.items()),),
    "collections.defaultdict": lambda value: (None, dict(value)),
    "collections.deque": lambda value: (list(value), value.maxlen),
    "datetime.date": lambda value: (value.year, value.month, value.day),
    "datetime.datetime": lambda value: (*value.timetuple()[:6], value.microsecond),
    "datetime.time": lambda value: (value.hour, value.minute, value.second, value.microsecond),
    "datetime.timedelta": lambda value: (value.days, value.seconds, value.microseconds),
    "decimal.Decimal": lambda value: (str(value),),
    "fractions.Fraction": lambda value: (value.numerator, value.denominator),
}
GROUPS: dict[str, Callable[..., Any]] = {"tuple": tuple, "set": set, "frozenset": frozenset}
# A function can change them, and that is seen on the other side.
REFILLED = (list, dict, set, bytearray)
# What a subclass of these is equal to is known without asking it.
UNCHANGING: dict[type, Callable[[Any], Any]] = {
    kind: kind for kind in (int, float, str, bytes, tuple, frozenset)
}
# Not `type`, which could build an object that equals everything.
SAFE_TYPES = (bool, int, float, complex, str, bytes, bytearray, list, tuple, set, frozenset, dict)


class Line:
    """One end of a line: plain values cross it as such, all others as handles.

    The end that `guards` itself hands nothing out but functions, which the other end may call, and
    takes no builtin in that could be misused. The other end does all that is in ASKED. `asked`
    counts questions, and `broken` says why there can be no more.
    """

    def __init__(self, reading: int, writing: int, *, guards: bool) -> None:
        self.reading, self.writing, self.guards = reading, writing, guards
        self.offered: dict[str, Callable[..., Any]] = (
            {"call": self.call_own} if guards else {**ASKED}
        )
        self.broken: str | None = None
        self.asked = 0
        self.objects: list[Any] = []  # that the other side holds handles of
        self.numbers: dict[int, int] = {}
        self.handles: dict[int, Handle] = {}
        self.error_types: dict[int, type[Exception]] = {}

    def ask(self, function: str, *values: Any, **named: Any) -> Any:
        """Have the other side do something; raises what that raises, and Gone."""
        packed = [self.pack(value) for value in values], self.pack(named)
        self.asked += 1
        try:
            write_message(self.writing, ["ask", function, *packed])
            return self.outcome(values)
        except Gone as error:
            self.broken = str(error)
            raise

    def outcome(self, values: tuple[Any, ...]) -> Any:
        """What came of the last thing that was asked for; answers what is asked back."""
        while True:
            match read_message(self.reading):
                case ["ask", str(function), list(given), dict(named)]:
                    self.answer(function, given, named)
                case ["return", result, list(changed)]:
                    for position, value in changed:
                        refill(values[position], self.unpack(value))
                    return self.unpack(result)
                case ["raise", kind, str(text)]:
                    error = self.unpack(kind)
                    raise error(text) if is_error(error) else Gone("an error is not readable")
                case _:
                    raise Gone("a message is not readable")

    def answer(self, function: str, values: list[Any], named: Any) -> None:
        """Do what the other side asks for, and tell it what came of that."""
        given = [self.unpack(value) for value in values]
        try:
            result = self.pack(self.offered.get(function, refuse)(*given, **self.unpack(named)))
            after = ((at, value) for at, value in enumerate(given) if type(value) in REFILLED)
            packed = ((at, self.pack(value)) for at, value in after)
            changed = [[at, value] for at, value in packed if value != values[at]]
        except Exception as error:
            write_message(self.writing, ["raise", self.pack(type(error)), str(error)[:1000]])
        else:
            write_message(self.writing, ["return", result, changed])

    def serve(self) -> None:
        """Answer until the other side is gone."""
        while True:
            _, *rest = read_message(self.reading)
            self.answer(*rest)

    def call_own(self, function: Any, *values: Any, **named: Any) -> Any:
        """Call a function that was handed out, and nothing else."""
        if not any(function is own for own in self.objects):
            raise TypeError("this function was not handed out")
        return function(*values, **named)

    def pack(self, value: Any) -> Any:
        """A value in JSON's types; objects are kept, so that the other side can name them."""
        kind = type(value)
        name = f"{kind.__module__}.{kind.__qualname__}"
        if value is None or kind in (bool, str, float):
            return value
        if kind is int:
            return value if abs(value) < LARGEST_INT else {"int": hex(value)}
        if kind is list:
            return [self.pack(item) for item in value]
        if kind in (tuple, set, frozenset):
            return {kind.__name__: [self.pack(item) for item in value]}
        if kind is dict:
            return {"dict": [[self.pack(key), self.pack(item)] for key, item in value.items()]}
        if name in REBUILT and getattr(value, "tzinfo", None) is None:
            return {"new": [name, [self.pack(part) for part in REBUILT[name](value)]]}
        if kind is Handle:
            return {"yours": value._number}
        return self.pack_object(value)

    def pack_object(self, value: Any) -> Any:
        """An object by its name where every process has it, else by its number here."""
        name = getattr(value, "__name__", None)
        if isinstance(name, str) and getattr(builtins, name, None) is value:
            return {"builtin": name}
        if isinstance(value, type) and issubclass(value, Exception):
            own = [kind for kind in value.__mro__ if kind.__module__ != "builtins"]
            base = next(kind for kind in value.__mro__ if kind.__module__ == "builtins")
            return {"error": [base.__name__, [[self.number(k), k.__name__] for k in own]]}
        if self.guards and isinstance(value, Iterator):
            return {"iterator": [self.pack(item) for item in value]}
        if self.guards and not callable(value):
            raise TypeError(f"a {type(value).__name__} of the tests cannot be handed to the code")
        core = [
            self.pack(plain(value)) for kind, plain in UNCHANGING.items() if isinstance(value, kind)
        ]
        return {"mine": [self.number(value), core]}

    def number(self, value: Any) -> int:
        """The number by which the other side knows an object."""
        if id(value) not in self.numbers:
            self.numbers[id(value)] = len(self.objects)
            self.objects.append(value)
        return self.numbers[id(value)]

    def unpack(self, packed: Any) -> Any:
        """The value that was packed on the other side; raises Gone where it is none."""
        if isinstance(packed, list):
            return [self.unpack(item) for item in packed]
        if not isinstance(packed, dict):
            return packed
        try:
            ((kind, content),) = packed.items()
            return self.rebuild(kind, content)
        except (KeyError, IndexError, LookupError, TypeError, ValueError, OverflowError) as error:
            raise Gone("a value is not readable") from error

    def rebuild(self, kind: str, content: Any) -> Any:
        """A value that JSON has no type for."""
        match kind:
            case "int":
                return int(content, 16)
            case "tuple" | "set" | "frozenset":
                return GROUPS[kind](self.unpack(item) for item in content)
            case "dict":
                return {self.unpack(key): self.unpack(item) for key, item in content}
            case "new":
                name, parts = content
                module, _, called = name.partition(".")
                REBUILT[name]  # no other is made, whatever the message says
                made = getattr(importlib.import_module(module), called)
                return made(*(self.unpack(part) for part in parts))
            case "yours":
                return self.objects[content]
            case "iterator":
                return iter([self.unpack(item) for item in content])
            case "mine":
                number, core = content
                handle = Handle(self, number, tuple(self.unpack(plain) for plain in core))
                return self.handles.setdefault(number, handle)
            case "builtin":
                return self.builtin(content)
            case "error":
                return self.error_type(*content)
            case _:
                raise KeyError(kind)

    def builtin(self, name: str) -> Any:
        """A type that both sides have; raises TypeError for what could be misused."""
        value = getattr(builtins, name)
        if value in SAFE_TYPES or is_error(value) or not self.guards:
            return value
        raise TypeError(name)

    def error_type(self, base: str, own: list[Any]) -> type[Exception]:
        """The stand-in of an exception class of the other side, with its bases."""
        found = getattr(builtins, base)
        if not is_error(found):
            raise TypeError(base)
        for number, name in reversed(own):
            found = self.error_types.setdefault(number, type(name, (found,), {}))
        return found


def refuse(*_: Any, **__: Any) -> None:
    """Raise AttributeError: what is asked for is not offered."""
    raise AttributeError("a function can be called here, and nothing else")


def refill(value: Any, new: Any) -> None:
    """Give a container the content that the other side left in it."""
    if type(value) is not type(new):
        raise Gone("an argument came back as something else")
    if isinstance(value, list | bytearray):
        value[:] = new
    else:
        value.clear()
        value.update(new)


def is_error(value: Any) -> bool:
    """Whether a value is a class that can be raised and caught."""
    return isinstance(value, type) and issubclass(value, Exception)
