"""The keyword arguments of a stage's TRL config: what the task decided and what must be seen."""

from collections.abc import Iterable

from compiler.literals import literal
from compiler.plan.stages import Batch, LoraPlan
from compiler.plan.values import Argument, Origin, OriginKind, Planned
from compiler.resolve.batch import solve_batch
from compiler.resolve.inputs import Inputs
from compiler.resolve.mixes import moves, some_move
from spec_schema.model import LoraAdapter
from spec_schema.run import TrackingTable
from spec_schema.stages import GrpoStage, SftStage

__all__ = ["batch_of", "config_arguments", "lora_plan"]


def batch_of(inputs: Inputs, stage: SftStage | GrpoStage) -> Batch:
    """The layout of one optimizer step; GRPO counts completions, `num_generations` a prompt."""
    return solve_batch(inputs, stage)


def config_arguments(inputs: Inputs, name: str, revision: str | None) -> tuple[Argument, ...]:
    """The arguments of a stage's config in the order in which a reader asks for them.

    `revision` is that of the model which the stage starts from, None for an earlier stage's.
    """
    stage = inputs.spec.stages[name]
    recipe = (
        _sft(inputs, name, stage) if isinstance(stage, SftStage) else _grpo(inputs, name, stage)
    )
    return (
        Argument("output_dir", Planned(name, f"new_output_dir({literal(name)})", _compiler())),
        _keyed("seed", inputs.spec.project.seed, ("project", "seed")),
        _length(name, stage),
        *recipe,
        *(
            _keyed(field, value, ("stages", name, "trainer", field))
            for field, value in stage.trainer.items()
        ),
        *_machine(inputs, revision),
        *_run(inputs, stage),
    )


def lora_plan(inputs: Inputs) -> LoraPlan | None:
    """The arguments of `LoraConfig`, or None where all weights are trained."""
    match inputs.spec.model.adapter:
        case LoraAdapter() as adapter:
            path = ("model", "adapter")
            modules = adapter.target_modules
            return LoraPlan(
                adapter.r,
                (
                    _keyed("r", adapter.r, (*path, "r")),
                    _keyed("lora_alpha", adapter.alpha, (*path, "alpha")),
                    _keyed("lora_dropout", adapter.dropout, (*path, "dropout")),
                    _keyed("target_modules", modules, (*path, "target_modules")),
                    _chosen("task_type", "CAUSAL_LM"),
                ),
            )
        case _:
            return None


def _length(name: str, stage: SftStage | GrpoStage) -> Argument:
    if stage.steps is not None:
        return _keyed("max_steps", stage.steps, ("stages", name, "steps"))
    epochs = 1.0 if stage.epochs is None else stage.epochs
    value = int(epochs) if epochs == int(epochs) else epochs
    return _keyed("num_train_epochs", value, ("stages", name, "epochs"))


def _sft(inputs: Inputs, name: str, stage: SftStage) -> Iterable[Argument]:
    batch = batch_of(inputs, stage)
    rows = f"{batch.sequences} rows a step = {_product(batch)}"
    return (
        _learning_rate(inputs, name, stage),
        _tier("per_device_train_batch_size", batch.per_device, comment=rows),
        _tier("gradient_accumulation_steps", batch.accumulation),
        _keyed("max_length", stage.max_length, ("stages", name, "max_length")),
    )


def _grpo(inputs: Inputs, name: str, stage: GrpoStage) -> Iterable[Argument]:
    batch = batch_of(inputs, stage)
    path = ("stages", name)
    completions = (
        f"{stage.prompts_per_step} prompts * {stage.num_generations} generations = "
        f"{batch.sequences} completions a step = {_product(batch)}"
    )
    return (
        _learning_rate(inputs, name, stage),
        _tier("per_device_train_batch_size", batch.per_device, comment=completions),
        _tier("gradient_accumulation_steps", batch.accumulation),
        _keyed("num_generations", stage.num_generations, (*path, "num_generations")),
        _keyed(
            "max_completion_length", stage.max_completion_length, (*path, "max_completion_length")
        ),
        _keyed("temperature", stage.temperature, (*path, "temperature")),
        _keyed("loss_type", stage.loss_type, (*path, "loss_type")),
        _scale_rewards(name, stage),
        _keyed(
            "beta",
            stage.beta,
            (*path, "beta"),
            comment="" if stage.beta else "no reference model is loaded, and no KL is logged",
        ),
        _reward_weights(inputs, name),
    )


def _learning_rate(inputs: Inputs, name: str, stage: SftStage | GrpoStage) -> Argument:
    """The spec's rate, or TRL's for all weights, for LoRA times ten (TRL, peft_integration)."""
    if stage.learning_rate is not None:
        return _keyed("learning_rate", stage.learning_rate, ("stages", name, "learning_rate"))
    lora = isinstance(inputs.spec.model.adapter, LoraAdapter)
    reason = "TRL's default times ten, as its guide says for LoRA" if lora else "TRL's default"
    full = inputs.stack.default(stage.method, "learning_rate")
    rate = float(f"{full * 10:g}") if lora else full
    return Argument("learning_rate", _planned(rate, "default", reason), reason)


