"""Names of stages and rewards: known where they are used, and free where they are given."""

import builtins
import keyword
from collections.abc import Iterable
from pathlib import PurePosixPath

from compiler.closest import closest, shortened
from compiler.parse import KeyPath
from compiler.rules.case import Case
from spec_schema.stages.rollout import RolloutStage

__all__ = ["mixes_name_rewards", "names_are_free", "stages_are_ordered"]

# Names of the generated rewards.py, whose rewards are functions beside them, and of the project's
# modules; a test holds this list against what is generated.
REWARDS_MODULE = {
    *(
        "answer_report",
        "answers",
        "argparse",
        "cache",
        "calls",
        "columns",
        "completion_text",
        "data",
        "data_report",
    ),
    *("findings", "probes", "resume", "stopping"),
    *(
        "evaluate",
        "export",
        "ideal_completion",
        "load_train",
        "main",
        "prompts",
        "re",
        "read_answer",
    ),
    *(
        "pay",
        "readers",
        "reasons",
        "rewards",
        "row",
        "same_answer",
        "score",
        "stages",
        "stray_tags",
    ),
    *("text", "tokenizer", "tokens", "without_end_tokens", "xml_format_fault", "forbidden_match"),
    *("completion", "completion_ids", "completions", "gold", "ids", "name", "one_gold", "reward"),
    "value",
    *("finite", "full", "gate", "known", "mark", "marks", "math", "once_a_batch", "rescore"),
    *("schedules", "values", "warnings", "weights", "wraps"),
    *("after_thinking", "answer_text", "boxed", "boxed_format_fault", "each_key_once"),
    *("identifier", "json", "json_format_fault", "json_schema_fault", "letters_of", "lru_cache"),
    *("missing_words", "no_json", "normal_form", "passages_of", "prompt_ngrams", "prompt_text"),
    *("sentences_of", "share_text", "steps_in", "think_format_fault", "thinking_of"),
    *("unicodedata", "validator_for", "whole_json", "with_single_blanks", "word_ngrams"),
    *("words_form", "words_of", "words_pattern", "matching_fields"),
    *("arguments", "asserts", "block", "code_blocks", "code_runner", "confinement", "entry_point"),
    *("is_ordered", "last_code", "outcomes", "place", "query_fault", "query_runner", "read_tests"),
    *("result_of", "results", "run_code", "run_query", "same_row", "same_rows", "same_value"),
    *("sandbox", "setup", "solution", "stdin", "stdout", "threads"),
    *("judges", "reward_models"),
    *("charts", "report", "samples", "tracking", "monitor", "alarms"),
    *("completion_tables", "scores"),
    *("estimates", "grading", "models", "preferences", "sampling", "tables"),
}
# Every scorer is `score_<kind>`, and says why in `explain_<kind>`.
SCORERS = ("score_", "explain_")
# Not `keyword.softkwlist`, which differs between versions of Python.
SOFT_KEYWORDS = ("match", "case")
# A name becomes a part of file names, which most systems end at 255 bytes.
LONGEST = 64


def stages_are_ordered(case: Case) -> None:
    """`[project] stages` names every stage once; it may be left out where there is one."""
    stages, order = case.spec.stages, case.spec.project.stages
    path: KeyPath = ("project", "stages")
    if order is None:
        if len(stages) > 1:
            listed = ", ".join(f'"{name}"' for name in stages)
            case.error(
                "missing-key",
                ("project",),
                f"`stages` is missing: there are {len(stages)} stages and no order",
                f"add `stages = [{listed}]` in the order in which they run",
                at="key",
            )
        return
    for position, name in enumerate(order):
        if name not in stages:
            message = f"there is no stage `{shortened(name)}`"
            case.error("unknown-stage", (*path, position), message, *_meant(name, stages))
        elif name in order[:position]:
            message = f"stage `{name}` is listed twice"
            case.error("bad-value", (*path, position), message, "a stage runs once")
    for name in stages:
        if name not in order:
            case.error(
                "unlisted-stage",
                ("stages", name),
                f"stage `{name}` is not in `[project] stages`, so that it would never run",
                "add it to the list, or remove the stage",
                at="key",
                related=((path, "the order of the stages"),),
            )


def names_are_free(case: Case) -> None:
    """A stage or reward is called like nothing else in the project's code."""
    modules = {
        PurePosixPath(reward.function.partition(":")[0]).stem
        for reward in case.spec.rewards.values()
        if reward.kind == "python"
    }
    for kind in ("stages", "rewards"):
        what = kind[:-1]
        for name in getattr(case.spec, kind):
            taken = _taken(kind, name, modules)
            if len(name) > LONGEST:
                message = f"the name of a {what} has {len(name)} characters, {LONGEST} are the most"
                case.error("bad-value", (kind, name), message, "shorten it", at="key")
            elif taken is not None:
                message = f"a {what} cannot be called `{name}`: {taken}"
                hint = f"call it by what is special about it, or `my_{name}`"
                case.error("reserved-name", (kind, name), message, hint, at="key")


def mixes_name_rewards(case: Case) -> None:
    """The mix of a stage and `[eval] minimum` name rewards that exist, once each."""
    for name, stage in case.spec.stages.items():
        if not isinstance(stage, RolloutStage) or stage.rewards is None:
            continue
        path: KeyPath = ("stages", name, "rewards")
        if isinstance(stage.rewards, dict):
            for reward in stage.rewards:
                _expect_reward(case, (*path, reward), reward, at_key=True)
            continue
        for position, reward in enumerate(stage.rewards):
            if reward in stage.rewards[:position]:
                message = f"reward `{reward}` is listed twice"
                case.error("bad-value", (*path, position), message, "name it once")
            else:
                _expect_reward(case, (*path, position), reward, at_key=False)
    for reward in case.spec.eval.minimum:
        _expect_reward(case, ("eval", "minimum", reward), reward, at_key=True)


def _expect_reward(case: Case, path: KeyPath, name: str, *, at_key: bool) -> None:
    if name not in case.spec.rewards:
        case.error(
            "unknown-reward",
            path,
            f"there is no reward `{shortened(name)}` in `[rewards]`",
            *_meant(name, case.spec.rewards),
            at="key" if at_key else "value",
        )


def _taken(kind: str, name: str, modules: set[str]) -> str | None:
    """What a name stands for already."""
    if keyword.iskeyword(name):
        return "it is a keyword of Python"
    if kind == "stages":
        return "`base` stands for the base model" if name == "base" else None
    if name in dir(builtins) or name in SOFT_KEYWORDS:
        return "it is a word of Python"
    if name in REWARDS_MODULE or name.startswith(SCORERS):
        return "the project's code has that name"
    return f"it is the name of your `{name}.py`" if name in modules else None


def _meant(name: str, names: Iterable[str]) -> tuple[str, ...]:
    known = list(names)
    if meant := closest(name, known):
        return (f"did you mean `{meant}`?",)
    return (f"there are {', '.join(f'`{other}`' for other in known[:12])}",) if known else ()
