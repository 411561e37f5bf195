"""Whether the run of a stage begins, goes on or is over: its recipe, and its last whole checkpoint.

outputs/<stage>/recipe.json says what a run trains, and is written before the first step. A run that
was killed goes on from its last whole checkpoint as if it had not been: weights, optimizer, learning
rate, order of the rows and random numbers are those of that step. Where the recipe has changed since,
nothing is trained.
"""

import ast
import json
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from datasets import Dataset
from peft import PeftModel
from safetensors import SafetensorError, safe_open
from transformers import Trainer, TrainerState

from stages import HERE, digest, origin, output_of, read_json, source_digests, write_json

# How the names of those settings begin that a run may go on with another value of: how far it goes,
# and what is logged, saved and evaluated on the way. The weights of rewards are looked at apart.
MAY_DIFFER = (
    *("max_steps", "num_train_epochs"),
    *(
        "log",
        "report_to",
        "run_name",
        "project",
        "trackio",
        "disable_tqdm",
        "num_completions_to_print",
    ),
    *("save_", "output_dir", "push_to_hub", "hub_", "resume_from_checkpoint", "overwrite_"),
    *("eval_", "do_", "per_device_eval_", "num_generations_eval", "load_best", "metric_for_best"),
    *("greater_is_better", "batch_eval_metrics", "prediction_loss_only", "include_for_metrics"),
    *("dataloader_", "skip_memory_metrics", "local_rank", "torch_empty_cache_steps"),
    "reward_weights",
    # where vLLM runs, and in how much memory
    *("vllm_gpu_memory", "vllm_enable_sleep", "vllm_max_model", "vllm_tensor", "vllm_server"),
)
# What decides on rewards.
REWARD_FILES = ("answers.py", "rewards.py")
LONGEST = 60  # characters of a value that a message shows
WEIGHTS = ("model.safetensors", "model.safetensors.index.json", "adapter_model.safetensors")
STATES = ("optimizer.pt", "scheduler.pt", "rng_state.pth")


def train(trainer: Trainer, stage: str, start: str, mix: dict[Any, Any] | None = None) -> None:
    """Train from the stage's start, or go on where a run of the same recipe was killed.

    `mix` are the stage's rewards. Exits 0 where the stage has finished, and 1 where its folder
    holds a run of another recipe.
    """
    recipe = recipe_of(trainer, start) | rewards_of(trainer, mix or {})
    folder = Path(output_of(stage))
    hold_to(folder, json.loads(json.dumps(recipe, default=plain)))
    checkpoint = last_whole_checkpoint(folder)
    leave_if_finished(trainer, stage, checkpoint)
    if checkpoint is None:
        print(f"{stage}: begins at step 0", flush=True)
        trainer.train()
        return
    state = TrainerState.load_from_json(str(checkpoint / "trainer_state.json"))
    steps = steps_of(trainer)
    if has_ended(state, steps):
        # Killed while its result was saved. `Trainer.train` would take one step too many.
        print(f"{stage}: had trained to its end, step {state.global_step}", flush=True)
        trainer._load_from_checkpoint(str(checkpoint))
        trainer.state = state
    else:
        print(f"{stage}: goes on at step {state.global_step} of {steps}", flush=True)
        trainer.train(resume_from_checkpoint=str(checkpoint))


def leave_if_finished(trainer: Trainer, stage: str, checkpoint: Path | None) -> None:
    """Exit 0 where the stage has its result, unless it is to train more steps than it did."""
    path = Path(output_of(stage)) / "run.json"
    run = read_json(path)
    if not run or not (path.parent / "model" / "config.json").is_file():
        return
    step, steps = run["global_step"], steps_of(trainer)
    if step >= steps or step < run["max_steps"]:  # or it had ended early
        write_json(path, run | {"sources": source_digests(stage)})
        print(f"{stage}: finished at step {step}, and nothing that it learns from has changed")
        raise SystemExit(0)
    if checkpoint is None:
        raise SystemExit(
            f"{stage}: finished at step {step} of {steps}, and no checkpoint is left to go on from: "
            f"move {path.parent} away or delete it to train anew"
        )


def steps_of(trainer: Trainer) -> int:
    """The optimizer steps that the config asks for."""
    loader = trainer.get_train_dataloader()
    return trainer.set_initial_training_values(trainer.args, loader)[-1]


def has_ended(state: TrainerState, steps: int) -> bool:
    """Whether a run of so many steps was at its end in this state, or was ended early in it."""
    saved: Any = state.stateful_callbacks  # typed as a list, and held as a table
    told_to = saved["TrainerControl"]["args"]["should_training_stop"]
    early = told_to and state.global_step < state.max_steps
    return early or state.global_step >= steps


