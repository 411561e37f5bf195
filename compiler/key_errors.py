"""What is said of a key: unknown, in the wrong table, or missing."""

from typing import Any, cast

from compiler.closest import closest, one_of, quoted_list, shortened
from compiler.diagnostics import Related, Report
from compiler.parse import Document, KeyPath
from compiler.stack import foreign_method, load_stack
from compiler.toml_duplicates import written_key
from compiler.unbuilt import unbuilt_keys
from compiler.value_errors import report_wrong_type, source_hint, value_at
from spec_schema.tables import TABLES, TableKind, kinds_at

__all__ = ["report_choice", "report_missing", "report_unknown"]

Explained = set[tuple[KeyPath, str]]

# Near enough to be a slip of the finger, whatever other table knows the word.
_SLIP = 0.84
# What other trainers and earlier versions of TRL call a key of this language.
_OTHER_NAMES = {
    "batch_size": "prompts_per_step",
    "per_device_train_batch_size": "prompts_per_step",
    "gradient_accumulation_steps": "prompts_per_step",
    "generation_batch_size": "prompts_per_step",
    "group_size": "num_generations",
    "lr": "learning_rate",
    "num_train_epochs": "epochs",
    "max_steps": "steps",
    "max_seq_length": "max_length",
    "max_new_tokens": "max_completion_length",
    "max_prompt_length": "max_prompt_tokens",
    "kl_coef": "beta",
    "reward_weights": "rewards",
    "report_to": "tracking",
    "save_steps": "save_every",
    "eval_steps": "eval_every",
    "save_total_limit": "keep",
    "system_prompt": "system",
    "lora_alpha": "alpha",
    "lora_dropout": "dropout",
    "lora_r": "r",
    "rank": "r",
    "model_name_or_path": "base",
    "dataset": "train",
}
# Tables of which several kinds stand at one place, by that place.
_FAMILIES: dict[tuple[str, ...], str] = {
    ("stages", "*"): "a stage",
    ("rewards", "*"): "a reward",
    ("answer",): "`[answer]`",
    ("model", "adapter"): "an adapter",
    ("data", "train"): "a source of rows",
}
_MOST_KEYS = 12


def report_unknown(document: Document, report: Report, path: KeyPath) -> Explained:
    """Report a key that its table does not have; return which missing keys that explains."""
    table, key = path[:-1], str(path[-1])
    here = _kind_here(document, table)
    if here is None:
        return set()
    own = (*here.keys(), *unbuilt_keys(table))
    near = closest(key, own, _SLIP)
    other = _OTHER_NAMES.get(key)
    if near is None and other in own:
        near = other
    if near is None and _trainer_hints(here, path) != (_other_fields(path),):  # to be set there
        explained = report_misplaced(document, report, path, here)
        if explained is not None:
            return explained
    if near is None and not _trainer_hints(here, path):
        near = closest(key, own)
    _report_stranger(document, report, path, here, near)
    return {(table, near)} if near else set()


def _report_stranger(
    document: Document, report: Report, path: KeyPath, here: TableKind, near: str | None
) -> None:
    hints = () if near else _trainer_hints(here, path) or _other_hints(here, path)
    report.error(
        "unknown-key",
        f"unknown key `{shortened(str(path[-1]))}` {_inside(here)}",
        document.key_place(path),
        label=f"did you mean `{near}`?" if near else None,
        hints=hints,
    )


def _trainer_hints(here: TableKind, path: KeyPath) -> tuple[str, ...]:
    """Say where a key of a stage belongs that is a field of its TRL config, now or once."""
    if here.chosen_by != "method":
        return ()
    stack, method, key = load_stack(), str(here.chosen), str(path[-1])
    if (instead := stack.retired(method, key)) is not None:
        return (instead, _other_fields(path))
    if (instead := stack.owned(method, key)) is not None:
        return (instead,)
    return (_other_fields(path),) if stack.field(method, key) is not None else ()


