"""The context of report.py: which charts the methods of a project have, and their order."""

from typing import NamedTuple

from compiler.literals import literal, text_literal
from compiler.plan.stages import StagePlan
from compiler.plan.watching import ReportFile
from compiler.resolve.inputs import Inputs

__all__ = ["plan_run_report"]

SAMPLING = ("grpo", "rloo")
COMPARING = ("dpo", "kto")
# Arguments of every script that are no part of its recipe.
MECHANICS = (
    *("output_dir", "reward_weights", "logging_nan_inf_filter", "num_completions_to_print"),
    *("vllm_gpu_memory_utilization", "vllm_enable_sleep_mode", "vllm_max_model_length"),
    *("vllm_tensor_parallel_size", "vllm_server_host", "vllm_server_port"),
)


class _Chart(NamedTuple):
    """A chart over metrics under TRL's names, as a pattern, of these methods; of all: empty."""

    title: str
    metrics: str
    methods: tuple[str, ...] = ()
    note: str = ""
    share: bool = False

    @property
    def code(self) -> str:
        given = [text_literal(self.title), text_literal(self.metrics)]
        given += [f"note={text_literal(self.note)}"] if self.note else []
        given += ["share=True"] if self.share else []
        return f"Chart({', '.join(given)})"


WEIGHTED = "Rewards, weighted"

# The first chart that a stage has sums it up in the overview.
CHARTS = (
    _Chart("Reward", "reward", SAMPLING, "the weighted sum, before any scaling"),
    _Chart("Rewards, raw", "rewards/(.+)/mean", SAMPLING, "the mean of each reward alone"),
    _Chart(
        WEIGHTED,
        "rewards/(.+)/weighted",
        SAMPLING,
        "what each adds to the sum: its mean times its weight",
    ),
    _Chart(
        "Groups without spread",
        "frac_reward_zero_std",
        SAMPLING,
        "the share of prompts whose completions all score alike: nothing is learnt from them",
        share=True,
    ),
    _Chart(
        "Completions cut",
        "completions/clipped_ratio",
        SAMPLING,
        "the share that reached the limit before an end token",
        share=True,
    ),
    _Chart("Length of completions", "completions/(mean|min|max)_length", SAMPLING, "in tokens"),
    _Chart("Scores", "(mean|min|max)_reward", ("reward",), "what the model gives to an answer"),
    _Chart("Accuracy", "accuracy", ("reward",), "the share of pairs in order", share=True),
    _Chart(
        "Accuracy",
        "rewards/accuracies",
        ("dpo",),
        "the share of pairs in which chosen gained more on the start than rejected",
        share=True,
    ),
    _Chart("Margin", "margin", ("reward",), "chosen less rejected"),
    _Chart("Margin", "rewards/margins", COMPARING, "chosen less rejected, of the implicit rewards"),
    _Chart(
        "Implicit rewards",
        "rewards/(chosen|rejected)",
        COMPARING,
        "beta times the log-probability gained on the start",
    ),
    _Chart("Log-probabilities", "logps/(chosen|rejected)", COMPARING, "of whole completions, nats"),
    _Chart("Loss", "loss"),
    _Chart("Tokens predicted", "mean_token_accuracy", ("sft", "dpo"), share=True),
    _Chart("KL to the start", "kl", (*SAMPLING, "kto"), "in nats"),
    _Chart("Entropy", "entropy", (*SAMPLING, "sft"), "in nats for each token"),
    _Chart("Gradient norm", "grad_norm"),
    _Chart("Learning rate", "learning_rate"),
)


def plan_run_report(inputs: Inputs, stages: tuple[StagePlan, ...]) -> ReportFile:
    """The context of report.py."""
    methods = {stage.method for stage in stages}
    mixed = any(stage.mix is not None and len(stage.mix.weights) > 1 for stage in stages)
    recipe = [argument.name for stage in stages for argument in stage.arguments]
    return ReportFile(
        title=text_literal(inputs.spec.project.name),
        stages=literal(tuple(stage.name for stage in stages)),
        recipe=literal(tuple(name for name in dict.fromkeys(recipe) if name not in MECHANICS)),
        charts=tuple(
            drawn.code
            for drawn in CHARTS
            if (not drawn.methods or methods & set(drawn.methods))
            and (mixed or drawn.title != WEIGHTED)
        ),
        has_rollouts=bool(methods & set(SAMPLING)),
        evaluates=inputs.spec.data.eval is not None,
    )
