"""`[eval]` and `[run]`: what is measured has rows, can be reached, and happens at all."""

from compiler.chat.facts import chat_facts
from compiler.closest import closest
from compiler.resolve.own_data import PREFERENCE_METHODS, compares_held_out, is_evaluated
from compiler.rules.case import Case
from spec_schema.stages.rollout import RolloutStage

__all__ = [
    "compared_stages_hold_rows_out",
    "completions_are_sampled",
    "evaluation_has_rows",
    "evaluation_is_reached",
    "greedy_ignores_the_rest",
    "greedy_samples_once",
    "minimum_can_be_reached",
    "thinking_is_sampled",
    "tracking_keys_are_used",
]


def evaluation_has_rows(case: Case) -> None:
    """What is evaluated needs `[data] eval`."""
    if case.spec.data.eval is not None:
        return
    while_training = any(is_evaluated(case.spec, name) for name in case.spec.stages)
    keys = (*([] if while_training else [("run", "eval_every")]), ("eval", "minimum"))
    needing = [path for path in keys if case.writes(path)]
    for path in needing:
        case.error(
            "missing-key",
            ("data",),
            f"`eval` is missing: `[{path[0]}] {path[1]}` needs held-out rows",
            "add `eval` with a source, or `eval = { holdout = 0.1 }`",
            at="key",
            related=((path, "asked for here"),),
        )
    compared = any(compares_held_out(case.spec, name) for name in case.spec.stages)
    if case.writes(("eval",)) and not needing and not compared:
        message = "`[eval]` has no effect without `eval` in `[data]`: nothing is evaluated"
        hint = "add `eval = { holdout = 0.1 }` to `[data]`, or leave the table out"
        case.warning("no-effect", ("eval",), message, hint, at="key")


def greedy_samples_once(case: Case) -> None:
    """Greedy decoding gives one completion, however often it is asked for one."""
    evaluation = case.spec.eval
    if evaluation.temperature > 0 or evaluation.samples == 1:
        return
    written = case.writes(("eval", "samples"))
    default = "" if written else ", the default number of `samples`"
    case.error(
        "conflicting-keys",
        ("eval", "samples" if written else "temperature"),
        f"`temperature = 0` gives the same completion {evaluation.samples} times{default}",
        "write `samples = 1`, or a temperature above 0",
        at="key",
    )


def greedy_ignores_the_rest(case: Case) -> None:
    """What narrows sampling down says nothing where nothing is sampled."""
    if case.spec.eval.temperature > 0:
        return
    for key in ("top_p", "top_k", "min_p"):
        if case.writes(("eval", key)):
            message = f"`{key}` has no effect with `temperature = 0`"
            case.warning("no-effect", ("eval", key), message, "leave it out", at="key")


def thinking_is_sampled(case: Case) -> None:
    """A model that thinks repeats itself without end where it is decoded greedily.

    So say the model cards of Qwen3 ("DO NOT use greedy decoding") and of DeepSeek-R1 ("to prevent
    endless repetitions").
    """
    model = case.spec.model
    if case.spec.eval.temperature > 0 or model.thinking == "off":
        return
    facts = chat_facts(model.base)
    if facts.opens or facts.switch == "enable_thinking" or model.opens_thinking:
        case.warning(
            "greedy-thinking",
            ("eval", "temperature"),
            "`temperature = 0` with a model that thinks: such models repeat themselves endlessly "
            "when decoded greedily",
            "write `temperature = 0.6` and `top_p = 0.95`, as the model cards advise",
        )


def evaluation_is_reached(case: Case) -> None:
    """A stage has as many steps as lie between two evaluations, or is never evaluated."""
    every = case.spec.run.eval_every
    if every is None:
        return
    for name, stage in case.spec.stages.items():
        ends_before = stage.steps is not None and stage.steps < every
        if ends_before and is_evaluated(case.spec, name):
            case.warning(
                "no-effect",
                ("run", "eval_every"),
                f"`eval_every = {every}` has no effect in `{name}`, which ends after "
                f"{stage.steps} steps",
                "evaluate more often; `evaluate.py` scores the result in any case",
                related=((("stages", name, "steps"), "its steps"),),
            )


def minimum_can_be_reached(case: Case) -> None:
    """A least mean of a reward is within what the reward can give."""
    for name, minimum in case.spec.eval.minimum.items():
        if name not in case.spec.rewards:
            continue
        highest = case.spec.rewards[name].bounds()[1]
        if minimum > highest:
            case.error(
                "bad-value",
                ("eval", "minimum", name),
                f"the mean of `{name}` cannot reach {minimum:g}: its highest value is {highest:g}",
                "weights do not count here: a full mark is the upper end of the reward's range",
            )


def compared_stages_hold_rows_out(case: Case) -> None:
    """A least accuracy is of a stage that learns from preferences and holds some of them out."""
    stages = case.spec.stages
    for name in case.spec.eval.minimum_accuracy:
        path = ("eval", "minimum_accuracy", name)
        if name not in stages:
            meant = closest(name, stages)
            hints = () if meant is None else (f"did you mean `{meant}`?",)
            case.error("unknown-stage", path, f"there is no stage `{name}`", *hints, at="key")
        elif stages[name].method not in PREFERENCE_METHODS:
            case.error(
                "bad-value",
                path,
                f"`{name}` is a stage of `{stages[name].method}`, which learns from no preferences",
                "a reward of its completions has its least mean in `minimum`",
                at="key",
            )
        elif not compares_held_out(case.spec, name):
            case.error(
                "missing-key",
                ("stages", name, "data"),
                f"`eval` is missing: `[eval] minimum_accuracy` of `{name}` needs held-out rows",
                "add `eval` with a source, or `eval = { holdout = 0.1 }`",
                at="key",
                related=((path, "asked for here"),),
            )


def completions_are_sampled(case: Case) -> None:
    """Only GRPO samples completions that could be logged, at the interval of its metrics."""
    path = ("run", "log_completions_every")
    if case.spec.run.log_completions_every is None:
        return
    if not any(isinstance(stage, RolloutStage) for stage in case.spec.stages.values()):
        message = "`log_completions_every` has no effect without a `grpo` stage"
        case.warning("no-effect", path, message, "leave it out", at="key")
    for name, stage in case.spec.stages.items():
        if isinstance(stage, RolloutStage) and "logging_steps" in stage.trainer:
            case.error(
                "conflicting-keys",
                ("stages", name, "trainer", "logging_steps"),
                "`logging_steps` cannot stand beside `[run] log_completions_every`",
                "keep one of them: completions are logged together with the metrics",
                at="key",
                related=((path, "the other interval"),),
            )


def tracking_keys_are_used(case: Case) -> None:
    """Not every tracker knows projects, and only trackio shows curves in a Space."""
    known = {"project": ("trackio", "wandb"), "space": ("trackio",)}
    tracker = case.spec.run.tracker
    for key, trackers in known.items():
        path = ("run", "tracking", key)
        if case.writes(path) and tracker not in trackers:
            case.error(
                "conflicting-keys",
                path,
                f'`{key}` cannot stand beside `to = "{tracker}"`',
                f"leave it out, or take {' or '.join(f'`{name}`' for name in trackers)}",
                at="key",
                related=(((*path[:-1], "to"), "the tracker"),),
            )
