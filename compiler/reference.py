"""The reference of the language, from its models: a page for people, a JSON schema for editors."""

import inspect
import json
import types
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic.fields import FieldInfo

from compiler.reference_examples import WHOLE_SPEC, snippets_of
from compiler.reference_losses import losses_part
from spec_schema import TaskSpec
from spec_schema.adapter_keys import AdapterTable
from spec_schema.base import Table, Variants
from spec_schema.comparison import AnswerTable
from spec_schema.rewards.table import RewardTable
from spec_schema.source_table import SourceTable
from spec_schema.stage_table import StageTable
from spec_schema.tables import TABLES, TableKind

__all__ = ["json_schema", "spec_reference"]

_OPENING = """\
# The spec

One TOML file describes the task. This page lists every table and key that this version knows; it
is generated from the models in `spec_schema/`. The language is strict: a key that is not listed
here is an error, `"8"` is not 8, and a key that the language has but this version does not build
is refused by name. Paths are relative to the spec's folder.

A whole spec, with the keys that most tasks need; what is left out has its default:
"""
_TYPE_NAMES = {str: "text", int: "whole number", float: "number", bool: "boolean"}
# Tables whose last `*` counts the elements of a list.
_LISTED = {("prompt", "shots", "*")}
# Tables of which several kinds share a model, and the heading of what they share.
_FAMILIES: dict[type[Table], str] = {
    SourceTable: "Every source of rows",
    AnswerTable: "Every `[answer]`",
    RewardTable: "Every reward",
    AdapterTable: "Every adapter",
    StageTable: "Every stage",
}


def spec_reference() -> str:
    """Write `docs/spec.md`: a section for each kind of table, a row for each key."""
    sections: list[str] = []
    seen: set[type[Table]] = set()
    for kind in TABLES:
        family = _family(kind.model)
        if family is not None and family not in seen:
            seen.add(family)
            sections.append(_family_section(family))
        sections.append(_section(kind, family))
    return "\n".join([_OPENING, _fenced(WHOLE_SPEC), *sections])


def json_schema() -> dict[str, Any]:
    """Give the JSON schema of a spec, for editors that check TOML as it is written."""
    schema = TaskSpec.model_json_schema(by_alias=True)
    by_name: dict[str, Any] = schema["properties"]["rewards"]["patternProperties"]
    # The short form is expanded before validation, so the models do not show it.
    number = {"type": "number", "minimum": 0, "description": "Short for `{ kind, weight }`."}
    for name, table in by_name.items():
        by_name[name] = {"anyOf": [number, table]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "A trainspec task",
    }


def _family(model: type[Table]) -> type[Table] | None:
    return next((family for family in _FAMILIES if issubclass(model, family)), None)


def _family_section(family: type[Table]) -> str:
    rows = [_row(field.alias or name, field) for name, field in family.model_fields.items()]
    return _page_part(_FAMILIES[family], family, [], rows)


def _section(kind: TableKind, family: type[Table] | None) -> str:
    shared = family.model_fields if family else {}
    notes: list[str] = []
    if kind.paths[0] in _LISTED:
        place = _place(kind.paths[0][:-1])
        notes.append(f"Stands in the list `{place}`, each under a header `[[{place}]]`.")
    elif kind.paths[0]:
        places = " and ".join(f"`{_place(path)}`" for path in kind.paths)
        notes.append(f"Stands at {places}{_choice(kind)}.")
    if family:
        heading = _FAMILIES[family]
        notes.append(f"It also has the keys of [{_lower(heading)}]({_anchor(heading)}).")
    fields = kind.model.model_fields.items()
    rows = [_row(field.alias or name, field) for name, field in fields if name not in shared]
    parts = [_page_part(_heading(kind), kind.model, notes, rows)]
    parts += map(_fenced, snippets_of(kind.title))
    if family is StageTable and (losses := losses_part(str(kind.chosen), kind.model.model_fields)):
        parts.append(losses)
    return "\n".join(parts)


def _fenced(toml: str) -> str:
    return f"```toml\n{toml}```\n"


def _page_part(heading: str, model: type[Table], notes: list[str], rows: list[str]) -> str:
    lines = [f"## {heading}", "", inspect.cleandoc(model.__doc__ or ""), ""]
    if notes:
        lines += [" ".join(notes), ""]
    lines += ["| key | type | default | meaning |", "|---|---|---|---|", *rows]
    return "\n".join(lines) + "\n"


