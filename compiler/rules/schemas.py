"""JSON schemas: what its own package would say of one, before a completion is held against it."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

# It takes as long to import as pydantic, so that this module is imported for a spec with a schema.
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.validators import validator_for

from compiler.closest import closest, shortened
from compiler.parse import KeyPath
from compiler.rules.case import Case, is_inside
from compiler.rules.files import report_missing_file
from spec_schema.rewards.formats import SchemaFile

__all__ = ["check_schema"]

Schema = dict[str, Any]

# The words of all drafts since 4.
WORDS = (
    *("$anchor", "$comment", "$defs", "$dynamicAnchor", "$dynamicRef", "$id", "$ref", "$schema"),
    *("$vocabulary", "additionalItems", "contentMediaType", "contentSchema", "dependencies", "id"),
    *("additionalProperties", "allOf", "anyOf", "const", "contains", "contentEncoding", "default"),
    *("definitions", "dependentRequired", "dependentSchemas", "deprecated", "description", "else"),
    *("enum", "examples", "exclusiveMaximum", "exclusiveMinimum", "format", "if", "items"),
    *("maxContains", "maxItems", "maxLength", "maxProperties", "maximum", "minContains"),
    *("minItems", "minLength", "minProperties", "minimum", "multipleOf", "not", "oneOf", "pattern"),
    *("patternProperties", "prefixItems", "properties", "propertyNames", "readOnly", "required"),
    *("then", "title", "type", "unevaluatedItems", "unevaluatedProperties", "uniqueItems"),
    "writeOnly",
)
# Words whose tables hold schemas by names of the user's own.
NAMED = ("$defs", "definitions", "dependentSchemas", "patternProperties", "properties")
# Words whose values are no schemas, whatever they look like.
PLAIN = ("const", "default", "enum", "examples")


class Fault(NamedTuple):
    """What is wrong at a place of a schema, and what to do; a doubt where it may be meant so."""

    path: KeyPath
    message: str
    hints: tuple[str, ...] = ()
    is_doubt: bool = False


def check_schema(case: Case, path: KeyPath, written: SchemaFile | Schema) -> None:
    """Report what is wrong with a schema, at its own keys, or at the name of its file."""
    if isinstance(written, dict):
        for fault in _faults(written):
            report = case.warning if fault.is_doubt else case.error
            report("bad-schema", (*path, *fault.path), fault.message, *fault.hints)
        return
    place = (*path, "file")
    schema = _read(case, place, written.file)
    for fault in () if schema is None else _faults(schema):
        report = case.warning if fault.is_doubt else case.error
        at = "/".join(map(str, fault.path))
        where = f"at `{at}` of `{shortened(written.file)}`: " if at else ""
        report("bad-schema", place, where + fault.message, *fault.hints)


def _read(case: Case, path: KeyPath, file: str) -> Schema | None:
    """The schema in a file; None where that is reported, here or as a path that leads elsewhere."""
    if not is_inside(file):
        return None
    if not case.has_file(file):
        report_missing_file(case, path, file)
        return None
    shown = shortened(file)
    try:
        schema = json.loads((case.folder / file).read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError) as error:
        case.error("unreadable-data", path, f"`{shown}` is no JSON: {error}")
        return None
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        case.error("unreadable-data", path, f"`{shown}` cannot be read: {reason}")
        return None
    if not isinstance(schema, dict):
        case.error("bad-schema", path, f"`{shown}` holds no object, and a schema is one")
        return None
    return cast("Schema", schema)


def _faults(schema: Schema) -> Iterator[Fault]:
    """What is wrong with a schema: what its draft says, then what that lets pass."""
    said = schema.get("$schema", Draft202012Validator.META_SCHEMA["$id"])
    none = cast("Any", None)  # what an unknown draft gives
    draft = validator_for({"$schema": said}, default=none) if isinstance(said, str) else none
    if draft is None:
        message = f"`$schema` names no draft of JSON schema that is known: {shortened(str(said))}"
        yield Fault(("$schema",), message, ("leave it out for draft 2020-12",))
        return
    found = False
    for error in draft(draft.META_SCHEMA, format_checker=FormatChecker()).iter_errors(schema):
        found = True
        exact = error.context[0] if error.context else error  # the first of several wordings
        yield Fault(tuple(exact.absolute_path), f"this is no JSON schema: {exact.message}")
    if not found:
        for path, inner in _schemas(schema, ()):
            yield from _own_faults(inner, path, schema)


def _schemas(value: object, path: KeyPath) -> Iterator[tuple[KeyPath, Schema]]:
    """A schema and those inside it, each with its place."""
    if isinstance(value, list):
        for at, item in enumerate(cast("list[object]", value)):
            yield from _schemas(item, (*path, at))
    elif isinstance(value, dict):
        schema = cast("Schema", value)
        yield path, schema
        for key, inner in schema.items():
            if key in NAMED and isinstance(inner, dict):
                for name, named in cast("Schema", inner).items():
                    yield from _schemas(named, (*path, key, name))
            elif key not in PLAIN:
                yield from _schemas(inner, (*path, key))


def _own_faults(schema: Schema, path: KeyPath, root: Schema) -> Iterator[Fault]:
    """What the draft lets pass: misspelt words, what is asked for and cannot be, far references."""
    for key in schema:
        if key not in WORDS and (meant := closest(key, WORDS, cutoff=0.75)):
            message = f"`{shortened(key)}` is no word of JSON schema, so that it is ignored"
            yield Fault((*path, key), message, (f"did you mean `{meant}`?",), is_doubt=True)
    reference = schema.get("$ref")
    if isinstance(reference, str) and not _leads_somewhere(reference, root):
        message = f"`{shortened(reference)}` leads to nothing in the schema"
        yield Fault((*path, "$ref"), message, ("nothing is fetched: copy it into `$defs`",))
    properties = schema.get("properties", {})
    if schema.get("additionalProperties") is False and "patternProperties" not in schema:
        for at, name in enumerate(schema.get("required", [])):
            if name not in properties:
                message = f"`{shortened(name)}` is required, and no such property is allowed"
                meant = closest(name, properties)
                hint = f"did you mean `{meant}`?" if meant else "describe it in `properties`"
                yield Fault((*path, "required", at), message, (hint,))


def _leads_somewhere(reference: str, root: Schema) -> bool:
    """Whether a `$ref` names a place of the same schema; an anchor is taken for right."""
    here: object = root
    for step in reference.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(here, list) and key.isdecimal():
            items = cast("list[object]", here)
            here = items[int(key)] if int(key) < len(items) else None
        else:
            here = cast("Schema", here).get(key) if isinstance(here, dict) else None
    return reference.startswith("#") and here is not None
