"""The evaluation of a project's models on held-out rows."""

from compiler.literals import literal, text_literal
from compiler.plan.evaluation import (
    EvaluateFile,
    GradingFile,
    ModelsFile,
    PreferencesFile,
    SamplingFile,
    TablesFile,
)
from compiler.plan.project import PlannedFile
from compiler.plan.rewards import RewardPlan
from compiler.plan.stages import StagePlan
from compiler.resolve.asking import asking_files
from compiler.resolve.chat import tokenizer_code, tokenizer_import
from compiler.resolve.checks.preferences import compared_stages, plan_preferences
from compiler.resolve.gpus import gpu_of, torch_device
from compiler.resolve.graded import has_answer, revision, table, waits
from compiler.resolve.inputs import Inputs
from compiler.resolve.methods import METHODS
from compiler.resolve.precision import scoring_dtype
from compiler.resolve.stage_endings import gated

__all__ = ["plan_evaluation"]

# Completions that are sampled at once, cautious where the model's memory is not estimated.
COMPLETIONS_AT_ONCE = 256
COMPLETIONS_AT_ONCE_ON_A_GPU = 64
COMPLETION_LENGTH = 512  # TRL's default, where no stage says one

RIGHT = "pass@1"  # the measure of right and wrong; no reward can have this name
ONE_LABEL = ("exact", "text", "choice", "number", "math", "date")  # an answer is a single thing


def plan_evaluation(
    inputs: Inputs, stages: tuple[StagePlan, ...], rewards: tuple[RewardPlan, ...]
) -> tuple[PlannedFile, ...]:
    """The files behind `python evaluate.py`, none where nothing is held out."""
    sampled = inputs.spec.data.eval is not None
    grading = _grading(inputs, stages, rewards) if sampled else None
    preferences = plan_preferences(inputs, stages)
    contexts: dict[str, object] = {}
    if grading is not None or any(gated(inputs.spec, stage.name) for stage in stages):
        contexts["sampling.py"] = _sampling(inputs)
    if grading is not None and grading.scores:
        contexts["grading.py"] = grading
    if preferences is not None:
        contexts["preferences.py"] = preferences
    if grading is not None or (preferences is not None and preferences.starts is not None):
        contexts["models.py"] = _models(inputs)
    if grading is not None or preferences is not None:
        contexts["tables.py"] = _tables(inputs, grading, preferences)
        contexts["evaluate.py"] = _evaluate(inputs, stages, grading)
    files = [PlannedFile(path, f"{path}.jinja", plan) for path, plan in contexts.items()]
    if pieces := _pieces(grading, preferences):
        files.append(PlannedFile("estimates.py", "estimates.py.jinja", None, pieces))
    return (*files, *_reward_models(inputs, preferences))


def _sampling(inputs: Inputs) -> SamplingFile:
    cpu = gpu_of(inputs.spec.hardware) is None
    at_once = COMPLETIONS_AT_ONCE if cpu else COMPLETIONS_AT_ONCE_ON_A_GPU
    return SamplingFile(literal(at_once))


def _models(inputs: Inputs) -> ModelsFile:
    return ModelsFile(
        revision=revision(inputs),
        dtype=literal(scoring_dtype(inputs)),
        device=literal(torch_device(inputs.spec.hardware)),
    )


def _reward_models(inputs: Inputs, preferences: PreferencesFile | None) -> tuple[PlannedFile, ...]:
    """What scores with a reward model, where no reward does so already."""
    if preferences is None or not preferences.reward_models:
        return ()
    if "reward_models.py" in asking_files(inputs.spec):
        return ()
    pieces = ("reward_models",)
    return (PlannedFile("reward_models.py", "reward_models.py.jinja", None, pieces),)


def _tables(
    inputs: Inputs, grading: GradingFile | None, preferences: PreferencesFile | None
) -> TablesFile:
    samples = inputs.spec.eval.samples
    says_right = grading is not None and grading.says_right
    return TablesFile(
        samples_rows=grading is not None,
        has_preferences=preferences is not None,
        says_right=says_right,
        reads=grading is not None and grading.has_answer,
        has_rewards=grading is not None and grading.has_rewards,
        has_labels=grading is not None and grading.labels is not None,
        samples=text_literal(str(samples)) if says_right and samples > 1 else None,
        pass_head=text_literal(f"pass@{samples}"),
        measure=grading.measure if grading is not None and grading.scores else None,
    )


def _evaluate(
    inputs: Inputs, stages: tuple[StagePlan, ...], grading: GradingFile | None
) -> EvaluateFile:
    spec = inputs.spec
    policies = [stage for stage in stages if METHODS[stage.method].trains_policy]
    models: dict[str, tuple[str, ...]] = {}
    if grading is not None:
        models = {"base": ()} | {
            stage.name: tuple(dict.fromkeys(("base", stage.start or "base"))) for stage in policies
        }
    compared = tuple(stage.name for stage in compared_stages(inputs, stages))
    return EvaluateFile(
        names=literal(tuple(dict.fromkeys((*models, *compared)))),
        models=literal(models) if models else None,
        preferences=literal(compared) if compared else None,
        seed=literal(spec.project.seed),
        samples=literal(spec.eval.samples),
        sampling=_settings(inputs, stages),
        tokenizer=tokenizer_code(spec, "path", revision(inputs)),
        base_tokenizer=tokenizer_code(spec, "BASE", revision(inputs)),
        tokenizer_import=tokenizer_import(spec),
        last_stage=text_literal(policies[-1].name) if policies else "",
        minimum=table(spec.eval.minimum),
        minimum_accuracy=table(spec.eval.minimum_accuracy),
        has_scores=grading is not None and grading.scores,
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


def _pieces(grading: GradingFile | None, preferences: PreferencesFile | None) -> tuple[str, ...]:
    """The pieces of estimates.py, the type of their results first."""
    sampled, compared = grading is not None, preferences is not None
    needed = {
        "share_estimate": sampled or (preferences is not None and preferences.has_pairs),
        "mean_estimate": sampled or compared,
        "sign_test": grading is not None and grading.scores,
        "pass_at": grading is not None and grading.says_right,
        "label_scores": grading is not None and grading.labels is not None,
        "ranking_estimate": preferences is not None and preferences.labels,
        "difference_estimate": preferences is not None and preferences.labels,
    }
    pieces = tuple(piece for piece, is_needed in needed.items() if is_needed)
    return ("estimate", *pieces) if pieces else ()
