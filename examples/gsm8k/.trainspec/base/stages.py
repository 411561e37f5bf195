"""The life of a run: where a stage starts from and what it leaves behind."""

import hashlib
import json
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasets import Dataset

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


def new_output_dir(stage: str) -> str:
    """The folder that a stage writes to; exits where an earlier run left something in it.

    Checkpoints of two runs in one folder would delete each other: those of the highest step stay.
    """
    folder = OUTPUTS / stage
    if folder.exists() and any(folder.iterdir()):
        raise SystemExit(f"{folder} holds an earlier run: move it away or delete it to train again")
    return str(folder)


def save_result(trainer: "Trainer", stage: str, start: str) -> None:
    """Write the trained model to outputs/<stage>/model and what was run to its run.json."""
    folder = OUTPUTS / stage
    rows = trainer.train_dataset
    assert isinstance(rows, Dataset)  # as every script of this project passes it
    trainer.save_model(str(folder / "adapter"))
    # The next stage needs a whole model on disk, which is then its reference as well.
    merged(start, folder / "adapter").save_pretrained(str(folder / "model"))
    tokenizer: Any = trainer.processing_class
    tokenizer.save_pretrained(str(folder / "model"))
    run = {
        "stage": stage,
        "start": start,
        "rows": {
            "count": len(rows),
            "columns": rows.column_names,
            "fingerprint": rows._fingerprint,
        },
        "sources": {name: sha256(name) for name in (*SOURCES, f"train_{stage}.py")},
        "versions": {name: version(name) for name in PACKAGES},
        "config": trainer.args.to_dict(),
        "log": trainer.state.log_history,
    }
    text = json.dumps(run, indent=2, default=str, ensure_ascii=False)
    (folder / "run.json").write_text(text + "\n", encoding="utf-8")
    print(f"{stage}: saved to {folder / 'model'}")


def merged(start: str, adapter: Path) -> Any:
    """The model in `start`, loaded anew, with the adapter merged into its weights.

    In float32, since bfloat16 would round most of a small update away.
    """
    from peft import PeftModel  # here, since it takes seconds that other scripts need not wait
    from transformers import AutoModelForCausalLM

    base = AutoModelForCausalLM.from_pretrained(start, dtype="float32")
    return PeftModel.from_pretrained(base, str(adapter)).merge_and_unload()


def sha256(name: str) -> str:
    """The digest of one of the project's files."""
    return hashlib.sha256((HERE / name).read_bytes()).hexdigest()
