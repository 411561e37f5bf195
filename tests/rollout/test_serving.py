"""serve.sh for real, with a stand-in for vLLM: its start, its GPUs, its codes and its end."""

import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.projects import write_project
from tests.rollout.specs import sampling_spec

# Answers /health after a moment, as one whose model has to load, and has a worker of its own.
STAND_IN = """#!{python}
import http.server, json, os, subprocess, sys, time
from pathlib import Path
options = dict(zip(sys.argv[3::2], sys.argv[4::2]))
worker = subprocess.Popen(["sleep", "300"])
seen = {{
    "arguments": sys.argv[1:],
    "gpus": os.environ["CUDA_VISIBLE_DEVICES"],
    "developer": os.environ["VLLM_SERVER_DEV_MODE"],
    "pids": [os.getpid(), worker.pid],
}}
Path("server.json").write_text(json.dumps(seen))
print("loading", flush=True)
if Path("broken").exists():
    sys.exit("no kernel image is available")
time.sleep(1)
class Health(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
    def log_message(self, *_):
        pass
server = http.server.HTTPServer((options["--host"], int(options["--port"])), Health)
if Path("mortal").exists():
    server.handle_request()  # of the script
    server.handle_request()  # of the stage
    time.sleep(1)
    sys.exit(1)
server.serve_forever()
"""

