"""The scripts as a shell, ShellCheck and a cluster take them; the cluster's programs stand in."""

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.launch.machines import environment, machine_project, stand_in, train_nothing

SLURM = 'tier = "h100"\ngpus = {gpus}\nnodes = {nodes}\nlauncher = "slurm"\n[hardware.slurm]\n'
SERVER = """tier = "h100"
gpus = {gpus}
rollout = {{ engine = "vllm-server", gpus = {served} }}"""
PROJECTS = {
    "cpu": 'tier = "cpu"',
    "gpus": 'tier = "h100"\ngpus = 8',
    "job": SLURM.format(gpus=8, nodes=1) + 'partition = "gpu"\nsetup = ["module load cuda/13.0"]',
    "machines": SLURM.format(gpus=16, nodes=2) + 'options = ["--exclusive"]',
    "server": SERVER.format(gpus=2, served=1),
    "server machine": 'nodes = 2\nlauncher = "slurm"\n' + SERVER.format(gpus=4, served=2),
}
# In the place of vLLM: it answers, and says which GPUs it was given.
VLLM = """
echo "$CUDA_VISIBLE_DEVICES" > served
exec python -c '
import http.server, sys

class Health(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()

http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Health).serve_forever()
' {port}
"""
GATE = 'gate = { reward = "correct", at_least = 0.1, pass_at = 4, rows = 8 }\n'
# Runs its command on each of two machines at once, and ends as the worst of them.
SRUN = """
printf '%s\\n' "$*" >> srun.log
while [ "${1#--}" != "$1" ]; do shift; done
SLURM_NODEID=0 "$@" & first=$!
SLURM_NODEID=1 "$@" & second=$!
worst=0
wait $first || worst=$?
wait $second || worst=$?
exit $worst
"""
SCONTROL = """
case "$1" in
    show) printf 'localhost\\nother\\n' ;;
    *) printf '%s\\n' "$*" >> scontrol.log ;;
esac
"""
# A training script that has saved a checkpoint and goes on for longer than the job may.
ENDLESS = """
import time
from stages import OUTPUTS
folder = OUTPUTS / "warmup" / "checkpoint-5"
if {saves}:
    folder.mkdir(parents=True)
    (folder / "trainer_state.json").write_text("{{}}")
(OUTPUTS / "running").touch()
time.sleep(60)
"""


def job_number() -> str:
    """The number of a job whose port, 20,000 and its last digits, nothing listens at."""
    for number in random.sample(range(20000), 100):
        with socket.socket() as free:
            if free.connect_ex(("127.0.0.1", 20000 + number)):
                return str(number)
    pytest.fail("no port is free")