def _other_hints(here: TableKind, path: KeyPath) -> tuple[str, ...]:
    keys = f"{here.title} has {quoted_list(here.keys(), 'and')}"
    listed = (keys,) if len(here.keys()) <= _MOST_KEYS else ()
    return (*listed, _other_fields(path)) if here.chosen_by == "method" else listed


def _other_fields(path: KeyPath) -> str:
    return f"other fields of TRL's config stand in `[{_dotted(path[:-1])}.trainer]`"


def report_misplaced(
    document: Document, report: Report, path: KeyPath, here: TableKind | None
) -> Explained | None:
    """Report a key that belongs to another table, or return None where no table has it."""
    key = str(path[-1])
    homes = [kind for kind in TABLES if key in kind.keys()]  # noqa: SIM118 - a record, no mapping
    if not homes:
        return None
    siblings = [kind for kind in homes if here and kind.paths == here.paths]
    if not siblings and any(not kind.paths[0] for kind in homes):
        return _report_top_level(document, report, path)
    if here and siblings:
        titles = one_of([kind.title for kind in siblings])
        message = f"`{key}` is a key of {titles}, not of {here.title}"
        hint = "remove it"
    else:
        where = _inside(here) if here else f"in `[{_dotted(path[:-1])}]`"
        message = f"`{key}` is a key of {_homes(homes)}, but stands {where}"
        hint = "move it there, or remove it"
    _misplaced(document, report, path, message, hint)
    return {(tuple(home), key) for kind in homes for home in kind.paths}


def _report_top_level(document: Document, report: Report, path: KeyPath) -> Explained:
    key = str(path[-1])
    table = _dotted(path[:-1])
    if key == "spec":
        what, hint = "a top-level key", "move it above the first table header"
    else:
        what, hint = "a table of its own", f"write it as `[{key}]`, not inside `[{table}]`"
    message = f"`{key}` is {what}, but stands in `[{table}]`"
    _misplaced(document, report, path, message, hint)
    return {((), key)}


def _misplaced(document: Document, report: Report, path: KeyPath, message: str, hint: str) -> None:
    table = document.key_place(path[:-1])
    related = (Related(table, "the table that it stands in"),) if path[:-1] else ()
    place = document.key_place(path)
    report.error("misplaced-key", message, place, hints=(hint,), related=related)


def report_missing(document: Document, report: Report, path: KeyPath, key: str) -> None:
    """Report a required key that a table lacks, at the table's header."""
    here = _kind_here(document, path)
    field = here.keys().get(key) if here else None
    meaning = field.description if field and field.description else ""
    meaning = f"{meaning[:1].lower()}{meaning[1:].rstrip('.')}"
    if path:
        message, hint = f"`{_dotted(path)}` has no `{key}`", f"add `{key}`: {meaning}"
    elif key == "spec":
        message = "the spec does not say which version of the language it is in"
        hint = "begin the file with `spec = 1`"
    else:
        message, hint = f"the spec has no `[{key}]` table", f"add `[{key}]`: {meaning}"
    report.error("missing-key", message, document.key_place(path), hints=(hint,))


def report_choice(document: Document, report: Report, path: KeyPath) -> Explained:
    """Report a table of which it is not said, or wrongly said, what kind it is."""
    kinds = kinds_at(path)
    value = value_at(document, path)
    if not isinstance(value, dict):
        return _report_no_table(document, report, path, kinds)
    table = cast("dict[str, Any]", value)
    keys = tuple(dict.fromkeys(kind.chosen_by for kind in kinds if kind.chosen_by))
    written = next((key for key in keys if key in table), None)
    if written is not None and kinds[0].chosen is not None:
        _report_wrong_choice(document, report, (*path, written), kinds)
        return set()
    return _report_no_choice(document, report, path, keys, kinds)


