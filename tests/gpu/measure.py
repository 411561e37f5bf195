"""Measure on a GPU what a CPU cannot tell, and write the table to docs/measured.md: `make gpu`.

Each case is a spec, compiled and run as a user would: the peak of memory beside the prediction, the
time of a step, and for GRPO the time of a step of a script written by hand, in the same run.
`python -m tests.gpu.measure [CASE ...]` runs some of them. Without a GPU nothing is written.
"""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import torch

from compiler.memory import DEVICES, GIB, known_models
from tests.gpu.cases import CASES, Case, spec_of

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "docs" / "measured.md"
STEPS = 6
LINE = "| {} | {} | {} | {} | {} | {} | {} | {} |"
HEAD = ("case", "model", "predicted GiB", "allocated GiB", "error", "reserved GiB", "step s", "")
OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}


class Measured(NamedTuple):
    """What a case took: peaks in bytes, seconds a step; by hand where there is such a script."""

    predicted: int
    steps: int
    allocated: int
    reserved: int
    seconds: float
    by_hand: float | None


def main(names: list[str]) -> None:
    """Run the cases and write their table; exits where there is no GPU."""

    if not torch.cuda.is_available():
        sys.exit(
            "no GPU is at hand here: nothing was measured, and docs/measured.md stays as it is"
        )
    properties = torch.cuda.get_device_properties(0)
    tier = tier_of(properties.name, properties.total_memory)
    lines = []
    for case in CASES:
        if names and case.name not in names:
            continue
        line = line_of(case, tier)
        print(line, flush=True)
        lines.append(line)
    heading = f"{properties.name}, planned as `{tier}`, torch {torch.__version__}"
    TABLE.write_text(page(heading, lines), encoding="utf-8")


def tier_of(name: str, total: int) -> str:
    """The tier of a GPU: its own name where the language knows it, else the class of its memory."""
    plain = name.upper().replace(" ", "-")
    classes = [each for each in DEVICES.values() if each.name == each.memory_class]
    known = [each.name for each in DEVICES.values() if each.name.upper() in plain]
    known = [each for each in known if each not in {one.name for one in classes}]
    if known:
        return max(known, key=len)
    return max((each for each in classes if each.bytes <= total), key=lambda each: each.bytes).name


def line_of(case: Case, tier: str) -> str:
    """The line of a case in the table; one that cannot be run here says why."""
    if case.package and importlib.util.find_spec(case.package) is None:
        missing = f"not run: {case.package} is not installed"
        return LINE.format(case.name, case.model, "", "", "", "", "", missing)
    with tempfile.TemporaryDirectory(prefix="measured-") as folder:
        try:
            found = measure(case, tier, Path(folder), "cuda")
        except RuntimeError as error:
            last = str(error).strip().splitlines()[-1]
            return LINE.format(case.name, case.model, "", "", "", "", "", f"failed: {last}")
    error = f"{found.predicted / found.allocated - 1:+.1%}"
    beside = "" if found.by_hand is None else f"{found.seconds / found.by_hand:.2f} x by hand"
    sizes = (f"{size / GIB:.2f}" for size in (found.predicted, found.allocated, found.reserved))
    predicted, allocated, reserved = sizes
    return LINE.format(
        *(case.name, case.model, predicted, allocated, error, reserved),
        *(f"{found.seconds:.2f}", beside),
    )


def measure(case: Case, tier: str, folder: Path, device: str, **sizes: int) -> Measured:
    """Make the case's project in a folder and run it; `sizes` replace dimensions of the model."""
    dimensions = next(each for each in known_models() if case.model in each["names"])
    config = {key: value for key, value in dimensions.items() if key != "names"} | sizes
    (folder / "model").mkdir()
    (folder / "model" / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "task.toml").write_text(spec_of(case, tier, STEPS), encoding="utf-8")
    sizes_of_rows = (str(case.length), str(2 * case.rows))
    prepare = (str(ROOT / "tests" / "gpu" / "prepare.py"), *sizes_of_rows, device)
    compiler = ("-m", "compiler")
    # The rows take the tokenizer of the project's tests, and the project columns of the rows.
    write_columns(folder)
    run(folder, *compiler, "compile", "task.toml", "--here")
    run(folder, *prepare)
    plan = json.loads(run(folder, *compiler, "plan", "task.toml", "--format", "json"))
    stage = plan["stages"][0]
    ours = last_line(run(folder, str(ROOT / "tests" / "gpu" / "run_stage.py")))
    by_hand = None
    if case.method == "grpo" and case.adapter == "lora" and case.engine == "transformers":
        batch = stage["mechanics"]["batch"]
        layout = (batch["per_device"], batch["accumulation"], STEPS, case.completion)
        script = str(ROOT / "tests" / "gpu" / "by_hand.py")
        by_hand = last_line(run(folder, script, *map(str, layout)))["seconds"]
    memory = stage["memory"]
    predicted = sum(size for _, size in memory["parts"]) if memory else 0
    return Measured(predicted=predicted, by_hand=by_hand, **ours)


def write_columns(folder: Path) -> None:
    """One row with all columns, for the compiler to see them."""
    row = {
        "question": "q",
        "prompt": "a",
        "chosen": "b",
        "rejected": "c",
        "good": True,
        "text": "d",
    }
    (folder / "rows.jsonl").write_text(f"{json.dumps(row)}\n" * 2, encoding="utf-8")


def last_line(output: str) -> dict[str, Any]:
    """The JSON that a script prints last."""
    return json.loads(output.strip().splitlines()[-1])


def run(folder: Path, *command: str) -> str:
    """Run Python in a folder and give what it prints."""
    environment = os.environ | OFFLINE | {"PYTHONPATH": f"{ROOT}{os.pathsep}{folder}"}
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")
    return done.stdout


def page(heading: str, lines: list[str]) -> str:
    """The page of the table."""
    rule = LINE.format(*("---" for _ in HEAD))
    intro = (
        "# Measured\n\n"
        "Written by `make gpu`, which compiles each plan, runs it with random weights of the real "
        "shapes\nand rows of full length, and takes the peak from where training begins. Predicted "
        "and allocated\nare peaks of what torch allocates; the step is the median of all but the "
        "first two.\n"
    )
    return "\n".join([intro, f"## {heading}\n", LINE.format(*HEAD), rule, *lines, ""])


if __name__ == "__main__":
    main(sys.argv[1:])
