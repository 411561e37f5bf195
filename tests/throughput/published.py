"""Published rates of training and times of steps, each with what was run and who says so.

fms: foundation-model-stack/fms-acceleration, scripts/benchmarks/refs/a100_80gb.csv and its FSDP
table. torchtune: README. PEFT: method_comparison. TRL and Unsloth: their notebooks. NeMo RL: its
performance summary of version 0.4, 2,048 completions a step with their mean length.
"""

from typing import NamedTuple

from compiler.memory import Architecture
from compiler.throughput import SPEEDS, Rollout, Speed, Work, sampling_seconds, training_rate
from tests.memory.published import LLAMA2_70B, LLAMA3, LLAMA32, MISTRAL, QWEN25, dense, known


class Rate(NamedTuple):
    """Tokens a second of one GPU. `plain`: kernels of PyTorch and transformers as they stand."""

    source: str
    model: Architecture
    work: Work
    speed: Speed
    measured: float
    plain: bool = False
    unsloth: bool = False

    @property
    def predicted(self) -> float:
        return training_rate(self.model, self.work, self.speed, unsloth=self.unsloth)


class Step(NamedTuple):
    """Seconds of one optimizer step of GRPO on so many GPUs."""

    source: str
    model: Architecture
    work: Work
    rollout: Rollout
    samples: int
    gpus: int
    speed: Speed
    measured: float

    @property
    def predicted(self) -> float:
        tokens = self.samples * self.work.tokens
        rate = training_rate(self.model, self.work, self.speed) * self.gpus
        return tokens / rate + sampling_seconds(self.model, self.rollout, self.speed)


A100, H100, T4 = SPEEDS["a100-80gb"], SPEEDS["h100"], SPEEDS["t4"]
RTX_4090, A6000, L40S = SPEEDS["rtx-4090"], SPEEDS["a6000"], SPEEDS["l40s"]
MIXTRAL = dense("mixtral-8x7b", 4096, 32, 32, 8, 128, 14336, 32000)._replace(
    experts=8, experts_per_token=2
)
FULL, LORA = Work(4096, trains_all=True), Work(4096, trains_all=False)
QLORA = LORA._replace(quantized=True)
SHORT = Work(2048, trains_all=False)

RATES = (
    Rate("fms: Mistral-7B, all weights", MISTRAL, FULL, A100, 3063, plain=True),
    Rate("fms: Mistral-7B, all weights, fused kernels", MISTRAL, FULL, A100, 3497),
    Rate("fms: Mistral-7B, all weights, FSDP on 2 GPUs", MISTRAL, FULL, A100, 2893, plain=True),
    Rate("fms: Mistral-7B, LoRA", MISTRAL, LORA, A100, 3324, plain=True),
    Rate("fms: Mistral-7B, LoRA, fused kernels", MISTRAL, LORA, A100, 3794),
    Rate("fms: Mistral-7B, QLoRA in float32", MISTRAL, QLORA, A100, 2904, plain=True),
    Rate("fms: Mistral-7B, QLoRA", MISTRAL, QLORA, A100, 3596, plain=True),
    Rate("fms: Mistral-7B, QLoRA, fused kernels", MISTRAL, QLORA, A100, 4170),
    Rate("fms: Llama-3-8B, LoRA, fused kernels and Liger", LLAMA3, LORA, A100, 3843),
    Rate("fms: Llama-3-8B, QLoRA, fused kernels and Liger", LLAMA3, QLORA, A100, 4085),
    Rate("fms: Llama-2-70B, QLoRA", LLAMA2_70B, QLORA, A100, 484),
    Rate("fms: Mixtral-8x7B, QLoRA", MIXTRAL, QLORA, A100, 1905),
    Rate("torchtune: Llama-3.1-8B, all", LLAMA3, SHORT._replace(trains_all=True), RTX_4090, 1650),
    Rate("torchtune: Llama-3.1-8B, LoRA, compiled", LLAMA3, SHORT, RTX_4090, 3083),
    Rate("torchtune: Llama-3.1-8B, QLoRA", LLAMA3, SHORT._replace(quantized=True), RTX_4090, 2413),
    Rate(
        "torchtune: Llama-3.1-8B, all, compiled",
        *(LLAMA3, SHORT._replace(trains_all=True, checkpointing=False), A6000, 2579),
    ),
    Rate(
        "torchtune: Llama-3.1-8B, LoRA, compiled",
        *(LLAMA3, SHORT._replace(checkpointing=False), A6000, 4699),
    ),
    Rate(
        "torchtune: Llama-3.2-3B, all, packed",
        *(LLAMA32, FULL._replace(checkpointing=False), A100, 7075),
        plain=True,
    ),
    Rate("torchtune: Llama-3.2-3B, all, all measures", LLAMA32, FULL, A100, 6960),
    Rate(
        "PEFT: Llama-3.2-3B, LoRA, 768 tokens, unpacked",
        *(LLAMA32, Work(768, trains_all=False, checkpointing=False), L40S, 7100),
    ),
    Rate(
        "TRL notebook: Qwen3-14B, QLoRA, offloading",
        *(known("qwen3-14b"), Work(1024, trains_all=False, quantized=True), T4, 29),
        plain=True,
    ),
    Rate(
        "Unsloth notebook: Llama-3.1-8B, QLoRA, short rows",
        *(LLAMA3, Work(256, trains_all=False, quantized=True), T4, 250),
        plain=True,
        unsloth=True,
    ),
)

STEPS = (
    Step(
        "TRL notebook: Qwen2-7B, QLoRA, 8 completions of 256 tokens by transformers",
        QWEN25,
        Work(456, trains_all=False, quantized=True),
        Rollout(8, 200, 256, weights="nf4-double"),
        *(8, 1, T4, 94),
    ),
    Step(
        "NeMo RL: Llama-3.1-8B, mean of 1,060 tokens",
        LLAMA3,
        Work(1060, trains_all=True, forwards=1),
        Rollout(128, 100, 960, vllm=True),
        *(2048, 16, H100, 97.7),
    ),
    Step(
        "NeMo RL: Qwen3-32B, mean of 3,206 tokens",
        known("qwen3-32b"),
        Work(3206, trains_all=True, forwards=1),
        Rollout(256, 200, 3006, vllm=True, gpus=4),
        *(2048, 32, H100, 393),
    ),
)
