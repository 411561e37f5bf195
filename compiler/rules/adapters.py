"""Adapters that a trainer would refuse when it is built, after the model is loaded."""

from compiler.memory import device_of
from compiler.resolve.starts import adapter_of, adapter_path
from compiler.rules.case import Case

__all__ = ["output_head_is_left_alone", "quantization_has_a_gpu"]


def output_head_is_left_alone(case: Case) -> None:
    """No adapter on `lm_head`: TRL multiplies by its weight, and would never train the adapter.

    sft_trainer.py:1069, dpo_trainer.py:838, grpo_trainer.py:839 and their like; a reward model has
    another head.
    """
    for name, stage in case.spec.stages.items():
        adapter = adapter_of(case.spec, name)
        if adapter is None or stage.method == "reward" or adapter.target_modules == "all-linear":
            continue
        for module in adapter.target_modules:
            if module.rpartition(".")[2] == "lm_head":
                case.error(
                    "bad-value",
                    (*adapter_path(case.spec, name), "target_modules"),
                    f"`{module}` is the output head, whose adapter would not be trained",
                    'leave it out, or write `target_modules = "all-linear"`, which does',
                )
                return


def quantization_has_a_gpu(case: Case) -> None:
    """Weights of 4 bit need kernels that neither a CPU nor an Apple chip has."""
    spec = case.spec
    device = device_of(spec.hardware.tier)
    if device is not None and device.quantizes:
        return
    needed = "a GPU" if device is None else "a GPU of NVIDIA or AMD"
    chosen = {("stages", name, "adapter"): stage.adapter for name, stage in spec.stages.items()}
    for path, adapter in {("model", "adapter"): spec.model.adapter, **chosen}.items():
        if adapter is not None and adapter.kind == "qlora":
            message = f"`qlora` needs {needed}, and the tier is `{spec.hardware.tier}`"
            hint = 'write `kind = "lora"`, or name the GPU as `tier`'
            case.error("bad-value", (*path, "kind"), message, hint)
