"""The report on the answers that stages learn from: pairs, labelled ones, conversations, texts."""

from typing import NamedTuple

from compiler.literals import docstring, literal
from compiler.plan.answers import AnswerReportFile
from compiler.plan.project import PlannedFile
from compiler.plan.rewards import RewardPlan
from compiler.plan.stages import StagePlan
from compiler.resolve.asking import asks_a_model
from compiler.resolve.inputs import Inputs
from compiler.resolve.own_data import format_of, learns_answers
from compiler.resolve.rewards.length import sees_tokens
from compiler.resolve.rewards.scoring import COMPLETION, GOLD, Column
from compiler.resolve.rewards.scorings import scorings_of

__all__ = ["checked_by", "plan_answer_report"]


class _Look(NamedTuple):
    """What is looked at in the rows of a stage: in words, as statements, and by which pieces.

    `encodes` says that the tokenizer is needed.
    """

    at: str
    statements: tuple[str, ...]
    pieces: tuple[str, ...]
    encodes: bool = False


def checked_by(inputs: Inputs, name: str) -> str:
    """What checks the answers of a stage, as a function of a part and its rows."""
    function = f"answer_report.check_{name}"
    return f"partial({function}, tokenizer=tokenizer)" if _is_cut(inputs, name) else function


def plan_answer_report(
    inputs: Inputs, stages: tuple[StagePlan, ...], rewards: tuple[RewardPlan, ...]
) -> PlannedFile | None:
    """answer_report.py, None where no stage learns from answers of its own."""
    looks = {
        stage.name: _look(inputs, stage, rewards)
        for stage in stages
        if learns_answers(inputs.spec, stage.name)
    }
    if not looks:
        return None
    pieces = tuple(dict.fromkeys(piece for look in looks.values() for piece in look.pieces))
    functions = tuple(_function(name, look) for name, look in looks.items())
    pays = any("rewards.pay" in code for code in functions)
    context = AnswerReportFile(
        imports=("from functools import partial", "import rewards") if pays else (),
        encodes=any(look.encodes for look in looks.values()),
        reads=any("reads_right" in code for code in functions),
        functions=functions,
    )
    path = "answer_report.py"
    return PlannedFile(path, f"{path}.jinja", context, pieces, {"findings": "findings"})


def _look(inputs: Inputs, stage: StagePlan, rewards: tuple[RewardPlan, ...]) -> _Look:
    """What is looked at in the rows of one stage, by the form that they have."""
    parts = format_of(inputs.spec, stage.name)
    if "chosen" in parts:
        scores = _scores(inputs, stage.name, rewards)
        return _pairs(stage, scores, is_cut=_is_cut(inputs, stage.name))
    if "label" in parts:
        return _labels(stage)
    if "text" in parts:
        return _Look("texts", ("return text_faults(part, rows)",), ("text_faults",))
    if "messages" in parts:
        return _Look("conversations", ("return turn_faults(part, rows)",), ("turn_faults",))
    whole = 'row | {"messages": row["prompt"] + row["completion"]}'
    lines = (f"whole = [{whole} for row in rows]", "return turn_faults(part, whole)")
    return _Look("answers", lines, ("turn_faults",))


def _is_cut(inputs: Inputs, name: str) -> bool:
    """Whether pairs are cut where they are too long; a reward stage leaves these out (TRL 1.16)."""
    return inputs.spec.stages[name].method == "dpo"


def _pairs(stage: StagePlan, scores: tuple[str, ...], *, is_cut: bool) -> _Look:
    """Pairs one by one, and what tells all chosen answers from all rejected ones."""
    calls = ["*pair_faults(part, rows)", "*one_feature(part, rows)"]
    pieces = ["pair_faults", "one_feature"]
    if scores:
        calls.append(f"*swapped_pairs(part, rows, {{{', '.join(scores)}}})")
        pieces.append("swapped_pairs")
    found = f"[{', '.join(calls)}]"
    if not is_cut:
        return _Look("pairs", (f"return {found}",), tuple(pieces))
    cut = f"    findings += cut_alike(part, rows, tokenizer, {literal(stage.value('max_length'))})"
    lines = (f"findings = {found}", "if tokenizer is not None:", cut, "return findings")
    return _Look("pairs", lines, (*pieces, "cut_alike"), encodes=True)


def _labels(stage: StagePlan) -> _Look:
    """Labelled answers one by one, and the weights of the two kinds in what is trained on."""
    weights = ", ".join(
        literal(stage.value(name) or 1.0) for name in ("desirable_weight", "undesirable_weight")
    )
    lines = (
        "findings = label_faults(part, rows)",
        f'if part == "{stage.name} train":',
        f"    findings += label_weights(part, rows, {weights})",
        "return findings",
    )
    return _Look("labelled answers", lines, ("label_faults", "label_weights"))


def _function(name: str, look: _Look) -> str:
    promise = docstring(f"What is wrong with the {look.at} of `{name}`.")
    body = "\n    ".join((promise, *look.statements))
    tokenizer = ", tokenizer: PreTrainedTokenizerBase | None" if look.encodes else ""
    head = f"def check_{name}(part: str, rows: list[Row]{tokenizer}) -> list[str]:"
    return f"{head}\n    {body}\n"


def _scores(inputs: Inputs, name: str, rewards: tuple[RewardPlan, ...]) -> tuple[str, ...]:
    """What tells the better of two answers of a stage without a judge, as entries of a dict.

    Rewards of length and style do not: what is better may well be longer or plainer.
    """
    data = inputs.spec.stages[name].data
    has_gold = data is not None and data.gold is not None
    known = {COMPLETION, GOLD} if has_gold else {COMPLETION}
    telling = [reward for reward in rewards if _tells(inputs, reward.name, known)]
    scores = [f'"{each.name}": partial(rewards.pay, rewards.{each.name})' for each in telling]
    if has_gold and not any(reward.kind == "correct" for reward in telling):
        scores.insert(0, '"[answer]": reads_right')
    return tuple(scores)


def _tells(inputs: Inputs, name: str, known: set[Column]) -> bool:
    """Whether a reward says by the text and what is known of its row how good an answer is."""
    spec, reward = inputs.spec, inputs.spec.rewards[name]
    asks = asks_a_model(spec, name) or sees_tokens(spec, name) or reward.only_if is not None
    if asks or reward.purpose not in ("correctness", "format"):
        return False
    columns = scorings_of(name, inputs)[name].columns
    return bool(columns) and known.issuperset(columns)
