"""What Unsloth cannot do, or would change without a word: each with the way out.

The lines are those of unsloth 2026.10.9 and unsloth_zoo 2026.10.9.
"""

from compiler.memory import device_of
from compiler.resolve.methods import METHODS
from compiler.resolve.starts import adapter_of, adapter_path
from compiler.rules.case import Case
from spec_schema.stages import Stage
from spec_schema.stages.rollout import RolloutStage

__all__ = ["check_unsloth"]

CODE = "not-with-unsloth"
BACKEND = 'write `backend = "trl"`'
TRITON = (7, 5)  # the least compute capability that it compiles for
OVERRULED = ("dr_grpo", "group")  # of a loss and `scale_rewards`: unsloth/models/rl.py:3552
HIGHEST_TEMPERATURE = 10  # unsloth/models/rl.py:3637


def check_unsloth(case: Case) -> None:
    """Report what does not go with `backend = "unsloth"`."""
    _has_its_machine(case)
    _trains_the_stages(case)
    _keeps_the_recipe(case)


def _has_its_machine(case: Case) -> None:
    """One GPU of NVIDIA: on several each trains the whole step, which is then so many times larger.

    unsloth/models/llama.py:4428 says so of data parallel runs.
    """
    hardware = case.spec.hardware
    if (reason := _unfit(hardware.tier)) is not None:
        hint = f"name a GPU such as `t4` or `24gb` as `tier`, or {BACKEND}"
        message = f"Unsloth does not train on `{hardware.tier}`: {reason}"
        case.error(CODE, ("hardware", "tier"), message, hint)
    if hardware.gpus > 1:
        hint = f"leave `gpus` out, or {BACKEND}"
        message = "Unsloth trains on one GPU: on several it multiplies the batch by their number"
        case.error(CODE, ("hardware", "gpus"), message, hint)
    if hardware.sharding not in ("auto", "none"):
        message = "Unsloth trains on one GPU, which has nothing to share out"
        case.error(CODE, ("hardware", "sharding"), message, f"leave it out, or {BACKEND}")
    if hardware.rollout is not None and hardware.rollout.engine == "vllm-server":
        hint = f'write `engine = "vllm-colocate"`, or {BACKEND}'
        message = "Unsloth shares its weights with vLLM in one process, and knows no server"
        case.error(CODE, ("hardware", "rollout", "engine"), message, hint)


def _unfit(tier: str) -> str | None:
    """Why the version set of Unsloth does not train on a tier."""
    device = device_of(tier)
    if device is None:
        return "its kernels run on GPUs"
    if device.maker == "apple":
        return "there it trains SFT alone, with another library than TRL"
    if device.maker != "nvidia":
        return "its version set is one for GPUs of NVIDIA"
    old = device.capability is not None and device.capability < TRITON
    return "Triton compiles its kernels for compute capability 7.5 and newer" if old else None


def _trains_the_stages(case: Case) -> None:
    """No model but the policy's is trained or asked beside Unsloth, and its base is the newest.

    The merge copies the tensors of the base (unsloth_zoo/saving_utils.py:5016), and the head of a
    reward model is none of them. Its patches of a family's classes hold for every model of the
    process (unsloth/models/llama.py:3468), and suit only those that it loads.
    """
    for name, stage in case.spec.stages.items():
        if stage.method == "reward":
            message = f"Unsloth merges an adapter without the head of a reward model: `{name}`"
            hint = f"train it from a spec of its own, and there {BACKEND}"
            case.error(CODE, ("stages", name, "method"), message, hint)
        elif adapter_of(case.spec, name) is None and _has_reference(stage):
            message = f"TRL would load the reference of `{name}` past Unsloth, as a second model"
            hint = f'give the stage an `adapter = {{ kind = "lora" }}`, or {BACKEND}'
            case.error(CODE, ("stages", name, "method"), message, hint)
    for name, reward in case.spec.rewards.items():
        if reward.kind == "reward_model":
            message = f"`{name}` would ask a model whose classes Unsloth has patched for another"
            hint = f'serve the model and ask it as a `kind = "judge"`, or {BACKEND}'
            case.error(CODE, ("rewards", name, "kind"), message, hint)
    if case.spec.model.revision is not None:
        message = "Unsloth merges into the newest weights of the base, whatever its `revision`"
        hint = f"download that revision and name its folder as `base`, or {BACKEND}"
        case.error(CODE, ("model", "revision"), message, hint)


def _has_reference(stage: Stage) -> bool:
    return METHODS[stage.method].compares or (isinstance(stage, RolloutStage) and stage.beta > 0)


def _keeps_the_recipe(case: Case) -> None:
    """Settings that Unsloth would replace or ignore with no more than a printed line."""
    for name, stage in case.spec.stages.items():
        path = ("stages", name)
        if stage.method == "grpo" and (stage.loss_type, stage.scale_rewards) == OVERRULED:
            message = "Unsloth turns `scale_rewards` off with `dr_grpo`, as its paper does"
            hint = f"leave it out, name another loss such as `dapo`, or {BACKEND}"
            case.error(CODE, (*path, "scale_rewards"), message, hint)
        if isinstance(stage, RolloutStage) and stage.temperature >= HIGHEST_TEMPERATURE:
            message = f"Unsloth refuses a temperature of {HIGHEST_TEMPERATURE} or more"
            case.error(CODE, (*path, "temperature"), message, f"write a lower one, or {BACKEND}")
        if stage.trainer.get("use_adaptive_entropy"):
            # unsloth_zoo/rl_replacements.py:1564
            message = "Unsloth ignores `use_adaptive_entropy`, and the `entropy_coef` beside it"
            hint = f"leave it out and write a fixed `entropy_coef`, or {BACKEND}"
            case.error(CODE, (*path, "trainer", "use_adaptive_entropy"), message, hint)
        _targets(case, name)


def _targets(case: Case, name: str) -> None:
    """An adapter on the embeddings would be trained as whole matrices.

    unsloth/models/llama.py:4884 moves them to `modules_to_save`.
    """
    adapter = adapter_of(case.spec, name)
    if adapter is None or isinstance(adapter.target_modules, str):
        return
    for module in adapter.target_modules:
        if module.rpartition(".")[2] == "embed_tokens":
            path = (*adapter_path(case.spec, name), "target_modules")
            message = f"Unsloth trains all of `{module}`, and not an adapter on it"
            case.error(CODE, path, message, f"leave it out, or {BACKEND}")
            return
