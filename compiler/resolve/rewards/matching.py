"""How rewards that look for the gold, or for its parts, score a completion."""

from compiler.literals import parse_template, template_literal
from compiler.resolve.inputs import Inputs
from compiler.resolve.rewards.scoring import COMPLETION, GOLD, TEXT, Scoring
from spec_schema.rewards.matching import ContainsReward, FieldsReward

__all__ = ["score_contains", "score_fields"]


def score_contains(_constant: str, reward: ContainsReward, _inputs: Inputs) -> Scoring:
    """Look for the needles, in which the gold of the row is filled in."""
    fold = ", fold=True" if reward.case == "fold" else ""
    score, explain = (
        "".join(f"{_needle(text, gold)}, " for text in reward.needles)
        for gold in (GOLD.item, GOLD.of_row)
    )
    return Scoring(
        ("contains",),
        f"score_contains({TEXT}, ({score}){fold})",
        f"explain_contains({TEXT}, ({explain}){fold})",
        (COMPLETION, GOLD),
    )


def _needle(text: str, gold: str) -> str:
    """A needle as an expression over the gold."""
    if text == "{gold}":
        return gold
    filled = template_literal(parse_template(text), "row")
    # Python 3.11 allows no double quotes in a hole of an f-string.
    return filled.replace("{row['gold']}", "{" + gold.replace('"', "'") + "}")


def score_fields(_constant: str, _reward: FieldsReward, _inputs: Inputs) -> Scoring:
    """Compare each field of the gold as `[answer]` says."""
    return Scoring(
        ("fields",),
        f"score_fields({TEXT}, {GOLD.item})",
        f"explain_fields({TEXT}, {GOLD.of_row})",
        (COMPLETION, GOLD),
    )
