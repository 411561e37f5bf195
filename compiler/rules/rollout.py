"""Rules on `[hardware] rollout`: what samples the completions of GRPO and RLOO."""

from compiler.memory import architecture_of
from compiler.resolve.incompatible import INCOMPATIBLE, Sampling
from compiler.rules.case import Case
from spec_schema.launch import Rollout
from spec_schema.stages.rollout import RolloutStage

__all__ = ["check_rollout"]

ROLLOUT = ("hardware", "rollout")
OF_VLLM = ("gpus", "tensor_parallel", "share", "max_model_tokens")


def check_rollout(case: Case) -> None:
    """Report what is wrong with the table, where a spec has one."""
    _vllm_can_sample(case)
    _keys_are_used(case)
    _server_has_gpus(case)
    _model_is_split_evenly(case)
    _completions_have_room(case)


def _vllm_can_sample(case: Case) -> None:
    """No stage has what vLLM, where the spec asks for it, cannot sample for."""
    rollout = case.spec.hardware.rollout
    if rollout is None or not rollout.engine.startswith("vllm"):
        return
    told: set[str] = set()
    for name in _sampling_stages(case):
        sampling = Sampling(case.spec, name, rollout.engine, case.spec.hardware.sharding)
        for rule in INCOMPATIBLE:
            why = rule.why(sampling)
            if why is None or not rule.refused or rule.name in told:
                continue
            told.add(rule.name)
            case.error(
                "incompatible",
                (*ROLLOUT, "engine"),
                f"vLLM cannot sample the completions of `{name}`: {why}",
                rule.hint,
                related=((rule.key(sampling), "what it cannot go with"),),
            )


def _keys_are_used(case: Case) -> None:
    """Each key of `rollout` says something about the engine."""
    rollout = case.spec.hardware.rollout
    if rollout is None:
        return
    if not _sampling_stages(case):
        message = "`rollout` has no effect, for no stage samples completions"
        case.warning("no-effect", ROLLOUT, message, "leave it out", at="key")
        return
    if rollout.engine == "transformers":
        unused, why = OF_VLLM, "is about vLLM, and transformers samples"
    elif rollout.engine != "vllm-server":
        unused, why = ("gpus",), "is the number of GPUs of a server, which there is none of"
    else:
        return
    for key in unused:
        if case.writes((*ROLLOUT, key)):
            message = f"`{key}` has no effect: it {why}"
            case.warning("no-effect", (*ROLLOUT, key), message, "leave it out", at="key")


def _server_has_gpus(case: Case) -> None:
    """A server has GPUs that nothing trains on: NCCL takes one for one process alone."""
    hardware, rollout = case.spec.hardware, case.spec.hardware.rollout
    if rollout is None or rollout.engine != "vllm-server" or hardware.tier == "cpu":
        return
    served, split = rollout.gpus, rollout.tensor_parallel
    if hardware.gpus == 1:
        case.error(
            "incompatible",
            (*ROLLOUT, "engine"),
            "a vLLM server needs a GPU of its own, and there is one GPU in all",
            'write `engine = "vllm-colocate"`, or `gpus = 2` or more in `[hardware]`',
        )
    elif served is not None and split is not None and served != split:
        case.error(
            "conflicting-keys",
            (*ROLLOUT, "gpus"),
            f"the server has {served} GPUs, and {split} of them hold the model together",
            "keep one of the two: a server holds one copy of the model",
            at="key",
            related=(((*ROLLOUT, "tensor_parallel"), "the other number"),),
        )
    elif (taken := served or split or 1) >= hardware.gpus:
        key = "gpus" if served is not None else "tensor_parallel"
        case.error(
            "bad-value",
            (*ROLLOUT, key),
            f"a server of {taken} GPUs leaves none of the {hardware.gpus} to train on",
            f"write a number below {hardware.gpus}, or more `gpus` in `[hardware]`",
        )
    elif hardware.nodes > 1 and taken != (each := hardware.gpus // hardware.nodes):
        # accelerate starts equally many processes on each machine that trains.
        case.error(
            "bad-value",
            (*ROLLOUT, "engine" if served is None else "gpus"),
            f"of several machines a server takes a whole one, of {each} GPUs, and not {taken}",
            *_whole_machine(case, each),
        )


def _model_is_split_evenly(case: Case) -> None:
    """Tensor parallel splits the processes that train, and the heads of the model, evenly."""
    hardware, rollout = case.spec.hardware, case.spec.hardware.rollout
    split = None if rollout is None else _split(rollout)
    if rollout is None or split is None or split == 1 or hardware.tier == "cpu":
        return
    key = "tensor_parallel" if rollout.tensor_parallel is not None else "gpus"
    beside = rollout.engine != "vllm-server"
    if beside and hardware.gpus % split:
        message = f"`{key} = {split}` does not divide the {hardware.gpus} GPUs that sample"
        hint = _dividing(hardware.gpus)
        if hardware.gpus == 1:
            message = f"`{key} = {split}` splits the model among {split} GPUs, and there is one"
            hint = "leave it out, or write how many `gpus` there are"
        case.error("bad-value", (*ROLLOUT, key), message, hint)
        return
    if not beside and split >= hardware.gpus:
        return  # told already
    if (found := _undivided(case, split)) is not None:
        model, heads = found
        case.error(
            "bad-value",
            (*ROLLOUT, key),
            f"`{key} = {split}` does not divide the {heads} heads of `{model}`",
            _dividing(heads),
        )


def _whole_machine(case: Case, gpus: int) -> tuple[str, ...]:
    """The ways out for a server that would share its machine with processes that train."""
    beside = 'write `engine = "vllm-colocate"`'
    if _undivided(case, gpus) is not None:
        return (beside,)
    return (f"write `gpus = {gpus}` in `rollout`", f"or {beside}")


def _undivided(case: Case, split: int) -> tuple[str, int] | None:
    """The first model that samples whose heads so many GPUs cannot share, and how many it has."""
    own = [stage.model for stage in _sampling_stages(case).values() if stage.model is not None]
    for model in dict.fromkeys((case.spec.model.base, *own)):
        shape = architecture_of(model, case.folder)
        if shape is not None and not shape.assumed and shape.heads % split:
            return model, shape.heads
    return None


def _completions_have_room(case: Case) -> None:
    """The longest prompt has room in vLLM with the longest completion."""
    rollout = case.spec.hardware.rollout
    if rollout is None or rollout.max_model_tokens is None or rollout.engine == "transformers":
        return
    prompt = case.spec.data.max_prompt_tokens
    for name, stage in _sampling_stages(case).items():
        needed = prompt + stage.max_completion_length
        if rollout.max_model_tokens < needed:
            case.error(
                "bad-value",
                (*ROLLOUT, "max_model_tokens"),
                f"`{name}` has prompts of up to {prompt} tokens and completions of up to "
                f"{stage.max_completion_length}, and vLLM would cut these",
                f"write at least {needed}, or leave it out",
            )
            return


def _sampling_stages(case: Case) -> dict[str, RolloutStage]:
    stages = case.spec.stages.items()
    return {name: stage for name, stage in stages if isinstance(stage, RolloutStage)}


def _split(rollout: Rollout) -> int | None:
    """The GPUs that hold one copy of the model, None where the compiler chooses."""
    served = rollout.gpus if rollout.engine == "vllm-server" else None
    return rollout.tensor_parallel or served


def _dividing(number: int) -> str:
    """The numbers that do."""
    fitting = [str(each) for each in range(1, number + 1) if number % each == 0]
    return f"it can be {', '.join(fitting[:-1])} or {fitting[-1]}" if fitting[1:] else "write 1"
