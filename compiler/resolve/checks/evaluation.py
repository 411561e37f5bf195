"""The evaluation of a project's models on held-out rows."""

from compiler.literals import literal, text_literal
from compiler.plan.evaluation import EvaluateFile, GradingFile, SamplingFile, TablesFile
from compiler.plan.project import PlannedFile
from compiler.plan.stages import RewardPlan, StagePlan
from compiler.resolve.chat import tokenizer_code, tokenizer_import
from compiler.resolve.graded import has_answer, revision, table, waits
from compiler.resolve.inputs import Inputs
from compiler.resolve.methods import METHODS

__all__ = ["plan_evaluation"]

# Completions that are sampled at once, cautious where the model's memory is not estimated.
COMPLETIONS_AT_ONCE = {"cpu": 256}
COMPLETIONS_AT_ONCE_ON_A_GPU = 64
COMPLETION_LENGTH = 512  # TRL's default, where no stage says one

RIGHT = "pass@1"  # the measure of right and wrong; no reward can have this name
ONE_LABEL = ("exact", "text", "choice", "number", "math", "date")  # an answer is a single thing


def plan_evaluation(
    inputs: Inputs, stages: tuple[StagePlan, ...], rewards: tuple[RewardPlan, ...]
) -> tuple[PlannedFile, ...]:
    """The files behind `python evaluate.py`, none where nothing is held out."""
    if inputs.spec.data.eval is None:
        return ()
    grading = _grading(inputs, stages, rewards)
    has_scores = grading.says_right or grading.has_rewards
    samples = inputs.spec.eval.samples
    passes = grading.says_right and samples > 1
    tables = TablesFile(
        says_right=grading.says_right,
        reads=grading.has_answer,
        has_rewards=grading.has_rewards,
        has_labels=grading.labels is not None,
        samples=text_literal(str(samples)) if passes else None,
        pass_head=text_literal(f"pass@{samples}"),
        measure=grading.measure if has_scores else None,
    )
    files = [
        PlannedFile("sampling.py", "sampling.py.jinja", _sampling(inputs)),
        PlannedFile("estimates.py", "estimates.py.jinja", None, _pieces(grading)),
        PlannedFile("tables.py", "tables.py.jinja", tables),
        PlannedFile(
            "evaluate.py", "evaluate.py.jinja", _evaluate(inputs, stages, has_scores=has_scores)
        ),
    ]
    if has_scores:
        files.append(PlannedFile("grading.py", "grading.py.jinja", grading))
    return tuple(files)


def _sampling(inputs: Inputs) -> SamplingFile:
    cpu = inputs.spec.hardware.tier == "cpu"
    at_once = COMPLETIONS_AT_ONCE.get(inputs.spec.hardware.tier, COMPLETIONS_AT_ONCE_ON_A_GPU)
    return SamplingFile(
        revision=revision(inputs),
        dtype=literal("float32" if cpu else "auto"),  # as saved: rounding would lose small updates
        device=literal("cpu" if cpu else "cuda"),
        completions_at_once=literal(at_once),
    )


def _evaluate(inputs: Inputs, stages: tuple[StagePlan, ...], *, has_scores: bool) -> EvaluateFile:
    spec = inputs.spec
    models: dict[str, tuple[str, ...]] = {"base": ()}
    policies = [stage for stage in stages if METHODS[stage.method].trains_policy]
    for stage in policies:
        models[stage.name] = tuple(dict.fromkeys(("base", stage.start or "base")))
    return EvaluateFile(
        models=literal(models),
        seed=literal(spec.project.seed),
        samples=literal(spec.eval.samples),
        sampling=_settings(inputs, stages),
        tokenizer=tokenizer_code(spec, "path", revision(inputs)),
        base_tokenizer=tokenizer_code(spec, "BASE", revision(inputs)),
        tokenizer_import=tokenizer_import(spec),
        last_stage=text_literal(policies[-1].name),
        minimum=table(spec.eval.minimum),
        has_scores=has_scores,
    )


def _settings(inputs: Inputs, stages: tuple[StagePlan, ...]) -> str:
    """How completions are sampled, as a dict that names every setting."""
    chosen = inputs.spec.eval
    sampled = {
        "temperature": chosen.temperature,
        "top_p": chosen.top_p,
        "top_k": chosen.top_k,
        "min_p": chosen.min_p,
    }
    settings = {
        "do_sample": chosen.temperature > 0,
        **(sampled if chosen.temperature > 0 else {}),
        "repetition_penalty": 1.0,
        "max_new_tokens": _longest(inputs, stages),
    }
    items = ", ".join(f"{text_literal(name)}: {literal(value)}" for name, value in settings.items())
    return f'{{"num_return_sequences": SAMPLES, {items}}}'


def _longest(inputs: Inputs, stages: tuple[StagePlan, ...]) -> int:
    """The longest completion in tokens: the spec's, else that of the last stage which samples."""
    sampled = [stage.value("max_completion_length") for stage in stages if stage.group is not None]
    default = sampled[-1] if sampled else COMPLETION_LENGTH
    return inputs.spec.eval.max_completion_length or default


def _grading(
    inputs: Inputs, stages: tuple[StagePlan, ...], rewards: tuple[RewardPlan, ...]
) -> GradingFile:
    judges, reads = _judges(inputs, rewards), has_answer(inputs)
    marks = ", ".join(
        f"rewards.{reward.name}: {literal(float(reward.highest))}" for reward in judges
    )
    measure = RIGHT if judges or reads else _heaviest(stages, rewards)
    return GradingFile(
        judges=f"{{{marks}}}" if judges else None,
        labels=_labels(inputs),
        measure=text_literal(measure),
        has_gold=inputs.spec.data.gold is not None,
        has_answer=reads,
        has_rewards=bool(rewards),
        waits=bool(rewards)
        and (waits(inputs) or any(reward.kind == "judge" for reward in rewards)),
    )


def _labels(inputs: Inputs) -> str | None:
    """The labels that all rows share, where an answer is one of them."""
    answer, options = inputs.spec.answer, inputs.spec.data.options
    if answer is None or not isinstance(options, list) or answer.compare not in ONE_LABEL:
        return None
    return literal(tuple(options))


def _heaviest(stages: tuple[StagePlan, ...], rewards: tuple[RewardPlan, ...]) -> str:
    """The reward that weighs most at the end of the last stage that is paid."""
    mixes = [stage.mix for stage in stages if stage.mix is not None]
    if mixes:
        weights = {name: weight.last for name, weight in mixes[-1].weights}
        return max(weights, key=lambda name: weights[name])
    return rewards[0].name if rewards else ""


def _judges(inputs: Inputs, rewards: tuple[RewardPlan, ...]) -> tuple[RewardPlan, ...]:
    """The rewards that say which completion is right, none where `[answer]` says it.

    Those that declare it with `checks_answer`; else, where no answer is read, those that try the
    completion: `code_tests` and `sql`.
    """
    spec = inputs.spec.rewards
    declared = tuple(reward for reward in rewards if spec[reward.name].checks_answer)
    if declared or has_answer(inputs):
        return declared
    return tuple(reward for reward in rewards if spec[reward.name].purpose == "correctness")


def _pieces(grading: GradingFile) -> tuple[str, ...]:
    """The pieces of estimates.py."""
    scored = grading.says_right or grading.has_rewards
    return (
        *("estimate", "share_estimate", "mean_estimate"),
        *(("sign_test",) if scored else ()),
        *(("pass_at",) if grading.says_right else ()),
        *(("label_scores",) if grading.labels is not None else ()),
    )