def _reward_weights(inputs: Inputs, name: str) -> Argument:
    """The numbers of the mix; where those of any stage move, all are typed as schedules too."""
    spec, stage = inputs.spec, inputs.spec.stages[name]
    code = "weights_at(mix, step=0, log=[])" if some_move(spec) else "list(mix.values())"
    moving = isinstance(stage, GrpoStage) and moves(spec, stage)
    comment = "moved while training" if moving else ""
    return Argument("reward_weights", Planned(None, code, _compiler()), comment)


def _scale_rewards(name: str, stage: GrpoStage) -> Argument:
    if stage.scale_rewards is not None:
        return _keyed("scale_rewards", stage.scale_rewards, ("stages", name, "scale_rewards"))
    if stage.loss_type == "dr_grpo":
        reason = "Dr. GRPO does not divide by the group's spread (arXiv 2503.20783)"
        return Argument("scale_rewards", _planned("none", "default", reason), reason)
    return Argument("scale_rewards", _planned("group", "default", "TRL's default"))


def _machine(inputs: Inputs, revision: str | None) -> Iterable[Argument]:
    """Device and precision: decided by the tier, never by the recipe."""
    cpu = inputs.spec.hardware.tier == "cpu"
    lora = isinstance(inputs.spec.model.adapter, LoraAdapter)
    kwargs = {"dtype": "bfloat16" if lora and not cpu else "float32"}
    if revision is not None:
        kwargs["revision"] = revision
    if cpu:
        yield _tier("model_init_kwargs", kwargs)
        yield _tier("use_cpu", value=True)
        yield _tier("bf16", value=False, comment="TRL turns it on by default, on a CPU as well")
        yield _tier("activation_checkpointing", value=False)
        return
    frozen = "the frozen base; the adapter is trained in float32"
    master = "weights and optimizer states; bf16=True computes in bfloat16"
    yield _tier("model_init_kwargs", kwargs, comment=frozen if lora else master)
    yield _tier("bf16", value=True)
    yield _tier("activation_checkpointing", value=True, comment="recomputed, to save memory")


def _run(inputs: Inputs, stage: SftStage | GrpoStage) -> Iterable[Argument]:
    """Logging, evaluation and checkpoints."""
    run = inputs.spec.run
    logged = run.log_completions_every if isinstance(stage, GrpoStage) else None
    if logged is None and "logging_steps" not in stage.trainer:
        yield _chosen("logging_steps", inputs.stack.default(stage.method, "logging_steps"))
    if logged is not None:
        path = ("run", "log_completions_every")
        yield _keyed(
            "logging_steps", logged, path, comment="completions are logged with the metrics"
        )
        yield _keyed("log_completions", value=True, path=path)
        yield _chosen("num_completions_to_print", 2, comment="the tables on disk have them all")
    yield _chosen(
        "logging_nan_inf_filter",
        value=False,
        comment="the filter would log a broken loss as 0.0",
    )
    if run.eval_every is not None:
        batch = batch_of(inputs, stage)
        group = stage.num_generations if isinstance(stage, GrpoStage) else 1
        per_device = max(group, batch.per_device // group * group)
        yield _keyed("eval_strategy", "steps", ("run", "eval_every"))
        yield _keyed("eval_steps", run.eval_every, ("run", "eval_every"))
        yield _tier("per_device_eval_batch_size", per_device)
    yield _keyed("save_steps", run.save_every, ("run", "save_every"))
    yield _keyed("save_total_limit", run.keep, ("run", "keep"))
    if isinstance(run.tracking, TrackingTable):
        yield _keyed("report_to", run.tracking.to, ("run", "tracking", "to"))
    else:
        yield _keyed("report_to", run.tracking, ("run", "tracking"))


def _product(batch: Batch) -> str:
    return f"{batch.per_device} per device * {batch.accumulation} accumulation"


def _keyed(name: str, value: object, path: tuple[str | int, ...], *, comment: str = "") -> Argument:
    """An argument that is a key of the spec, written there or left at the language's default."""
    return Argument(name, Planned(value, literal(value), Origin("spec", path=path)), comment)


def _tier(name: str, value: object, *, comment: str = "") -> Argument:
    return Argument(name, _planned(value, "tier", comment or "the tier's mechanics"), comment)


def _chosen(name: str, value: object, *, comment: str = "") -> Argument:
    return Argument(name, _planned(value, "compiler", comment), comment)


def _planned(value: object, kind: OriginKind, reason: str) -> Planned:
    return Planned(value, literal(value), Origin(kind, reason))


def _compiler() -> Origin:
    return Origin("compiler", "the project's own function")
