"""Published measurements of memory: what was run, what was measured, and who says so.

Those are here that state model, method, lengths, batch and optimizer, and come from a tool's own
authors or logs. fms: https://github.com/foundation-model-stack/fms-acceleration,
scripts/benchmarks/refs/a100_80gb.csv, TRL 0.13 with transformers 4.48. PEFT: its
method_comparison. torchtune, Qwen, LLaMA-Factory, ms-swift, LitGPT, Axolotl, Unsloth: README,
wiki, example headers, documentation.
"""

from typing import Literal, NamedTuple

from compiler.memory import (
    Adapter,
    Architecture,
    Job,
    from_config,
    known_models,
)

GB = 1e9 / 2**30
# What a source has read: torch's allocated or reserved memory, the process with its CUDA context,
# or the longest context that a card of this size takes.
Read = Literal["allocated", "reserved", "process", "card"]


class Row(NamedTuple):
    """One measurement in GiB; `tolerance` is the share by which the prediction may be off."""

    source: str
    model: Architecture
    job: Job
    read: Read
    measured: float
    tolerance: float = 0.12


class Trial(NamedTuple):
    """A configuration whose end is known on a GPU with `usable` GiB."""

    source: str
    model: Architecture
    job: Job
    usable: float


def known(name: str) -> Architecture:
    config = next(config for config in known_models() if name in config["names"])
    shape = from_config(config, name)
    assert shape is not None
    return shape


def dense(name: str, *sizes: int, tied: bool = False, qkv_bias: bool = False) -> Architecture:
    hidden, layers, heads, kv_heads, head_size, intermediate, vocabulary = sizes
    return Architecture(
        *(name, hidden, layers, heads, kv_heads, head_size, intermediate, vocabulary, tied),
        qkv_bias=qkv_bias,
    )


MISTRAL = known("mistral-7b")
LLAMA3 = known("llama-3.1-8b")
LLAMA32 = known("llama-3.2-3b")
QWEN25 = known("qwen2.5-7b")
LLAMA2 = dense("llama-2-7b", 4096, 32, 32, 32, 128, 11008, 32000)
LLAMA2_70B = dense("llama-2-70b", 8192, 80, 64, 8, 128, 28672, 32000)
MINISTRAL = dense("ministral-8b", 4096, 36, 32, 8, 128, 12288, 131072)
# The first Qwen: one MLP of half the stated width, full attention.
QWEN_14B = dense("qwen-14b", 5120, 40, 40, 40, 128, 13696, 152064, qkv_bias=True)
QWEN_18B = dense("qwen-1.8b", 2048, 24, 16, 16, 128, 5504, 151936, qkv_bias=True)

LLAMA_65B = dense("llama-65b", 8192, 80, 64, 64, 128, 22016, 32000)

ATTENTION = frozenset({"q_proj", "k_proj", "v_proj", "o_proj"})
QUERY_VALUE = frozenset({"q_proj", "v_proj"})
FMS = Adapter(16, ATTENTION, dropout=True)


def sft(sequences: int, tokens: int, **rest: object) -> Job:
    """Supervised training on full rows, as transformers 4.45 to 4.48 computed its loss."""
    return Job(sequences, tokens, tokens, head="transformers-4.45")._replace(**rest)


