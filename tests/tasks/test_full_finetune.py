"""Task 7 of the field: all weights of a 7B model, on one machine of a cluster."""

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from accelerate.commands.config.config_args import load_config_from_file

from tests.command_line import Run

SPEC = Path(__file__).parent / "full_finetune_node" / "task.toml"
# As the task says it: two GPUs sample, six train.
TWO_SAMPLE = ("gpus = 4 }", "gpus = 2 }")


@pytest.fixture
def project(tmp_path: Path, run: Run) -> Path:
    """The task, compiled in a folder of its own."""
    shutil.copy(SPEC, tmp_path)
    done = run("compile", "--here", str(tmp_path / "task.toml"))
    assert done.code == 0, done.err
    return tmp_path


def test_the_spec_is_right_and_short(run: Run) -> None:
    done = run("check", "--deny", "warnings", str(SPEC))
    assert done.code == 0, done.out
    assert sum(bool(line.strip()) for line in SPEC.read_text().splitlines()) <= 45


def test_six_gpus_cannot_share_the_step(tmp_path: Path, run: Run) -> None:
    (tmp_path / "task.toml").write_text(SPEC.read_text().replace(*TWO_SAMPLE))
    done = run("check", str(tmp_path / "task.toml"))
    assert done.code == 1
    assert "64 prompts * 16 generations = 1,024 completions, which 6 GPUs cannot share" in done.out
    assert "write `prompts_per_step = 63` or `66`" in done.out
    assert "or write `gpus = 4` in `rollout`, which leaves 4 to train" in done.out


def test_the_recipe_is_that_of_the_task(project: Path) -> None:
    script = (project / "train_reasoning.py").read_text()
    assert "64 prompts * 16 generations = 1024 completions a step" in script
    assert "* 4 GPUs" in script
    for argument in ("num_generations=16,", "save_total_limit=3,", 'vllm_mode="server",'):
        assert argument in script
    assert "LoraConfig" not in script


def test_the_machine_is_asked_for_and_used(project: Path) -> None:
    job = (project / "slurm.sh").read_text()
    for asked in ("partition=hopper", "account=reasoning", "time=2-00:00:00", "gpus-per-node=8"):
        assert f"#SBATCH --{asked}\n" in job
    assert job.index("module load cuda/13.0") < job.index("bash run.sh &")
    config = load_config_from_file(str(project / "accelerate.yaml"))
    assert config.distributed_type == "DEEPSPEED"
    assert config.mixed_precision == "bf16"
    sharing = yaml.safe_load((project / "accelerate.yaml").read_text())["deepspeed_config"]
    assert sharing["zero_stage"] == 3
    assert sharing["zero3_save_16bit_model"] is True
    assert (
        "bash serve.sh reasoning accelerate launch --config_file accelerate.yaml "
        "--num_processes 4 train_reasoning.py"
    ) in (project / "run.sh").read_text()
    assert (
        "reasoning) model=Qwen/Qwen2.5-7B-Instruct served=4 " in (project / "serve.sh").read_text()
    )
    for script in project.glob("*.sh"):
        subprocess.run(["bash", "-n", script], check=True)


def test_the_plan_says_how_the_machine_is_used(project: Path) -> None:
    plan = (project / "PLAN.md").read_text()
    assert "DeepSpeed ZeRO-3" in plan
    assert "`reasoning` trains on 4 GPUs; its vLLM server has 4 GPUs of its own." in plan
    assert "fits" in plan
    readme = (project / "README.md").read_text()
    assert "sbatch slurm.sh" in readme
    assert "slurm-<job>.log" in readme
