"""How rewards for the form of a completion score it."""

from compiler.literals import literal, pattern_literal, text_literal
from compiler.resolve.inputs import Inputs
from compiler.resolve.rewards.layout import opened_text
from compiler.resolve.rewards.scoring import COMPLETION, TEXT, Scoring
from spec_schema.rewards.formats import (
    BoxedFormatReward,
    JsonFormatReward,
    JsonSchemaReward,
    RegexFormatReward,
    SchemaFile,
    ThinkFormatReward,
)

__all__ = ["score_json_schema", "score_regex_format", "score_text", "score_think_format"]

# The validators of the package jsonschema by the name of the draft in `$schema`.
DRAFTS = {
    "draft-03": "Draft3Validator",
    "draft-04": "Draft4Validator",
    "draft-06": "Draft6Validator",
    "draft-07": "Draft7Validator",
    "2019-09": "Draft201909Validator",
}


def score_text(
    _constant: str, reward: BoxedFormatReward | JsonFormatReward, _inputs: Inputs
) -> Scoring:
    """Look at the text and at nothing else."""
    kind = reward.kind
    return Scoring((kind,), f"score_{kind}({TEXT})", f"explain_{kind}({TEXT})", (COMPLETION,))


def score_think_format(_constant: str, _reward: ThinkFormatReward, inputs: Inputs) -> Scoring:
    """Look for the thinking block, whose opening tag may stand in the prompt."""
    text = opened_text(inputs.spec)
    call = f"think_format({text})"
    return Scoring(("think_format",), f"score_{call}", f"explain_{call}", (COMPLETION,))


def score_regex_format(constant: str, reward: RegexFormatReward, _inputs: Inputs) -> Scoring:
    """Match the whole text; a dot matches a line break, which every real completion has."""
    call = f"regex_format({TEXT}, {constant}_PATTERN)"
    pattern = f"re.compile({pattern_literal(reward.pattern)}, re.DOTALL)"
    return Scoring(
        ("regex_format",),
        f"score_{call}",
        f"explain_{call}",
        (COMPLETION,),
        ((f"{constant}_PATTERN", pattern),),
        imports=("import re",),
    )


def score_json_schema(constant: str, reward: JsonSchemaReward, _inputs: Inputs) -> Scoring:
    """Check the text against the schema; none is ever fetched."""
    call = f"json_schema({TEXT}, {constant}_VALIDATOR)"
    name, draft = f"{constant}_SCHEMA", "Draft202012Validator"
    match reward.schema_:
        case SchemaFile(file=file):
            place = f"Path(__file__).parent / {text_literal(file)}"
            schema = f'json.loads(({place}).read_text(encoding="utf-8-sig"))'
            kind = f"validator_for({name}, {draft})"
            imports = ("import json", "from jsonschema.validators import validator_for")
        case table:
            schema, imports = literal(table), ()
            said = str(table.get("$schema", ""))
            draft = kind = next((DRAFTS[key] for key in DRAFTS if key in said), draft)
    # With a registry of its own, and an empty one, a `$ref` to an address is not followed.
    validator = f"{kind}({name}, registry=Registry(), format_checker=FormatChecker())"
    return Scoring(
        ("json_schema",),
        f"score_{call}",
        f"explain_{call}",
        (COMPLETION,),
        ((name, schema), (f"{constant}_VALIDATOR", validator)),
        imports=(
            f"from jsonschema import {draft}, FormatChecker",
            "from referencing import Registry",
            *imports,
        ),
    )