ROWS = (
    Row(
        "fms row 1: Mistral-7B, all weights in bfloat16, packed, AdamW without fusion",
        MISTRAL,
        sft(4, 4096, optimizer="adamw_torch"),
        "allocated",
        67.46,
    ),
    Row("fms row 2: Mistral-7B, LoRA", MISTRAL, sft(4, 4096, adapter=FMS), "allocated", 24.87),
    *(
        Row(
            f"fms rows 4 and 5: Mistral-7B, QLoRA, batch {size}",
            MISTRAL,
            sft(size, 4096, weights="nf4-double", adapter=FMS),
            "allocated",
            measured,
        )
        for size, measured in ((4, 15.25), (8, 26.46))
    ),
    *(
        Row(
            f"fms row 7: Llama-3-8B, LoRA, fused cross entropy on logits, batch {size}",
            LLAMA3,
            sft(size, 4096, adapter=FMS, head="fused-cross-entropy"),
            "allocated",
            measured,
        )
        for size, measured in ((4, 35.06), (8, 54.96))
    ),
    Row(
        "fms row 8: Mistral-7B, QLoRA after prepare_model_for_kbit_training",
        MISTRAL,
        sft(4, 4096, weights="nf4-double", adapter=FMS, wide_residual=True),
        "allocated",
        19.25,
    ),
    *(
        Row(
            f"fms row 10: Llama-3-8B, QLoRA, Liger, batch {size}",
            LLAMA3,
            sft(size, 4096, weights="nf4-double", adapter=FMS, head="liger"),
            "allocated",
            measured,
        )
        for size, measured in ((4, 13.42), (8, 21.36), (16, 37.24), (32, 69.0))
    ),
    Row(
        "fms row 11: Llama-2-70B, QLoRA",
        LLAMA2_70B,
        sft(4, 4096, weights="nf4-double", adapter=FMS),
        "allocated",
        63.45,
    ),
    Row(
        "PEFT row 13: Llama-3.2-3B, all weights in bfloat16, 768 tokens, no checkpointing",
        LLAMA32,
        sft(4, 768, optimizer="adamw_torch", checkpointing=False),
        "reserved",
        36.20,
    ),
    *(
        Row(
            f"Qwen README row 17: Qwen-14B, LoRA, {tokens} tokens",
            QWEN_14B,
            sft(1, tokens, adapter=Adapter(64)),
            "process",
            measured * GB,
        )
        for tokens, measured in ((256, 34.6), (2048, 37.4), (8192, 55.2))
    ),
    *(
        Row(
            f"Qwen README row 19: Qwen-1.8B, LoRA, {tokens} tokens",
            QWEN_18B,
            sft(1, tokens, adapter=Adapter(64)),
            "process",
            measured * GB,
            0.2,
        )
        for tokens, measured in ((256, 6.7), (2048, 11.0), (8192, 21.8))
    ),
    Row(
        "torchtune README row 20: Llama-3.2-3B, all weights in bfloat16, packed",
        LLAMA32,
        sft(2, 4096, checkpointing=False, head="transformers-5"),
        "allocated",
        60.0,
    ),
    Row(
        "torchtune README row 20: the same with chunked cross entropy and checkpointing",
        LLAMA32,
        sft(2, 4096, head="chunked"),
        "allocated",
        24.9,
    ),
    *(
        Row(
            f"torchtune README row 22: Llama-3.1-8B, {name}",
            LLAMA3,
            sft(2, 2048, weights=weights, adapter=Adapter(8, bytes=2), head="chunked"),
            "allocated",
            measured,
        )
        for name, weights, measured in (("LoRA", "16-bit", 16.2), ("QLoRA", "nf4-double", 7.4))
    ),
    *(
        Row(
            f"LLaMA-Factory wiki row 25: Llama-2-7B, QLoRA, {tokens} tokens",
            LLAMA2,
            sft(1, tokens, weights="nf4-double", adapter=Adapter(8), wide_residual=True),
            "allocated",
            measured,
        )
        for tokens, measured in ((1024, 6), (4096, 9), (8192, 12), (16384, 19), (32768, 32))
    ),
    Row(
        "LLaMA-Factory wiki row 26: Llama-2-7B, LoRA",
        LLAMA2,
        sft(4, 1024, adapter=Adapter(8)),
        "allocated",
        17,
    ),
    Row(
        "ms-swift row 28: Qwen2.5-7B, all weights in bfloat16",
        QWEN25,
        sft(1, 2048, optimizer="adamw_torch"),
        "process",
        76,
    ),
    *(
        Row(
            f"ms-swift row 29: Qwen2.5-7B, LoRA, ZeRO-{level} on two GPUs",
            QWEN25,
            # DeepSpeed's engine makes an adapter bfloat16 as well.
            sft(1, 2048, adapter=Adapter(8, bytes=2), shards=level, gpus=2),
            "process",
            measured,
        )
        for level, measured in ((2, 18), (3, 16))
    ),
    Row(
        "ms-swift row 32: Qwen2.5-7B, all weights, ZeRO-3 on four GPUs, Liger",
        QWEN25,
        sft(8, 8192, shards=3, gpus=4, head="liger"),
        "process",
        60,
    ),
    Row(
        "PEFT row 34: Llama-2-70B, LoRA, ZeRO-3 on eight GPUs",
        LLAMA2_70B,
        sft(8, 2048, adapter=Adapter(8, bytes=2), shards=3, gpus=8),
        "process",
        64,
        0.25,  # the page does not say whether the residual stream was float32
    ),
    Row(
        "PEFT row 35: Llama-2-70B, QLoRA, ZeRO-3 on two GPUs",
        LLAMA2_70B,
        sft(4, 2048, weights="nf4-double", adapter=Adapter(8, bytes=2), shards=3, gpus=2),
        "process",
        36.6,
    ),
    Row(
        "LitGPT row 37: Llama-2-7B, LoRA on queries and values, no checkpointing",
        LLAMA2,
        sft(1, 1304, adapter=Adapter(8, QUERY_VALUE), checkpointing=False),
        "allocated",
        21.30 * GB,
    ),
    Row(
        "LitGPT row 37: the same in nf4",
        LLAMA2,
        sft(1, 1304, weights="nf4", adapter=Adapter(8, QUERY_VALUE), checkpointing=False),
        "allocated",
        14.14 * GB,
        0.25,  # LitGPT quantizes with layers of its own
    ),
    Row(
        "TRL notebook row 41: Qwen2-7B, GRPO, QLoRA, transformers generation, on a T4",
        QWEN25,
        Job(
            *(8, 456, 256),
            weights="nf4-double",
            adapter=Adapter(32),
            optimizer="paged_adamw_8bit",
            head="liger",
            generated=8,
        ),
        "reserved",
        8.83,
    ),
    *(
        Row(
            f"Axolotl example: {model.name}, QLoRA, cut cross entropy, packed",
            model,
            sft(
                *(2, 2048),
                weights="nf4-double",
                adapter=Adapter(32),
                optimizer="adamw_8bit",
                head="none",
            ),
            "allocated",
            measured,
        )
        for model, measured in ((known("qwen3-4b"), 5.1), (MINISTRAL, 8.76))
    ),
    *(
        Row(
            f"Unsloth documentation: Llama-3.1-8B, QLoRA, {tokens} tokens fill {card} GB",
            LLAMA3,
            sft(1, tokens, weights="nf4-double", adapter=Adapter(32), head="transformers-4.44"),
            "card",
            card * 0.985,
            tolerance,
        )
        for card, tokens, tolerance in (
            *((12, 932, 0.3), (16, 2551, 0.2), (24, 5789, 0.15)),
            *((40, 12264, 0.12), (48, 15502, 0.12), (80, 28454, 0.12)),
        )
    ),
)

