"""What the user can change for a stage to need less memory."""

from collections.abc import Iterator
from typing import NamedTuple

from compiler.memory import GIB, Device, Estimate, device_of, larger_classes
from compiler.plan.mechanics import RolloutMechanics
from compiler.resolve.gpus import gpu_of
from compiler.resolve.incompatible import engine_asked, vllm_refusal
from compiler.resolve.inputs import Inputs
from compiler.resolve.mechanics import decided, faults_of
from compiler.resolve.starts import adapter_of
from compiler.resolve.steps import is_undivided
from spec_schema.model import ADAPTERS
from spec_schema.stages.rollout import RolloutStage

__all__ = ["Lever", "first_lever", "mending_edits"]

# A shorter length or a smaller step is looked for down to this part of what is written.
SMALLEST_PART = 16
SHOWN_EDITS = 3
# More GPUs are looked for by doubling, up to as many as a machine commonly has.
MORE_GPUS, GPUS_OF_A_MACHINE = (2, 4, 8), 8


class Lever(NamedTuple):
    """A change of the spec, as a key with its value, and what a stage needs then."""

    text: str
    estimate: Estimate
    rollout: RolloutMechanics | None


class _Change(NamedTuple):
    """A spec with one key changed, and the name of the stage in it."""

    text: str
    inputs: Inputs
    stage: str

    def lever(self) -> Lever | None:
        """What the stage needs then, laid out anew; None where the spec would be refused."""
        if not _is_possible(self.inputs, self.stage):
            return None
        found = decided(self.inputs, (self.stage,))[self.stage]
        if found.estimate is None or faults_of(self.inputs, self.stage, found.mechanics):
            return None
        return Lever(self.text, found.estimate, found.mechanics.rollout)


def _is_possible(inputs: Inputs, stage: str) -> bool:
    """Whether 4 bit goes with the tier, vLLM with what it is asked for, and several GPUs train."""
    hardware = inputs.spec.hardware
    device, adapter = device_of(hardware.tier), adapter_of(inputs.spec, stage)
    if device is None or (adapter is not None and adapter.kind == "qlora" and not device.quantizes):
        return False
    samples = isinstance(inputs.spec.stages[stage], RolloutStage)
    vllm = samples and engine_asked(inputs.spec).startswith("vllm")
    if vllm and vllm_refusal(inputs, stage, asked=True) is not None:
        return False
    alone = device.maker == "apple" or hardware.backend == "unsloth" or inputs.spec.project.notebook
    return hardware.gpus == 1 or not alone


def first_lever(inputs: Inputs, stage: str) -> Lever | None:
    """The change of the recipe that saves most, halving what can be halved; None if none saves."""
    found = decided(inputs, (stage,))[stage]
    now, rollout = found.estimate, found.mechanics.rollout
    if now is None:
        return None
    levers = [change.lever() for change in _changes(inputs, stage, parts=(2,))]
    # What another engine samples for is another run, and many times as long.
    saving = [
        lever
        for lever in levers
        if lever is not None
        and lever.estimate.peak < now.peak
        and (rollout is None or lever.rollout is None or lever.rollout.engine == rollout.engine)
    ]
    return min(saving, key=lambda lever: lever.estimate.peak, default=None)


def mending_edits(inputs: Inputs, stage: str) -> Iterator[str]:
    """The edits that each make the stage fit; else an adapter with a GPU, and a GPU alone."""
    device = gpu_of(inputs.spec.hardware)
    if device is None:
        return
    keys: set[str] = set()
    adapted = next(_adapted(inputs, stage), None)
    for change in _changes(inputs, stage, parts=(2, 4, 8, SMALLEST_PART)):
        key = change.text.partition(" ")[0]
        lever = change.lever() if key not in keys and len(keys) < SHOWN_EDITS else None
        if lever is not None and lever.estimate.fit(device) == "fits":
            keys.add(key)
            yield f"with {lever.text} it needs at most {lever.estimate.most / GIB:.1f} GiB"
    yield from _hardware_edits(inputs, stage)
    tier = _fitting_tier(inputs, stage, device)
    together = None if keys or adapted is None else _fitting_tier(adapted.inputs, stage, device)
    if (
        adapted is not None
        and together is not None
        and (tier is None or together.usable < tier.usable)
    ):
        yield f'with {adapted.text} it fits `tier = "{together.name}"`'
    if tier is not None:
        yield f'it fits `tier = "{tier.name}"`'
    elif not keys and together is None:
        yield "no GPU that is known holds it: name a smaller `base`, or shorter rows"


