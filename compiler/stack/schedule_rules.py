"""Rules on what all trainers share: the learning-rate schedule, evaluation, saving and loading."""

from collections.abc import Iterator, Mapping

from compiler.closest import closest, quoted_list
from compiler.diagnostics import Severity
from compiler.stack.finding import Finding, Settings
from compiler.stack.table import quoted

__all__ = [
    "best_model",
    "data_workers",
    "evaluation_for_scheduler",
    "grouped_lengths",
    "named_values",
    "scheduler_arguments",
]

# Texts that the config class takes as they are and compares later, or tries to read as a number:
# grpo_config.py:1051, sft_config.py:307; training_args.py:1566, trainer.py:2719 of transformers.
NAMED: Mapping[str, tuple[str, ...]] = {
    "debug": ("", "underflow_overflow", "tpu_metrics_debug"),
    "include_num_input_tokens_seen": ("all", "non_padding", "no"),
    "pad_to_multiple_of": ("auto",),
}

NEEDS_EVALUATION = frozenset({"reduce_lr_on_plateau", "greedy"})
NEEDS_FLOOR = frozenset({"cosine_with_min_lr", "cosine_warmup_with_min_lr"})
WITHOUT_WARMUP = frozenset({"constant", "reduce_lr_on_plateau", "greedy"})
WITHOUT_ARGUMENTS = frozenset({"constant", "constant_with_warmup"})


def evaluation_for_scheduler(settings: Settings) -> Iterator[Finding]:
    """Report a schedule that follows an evaluation where there is none (training_args.py:1791)."""
    scheduler = settings.text("lr_scheduler_type")
    if scheduler in NEEDS_EVALUATION and settings.text("eval_strategy") == "no":
        yield Finding(
            ("lr_scheduler_type", "eval_steps"),
            "settings-conflict",
            f'`lr_scheduler_type = "{scheduler}"` follows the evaluation loss, but nothing is '
            "evaluated while training",
            "write `[data] eval` and `[run] eval_every`, or choose another schedule",
        )


def scheduler_arguments(settings: Settings) -> Iterator[Finding]:
    """Report arguments that a schedule demands or ignores.

    `optimization.py` of transformers: 372-377 and 452-457 for the floor, 508 for the decay, 1014
    to 1031 for what is passed on.
    """
    scheduler = settings.text("lr_scheduler_type")
    arguments = settings.table("lr_scheduler_kwargs")
    floors = arguments.keys() & {"min_lr", "min_lr_rate"}
    if scheduler in NEEDS_FLOOR and len(floors) != 1:
        yield Finding(
            ("lr_scheduler_type", "lr_scheduler_kwargs"),
            "settings-conflict",
            f'`lr_scheduler_type = "{scheduler}"` needs exactly one of `min_lr` and '
            f"`min_lr_rate`, but {len(floors)} are given",
            "write `lr_scheduler_kwargs = { min_lr_rate = 0.1 }`",
        )
    if scheduler == "warmup_stable_decay" and "num_decay_steps" not in arguments:
        yield Finding(
            ("lr_scheduler_type", "lr_scheduler_kwargs"),
            "settings-conflict",
            '`lr_scheduler_type = "warmup_stable_decay"` needs `num_decay_steps`',
            "write `lr_scheduler_kwargs = { num_decay_steps = 100 }`",
        )
    if arguments and scheduler in WITHOUT_ARGUMENTS:
        yield _ignored("lr_scheduler_kwargs", scheduler)
    if settings.number("warmup_steps") and scheduler in WITHOUT_WARMUP:
        yield _ignored("warmup_steps", scheduler)


def _ignored(name: str, scheduler: str | None) -> Finding:
    return Finding(
        (name, "lr_scheduler_type"),
        "no-effect",
        f'`{name}` has no effect with `lr_scheduler_type = "{scheduler}"`',
        'write `lr_scheduler_type = "constant_with_warmup"`' if name == "warmup_steps" else None,
        Severity.WARNING,
    )


def best_model(settings: Settings) -> Iterator[Finding]:
    """Report checkpoints that could not be compared (training_args.py:1749-1771)."""
    if not settings.is_on("load_best_model_at_end"):
        return
    evaluated, saved = settings.text("eval_strategy"), settings.text("save_strategy")
    every, keep_every = settings.number("eval_steps"), settings.number("save_steps")
    if evaluated == "no":
        yield Finding(
            ("load_best_model_at_end", "eval_steps"),
            "settings-conflict",
            "`load_best_model_at_end` needs evaluations to choose by, but nothing is evaluated "
            "while training",
            "write `[data] eval` and `[run] eval_every`",
        )
    elif saved not in {evaluated, "best"}:
        yield Finding(
            ("load_best_model_at_end", "save_steps", "eval_steps"),
            "settings-conflict",
            "`load_best_model_at_end` needs checkpoints written by the same count as evaluations",
            "write `[run] save_every` and `[run] eval_every`, both in steps",
        )
    elif evaluated == "steps" and every and keep_every and keep_every % every != 0:
        yield Finding(
            ("load_best_model_at_end", "save_steps", "eval_steps"),
            "settings-conflict",
            f"`load_best_model_at_end` needs an evaluation at each checkpoint, but {keep_every} "
            f"steps between checkpoints are no multiple of {every} between evaluations",
            "make `[run] save_every` a multiple of `[run] eval_every`",
        )


def data_workers(settings: Settings) -> Iterator[Finding]:
    """Report settings of loader processes where there are none.

    training_args.py:1803 of transformers; torch/utils/data/dataloader.py:298, at the first step.
    """
    if settings.number("dataloader_num_workers"):
        return
    for name in ("dataloader_prefetch_factor", "dataloader_persistent_workers"):
        if settings.value(name):
            yield Finding(
                (name, "dataloader_num_workers"),
                "settings-conflict",
                f"`{name}` needs `dataloader_num_workers` above 0",
                "write `dataloader_num_workers = 2`, or leave it out",
            )


def grouped_lengths(settings: Settings) -> Iterator[Finding]:
    """Report an order by length where a row has several sequences.

    The sampler asks for `input_ids` (transformers/trainer_pt_utils.py), which rows of `reward`,
    `dpo` and `kto` do not have; those of `grpo` and `rloo` have a sampler of their own.
    """
    if settings.text("train_sampling_strategy") == "group_by_length":
        yield Finding(
            ("train_sampling_strategy",),
            "settings-conflict",
            '`train_sampling_strategy = "group_by_length"` needs rows of one sequence each, as an '
            "`sft` stage has",
            "leave it out",
        )


def named_values(settings: Settings) -> Iterator[Finding]:
    """Report a text that the config class takes and nothing understands."""
    for name, allowed in NAMED.items():
        value = settings.value(name)
        if name in settings.written and isinstance(value, str) and value not in allowed:
            meant = closest(value, allowed)
            message = f"`{name}` takes {quoted_list(filter(None, allowed))}, not {quoted(value)}"
            hint = None if meant is None else f"did you mean `{meant}`?"
            yield Finding((name,), "bad-value", message, hint)
