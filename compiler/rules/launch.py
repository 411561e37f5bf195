"""What starts a run can start it: on so many machines, with these GPUs, and without losing it."""

from compiler.rules.case import Case

__all__ = ["check_launch"]

LAUNCHERS = ("slurm", "skypilot")


def check_launch(case: Case) -> None:
    """Report what the launcher cannot start, and what is written for another one."""
    _launchers_are_asked_for(case)
    _machines_are_started(case)
    _skypilot_has_the_machine(case)


def _launchers_are_asked_for(case: Case) -> None:
    """A table of a launcher is read where that launcher is named."""
    hardware = case.spec.hardware
    for name in LAUNCHERS:
        if hardware.launcher != name and case.writes(("hardware", name)):
            message = f"`[hardware.{name}]` has no effect where the launcher is another"
            hint = f'write `launcher = "{name}"`, or leave the table out'
            case.warning("no-effect", ("hardware", name), message, hint, at="key")


def _machines_are_started(case: Case) -> None:
    """Something starts the stages on each of several machines, which have equally many GPUs."""
    hardware = case.spec.hardware
    if hardware.nodes > 1 and hardware.launcher == "local":
        case.error(
            "bad-value",
            ("hardware", "nodes"),
            f"`bash run.sh` starts one machine, and `nodes` is {hardware.nodes}",
            'write `launcher = "slurm"` or `launcher = "skypilot"`, which start them all',
        )


def _skypilot_has_the_machine(case: Case) -> None:
    """A cloud offers the GPU, and `outputs/` lies where the plan needs it."""
    hardware = case.spec.hardware
    if hardware.launcher != "skypilot":
        return
    from compiler.resolve.launchers import ACCELERATORS, accelerators_of

    if hardware.tier != "cpu" and not accelerators_of(hardware.tier):
        case.error(
            "bad-value",
            ("hardware", "tier"),
            f"no cloud offers a GPU of `{hardware.tier}` through SkyPilot",
            f"name one that they offer: {', '.join(ACCELERATORS)}",
            'or write `launcher = "slurm"` or `launcher = "local"`',
        )
    asked = hardware.skypilot
    outputs = asked.outputs if asked is not None else None
    if hardware.nodes > 1 and (outputs is None or "://" in outputs):
        at = ("hardware", "skypilot", "outputs") if outputs else ("hardware", "nodes")
        case.error(
            "bad-value",
            at,
            "several machines need one `outputs/`, and a bucket is too slow to hand models on"
            if outputs
            else "several machines need one `outputs/`, and each has a disk of its own",
            'name a volume that they share: `[hardware.skypilot]` `outputs = "NAME"`, '
            "made with `sky volumes apply`",
        )
    elif asked is not None and asked.use_spot and outputs is None:
        case.error(
            "bad-value",
            ("hardware", "skypilot", "use_spot"),
            "a machine that is taken away takes the checkpoints on its disk along",
            'keep them: `outputs = "s3://BUCKET/FOLDER"`, or the name of a volume',
        )
