"""What keeps vLLM, as TRL drives it, from sampling the completions of a stage: a table of rules.

What TRL 1.16 or vLLM 0.31 deals with by itself is not listed: the names of weights under FSDP2
beside an adapter, tensor parallel beside an adapter, memory that sleeps in expandable segments.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple, cast

from compiler.memory import device_of
from compiler.parse import KeyPath
from compiler.resolve.inputs import Inputs
from compiler.resolve.starts import adapter_of, adapter_path, uses_unsloth
from compiler.stack.vllm import SAMPLING_ARGUMENTS
from spec_schema import TaskSpec

# What a spec may ask for; its table is loaded only where it has one.
Engine = Literal["auto", "transformers", "vllm-colocate", "vllm-server"]

__all__ = [
    "INCOMPATIBLE",
    "Incompatibility",
    "Sampling",
    "engine_asked",
    "vllm_refusal",
]

AMPERE = (8, 0)
TO_TRANSFORMERS = 'write `engine = "transformers"`'


class Sampling(NamedTuple):
    """A stage that vLLM is to sample for, in the trainer's processes or in a server."""

    spec: TaskSpec
    stage: str
    engine: Engine
    sharding: str

    @property
    def adapter(self) -> str | None:
        """The kind of the adapter that the stage trains."""
        adapter = adapter_of(self.spec, self.stage)
        return None if adapter is None else adapter.kind


class Incompatibility(NamedTuple):
    """One rule: why vLLM cannot sample where it holds, the way out, and where the fact is from.

    `why` gives a clause that follows "vLLM cannot sample the completions of a stage: ", None where
    the rule does not hold. `related` is the key of the conflict beside the engine's. With `refused`
    False vLLM does work if it is asked for, and is not taken by itself.
    """

    name: str
    why: Callable[[Sampling], str | None]
    related: Literal["tier", "adapter", "method", "generation_kwargs"]
    hint: str
    source: str
    refused: bool = True

    def key(self, case: Sampling) -> KeyPath:
        """Where the spec says what the engine cannot go with."""
        match self.related:
            case "tier":
                return ("hardware", "tier")
            case "adapter":
                return (*adapter_path(case.spec, case.stage), "kind")
            case "method":
                return ("stages", case.stage, "method")
            case _:
                return ("stages", case.stage, "trainer", self.related)


def engine_asked(spec: TaskSpec) -> Engine:
    """What the spec wants to sample with; `auto` where it does not say."""
    return "auto" if spec.hardware.rollout is None else spec.hardware.rollout.engine


def vllm_refusal(
    inputs: Inputs, name: str, *, sharding: str = "none", asked: bool = False
) -> str | None:
    """Why vLLM in the trainer's processes cannot sample for a stage, None where it can.

    `sharding` is what the stage's GPUs share out. Unless vLLM is `asked` for, what merely speaks
    against it counts as well.
    """
    case = Sampling(inputs.spec, name, "vllm-colocate", sharding)
    rules = (rule for rule in INCOMPATIBLE if rule.refused or not asked)
    return next((why for rule in rules if (why := rule.why(case)) is not None), None)


def _on_the_cpu(case: Sampling) -> str | None:
    if device_of(case.spec.hardware.tier) is not None:
        return None
    return "it needs a GPU, and the tier is `cpu`"


def _without_kernels(case: Sampling) -> str | None:
    device = device_of(case.spec.hardware.tier)
    if device is None or device.runs_vllm:
        return None
    return f"its wheels have no kernels for `{device.name}`"


def _before_ampere(case: Sampling) -> str | None:
    device = device_of(case.spec.hardware.tier)
    if device is None or device.capability is None or device.capability >= AMPERE:
        return None
    return "below compute capability 8.0 it has slow attention only"


def _quantized(case: Sampling) -> str | None:
    # Unsloth lends its vLLM the 4-bit weights and the adapter beside them.
    if case.adapter != "qlora" or uses_unsloth(case.spec):
        return None
    if case.engine == "vllm-server":
        return (
            "TRL sends it the merged weights as `qlora` packs them in 4 bit, which fit none of "
            "its own"
        )
    return (
        "it would be given the adapter merged into the 4-bit weights of `qlora`, which rounds most "
        "of the adapter away"
    )