def _hardware_edits(inputs: Inputs, stage: str) -> Iterator[str]:
    """What the spec asks of the machine and could leave to the plan, and more GPUs."""
    hardware = inputs.spec.hardware
    asked: list[tuple[str, dict[str, object]]] = []
    if hardware.sharding != "auto":
        asked.append(('`sharding = "auto"`', {"sharding": "auto"}))
    if hardware.rollout is not None and hardware.rollout.share is not None:
        rollout = hardware.rollout.model_copy(update={"share": None})
        asked.append(("the `share` of `rollout` left out", {"rollout": rollout}))
    most = GPUS_OF_A_MACHINE * hardware.nodes
    more = (times * hardware.gpus for times in MORE_GPUS)
    asked.extend((f"`gpus = {gpus}`", {"gpus": gpus}) for gpus in more if gpus <= most)
    for text, update in asked:
        changed = hardware.model_copy(update=update)
        spec = inputs.spec.model_copy(update={"hardware": changed})
        change = _Change(text, inputs._replace(spec=spec), stage)
        device, lever = gpu_of(changed), change.lever()
        if device is not None and lever is not None and lever.estimate.fit(device) == "fits":
            yield f"with {text} it needs at most {lever.estimate.most / GIB:.1f} GiB on each GPU"
            return


def _fitting_tier(inputs: Inputs, stage: str, device: Device) -> Device | None:
    """The smallest memory class above that of the device which the stage fits."""
    for larger in larger_classes(device):
        hardware = inputs.spec.hardware.model_copy(update={"tier": larger.name})
        spec = inputs.spec.model_copy(update={"hardware": hardware})
        lever = _Change(larger.name, inputs._replace(spec=spec), stage).lever()
        left = gpu_of(hardware)
        if left is not None and lever is not None and lever.estimate.fit(left) == "fits":
            return larger
    return None


def _changes(inputs: Inputs, stage: str, parts: tuple[int, ...]) -> Iterator[_Change]:
    """Changes that save memory, those first that change least of what is learnt."""
    yield from _adapted(inputs, stage)
    table = inputs.spec.stages[stage]
    if not isinstance(table, RolloutStage):
        yield from _smaller(inputs, stage, "max_length", parts)
        if is_undivided(table):
            yield from _smaller(inputs, stage, "prompts_per_step", parts)
        return
    if table.beta and adapter_of(inputs.spec, stage) is None:
        yield _Change("`beta = 0.0`", _with(inputs, stage, "beta", 0.0), stage)
    for part in parts:
        tokens = inputs.spec.data.max_prompt_tokens // part
        data = inputs.spec.data.model_copy(update={"max_prompt_tokens": tokens})
        spec = inputs.spec.model_copy(update={"data": data})
        if tokens:
            yield _Change(f"`max_prompt_tokens = {tokens}`", inputs._replace(spec=spec), stage)
    yield from _smaller(inputs, stage, "updates_per_rollout", parts)
    yield from _smaller(inputs, stage, "prompts_per_step", parts)
    yield from _smaller(inputs, stage, "max_completion_length", parts)


def _adapted(inputs: Inputs, stage: str) -> Iterator[_Change]:
    """An adapter where all weights are trained, and one beside weights of 4 bit."""
    kinds = {None: ("lora", "qlora"), "lora": ("qlora",), "dora": ("qlora",)}
    adapter = adapter_of(inputs.spec, stage)
    for kind in kinds.get(None if adapter is None else adapter.kind, ()):
        keys = {} if adapter is None else adapter.model_dump(exclude={"kind"})
        changed = ADAPTERS[kind].model_validate({**keys, "kind": kind})
        text = f'`adapter = {{ kind = "{kind}" }}`'
        if inputs.spec.stages[stage].adapter is not None:
            yield _Change(text, _with(inputs, stage, "adapter", changed), stage)
        else:
            model = inputs.spec.model.model_copy(update={"adapter": changed})
            spec = inputs.spec.model_copy(update={"model": model})
            yield _Change(text, inputs._replace(spec=spec), stage)


def _smaller(inputs: Inputs, stage: str, key: str, parts: tuple[int, ...]) -> Iterator[_Change]:
    for part in parts:
        value = getattr(inputs.spec.stages[stage], key) // part
        if value:
            yield _Change(f"`{key} = {value}`", _with(inputs, stage, key, value), stage)


def _with(inputs: Inputs, name: str, key: str, value: object) -> Inputs:
    """The inputs with another value of this stage."""
    changed = inputs.spec.stages[name].model_copy(update={key: value})
    spec = inputs.spec.model_copy(update={"stages": {**inputs.spec.stages, name: changed}})
    return inputs._replace(spec=spec)