# Configurations that are known to have run out of memory.
FAILURES = (
    Trial(
        "fms row 7: Llama-3-8B, LoRA, batch 16, on an A100-80",
        LLAMA3,
        sft(16, 4096, adapter=FMS, head="fused-cross-entropy"),
        79.25,
    ),
    Trial(
        "LLaMA-Factory wiki row 25: Llama-2-7B, QLoRA, 65,536 tokens, on an A100-40",
        LLAMA2,
        sft(1, 65536, weights="nf4-double", adapter=Adapter(8), wide_residual=True),
        39.5,
    ),
    Trial(
        "TRL#2927: Qwen2.5-7B, GRPO of all weights with a reference, short rows, on an H20",
        QWEN25,
        Job(
            *(1, 512, 256),
            optimizer="adamw_torch",
            head="transformers-4.45",
            reference=True,
            accumulates=True,
        ),
        94.99,
    ),
    Trial(
        "ms-swift#3361: Qwen2.5-7B, GRPO, LoRA, vLLM on another card, on 24 GB",
        QWEN25,
        Job(2, 3072, 1024, adapter=Adapter(8), head="transformers-4.45"),
        22.16,  # which card of 24 GB is not said: the least of them
    ),
    Trial(
        "ms-swift#7986: 32B, GRPO, LoRA, ZeRO-3 and vLLM beside it, on eight A100-80",
        known("qwen2.5-32b"),
        Job(
            *(1, 1024, 512),
            adapter=Adapter(8),
            shards=3,
            gathers=True,
            gpus=8,
            engine=0.3 * 80 * 2**30,
        ),
        79.25,
    ),
    Trial(
        "TRL#3168: Qwen2.5-0.5B, DPO quick start in float32, on an A100-80",
        known("qwen2.5-0.5b"),
        Job(
            *(16, 1024, 1024),
            weights="float32",
            head="transformers-4.45",
            checkpointing=False,
            reference=True,
            scores_reference=True,
        ),
        79.25,
    ),
    Trial(
        "ms-swift#4311: Qwen2.5-VL-3B, GRPO of all weights, ZeRO-3, on four RTX 4090",
        known("qwen2.5-3b"),
        Job(8, 3072, 1024, head="transformers-4.45", shards=3, gpus=4),
        23.5,
    ),
)

# Configurations that are known to run.
SUCCESSES = (
    *(
        Trial(
            f"verl row 56: {model}, GRPO, LoRA, vLLM that sleeps beside it, on an H100",
            known(model),
            Job(
                *(rows, 1536, 1024),
                adapter=Adapter(rank),
                engine=share * 79.1 * 2**30,
                engine_sleeps=True,
            ),
            79.1,
        )
        for model, rows, rank, share in (
            *(("qwen2.5-0.5b", 116, 32, 0.6), ("qwen2.5-1.5b", 128, 32, 0.6)),
            *(("qwen2.5-3b", 62, 64, 0.4), ("qwen2.5-7b", 16, 32, 0.2)),
        )
    ),
    Trial(
        "QLoRA paper row 38: LLaMA-65B, QLoRA, 512 tokens, on a card of 48 GB",
        LLAMA_65B,
        sft(
            *(1, 512),
            weights="nf4-double",
            adapter=Adapter(64),
            optimizer="paged_adamw_32bit",
            head="transformers-4.44",
        ),
        47.5,
    ),
    Trial(
        "TRL#3168: Qwen2.5-0.5B, DPO quick start in bfloat16, on an A100-80",
        known("qwen2.5-0.5b"),
        Job(
            *(16, 1024, 1024),
            head="transformers-4.45",
            checkpointing=False,
            reference=True,
            scores_reference=True,
        ),
        79.25,
    ),
)