def _heading(kind: TableKind) -> str:
    return kind.title[:1].upper() + kind.title[1:]


def _lower(heading: str) -> str:
    return heading[:1].lower() + heading[1:]


def _anchor(heading: str) -> str:
    kept = "".join(each for each in heading.lower() if each.isalnum() or each in " -_")
    return f"#{kept.replace(' ', '-')}"


def _place(path: tuple[str, ...]) -> str:
    return ".".join("NAME" if part == "*" else part for part in path)


def _choice(kind: TableKind) -> str:
    if kind.chosen is not None:
        named = kind.model.model_fields[str(kind.chosen_by)].annotation
        is_table = isinstance(named, type) and issubclass(named, Table)
        value = f'{{ {kind.chosen} = "..." }}' if is_table else f'"{kind.chosen}"'
        return f", chosen by `{kind.chosen_by} = {value}`"
    return f", chosen by the key `{kind.chosen_by}`" if kind.chosen_by else ""


def _row(key: str, field: FieldInfo) -> str:
    meaning = (field.description or "").replace("|", "\\|")
    kind = _type(field.annotation, tuple(field.metadata))
    return f"| `{key}` | {kind} | {_default(field)} | {meaning} |"


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value: object = field.get_default(call_default_factory=True, validated_data={})
    if value is None:
        return "left out"
    if isinstance(value, Table):
        return "its own defaults"
    return "empty" if value == {} else f"`{_toml(value)}`"


def _toml(value: object) -> str:
    return json.dumps(value)


def _type(annotation: object, metadata: tuple[object, ...] = ()) -> str:
    match get_origin(annotation):
        case found if found is Annotated:
            inner, *more = get_args(annotation)
            return _type(inner, (*metadata, *more))
        case found if found in (Union, types.UnionType):
            return _union(annotation, metadata)
        case found if found is Literal:
            return ", ".join(f"`{_toml(value)}`" for value in get_args(annotation))
        case found if found is list:
            return f"list of {_plural(get_args(annotation)[0])}"
        case found if found is dict:
            return _names_to(get_args(annotation)[1])
        case _:
            return _single(annotation, metadata)


def _single(annotation: object, metadata: tuple[object, ...]) -> str:
    if isinstance(annotation, type) and issubclass(annotation, Table):
        if annotation in _FAMILIES:
            return _any_of(annotation)
        variants = next((entry for entry in metadata if isinstance(entry, Variants)), None)
        if annotation is Table and variants is not None:
            return " or ".join(_single(kind, ()) for kind in variants.tables.values())
        heading = _heading(next(kind for kind in TABLES if kind.model is annotation))
        return f"[{_lower(heading)}]({_anchor(heading)})"
    name = _TYPE_NAMES.get(cast("type", annotation), "any value")
    return name + _bounds(metadata)


def _any_of(family: type[Table]) -> str:
    heading = _FAMILIES[family]
    return f"[{_lower(heading.replace('Every', 'any'))}]({_anchor(heading)})"


def _union(annotation: object, metadata: tuple[object, ...]) -> str:
    members = [each for each in get_args(annotation) if each is not type(None)]
    models = [get_args(each)[0] if get_origin(each) is Annotated else each for each in members]
    families = {
        _family(cast("type[Table]", model)) if isinstance(model, type) else None for model in models
    }
    if len(members) == 1:
        return _type(members[0], metadata)
    family = families.pop()
    if not families and family is not None:
        return _any_of(family)
    return " or ".join(dict.fromkeys(_type(each) for each in members))


def _plural(annotation: object) -> str:
    name = _type(annotation).split(" (")[0]
    return f"{name}s" if name in ("whole number", "number") else name


def _names_to(annotation: object) -> str:
    name = _type(annotation)
    return "table" if name == "any value" else f"table: name = {name}"


def _bounds(metadata: tuple[object, ...]) -> str:
    parts: list[str] = []
    for constraint in _constraints(metadata):
        match constraint:
            case Ge(ge=bound):
                parts.append(f"{bound} or more")
            case Gt(gt=bound):
                parts.append(f"more than {bound}")
            case Lt(lt=bound):
                parts.append(f"less than {bound}")
            case Le(le=bound):
                parts.append(f"{bound} or less")
            case _:
                pass
    return f" ({', '.join(parts)})" if parts else ""


def _constraints(metadata: tuple[object, ...]) -> list[object]:
    found: list[object] = []
    for entry in metadata:
        found += entry.metadata if isinstance(entry, FieldInfo) else [entry]
    return found