def _report_no_table(
    document: Document, report: Report, path: KeyPath, kinds: tuple[TableKind, ...]
) -> Explained:
    if path[0] in ("rewards", "stages") and path[2:] == ():  # not a table inside of one
        explained = report_misplaced(document, report, path, None)
        if explained is not None:
            return explained
    value = value_at(document, path)
    is_short_form = isinstance(value, int | float) and not isinstance(value, bool)
    if path[0] != "rewards" or not is_short_form:
        wanted = ("a number", "a table") if path[0] == "rewards" else ("a table",)
        meant = next((kind for kind in kinds if kind.chosen == value), None)
        hint = source_hint(path, value)
        hint = f'write `{{ {meant.chosen_by} = "{meant.chosen}" }}`' if meant else hint
        report_wrong_type(document, report, path, wanted, hint)
        return set()
    names = [kind.chosen for kind in kinds if kind.chosen]
    near = closest(str(path[-1]), names)
    report.error(
        "bad-value",
        f"`{shortened(str(path[-1]))}` is no kind of reward, "
        "so a number alone does not say what it pays for",
        document.key_place(path),
        label=f"did you mean `{near}`?" if near else None,
        hints=(
            f"kinds of reward are {quoted_list(names, 'and')}",
            f"a reward of another name is a table `[{_dotted(path)}]` with its `kind`",
        ),
    )
    return set()


def _report_wrong_choice(
    document: Document, report: Report, path: KeyPath, kinds: tuple[TableKind, ...]
) -> None:
    value = value_at(document, path)
    if not isinstance(value, str):
        report_wrong_type(document, report, path, ("text",))
        return
    names = [kind.chosen for kind in kinds if kind.chosen]
    near = closest(value, names)
    foreign = foreign_method(value) if path[-1] == "method" else None
    report.error(
        "bad-value",
        f'`{path[-1]}` cannot be `"{shortened(value)}"`',
        document.value_place(path),
        label=f"did you mean `{near}`?" if near and not foreign else None,
        hints=(f"it can be {quoted_list(names)}", *((foreign,) if foreign else ())),
    )


def _report_no_choice(
    document: Document,
    report: Report,
    path: KeyPath,
    keys: tuple[str, ...],
    kinds: tuple[TableKind, ...],
) -> Explained:
    table = cast("dict[str, Any]", value_at(document, path))
    known = set[str]().union(*(kind.keys() for kind in kinds))
    for key in table:
        meant = keys[0] if key == "type" and kinds[0].chosen else closest(key, keys)
        near = meant if key not in known else None
        if near:
            report.error(
                "unknown-key",
                f"unknown key `{shortened(key)}` in `{_dotted(path)}`",
                document.key_place((*path, key)),
                label=f"did you mean `{near}`?",
            )
            return {(path, near)}
    if kinds[0].chosen is None:
        missing = "names no source" if "data" in path else "does not say what it holds"
        hint = f"add one of {quoted_list(keys)}"
        if "holdout" in table:
            hint = f"{hint}; `holdout` is for `data.eval`"
    else:
        missing, names = f"has no `{keys[0]}`", [kind.chosen for kind in kinds if kind.chosen]
        hint = f"`{keys[0]}` can be {quoted_list(names)}"
        hint = f'add `{keys[0]} = "{path[-1]}"`' if path[-1] in names else hint
    place = document.key_place(path)
    report.error("missing-key", f"`{_dotted(path)}` {missing}", place, hints=(hint,))
    return set()


def _kind_here(document: Document, path: KeyPath) -> TableKind | None:
    kinds = kinds_at(path)
    value = value_at(document, path)
    if len(kinds) < 2:  # noqa: PLR2004 - nothing to choose from
        return kinds[0] if kinds else None
    # A number in the place of a reward is short for the kind of its name.
    table = cast("dict[str, Any]", value if isinstance(value, dict) else {"kind": path[-1]})
    for kind in kinds:
        if kind.is_chosen_in(table):
            return kind
    return None


def _inside(kind: TableKind) -> str:
    return f"at {kind.title}" if not kind.paths[0] else f"in {kind.title}"


def _homes(kinds: list[TableKind]) -> str:
    titles = [
        _FAMILIES.get(kind.paths[0], kind.title)
        if len([other for other in kinds if other.paths == kind.paths]) > 1
        else kind.title
        for kind in kinds
    ]
    return one_of(list(dict.fromkeys(titles)))


def _dotted(path: KeyPath) -> str:
    return written_key(tuple(shortened(str(part)) for part in path))
