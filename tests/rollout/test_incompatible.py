"""What vLLM cannot go with is told at the key that asks for it, with a way out that is one."""

import re
from pathlib import Path

import pytest

from compiler.resolve.incompatible import INCOMPATIBLE, Incompatibility, vllm_refusal
from compiler.stack.vllm import SAMPLING_ARGUMENTS
from tests.rollout.specs import found_in, gathered, sampling_spec

COLOCATE = 'engine = "vllm-colocate"'
SERVER = 'engine = "vllm-server"'
UNSLOTH = 'backend = "unsloth"'
FOREIGN = "[stages.reasoning.trainer]\ngeneration_kwargs = { no_repeat_ngram_size = 3 }"

# A spec that breaks each rule, and the same with what its hint says to write.
BROKEN = {
    "cpu": (
        sampling_spec(COLOCATE, tier="cpu"),
        sampling_spec('engine = "transformers"', tier="cpu"),
    ),
    "other-gpus": (sampling_spec(COLOCATE, tier="v100"), sampling_spec(COLOCATE, tier="t4")),
    "qlora": (
        sampling_spec(COLOCATE, adapter="qlora"),
        sampling_spec(COLOCATE, adapter="lora"),
    ),
    "sharded-dora": (
        sampling_spec(COLOCATE, adapter="dora", hardware='gpus = 2\nsharding = "fsdp2"'),
        sampling_spec(COLOCATE, adapter="dora", hardware='gpus = 2\nsharding = "zero3"'),
    ),
    "unsloth-all-weights": (
        sampling_spec(COLOCATE, adapter="none", hardware=UNSLOTH, tier="80gb"),
        sampling_spec(COLOCATE, adapter="lora", hardware=UNSLOTH, tier="80gb"),
    ),
    "unsloth-dora": (
        sampling_spec(COLOCATE, adapter="dora", hardware=UNSLOTH),
        sampling_spec(COLOCATE, adapter="lora", hardware=UNSLOTH),
    ),
    "unsloth-rloo": (
        sampling_spec(COLOCATE, method="rloo", hardware=UNSLOTH),
        sampling_spec(COLOCATE, method="grpo", hardware=UNSLOTH),
    ),
    "sampling-arguments": (
        sampling_spec(COLOCATE, stage=FOREIGN),
        sampling_spec('engine = "transformers"', stage=FOREIGN),
    ),
}


def refused(found: list[tuple[str, str, str, str]]) -> list[tuple[str, str, str]]:
    return [each[1:] for each in found if each[0] == "incompatible"]


def test_every_rule_that_refuses_has_a_spec_that_breaks_it() -> None:
    assert {rule.name for rule in INCOMPATIBLE if rule.refused} == set(BROKEN)
    assert len({rule.name for rule in INCOMPATIBLE}) == len(INCOMPATIBLE)


REFUSING = [rule for rule in INCOMPATIBLE if rule.refused]


@pytest.mark.parametrize("rule", REFUSING, ids=lambda rule: rule.name)
def test_a_broken_rule_is_told_with_its_way_out(tmp_path: Path, rule: Incompatibility) -> None:
    broken, mended = BROKEN[rule.name]
    (place, message, hint), *others = refused(found_in(tmp_path, broken))
    assert not others
    assert place == '"vllm-colocate"'
    assert message.startswith("vLLM cannot sample the completions of `reasoning`: ")
    assert re.search(r"write `|leave it out", hint)
    assert not refused(found_in(tmp_path, mended))


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_refused_keeps_vllm_from_being_taken_by_itself(tmp_path: Path, name: str) -> None:
    broken, mended = BROKEN[name]
    asks_for_nothing = [
        re.sub(r"^rollout = .*$", "", text, flags=re.MULTILINE) for text in (broken, mended)
    ]
    sharding = "fsdp2" if "fsdp2" in broken else "none"
    with_fault = gathered(tmp_path, asks_for_nothing[0])
    assert vllm_refusal(with_fault, "reasoning", sharding=sharding)
    if 'engine = "transformers"' not in mended:
        inputs = gathered(tmp_path, asks_for_nothing[1])
        assert vllm_refusal(inputs, "reasoning", asked=True) is None


