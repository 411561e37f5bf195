"""The parts of an estimate, against loads that were measured and by how they must move."""

import pytest

from compiler.memory import (
    DEVICES,
    GIB,
    Adapter,
    Architecture,
    Device,
    Job,
    estimate,
)
from compiler.memory.persistent import lasting
from tests.memory.published import FMS, LLAMA3, LLAMA32, MISTRAL, QWEN25, known

GRPO = Job(4, 1280, 768, adapter=Adapter(16), generated=128)
SFT = Job(4, 1024, 1024)


def peak(job: Job) -> float:
    return estimate(QWEN25, job).peak


@pytest.mark.parametrize(
    ("name", "job", "measured"),
    [
        # fms-acceleration, memory before training: weights, adapter and optimizer, in bytes
        ("llama-3.1-8b", Job(1, 1, 1, weights="nf4-double", adapter=FMS), 5.884e9),
        ("mistral-7b", Job(1, 1, 1, weights="nf4-double", adapter=FMS), 4.307e9),
        ("mistral-7b", Job(1, 1, 1, optimizer="adamw_torch"), 43.47e9),
        ("mistral-7b", Job(1, 1, 1, adapter=FMS), 13.66 * GIB),
    ],
)
def test_what_stays_is_as_measured(name: str, job: Job, measured: float) -> None:
    assert sum(lasting(known(name), job).values()) == pytest.approx(measured, rel=0.02)


@pytest.mark.parametrize(
    ("model", "measured"), [(LLAMA3, 5.98), (LLAMA32, 2.64), (known("llama-3.3-70b"), 39.22)]
)
def test_a_model_in_four_bits_loads_as_in_the_notebooks_of_unsloth(
    model: Architecture, measured: float
) -> None:
    """Reserved memory after loading with an adapter of rank 16; the rest is the library's own."""
    job = Job(1, 1, 1, weights="nf4-double", adapter=Adapter(16), optimizer="sgd")
    least = sum(lasting(model, job).values()) / GIB
    assert least <= measured <= least * 1.08 + 0.5


def test_all_weights_in_float32_take_sixteen_bytes_and_two_more_while_they_are_cast() -> None:
    """arXiv 1910.02054, section 3.1; the copies of autocast live until the forward pass ends.

    The events of the allocator on the CPU give 16.0 and 18.0 with torch 2.13.
    """
    job = Job(1, 1, 1, weights="float32")
    assert estimate(QWEN25, job).peak / QWEN25.parameters == pytest.approx(16, rel=0.01)
    accumulated = estimate(QWEN25, job._replace(accumulates=True))
    # The fused head keeps the gradient of the output head in float32, twice.
    more = 2 * QWEN25.linear + 8 * QWEN25.embedding
    whole = 16 * QWEN25.parameters + more
    assert accumulated.peak == pytest.approx(whole, rel=0.01)


@pytest.mark.parametrize(
    "more",
    [
        SFT._replace(sequences=8),
        SFT._replace(tokens=2048, scored=2048),
        SFT._replace(weights="float32"),
        SFT._replace(reference=True),
        SFT._replace(others=1e9),
        SFT._replace(optimizer="adamw_torch"),
        SFT._replace(checkpointing=False),
        SFT._replace(head="transformers-5", tokens=8192, scored=8192),
        SFT._replace(engine=20e9),
    ],
)
def test_more_work_needs_more(more: Job) -> None:
    assert peak(more) > peak(SFT)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_sharding_saves_more_with_each_level(level: int) -> None:
    sharded = SFT._replace(shards=level, gpus=8)
    assert peak(sharded) < peak(sharded._replace(shards=level - 1) if level > 1 else SFT)


def test_an_engine_that_sleeps_counts_only_while_it_generates() -> None:
    awake = estimate(QWEN25, GRPO._replace(engine=10e9))
    asleep = estimate(QWEN25, GRPO._replace(engine=10e9, engine_sleeps=True))
    assert asleep.peak < awake.peak
    assert asleep.moment == "generation"


def test_the_generation_is_the_peak_of_many_completions_and_the_layers_of_few() -> None:
    assert estimate(QWEN25, GRPO).moment == "generation"
    few = GRPO._replace(generated=8)
    assert estimate(QWEN25, few).moment == "backward pass"


def test_keys_and_values_are_those_of_the_grouped_heads() -> None:
    """56 KiB a token in Qwen2.5-7B, and one block's more while it is copied."""
    job = GRPO._replace(sequences=1, tokens=4097, scored=4096, generated=64)
    parts = dict(estimate(QWEN25, job).parts)
    tokens = 64 * 4097
    assert parts["generation cache"] == tokens * 56 * 1024 * 29 / 28


def test_the_ends_of_the_range_decide() -> None:
    found = estimate(MISTRAL, SFT)
    assert found.least < found.peak < found.held <= found.most
    exact = found.most / GIB
    assert found.fit(Device("", "", exact)) == "fits"
    assert found.fit(Device("", "", exact * 0.99)) == "tight"
    assert found.fit(Device("", "", found.least / GIB * 0.99)) == "does not fit"


def test_an_assumed_architecture_widens_the_range() -> None:
    known_range = estimate(QWEN25, SFT)
    wider = estimate(QWEN25._replace(assumed="by its name"), SFT)
    assert wider.least < known_range.least
    assert wider.most > known_range.most


def test_experts_count_in_the_weights_and_those_of_a_token_in_the_activations() -> None:
    mixture, dense = known("qwen3-30b-a3b"), known("qwen3-32b")
    job = Job(4, 2048, 2048, adapter=Adapter(16))
    found, other = dict(estimate(mixture, job).parts), dict(estimate(dense, job).parts)
    assert found["weights"] == pytest.approx(56.87 * GIB, rel=0.001)
    assert found["recomputed layer"] < other["recomputed layer"] / 1.5


def test_a_sound_plan_fits_what_it_is_known_to_fit() -> None:
    """LoRA on 8B, two full rows of 2,048 at once, on a card of 24 GB."""
    job = Job(2, 2048, 2048, adapter=Adapter(16), accumulates=True)
    assert estimate(LLAMA3, job).fit(DEVICES["rtx-4090"]) == "fits"