def slurm(project: Path, programs: Path, job: str = "4711", **more: str) -> "subprocess.Popen[str]":
    """Run slurm.sh as the first machine of a job does, in a session of its own."""
    more |= {"SLURM_SUBMIT_DIR": str(project), "SLURM_JOB_ID": job, "SLURM_JOB_NODELIST": "a,b"}
    return subprocess.Popen(
        ["bash", shutil.copy(project / "slurm.sh", programs)],
        env=environment(programs, **more),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def ended(running: "subprocess.Popen[str]", seconds: int) -> tuple[int, str]:
    """How a job ends by itself, and what it says; what it leaves running is ended with it."""
    try:
        said, _ = running.communicate(timeout=seconds)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
    return running.returncode, said


def ended_early(project: Path, programs: Path, *, saves: bool) -> tuple[int, str]:
    """Send the signal that SLURM sends before the time is up; how the script ends, and says."""
    train_nothing(project, ENDLESS.format(saves=saves))
    running = slurm(project, programs)
    try:
        end = time.monotonic() + 60
        while not (project / "outputs" / "running").exists() and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(1)  # the file system's clock may be coarse
        os.kill(running.pid, signal.SIGUSR1)
        code = running.wait(timeout=30)
    finally:
        os.killpg(running.pid, signal.SIGKILL)
    return code, running.communicate()[0]


@pytest.mark.parametrize("name", PROJECTS)
def test_a_shell_and_shellcheck_read_the_scripts(tmp_path: Path, name: str) -> None:
    project = machine_project(tmp_path / "project", PROJECTS[name])
    scripts = sorted(project.glob("*.sh"))
    for script in scripts:
        subprocess.run(["bash", "-n", script], check=True)
    beside = str(Path(sys.executable).parent)
    shellcheck = shutil.which("shellcheck", path=os.pathsep.join((beside, os.environ["PATH"])))
    if shellcheck is None:
        pytest.skip("shellcheck is not installed")
    done = subprocess.run(
        [shellcheck, *scripts], capture_output=True, text=True, check=False, cwd=project
    )
    assert done.stdout == ""


def test_a_job_asks_for_what_the_spec_says(tmp_path: Path) -> None:
    tables = 'partition = "hopper"\naccount = "maths"\nqos = "long"\ntime = "2-00:00:00"'
    project = machine_project(tmp_path / "project", SLURM.format(gpus=16, nodes=2) + tables)
    lines = (project / "slurm.sh").read_text().splitlines()
    asked = [line.removeprefix("#SBATCH ") for line in lines if line.startswith("#SBATCH")]
    assert asked == [
        "--job-name=sums",
        "--partition=hopper",
        "--account=maths",
        "--qos=long",
        "--nodes=2",
        "--ntasks-per-node=1",
        "--gpus-per-node=8",
        "--time=2-00:00:00",
        "--output=slurm-%j.log",
        "--open-mode=append",
        "--requeue",
        "--signal=B:USR1@300",
    ]
    commands = [line for line in lines if line and not line.startswith("#")]
    assert lines.index(commands[0]) > lines.index("#SBATCH --signal=B:USR1@300")
    assert "slurm-*.log" in (project / ".gitignore").read_text().splitlines()


def test_lines_of_shell_arrive_as_they_are(tmp_path: Path) -> None:
    said = ["it's $HOME # all", 'echo "größe" | tee `date`', "\techo <<name>> {{name}} {% if %}"]
    table = f"{SLURM.format(gpus=8, nodes=1)}setup = {json.dumps(said)}"
    project = machine_project(tmp_path / "project", table)
    assert "\n".join(said) in (project / "slurm.sh").read_text()


@pytest.mark.heavy
def test_two_machines_train_together(tmp_path: Path) -> None:
    table = SLURM.format(gpus=2, nodes=2) + 'setup = ["echo prepared >> prepared.log"]'
    project = machine_project(tmp_path / "project", table)
    train_nothing(project)
    programs = stand_in(tmp_path / "programs", srun=SRUN, scontrol=SCONTROL)
    code, said = ended(slurm(project, programs, job_number()), 500)
    assert code == 0, said
    for stage in ("warmup", "reasoning"):
        run = json.loads((project / "outputs" / stage / "run.json").read_text())
        assert run["processes"] == 2
    assert (project / "prepared.log").read_text().splitlines() == ["prepared"] * 2
    assert "--kill-on-bad-exit=1" in (project / "srun.log").read_text()

    code, said = ended(slurm(project, programs, job_number()), 300)  # as after a preemption
    assert code == 0, said
    assert said.count("finished, nothing to do") == 4


@pytest.mark.heavy
def test_the_last_machine_samples_for_the_others(tmp_path: Path) -> None:
    server = SERVER.format(gpus=2, served=1)
    project = machine_project(tmp_path / "project", f'nodes = 2\nlauncher = "slurm"\n{server}')
    train_nothing(project)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = str(taken.getsockname()[1])
    script = project / "serve.sh"
    script.write_text(script.read_text().replace("8000", port))
    waits = (project / "run.sh").read_text().replace("sleep 30", "sleep 0.2")
    (project / "run.sh").write_text(waits)
    (project / ".venv/bin").mkdir(parents=True)
    (project / ".venv/bin/activate").write_text("")
    vllm = VLLM.format(port=port)
    programs = stand_in(tmp_path / "programs", srun=SRUN, scontrol=SCONTROL, vllm=vllm)
    code, said = ended(slurm(project, programs, job_number(), CUDA_VISIBLE_DEVICES="7"), 500)
    assert code == 0, said
    # It trains the stage that needs no server.
    for stage, processes in (("warmup", 2), ("reasoning", 1)):
        run = json.loads((project / "outputs" / stage / "run.json").read_text())
        assert run["processes"] == processes
    assert (project / "served").read_text() == "7\n"


@pytest.mark.heavy
def test_an_exit_code_comes_through_the_processes(tmp_path: Path) -> None:
    gated = 'tier = "h100"\ngpus = 2'
    project = machine_project(tmp_path / "project", gated, GATE)
    train_nothing(project)
    (project / "train_reasoning.py").write_text("raise SystemExit(5)\n")
    programs = stand_in(tmp_path / "programs")
    done = subprocess.run(
        ["bash", "run.sh"],
        cwd=project,
        env=environment(programs),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (project / "outputs" / "warmup" / "run.json").exists(), done.stderr
    assert done.returncode == 5
    assert "Traceback" not in done.stderr


def test_a_job_whose_time_is_up_is_queued_again(tmp_path: Path) -> None:
    project = machine_project(tmp_path / "project", f"{SLURM.format(gpus=1, nodes=1)}setup = []")
    programs = stand_in(tmp_path / "programs", scontrol=SCONTROL)
    _, said = ended_early(project, programs, saves=True)
    assert (project / "scontrol.log").read_text() == "requeue 4711\n", said


def test_a_job_that_saved_nothing_is_not_queued_again(tmp_path: Path) -> None:
    project = machine_project(tmp_path / "project", f"{SLURM.format(gpus=1, nodes=1)}setup = []")
    programs = stand_in(tmp_path / "programs", scontrol=SCONTROL)
    code, said = ended_early(project, programs, saves=False)
    assert not (project / "scontrol.log").exists()
    assert code == 1
    assert "nothing was saved" in said
