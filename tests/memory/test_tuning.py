"""What is turned down for a stage to fit: which knob, in which order, and that the plan says so."""

from pathlib import Path

import pytest

from compiler.diagnostics import Report
from compiler.parse import parse
from compiler.plan.mechanics import Mechanics
from compiler.plan.stages import StagePlan
from compiler.resolve import gather, outline_of
from compiler.source import SourceFile
from compiler.validate import validate
from spec_schema.launch import Rollout
from tests.memory.test_planning import LORA
from tests.memory.test_sharing import rollout_of
from tests.projects import write_project


def planned(
    folder: Path,
    base: str,
    tier: str,
    adapter: str = "",
    more: str = "",
    **hardware: object,
) -> StagePlan:
    """One stage of GRPO on a machine, whatever this version builds of it."""
    spec = rollout_of(1, 16, 8, more).replace("Qwen/Qwen2.5-1.5B", base).replace("80gb", tier)
    spec = spec.replace(LORA, f'"\nadapter = {{ kind = "{adapter}" }}' if adapter else '"')
    document = parse(SourceFile(folder / "task.toml", "task.toml", spec), Report())
    inputs = gather(validate(document, Report()), folder)
    machine = inputs.spec.hardware.model_copy(update=hardware)
    changed = inputs.spec.model_copy(update={"hardware": machine})
    [stage] = outline_of(inputs._replace(spec=changed)).stages
    return stage


def imitating(folder: Path, base: str, gpus: int) -> StagePlan:
    """A stage of SFT with LoRA, beside a server for stages that sample."""
    spec = rollout_of(gpus, 16, 8).partition("[stages.reasoning]")[0]
    spec = spec.replace("Qwen/Qwen2.5-1.5B", base)
    spec += '[stages.reasoning]\nmethod = "sft"\n'
    document = parse(SourceFile(folder / "task.toml", "task.toml", spec), Report())
    inputs = gather(validate(document, Report()), folder)
    machine = inputs.spec.hardware.model_copy(update={"rollout": Rollout(engine="vllm-server")})
    changed = inputs.spec.model_copy(update={"hardware": machine})
    [stage] = outline_of(inputs._replace(spec=changed)).stages
    return stage


def knobs(mechanics: Mechanics) -> tuple[object, ...]:
    """What the ladder turns, but for the micro-batch."""
    return mechanics.sharding, mechanics.optimizer, mechanics.offloads_activations


USUAL = ("none", "adamw_torch_fused", False)
SEVEN = "Qwen/Qwen2.5-7B"


@pytest.mark.parametrize(
    ("base", "tier", "gpus", "expected"),
    [
        ("Qwen/Qwen2.5-0.5B", "24gb", 1, USUAL),
        # What trains all weights keeps 16 bytes of a parameter in float32; 10 with 8 bits.
        ("Qwen/Qwen2.5-3B", "48gb", 1, ("none", "paged_adamw_8bit", False)),
        # Several GPUs share out, and no more than they need to.
        ("Qwen/Qwen2.5-3B", "80gb", 4, USUAL),
        ("Qwen/Qwen2.5-3B", "48gb", 4, ("zero2", "adamw_torch_fused", False)),
        (SEVEN, "80gb", 8, ("zero2", "adamw_torch_fused", False)),
    ],
)
def test_the_least_is_turned_down_that_makes_a_stage_fit(
    tmp_path: Path, base: str, tier: str, gpus: int, expected: tuple[object, ...]
) -> None:
    stage = planned(tmp_path, base, tier, gpus=gpus)
    assert stage.memory is not None
    assert stage.memory.fit == "fits"
    assert knobs(stage.mechanics) == expected
    said = " ".join(stage.mechanics.tuned)
    assert ("ZeRO-2" in said) == (expected[0] == "zero2")
    assert ("ZeRO-3" in said) == (expected[0] == "zero3")
    assert ("8 bits" in said) == ("8bit" in str(expected[1]))


def test_weights_are_shared_out_where_nothing_gathers_them_to_sample(tmp_path: Path) -> None:
    """Transformers would need all of them on each GPU, and then ZeRO-2 needs no more."""
    server = Rollout(engine="vllm-server")
    base = "Qwen/Qwen2.5-14B"
    served = planned(tmp_path, base, "48gb", rollout=server, gpus=16, nodes=2)
    assert knobs(served.mechanics) == ("zero3", "adamw_torch_fused", False)
    assert served.memory is not None
    assert served.memory.fit == "fits"
    own = Rollout(engine="transformers")
    plain = planned(tmp_path, base, "48gb", rollout=own, sharding="zero3", gpus=16, nodes=2)
    assert plain.memory is not None
    assert plain.memory.moment == "generation"


def test_adapters_are_not_given_a_sharding_that_shares_next_to_nothing(tmp_path: Path) -> None:
    """ZeRO-2 would; where the weights do not fit they are shared out."""
    assert knobs(planned(tmp_path, SEVEN, "40gb", "lora", gpus=4).mechanics) == USUAL
    assert imitating(tmp_path, "meta-llama/Llama-3.3-70B", 8).mechanics.sharding == "zero3"


