"""`[data] options`: the gold names one of them, the prompt shows them, and they are compared."""

from compiler.closest import shortened
from compiler.resolve.ideal import row_parts
from compiler.rules.case import Case
from compiler.rules.texts import holes
from spec_schema.data import Gold

__all__ = ["gold_names_an_option", "options_are_compared", "options_are_shown", "options_differ"]


def gold_names_an_option(case: Case) -> None:
    """Where a row has options, it is said how its gold names one; elsewhere nothing is."""
    gold, options = case.spec.data.gold, case.spec.data.options
    if gold is None:
        if options is not None:
            case.error(
                "missing-key",
                ("data",),
                "`gold` is missing: it says which of the `options` is right",
                'add `gold = { column = "...", as = "index" }`',
                at="key",
            )
        return
    if options is None:
        _refuse_without_options(case)
    elif isinstance(options, list):
        _refuse_with_fixed_options(case, gold)
    elif gold.as_ is None:
        case.error(
            "missing-key",
            ("data", "gold"),
            "`gold` does not say how it names one of the `options`",
            'add `as`: "label", "index" (from 0), "number" (from 1) or "text"',
            at="key",
        )


def options_differ(case: Case) -> None:
    """No option stands twice among those of all rows, and no column twice among those of a row."""
    options = case.spec.data.options
    if options is None:
        return
    fixed = isinstance(options, list)
    named = (
        {(position,): option for position, option in enumerate(options)}
        if isinstance(options, list)
        else options.named()
    )
    seen: set[str] = set()
    for path, name in named.items():
        same = name.strip().casefold() if fixed else name
        if same in seen:
            message = f"`{shortened(name)}` stands there twice"
            case.error("bad-value", ("data", "options", *path), message)
        elif not same:
            case.error("bad-value", ("data", "options", *path), "an option is blank")
        seen.add(same)


def options_are_compared(case: Case) -> None:
    """Options of a row are compared by `choice`: their gold is a letter and a text."""
    answer = case.spec.answer
    if answer is None or "options" not in row_parts(case.spec) or answer.compare == "choice":
        return
    case.error(
        "conflicting-keys",
        ("answer", "compare") if case.writes(("answer", "compare")) else ("answer",),
        "the gold is one of the `options`, such as `B. Aspirin`, and is not compared as a choice",
        'write `compare = "choice"`, or `extract = "choice"`',
        at="key",
        related=((("data", "options"), "the options of a row"),),
    )


def options_are_shown(case: Case) -> None:
    """The user's message shows the letters that it asks for, and the gold's letter to nobody."""
    shown = holes(case.spec.prompt.user or "")
    if isinstance(case.spec.data.options, list) and "options" in shown:
        case.error(
            "bad-template",
            ("prompt", "user"),
            "`user` shows `{options}`, which a row has only where they are its own",
            "write the options that all rows share into the text",
        )
    if "options" not in row_parts(case.spec):
        return
    if "options" not in shown:
        case.error(
            "bad-template",
            ("prompt", "user"),
            "`user` does not show `{options}`, whose letters an answer chooses from",
            "let `{options}` stand behind the question",
        )
    if "gold_label" in shown:
        case.warning(
            "gold-in-prompt",
            ("prompt", "user"),
            "`{gold_label}` stands in `user`: the model is shown the answer that it is paid for",
            "let it stand in `assistant` only",
        )


def _refuse_without_options(case: Case) -> None:
    for key in ("as", "several_right"):
        if case.writes(("data", "gold", key)):
            case.error(
                "conflicting-keys",
                ("data", "gold", key),
                f"`{key}` says how the gold names an option, and `[data]` has no `options`",
                "add `options`, or remove it",
                at="key",
            )


def _refuse_with_fixed_options(case: Case, gold: Gold) -> None:
    if gold.as_ == "label":
        case.error(
            "bad-value",
            ("data", "gold", "as"),
            "options that are the same for all rows have no labels",
            'write "text" where the column holds one of them, "index" or "number" for a position',
        )
    if case.writes(("data", "gold", "several_right")):
        case.error(
            "conflicting-keys",
            ("data", "gold", "several_right"),
            "`several_right` is for options that differ from row to row",
            "remove it",
            at="key",
        )
