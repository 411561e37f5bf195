"""Runs stages of projects in forked processes, each killed where it is told to be.

The imports that take seconds are made once, by the parent; a child is a process of its own, and its
kill is a kill. Each line of the input is a run as JSON, each line of the output its exit status.
Several processes that train together are started as torchrun starts them, on the CPU, and end
together: the status is that of the first that fails.
"""

import importlib
import json
import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import trl
from transformers import Trainer

__all__ = ["PREPARED"]

# Imported before the forks: TRL imports a trainer where its name is first asked for.
PREPARED = tuple(
    getattr(trl, f"{name}Trainer") for name in ("SFT", "Reward", "DPO", "KTO", "GRPO", "RLOO")
)


def dying(
    function: Callable[..., object], trainer: Trainer, event: str | None, step: int
) -> Callable[..., object]:
    """The function, which dies as by `kill -9` instead when it is called in that step."""

    def called(*args: object, **kwargs: object) -> object:
        if trainer.state.global_step == step and event in (None, *args[:1]):
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*args, **kwargs)

    return called


def arm(script: ModuleType, place: str, step: int) -> None:
    """Let the script's trainer die in a step, at an event of a callback or in a method."""
    build = script.build_trainer

    def armed() -> Trainer:
        trainer = build()
        if place.startswith("on_"):
            handler = trainer.callback_handler
            handler.call_event = dying(handler.call_event, trainer, place, step)
        elif place and place != "result":
            setattr(trainer, place, dying(getattr(trainer, place), trainer, None, step))
        return trainer

    vars(script)["build_trainer"] = armed
    if place == "result":
        vars(script)["save_result"] = half_saved


def half_saved(trainer: Trainer, *_: object) -> None:
    """Begin to save the result, and die."""
    Path(str(trainer.args.output_dir), "model.part").mkdir(exist_ok=True)
    os.kill(os.getpid(), signal.SIGKILL)


def put_on_cpu(script: ModuleType) -> None:
    """Replace what the script's config says for a GPU."""
    name = next(name for name in vars(script) if name.endswith("Config") and name != "LoraConfig")
    config = vars(script)[name]
    kwargs = {"use_cpu": True, "bf16": False, "activation_checkpointing": False}

    def on_cpu(**own: object) -> object:
        return config(**own | kwargs | {"model_init_kwargs": {"dtype": "float32"}})

    vars(script)[name] = on_cpu


def leave_state(script: ModuleType, rank: str) -> None:
    """Have the trainer's log and weights written down for the test, in each process."""
    save = script.save_result

    def saved(trainer: Trainer, *arguments: object) -> None:
        save(trainer, *arguments)
        model: Any = trainer.model
        weights = {name: weight.double().sum().item() for name, weight in model.named_parameters()}
        state = {"log": trainer.state.log_history, "weights": weights}
        Path(f"state-{rank}.json").write_text(json.dumps(state))

    vars(script)["save_result"] = saved


def child(project: str, name: str, place: str, step: int) -> int:
    """Run a stage, or with the name `tiny-model` make the project's base; returns the status."""
    os.chdir(project)
    sys.path[:0] = [project, f"{project}/tests"]
    rank = os.environ.get("RANK", "0")
    log = os.open(f"log-{rank}.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)
    try:
        if name == "tiny-model":
            module = importlib.import_module("tiny_model")
            module.write_tiny_model(Path(name), ["1+1?", "<answer>2</answer>"])
            return 0
        script = importlib.import_module(f"train_{name}")
        arm(script, place, step)
        if "use_cpu=True" not in Path(f"train_{name}.py").read_text():
            put_on_cpu(script)
        if "WORLD_SIZE" in os.environ:
            leave_state(script, rank)
        script.main()
    except SystemExit as end:
        if isinstance(end.code, str):
            sys.stdout.write(f"{end.code}\n")
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except Exception:  # noqa: BLE001  # whatever it is stands in the log
        traceback.print_exc()
        return 70
    return 0


def tell(said: object) -> None:
    """Write one line to the output."""
    sys.stdout.write(f"{said}\n")
    sys.stdout.flush()


def together(processes: int, run: list[Any]) -> int:
    """Fork the processes of a run, and end all of them where one fails."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    shared = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": str(processes)}
    shared["LOCAL_WORLD_SIZE"] = str(processes)
    pids: set[int] = set()
    for rank in range(processes):
        pid = os.fork()
        if pid == 0:
            if processes > 1:
                os.environ.update(shared, RANK=str(rank), LOCAL_RANK=str(rank))
            status = child(*run)
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        pids.add(pid)
    first = 0
    while pids:
        pid, how = os.wait()
        pids.remove(pid)
        first = first or os.waitstatus_to_exitcode(how)
        for other in pids if first else ():
            os.kill(other, signal.SIGKILL)
    return first


def main() -> None:
    """Fork the children of each run."""
    tell("ready")
    for line in sys.stdin:
        processes, *run = json.loads(line)
        tell(together(processes, run))


if __name__ == "__main__":
    main()