@pytest.mark.parametrize("sharding", ["none", "zero2", "zero3", "fsdp2"])
def test_what_the_spec_says_of_sharding_holds(tmp_path: Path, sharding: str) -> None:
    stage = planned(tmp_path, SEVEN, "80gb", gpus=8, sharding=sharding)
    assert stage.mechanics.sharding == sharding
    assert "share out" not in " ".join(stage.mechanics.tuned)


def test_a_stage_that_writes_no_completions_can_let_activations_wait(tmp_path: Path) -> None:
    """The configs of GRPO and RLOO have no such field."""
    spec = rollout_of(1, 8, 8).partition("[stages.reasoning]")[0]
    spec = spec.replace("Qwen/Qwen2.5-1.5B", SEVEN).replace("80gb", "24gb")
    spec += '[stages.reasoning]\nmethod = "sft"\nmax_length = 16384\nprompts_per_step = 4\n'
    project = write_project(tmp_path / "project", spec)
    script = (project / "train_reasoning.py").read_text()
    assert "activation_offloading=True,  # what is kept waits on the host" in script
    assert "per_device_train_batch_size=1," in script
    assert "Activations wait in the memory of the host" in (project / "PLAN.md").read_text()
    assert "activation_offloading" in (project / "tests/test_smoke.py").read_text()


def test_an_optimizer_with_states_of_8_bits_is_written_and_said(tmp_path: Path) -> None:
    spec = rollout_of(1, 8, 8).replace("Qwen/Qwen2.5-1.5B", "Qwen/Qwen2.5-3B")
    project = write_project(tmp_path / "project", spec.replace(LORA, '"').replace("80gb", "48gb"))
    assert 'optim="paged_adamw_8bit"' in (project / "train_reasoning.py").read_text()
    assert "states in 8 bits" in (project / "PLAN.md").read_text()


def test_vllm_beside_the_trainer_is_turned_down_before_it_is_given_up(tmp_path: Path) -> None:
    """It keeps its memory, gives it back while the stage trains, and has less of it."""
    colocate, long = Rollout(engine="vllm-colocate"), "max_completion_length = 1024\n"
    awake, asleep = (
        planned(tmp_path, SEVEN, tier, "lora", long, rollout=colocate).mechanics.rollout
        for tier in ("80gb", "32gb")
    )
    assert awake is not None
    assert asleep is not None
    assert (awake.engine, awake.sleeps, awake.max_model_tokens) == ("vllm-colocate", False, 1536)
    assert asleep.sleeps
    assert awake.share <= 0.5
    assert asleep.share == 0.55  # what the weights and one completion need


def test_the_share_that_a_spec_gives_vllm_holds_and_is_refused_where_vllm_could_not_start(
    tmp_path: Path,
) -> None:
    share = Rollout(engine="vllm-colocate", share=0.4)
    stage = planned(tmp_path, SEVEN, "80gb", "lora", rollout=share)
    assert stage.mechanics.rollout is not None
    assert stage.mechanics.rollout.share == 0.4
    assert not stage.mechanics.faults
    too_small = Rollout(engine="vllm-colocate", share=0.1)
    [fault] = planned(tmp_path, SEVEN, "80gb", "lora", rollout=too_small).mechanics.faults
    assert fault.code == "does-not-fit"
    assert fault.hints[0] == "write `share = 0.22`"


@pytest.mark.parametrize(
    ("base", "gpus", "nodes", "served"),
    [(SEVEN, 2, 1, 1), (SEVEN, 8, 1, 4), ("meta-llama/Llama-3.3-70B", 8, 1, 4), (SEVEN, 16, 2, 8)],
)
def test_a_server_has_as_few_gpus_as_hold_the_model_and_leave_an_even_step(
    tmp_path: Path, base: str, gpus: int, nodes: int, served: int
) -> None:
    server = Rollout(engine="vllm-server")
    stage = planned(tmp_path, base, "80gb", "lora", rollout=server, gpus=gpus, nodes=nodes)
    rollout = stage.mechanics.rollout
    assert rollout is not None
    assert (rollout.gpus, rollout.tensor_parallel, rollout.share) == (served, served, 0.9)
    assert stage.batch.processes == gpus - served
    assert stage.batch.size == 128
    assert not stage.mechanics.faults
    assert stage.memory is not None
    assert "vLLM" not in dict(stage.memory.parts)


def test_only_sampling_stages_leave_gpus_to_a_server(tmp_path: Path) -> None:
    assert imitating(tmp_path, SEVEN, 8).batch.processes == 8


def test_a_machine_that_serves_is_a_whole_one(tmp_path: Path) -> None:
    server = Rollout(engine="vllm-server", gpus=2)
    stage = planned(tmp_path, SEVEN, "80gb", "lora", rollout=server, gpus=16, nodes=2)
    assert {fault.code for fault in stage.mechanics.faults} >= {"bad-value"}


def test_more_gpus_are_among_the_edits(tmp_path: Path) -> None:
    stage = planned(tmp_path, SEVEN, "80gb")
    assert stage.memory is not None
    assert any("with `gpus = 2` it needs at most" in edit for edit in stage.memory.edits)
