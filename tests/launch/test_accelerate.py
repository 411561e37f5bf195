"""accelerate.yaml as accelerate, and DeepSpeed behind it, read it."""

import os
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from accelerate.commands.config.config_args import load_config_from_file
from accelerate.commands.launch import (
    _validate_launch_command,  # pyright: ignore[reportPrivateUsage]  # all that looks at arguments
    launch_command_parser,
)
from accelerate.utils import DeepSpeedPlugin, FullyShardedDataParallelPlugin
from accelerate.utils.launch import prepare_deepspeed_cmd_env, prepare_multi_gpu_env
from torch.distributed.fsdp import StateDictType

from compiler.plan.mechanics import Sharding
from tests.launch.machines import machine_project

EIGHT = 'tier = "h100"\ngpus = 8'
TWO_MACHINES = f'{EIGHT.replace("8", "16")}\nnodes = 2\nlauncher = "slurm"'
TYPES = {"none": "MULTI_GPU", "zero2": "DEEPSPEED", "zero3": "DEEPSPEED", "fsdp2": "FSDP"}


def launched(project: Path, stage: str) -> Any:  # noqa: ANN401  # accelerate's namespace
    """The arguments of a stage's `accelerate launch`, as accelerate completes them."""
    lines = (project / "run.sh").read_text().splitlines()
    line = next(each for each in lines if each.startswith(f"python stages.py {stage} ||"))
    words = line.partition("launch ")[2].split()
    if "--config_file" not in words:  # those of several machines stand in a function
        words = ["--config_file", "accelerate.yaml", "--machine_rank", "1", *words[1:]]
        words = ["--main_process_ip", "10.0.0.1", "--main_process_port", "29500", *words]
        words.append(f"train_{stage}.py")
    words = [str(project / word) if word == "accelerate.yaml" else word for word in words]
    return _validate_launch_command(launch_command_parser().parse_args(words))[0]


def environment_of(arguments: Any) -> dict[str, str]:  # noqa: ANN401  # accelerate's namespace
    """What accelerate tells the processes of a stage."""
    if arguments.use_deepspeed:
        arguments.deepspeed_fields_from_accelerate_config = ""
        return prepare_deepspeed_cmd_env(arguments)[1]
    return prepare_multi_gpu_env(arguments)


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: Any) -> str:  # noqa: ANN401  # pytest's
    """Put this process where one of a stage would be, under the sharding of the parameter."""
    project = machine_project(tmp_path / "project", EIGHT, sharding=request.param)
    for name, value in environment_of(launched(project, "reasoning")).items():
        monkeypatch.setenv(name, value)
    return request.param


@pytest.mark.parametrize("sharding", TYPES)
def test_accelerate_reads_each_kind(tmp_path: Path, sharding: Sharding) -> None:
    project = machine_project(tmp_path / "project", EIGHT, sharding=sharding)
    config = load_config_from_file(str(project / "accelerate.yaml"))
    assert config.distributed_type == TYPES[sharding]
    assert config.mixed_precision == "bf16"
    arguments = launched(project, "warmup")
    assert (arguments.num_processes, arguments.num_machines) == (8, 1)
    assert arguments.training_script == "train_warmup.py"
    assert arguments.use_fsdp == (sharding == "fsdp2")
    assert arguments.use_deepspeed == sharding.startswith("zero")


@pytest.mark.parametrize("sharding", TYPES)
def test_two_machines_start_half_of_the_processes_each(tmp_path: Path, sharding: Sharding) -> None:
    project = machine_project(tmp_path / "project", TWO_MACHINES, sharding=sharding)
    arguments = launched(project, "reasoning")
    environment = environment_of(arguments)
    assert (arguments.nproc_per_node, arguments.nnodes, arguments.node_rank) == ("8", "2", 1)
    assert (arguments.rdzv_backend, arguments.rdzv_endpoint) == ("static", "10.0.0.1:29500")
    assert environment["ACCELERATE_MIXED_PRECISION"] == "bf16"