def _sharded_dora(case: Sampling) -> str | None:
    if case.adapter != "dora" or case.sharding != "fsdp2":
        return None
    return "under FSDP2 PEFT merges `dora` wrongly, with the norms of one GPU's rows"


def _foreign_arguments(case: Sampling) -> str | None:
    given = case.spec.stages[case.stage].trainer.get("generation_kwargs")
    names = cast("dict[str, object]", given) if isinstance(given, dict) else {}
    foreign = next((name for name in names if name not in SAMPLING_ARGUMENTS), None)
    return None if foreign is None else f"its sampling arguments have no `{foreign}`"


def _all_weights_of_unsloth(case: Sampling) -> str | None:
    if not uses_unsloth(case.spec) or case.adapter is not None:
        return None
    return "beside it Unsloth trains an adapter, and the stage trains all weights"


def _dora_of_unsloth(case: Sampling) -> str | None:
    if not uses_unsloth(case.spec) or case.adapter != "dora":
        return None
    return "Unsloth hands it the adapter as it is, and it knows no `dora`"


def _rloo_of_unsloth(case: Sampling) -> str | None:
    if not uses_unsloth(case.spec) or case.spec.stages[case.stage].method != "rloo":
        return None
    return "Unsloth hands it the adapter of GRPO alone, and the stage is RLOO"


INCOMPATIBLE: tuple[Incompatibility, ...] = (
    Incompatibility(
        "cpu",
        _on_the_cpu,
        "tier",
        f"{TO_TRANSFORMERS}, or name the GPU as `tier`",
        "the wheels of vLLM in the package index are built for CUDA",
    ),
    Incompatibility(
        "other-gpus",
        _without_kernels,
        "tier",
        f"{TO_TRANSFORMERS}, or name another GPU as `tier`",
        "vLLM 0.31 in the package index is built on CUDA 13, which has left out what is older than "
        "Turing; other makers' GPUs need a build of their own",
    ),
    Incompatibility(
        "turing",
        _before_ampere,
        "tier",
        "",
        "vllm 0.31, v1/attention/backends/flash_attn.py:451 and flashinfer.py:514",
        refused=False,
    ),
    Incompatibility(
        "qlora",
        _quantized,
        "adapter",
        'write `kind = "lora"`, or `engine = "transformers"`',
        "trl#4973 and trl#3654 for the server; trl#3466 and vllm_generation.py:343 beside the "
        "trainer",
    ),
    Incompatibility(
        "sharded-dora",
        _sharded_dora,
        "adapter",
        'write `kind = "lora"`, or `sharding = "zero3"`',
        "tests/rollout/test_weight_sync.py, with TRL 1.16.0, PEFT 0.21.2 and torch 2.13.0",
    ),
    Incompatibility(
        "sampling-arguments",
        _foreign_arguments,
        "generation_kwargs",
        f"leave it out of `generation_kwargs`, or {TO_TRANSFORMERS}",
        "vllm 0.31, sampling_params.py:212 and entrypoints/openai/completion/protocol.py:46",
    ),
    Incompatibility(
        "unsloth-all-weights",
        _all_weights_of_unsloth,
        "adapter",
        'write `adapter = { kind = "lora" }`, or `engine = "transformers"`',
        "unsloth 2026.10.9, models/vision.py:4329",
    ),
    Incompatibility(
        "unsloth-dora",
        _dora_of_unsloth,
        "adapter",
        'write `kind = "lora"`, or `engine = "transformers"`',
        "vllm 0.31, lora/peft_helper.py refuses an adapter with `use_dora`",
    ),
    Incompatibility(
        "unsloth-rloo",
        _rloo_of_unsloth,
        "method",
        'write `method = "grpo"`, or `engine = "transformers"`',
        'unsloth 2026.10.9, models/rl.py:4172: `if "grpo" in trainer_file`',
    ),
)
