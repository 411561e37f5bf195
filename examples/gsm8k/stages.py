"""Where a stage starts from and what it leaves behind.

`python stages.py STAGE` says whether a stage has finished: it exits 0 where outputs/<stage>/run.json
was written from the files of the project as they are now.
"""

import hashlib
import json
import os
import shutil
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from transformers import Trainer  # not needed to run, and it takes seconds

HERE = Path(__file__).parent
OUTPUTS = HERE / "outputs"
BASE = "Qwen/Qwen2.5-1.5B-Instruct"
SOURCES = ("prompts.py", "data.py", "answers.py", "rewards.py", "schedules.py", "weights.py")
PACKAGES = ("trl", "transformers", "datasets", "torch", "peft")


def result_of(stage: str) -> str:
    """The folder of an earlier stage's model; exits where that stage has not finished."""
    folder = OUTPUTS / stage / "model"
    if not (folder / "config.json").is_file():
        raise SystemExit(f"{folder} is not there yet: run `python train_{stage}.py` first")
    return str(folder)


def output_of(stage: str) -> str:
    """The folder that a stage writes to."""
    return str(OUTPUTS / stage)


def origin(start: str) -> dict[str, Any]:
    """What a start was made from: the digest of its recipe and its steps, or the base model's name."""
    folder = Path(start).parent
    if folder.parent != OUTPUTS:
        return {"model": start.removeprefix(f"{HERE}{os.sep}")}
    recipe, run = read_json(folder / "recipe.json"), read_json(folder / "run.json")
    return {
        "stage": folder.name,
        "recipe": digest(json.dumps(recipe)),
        "steps": run.get("global_step"),
    }


def save_result(trainer: "Trainer", stage: str, start: str) -> None:
    """Write the trained model to outputs/<stage>/model and what was run to its run.json."""
    folder = OUTPUTS / stage
    rows: Any = trainer.train_dataset
    part = folder / "model.part"  # renamed when it is whole
    shutil.rmtree(part, ignore_errors=True)
    write_model(trainer, part, start)
    (folder / "run.json").unlink(missing_ok=True)  # speaks of the model before
    shutil.rmtree(folder / "model", ignore_errors=True)
    part.rename(folder / "model")
    state = trainer.state
    run = {
        "stage": stage,
        "start": start,
        "origin": origin(start),
        "global_step": state.global_step,
        "max_steps": state.max_steps,
        "rows": {
            "count": len(rows),
            "columns": rows.column_names,
            "fingerprint": rows._fingerprint,
        },
        "sources": source_digests(stage),
        "versions": {name: version(name) for name in PACKAGES},
        "config": trainer.args.to_dict(),
        "log": state.log_history,
    }
    write_json(folder / "run.json", run)
    print(
        f"{stage}: trained {state.global_step} steps{course(state.log_history)}, saved to {folder}"
    )


def write_model(trainer: "Trainer", folder: Path, start: str) -> None:
    """Write the whole model with its tokenizer, from which the next stage starts."""
    # The model in memory is not merged: the next stage would take its base for the reference.
    adapter = folder.with_name("adapter")
    trainer.save_model(str(adapter))
    trained: Any = trainer.model
    model = merged(start, adapter)
    model.generation_config = trained.generation_config  # it stops at what the trainer stops at
    model.save_pretrained(str(folder))
    tokenizer: Any = trainer.processing_class
    tokenizer.save_pretrained(str(folder))


def merged(start: str, adapter: Path) -> Any:
    """The model in `start`, loaded anew, with the adapter merged into its weights.

    In float32, since bfloat16 would round most of a small update away.
    """
    # Imported here, since it takes seconds that other scripts need not wait.
    from peft import PeftModel
    from transformers import AutoModelForCausalLM

    load = AutoModelForCausalLM.from_pretrained
    base = load(start, dtype="float32")
    return PeftModel.from_pretrained(base, str(adapter)).merge_and_unload()


def course(log: list[dict[str, Any]]) -> str:
    """How the mean reward went, or where there is none the loss, from the first log to the last."""
    for name in ("reward", "loss"):
        values = [entry[name] for entry in log if name in entry]
        if len(values) > 1:
            return f", {name} {values[0]:.4g} to {values[-1]:.4g}"
    return ""


def has_finished(stage: str) -> bool:
    """Whether a stage has its result, made from the files of the project as they are now."""
    run = read_json(OUTPUTS / stage / "run.json")
    there = bool(run) and (OUTPUTS / stage / "model" / "config.json").is_file()
    same = there and run["sources"] == source_digests(stage)
    return same and run["origin"] == origin(run["start"])


def source_digests(stage: str) -> dict[str, str]:
    """The digests of the files of the project that decide what a stage trains."""
    files = [name for name in (*SOURCES, f"train_{stage}.py") if (HERE / name).is_file()]
    return {name: file_digest(HERE / name) for name in files}


def file_digest(path: Path) -> str:
    """The digest of a file, which may be larger than memory."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest(text: str) -> str:
    """The digest of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def read_json(path: Path) -> dict[str, Any]:
    """What a JSON file says; nothing where there is none. Exits where it is damaged."""
    if not path.is_file():
        return {}
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise SystemExit(f"{path} is damaged, delete it: {error}") from error


def write_json(path: Path, values: dict[str, Any]) -> None:
    """Write a JSON file as one step: killed on the way, the file is as it was."""
    part = path.with_name(f"{path.name}.part")
    text = json.dumps(values, indent=2, default=str, ensure_ascii=False)
    part.write_text(f"{text}\n", encoding="utf-8")
    part.replace(path)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python stages.py STAGE")
    finished = has_finished(sys.argv[1])
    print(f"{sys.argv[1]}: finished, nothing to do" if finished else f"{sys.argv[1]}: trains")
    sys.exit(0 if finished else 1)