@pytest.mark.parametrize("told", ["fsdp2"], indirect=True)
@pytest.mark.usefixtures("told")
def test_fsdp_shards_weights_and_saves_them_whole() -> None:
    plugin = FullyShardedDataParallelPlugin()
    assert plugin.fsdp_version == 2
    assert plugin.reshard_after_forward is True
    assert plugin.state_dict_type == StateDictType.FULL_STATE_DICT
    assert plugin.activation_checkpointing is False
    assert plugin.cpu_ram_efficient_loading is True
    assert os.environ["FSDP_AUTO_WRAP_POLICY"] == "TRANSFORMER_BASED_WRAP"


@pytest.mark.parametrize("told", ["zero2", "zero3"], indirect=True)
def test_deepspeed_shards_by_its_stage_and_saves_whole(told: str) -> None:
    plugin = DeepSpeedPlugin()
    plugin.set_mixed_precision("bf16")
    zero = plugin.deepspeed_config["zero_optimization"]
    assert zero["stage"] == int(told[-1])
    assert zero["offload_optimizer"]["device"] == zero["offload_param"]["device"] == "none"
    assert plugin.deepspeed_config["bf16"] == {"enabled": True}
    # What the script says counts: TRL's trainer fills these in.
    assert plugin.deepspeed_config["gradient_accumulation_steps"] == "auto"
    assert plugin.deepspeed_config["gradient_clipping"] == "auto"
    sharded = told == "zero3"
    assert plugin.zero3_init_flag is sharded
    assert zero["stage3_gather_16bit_weights_on_model_save"] is sharded


@pytest.mark.parametrize("told", ["zero2", "zero3"], indirect=True)
def test_deepspeed_itself_reads_it(told: str) -> None:
    config = pytest.importorskip("deepspeed.runtime.config", reason="deepspeed is not installed")
    plugin = DeepSpeedPlugin()
    plugin.set_mixed_precision("bf16")
    filled = {
        "train_batch_size": 8,  # of one process, which this is
        "train_micro_batch_size_per_gpu": 2,
        "gradient_accumulation_steps": 4,
        "gradient_clipping": 1.0,
    }
    read = config.DeepSpeedConfig({**plugin.deepspeed_config, **filled})
    assert read.zero_optimization_stage == int(told[-1])
    assert read.zero_config.gather_16bit_weights_on_model_save == (told == "zero3")
    assert read.bfloat16_config.enabled


def test_weights_of_4_bit_are_read_by_each_process(tmp_path: Path) -> None:
    project = machine_project(tmp_path / "project", EIGHT, sharding="fsdp2")
    adapted = machine_project(
        tmp_path / "adapted", f'{EIGHT}\n[model.adapter]\nkind = "qlora"', sharding="fsdp2"
    )
    efficient = {
        path.name: yaml.safe_load((path / "accelerate.yaml").read_text())["fsdp_config"]
        for path in (project, adapted)
    }
    assert efficient["project"]["fsdp_cpu_ram_efficient_loading"] is True
    assert efficient["adapted"]["fsdp_cpu_ram_efficient_loading"] is False


@pytest.mark.parametrize("sharding", TYPES)
def test_weights_of_4_bit_are_stored_so_that_they_can_be_shared_out(
    tmp_path: Path, sharding: Sharding
) -> None:
    qlora = f'{EIGHT}\n[model.adapter]\nkind = "qlora"'
    project = machine_project(tmp_path / "project", qlora, sharding=sharding)
    script = (project / "train_warmup.py").read_text()
    assert ('bnb_4bit_quant_storage="bfloat16"' in script) == (sharding in ("zero3", "fsdp2"))


def test_one_gpu_is_started_with_plain_python(tmp_path: Path) -> None:
    project = machine_project(tmp_path / "project", 'tier = "h100"')
    script = (project / "run.sh").read_text()
    assert not (project / "accelerate.yaml").exists()
    assert "accelerate" not in script
    assert re.search(r"\|\| python train_warmup\.py$", script, re.MULTILINE)