def test_a_gpu_on_which_vllm_is_slow_gets_it_only_where_it_is_asked_for(tmp_path: Path) -> None:
    inputs = gathered(tmp_path, sampling_spec(tier="t4"))
    assert "slow attention" in (vllm_refusal(inputs, "reasoning") or "")
    assert vllm_refusal(inputs, "reasoning", asked=True) is None


def test_a_plain_spec_has_nothing_against_vllm(tmp_path: Path) -> None:
    for adapter in ("lora", "dora", "none"):
        text = sampling_spec(adapter=adapter)
        assert vllm_refusal(gathered(tmp_path, text), "reasoning") is None


def test_unsloth_lends_vllm_its_weights_of_4_bit(tmp_path: Path) -> None:
    text = sampling_spec(COLOCATE, adapter="qlora", hardware=UNSLOTH)
    assert not found_in(tmp_path, text)


def test_arguments_that_vllm_knows_are_let_through(tmp_path: Path) -> None:
    known = "[stages.reasoning.trainer]\ngeneration_kwargs = { min_tokens = 3 }"
    assert not found_in(tmp_path, sampling_spec(COLOCATE, stage=known))
    # With these the completions of a group would be one and the same, or without log-probabilities.
    assert not {"seed", "n", "logprobs", "max_tokens"} & SAMPLING_ARGUMENTS


@pytest.mark.parametrize(
    ("rollout", "gpus", "told"),
    [
        (SERVER, 1, ("incompatible", '"vllm-server"', "a vLLM server needs a GPU of its own")),
        (f"{SERVER}, gpus = 4", 4, ("bad-value", "4", "leaves none of the 4 to train on")),
        (f"{SERVER}, tensor_parallel = 2", 2, ("bad-value", "2", "leaves none of the 2")),
        (f"{SERVER}, gpus = 2, tensor_parallel = 1", 4, ("conflicting-keys", "gpus", "1 of them")),
        (f"{COLOCATE}, tensor_parallel = 2", 1, ("bad-value", "2", "and there is one")),
        (f"{COLOCATE}, tensor_parallel = 3", 8, ("bad-value", "3", "divide the 8 GPUs")),
        (f"{COLOCATE}, tensor_parallel = 4", 8, ("bad-value", "4", "divide the 14 heads")),
        (f"{SERVER}, gpus = 3", 8, ("bad-value", "3", "divide the 14 heads")),
        (f"{COLOCATE}, max_model_tokens = 512", 1, ("bad-value", "512", "vLLM would cut these")),
        (f"{COLOCATE}, gpus = 1", 1, ("no-effect", "gpus", "the number of GPUs of a server")),
        ('engine = "transformers", share = 0.5', 1, ("no-effect", "share", "is about vLLM")),
    ],
)
def test_numbers_that_do_not_fit_are_told_at_their_key(
    tmp_path: Path, rollout: str, gpus: int, told: tuple[str, str, str]
) -> None:
    (found,) = found_in(tmp_path, sampling_spec(rollout, tier="80gb", hardware=f"gpus = {gpus}"))
    assert found[:2] == told[:2]
    assert told[2] in found[2]
    assert found[3]


def test_a_rollout_that_nothing_samples_with_has_no_effect(tmp_path: Path) -> None:
    text = sampling_spec(COLOCATE).partition("[rewards]")[0] + (
        '[stages.warmup]\nmethod = "sft"\nsteps = 2\n'
    )
    text = text.replace('user = "{question}"', 'user = "{question}"\nassistant = "{answer}"')
    codes = [found[:2] for found in found_in(tmp_path, text)]
    assert ("no-effect", "rollout") in codes