# What stands for the stage: it sees its GPUs, and that the server answers.
STAGE = """
import json, os, sys, time, urllib.request
from pathlib import Path
seen = {"gpus": os.environ["CUDA_VISIBLE_DEVICES"], "pid": os.getpid()}
seen["health"] = urllib.request.urlopen(sys.argv[1] + "/health").status
Path("stage.json").write_text(json.dumps(seen))
time.sleep(float(sys.argv[3]))
sys.exit(int(sys.argv[2]))
"""


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Served:
    """A project with its serve.sh at a port that is free, and a stand-in for vLLM."""

    def __init__(self, folder: Path, text: str) -> None:
        self.folder = write_project(folder, text)
        self.port = free_port()
        script = folder / "serve.sh"
        script.write_text(script.read_text().replace("8000", str(self.port)))
        (folder / "bin").mkdir()
        self.program("vllm", STAND_IN.format(python=sys.executable))
        (folder / "stage.py").write_text(STAGE)

    def program(self, name: str, text: str) -> None:
        path = self.folder / "bin" / name
        path.write_text(text)
        path.chmod(0o755)

    def start(
        self, stage: str, code: int, seconds: float, **environment: str
    ) -> "subprocess.Popen[str]":
        path = os.pathsep.join((str(self.folder / "bin"), str(Path(sys.executable).parent)))
        clean = {
            name: value for name, value in os.environ.items() if name != "CUDA_VISIBLE_DEVICES"
        }
        url = f"http://127.0.0.1:{self.port}"
        return subprocess.Popen(
            ["bash", "serve.sh", stage, sys.executable, "stage.py", url, str(code), str(seconds)],
            cwd=self.folder,
            env={**clean, "PATH": f"{path}{os.pathsep}{clean['PATH']}", **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, stage: str = "reasoning", code: int = 0, **environment: str) -> tuple[int, str]:
        process = self.start(stage, code, 0, **environment)
        _, errors = process.communicate(timeout=60)
        return process.returncode, errors

    def seen(self, name: str) -> dict[str, object]:
        return json.loads((self.folder / f"{name}.json").read_text())

    def wait_for(self, name: str) -> None:
        deadline = time.monotonic() + 60
        while not (self.folder / name).exists():
            assert time.monotonic() < deadline, f"{name} never came"
            time.sleep(0.05)


def is_alive(pid: object) -> bool:
    """Whether a process runs; one that has ended and was not waited for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def survivors(project: Served) -> list[object]:
    """The processes of the server that are still there."""
    pids = project.seen("server")["pids"]
    assert isinstance(pids, list)
    return [pid for pid in pids if is_alive(pid)]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Served]:
    text = sampling_spec('engine = "vllm-server", gpus = 2', tier="80gb", hardware="gpus = 6")
    served = Served(tmp_path / "project", text)
    yield served
    if (served.folder / "server.json").exists():
        assert not survivors(served)


def test_the_stage_trains_beside_a_server_on_other_gpus(project: Served) -> None:
    code, errors = project.run(code=5)
    assert code == 5, errors
    server, stage = project.seen("server"), project.seen("stage")
    assert stage["health"] == 200
    assert (server["gpus"], stage["gpus"]) == ("4,5", "0,1,2,3")
    assert server["developer"] == "1"
    assert server["arguments"] == [
        *("serve", "Qwen/Qwen2.5-0.5B-Instruct", "--host", "127.0.0.1", "--port"),
        *(str(project.port), "--tensor-parallel-size", "2", "--gpu-memory-utilization", "0.9"),
        *("--max-model-len", "1024", "--dtype", "bfloat16", "--seed", "42"),
        *("--weight-transfer-config", '{"backend": "nccl"}'),
        *("--logprobs-mode", "processed_logprobs", "--max-logprobs", "-1"),
    ]
    assert (project.folder / "outputs/reasoning/vllm.log").read_text() == "loading\n"


def test_the_gpus_are_those_that_are_visible(project: Served) -> None:
    assert project.run(CUDA_VISIBLE_DEVICES="2,3,4,5,6,7")[0] == 0
    assert (project.seen("server")["gpus"], project.seen("stage")["gpus"]) == ("6,7", "2,3,4,5")


def test_a_server_that_cannot_start_says_why(project: Served) -> None:
    (project.folder / "broken").touch()
    code, errors = project.run()
    assert code == 1
    assert "no kernel image is available" in errors
    assert "outputs/reasoning/vllm.log" in errors
    assert not (project.folder / "stage.json").exists()


def test_a_server_that_ends_takes_the_stage_with_it(project: Served) -> None:
    (project.folder / "mortal").touch()
    process = project.start("reasoning", 0, 120)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "the server has ended while the stage trained" in errors
    assert not is_alive(project.seen("stage")["pid"])


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_what_ends_the_script_ends_the_stage_and_the_server(project: Served, name: str) -> None:
    process = project.start("reasoning", 0, 120)
    project.wait_for("stage.json")
    process.send_signal(signal.Signals[name])
    process.communicate(timeout=60)
    assert process.returncode == 128 + signal.Signals[name]
    assert not is_alive(project.seen("stage")["pid"])


def test_another_server_at_the_port_is_not_taken_for_it(project: Served) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "http.server", str(project.port), "--bind", "127.0.0.1"],
        cwd=project.folder,
        stderr=subprocess.DEVNULL,
    ) as other:
        (project.folder / "health").touch()
        deadline = time.monotonic() + 30
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", project.port)) == 0:
                    break
            assert time.monotonic() < deadline
            time.sleep(0.05)
        code, errors = project.run()
        other.terminate()
    assert code == 1
    assert "another server answers" in errors
    assert not (project.folder / "server.json").exists()


def test_other_gpus_or_another_stage_are_refused(project: Served) -> None:
    code, errors = project.run(CUDA_VISIBLE_DEVICES="0,1")
    assert code == 2
    assert "the plan is for 6 GPUs, and CUDA_VISIBLE_DEVICES names 2" in errors
    code, errors = project.run("warmup")
    assert code == 2
    assert "no server samples for 'warmup'" in errors


def test_vllm_itself_takes_the_options(project: Served) -> None:
    engine = pytest.importorskip("vllm.engine.arg_utils", reason="vLLM needs a GPU's machine")
    parsing = importlib.import_module("vllm.utils.argparse_utils")
    assert project.run()[0] == 0
    arguments = project.seen("server")["arguments"]
    assert isinstance(arguments, list)
    parser = parsing.FlexibleArgumentParser()
    for own in ("model_tag", "--host", "--port"):
        parser.add_argument(own)
    parsed = engine.AsyncEngineArgs.add_cli_args(parser).parse_args(arguments[1:])
    assert (parsed.tensor_parallel_size, parsed.max_model_len) == (2, 1024)
    assert parsed.weight_transfer_config.backend == "nccl"
