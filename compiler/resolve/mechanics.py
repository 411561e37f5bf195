"""What the tier decides for all stages together: one sharding, and the mechanics of each."""

from collections.abc import Iterator

from compiler.plan.mechanics import Fault, Mechanics, Sharding
from compiler.resolve.gpus import training_gpus
from compiler.resolve.inputs import Inputs
from compiler.resolve.starts import adapter_of
from compiler.resolve.tuning import Tuned, tuned

__all__ = ["decided", "faults_of", "mechanics_of", "with_mechanics"]


def mechanics_of(inputs: Inputs, name: str) -> Mechanics:
    """How a stage uses the machine, as it was decided."""
    return inputs.mechanics[name]


def with_mechanics(inputs: Inputs) -> Inputs:
    """The inputs with the mechanics of all stages, decided for their spec."""
    found = decided(inputs, inputs.stage_names)
    return inputs._replace(
        mechanics={
            name: each.mechanics._replace(
                tuned=_said(inputs, each), faults=faults_of(inputs, name, each.mechanics)
            )
            for name, each in found.items()
        }
    )


def decided(inputs: Inputs, names: tuple[str, ...]) -> dict[str, Tuned]:
    """Decide how stages use the machine; the recipe's sizes are never changed.

    The least sharding with which every stage fits, else with what costs speed as well; where none
    does, that under which the largest peak is smallest. A project has one, for it is launched by
    one `accelerate.yaml`.
    """
    best: dict[str, Tuned] = {}
    for further in (False, True):
        for sharding in _shardings(inputs):
            found = {name: tuned(inputs, name, sharding, further=further) for name in names}
            if all(each.fits for each in found.values()):
                return found
            if not best or _peak(found) < _peak(best):
                best = found
    return best


def _shardings(inputs: Inputs) -> Iterator[Sharding]:
    """What the GPUs may share out, the least first.

    Beside adapters ZeRO-2 has next to nothing to share out. Of the two that share weights out it is
    ZeRO-3, with which TRL 1.16 samples, merges adapters for vLLM and loads weights of 4 bit; FSDP2
    is there for those who ask for it.
    """
    asked = inputs.spec.hardware.sharding
    if asked != "auto":
        yield asked
        return
    yield "none"
    if inputs.spec.hardware.gpus > 1:
        if any(adapter_of(inputs.spec, name) is None for name in inputs.stage_names):
            yield "zero2"
        yield "zero3"


def _peak(found: dict[str, Tuned]) -> float:
    return max(each.estimate.peak for each in found.values() if each.estimate is not None)


def _said(inputs: Inputs, found: Tuned) -> tuple[str, ...]:
    auto = inputs.spec.hardware.sharding == "auto"
    shared = auto and found.mechanics.sharding != "none"
    if found.needed is None or (found.mechanics == found.usual and not shared):
        return ()
    from compiler.resolve.turned_down import turned_down  # most stages fit as usual

    return tuple(turned_down(found, shared=shared))


def faults_of(inputs: Inputs, name: str, mechanics: Mechanics) -> tuple[Fault, ...]:
    """Why the GPUs cannot share the steps of a stage, or what is asked for cannot sample for it."""
    faults: list[Fault] = []
    if training_gpus(inputs, name) > 1:
        from compiler.resolve.uneven import uneven  # most plans are for one GPU

        faults += uneven(inputs, name)
    if mechanics.rollout is not None and inputs.spec.hardware.rollout is not None:
        from compiler.resolve.engine_faults import engine_faults  # few specs have a say in it

        faults += engine_faults(inputs, name, mechanics.rollout)
    return tuple(faults)
