"""Why vLLM cannot start with what the spec gives it: a share or GPUs that do not hold the model."""

from collections.abc import Iterator

from compiler.memory import Architecture, Device, device_of
from compiler.plan.mechanics import Fault, RolloutMechanics
from compiler.resolve.engines import least_lent, least_share, longest
from compiler.resolve.inputs import Inputs
from compiler.resolve.starts import model_of, uses_unsloth

__all__ = ["engine_faults"]

TABLE = ("hardware", "rollout")


def engine_faults(inputs: Inputs, name: str, rollout: RolloutMechanics) -> Iterator[Fault]:
    """What vLLM would say at its start, or never."""
    asked, hardware = inputs.spec.hardware.rollout, inputs.spec.hardware
    if asked is None or asked.engine not in ("vllm-colocate", "vllm-server"):
        return
    shape = inputs.architectures.get(model_of(inputs, name))
    device = device_of(hardware.tier)
    if rollout.engine == "vllm-server":
        yield from _of_a_server(inputs, rollout)
    if shape is not None and device is not None and uses_unsloth(inputs.spec):
        yield from _of_unsloth(inputs, name, rollout, shape, device)
    elif shape is not None and device is not None:
        yield from _of_the_model(inputs, name, rollout, shape, device)


def _of_a_server(inputs: Inputs, rollout: RolloutMechanics) -> Iterator[Fault]:
    hardware, gpus = inputs.spec.hardware, rollout.gpus
    per_node = hardware.gpus // hardware.nodes
    if hardware.nodes > 1 and gpus != per_node:
        message = f"the server has {gpus} GPUs of a machine with {per_node}, and must have them all"
        hint = f"write `gpus = {per_node}`, so that the other machines have equally many processes"
        yield Fault("bad-value", ((*TABLE, "gpus"), TABLE), message, (hint,))


def _of_unsloth(
    inputs: Inputs, name: str, rollout: RolloutMechanics, shape: Architecture, device: Device
) -> Iterator[Fault]:
    least = least_lent(inputs, name, shape, device)
    if rollout.engine != "transformers" and least > rollout.share:
        message = (
            f"`share = {rollout.share:g}` of `{inputs.spec.hardware.tier}` does not hold the "
            f"weights for `{name}` and one completion, which take {least:g} of it"
        )
        ways = [f"write `share = {least:g}`"] if least < 1 else []
        ways.append("write a larger `tier`, or a smaller `base`")
        yield Fault("does-not-fit", ((*TABLE, "share"), TABLE), message, tuple(ways))


def _of_the_model(
    inputs: Inputs, name: str, rollout: RolloutMechanics, shape: Architecture, device: Device
) -> Iterator[Fault]:
    parallel = rollout.tensor_parallel or 1
    least = least_share(shape, longest(inputs, name), parallel, device)
    if rollout.engine == "transformers" or least > rollout.share:
        written = rollout.engine != "transformers"
        holds = f"`share = {rollout.share:g}` does not hold" if written else "no share holds"
        message = (
            f"{holds} the weights for `{name}` and one completion, which take {least:g} of "
            f"`{inputs.spec.hardware.tier}`"
        )
        ways = [f"write `share = {least:g}`"] if least < 1 else []
        more = f"`tensor_parallel = {2 * parallel}`"
        ways.append(f"write {more}, a larger `tier`, or a smaller `base`")
        yield Fault("does-not-fit", ((*TABLE, "share"), TABLE), message, tuple(ways))