def recipe_of(trainer: Trainer, start: str) -> dict[str, Any]:
    """What a trainer is about to train; digests stand for texts and rows."""
    model: Any = trainer.model
    tokenizer: Any = trainer.processing_class
    settings = trainer.args.to_dict()
    recipe: dict[str, Any] = {
        "start": origin(start),
        "rows": rows_digest(trainer.train_dataset),
        "model": {"class": type(model).__name__, "parameters": model.num_parameters()},
        "chat_template": digest(str(tokenizer.chat_template)),
        "config": {
            name: value for name, value in settings.items() if not name.startswith(MAY_DIFFER)
        },
    }
    if isinstance(model, PeftModel):
        adapter = model.peft_config["default"].to_dict()
        adapter.pop("base_model_name_or_path")  # is the start
        recipe["adapter"] = adapter
    return recipe


def rewards_of(trainer: Trainer, mix: dict[Any, Any]) -> dict[str, Any]:
    """The part of a recipe that the rewards of a stage are; nothing where it has none."""
    if not mix:
        return {}
    weights = {reward.__name__: repr(weight) for reward, weight in mix.items()}
    recipe: dict[str, Any] = {"rewards": weights}
    recipe["code"] = {name: code_digest(name) for name in REWARD_FILES}
    if not all(isinstance(weight, int | float) for weight in mix.values()):
        # A weight that moves may follow the means of the logging windows.
        recipe["logging_steps"] = trainer.args.logging_steps
    return recipe


def code_digest(name: str) -> str:
    """The digest of what a file of the project says as a program, but for the mixes of all stages."""
    tree = ast.parse((HERE / name).read_text(encoding="utf-8"))
    statements = [ast.dump(statement) for statement in tree.body if not assigns_mixes(statement)]
    return digest("\n".join(statements))


def assigns_mixes(statement: ast.stmt) -> bool:
    """Whether this is the statement of rewards.py that says which stage pays what."""
    return isinstance(statement, ast.AnnAssign) and ast.unparse(statement.target) == "MIXES"


def plain(value: object) -> object:
    """A value that JSON does not know, as one that it does."""
    return sorted(map(str, value)) if isinstance(value, set | frozenset) else str(value)


def rows_digest(rows: object) -> str:
    """A digest of the rows, the same however often and in whatever order they are laid out."""
    assert isinstance(rows, Dataset)  # as every script of this project passes it
    texts = (json.dumps(row, sort_keys=True, default=str) for row in rows)
    return digest("".join(sorted({digest(text) for text in texts})))


def hold_to(folder: Path, recipe: dict[str, Any]) -> None:
    """Write a run's recipe to its folder; exits where a run of another recipe lies there."""
    path = folder / "recipe.json"
    before = read_json(path)
    if not before and any(folder.glob("checkpoint-*")):
        raise SystemExit(
            f"{folder} holds checkpoints of an unknown recipe: move it away or delete it to train"
        )
    changes = list(differences(before, recipe)) if before else []
    if changes:
        said = "".join(f"\n  {change}" for change in changes)
        raise SystemExit(
            f"{folder} holds a run of another recipe:{said}\n"
            "Take this back to go on with it; move the folder away or delete it to train anew."
        )
    folder.mkdir(parents=True, exist_ok=True)
    write_json(path, recipe)


def differences(before: dict[str, Any], now: dict[str, Any], at: str = "") -> Iterator[str]:
    """Name each value that differs between two recipes, and say what it was and is."""
    for name in sorted(before.keys() | now.keys()):
        was, new = before.get(name), now.get(name)
        if isinstance(was, dict) and isinstance(new, dict):
            yield from differences(was, new, f"{at}{name}.")
        elif was != new:
            values = json.dumps(was), json.dumps(new)
            shown = f" was {values[0]}, is {values[1]}"
            yield f"{at}{name}{shown if max(map(len, values)) <= LONGEST else ' is another'}"


def last_whole_checkpoint(folder: Path) -> Path | None:
    """The checkpoint of the highest step; one that was killed while it was written is removed.

    It would be counted among those that are kept, and push out a whole one.
    """
    found = {int(path.name.rpartition("-")[2]): path for path in folder.glob("checkpoint-*")}
    for _, path in sorted(found.items(), reverse=True):
        if is_whole(path):
            return path
        print(f"{path}: passed over and removed, since it was not written to the end", flush=True)
        shutil.rmtree(path)
    return None


def is_whole(checkpoint: Path) -> bool:
    """Whether a checkpoint has all that a run goes on from, each file to its last byte."""
    weights = [path for name in WEIGHTS if (path := checkpoint / name).is_file()]
    try:
        state = json.loads((checkpoint / "trainer_state.json").read_text(encoding="utf-8"))
        for path in checkpoint.glob("*.safetensors"):
            with safe_open(path, framework="np"):
                pass  # opened, its length is what its head says
    except (OSError, ValueError, SafetensorError):
        return False
    step = int(checkpoint.name.rpartition("-")[2])
    # The list of a PyTorch file's contents stands at its end.
    states = all(zipfile.is_zipfile(checkpoint / name) for name in STATES)
    return bool(weights) and states and state.get("global_step") == step
