"""Projects whose rewards ask models: when they ask, what they cost, and how they are tested."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.projects import SPEC, load, write_project

JUDGES = """
[rewards]
correct = 1.0
[rewards.tone]
kind = "judge"
base_url = "{url}"
model = "grader"
rubric = "Asked: {{prompt}}\\nGold: {{gold}}\\nSaid: {{completion}}"
max_calls = 100_000
only_if = "correct"
[rewards.depth]
kind = "judge"
base_url = "{url}"
model = "grader"
rubric = "Said: {{completion}}"
scale = [0, 4]
max_calls = 100_000
concurrency = 2
on = "answer"
weight = {{ from = 0.1, to = 0.5, steps = 10 }}
[rewards.brief]
kind = "length"
max_characters = 40
weight = 0.1
only_if = "tone"
"""
MODELS = """
[rewards]
correct = 1.0
[rewards.raw]
kind = "reward_model"
model = "./raw-rm"
weight = 0.0
[rewards.helpful]
kind = "reward_model"
model = "owner/helpful"
revision = "v1"
squash = "sigmoid"
only_if = "correct"
weight = 0.2
adapt = { below = 0.3, above = 0.8, up = 1.2, down = 0.9, min = 0.1, max = 0.4 }
"""
HELDOUT = 'train = { path = "train.jsonl" }\neval = { holdout = 0.2 }'


def spec_of(rewards: str, spec: str = SPEC) -> str:
    changed = spec.replace("[rewards]\ncorrect = 1.0\n", rewards)
    return changed.replace('train = { path = "train.jsonl" }', HELDOUT)


class Grader(BaseHTTPRequestHandler):
    """Gives the highest grade of the scale 0 to 4, and keeps what it was asked."""

    asked: list[str]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(body["messages"][0]["content"])
        reply = json.dumps({"choices": [{"message": {"content": "GRADE: 4"}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # its name there
        pass


@pytest.fixture
def grader(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, list[str]]]:
    """The address of an endpoint, and the texts that it is asked about."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    asked: list[str] = []
    handler = type("Handler", (Grader,), {"asked": asked})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1", asked
    server.shutdown()
    server.server_close()


def pay(rewards: ModuleType, name: str, texts: list[str], golds: list[str]) -> list[float | None]:
    return getattr(rewards, name)(
        prompts=[[{"role": "user", "content": "1+1?"}]] * len(texts),
        completions=[[{"role": "assistant", "content": text}] for text in texts],
        completion_ids=[[]] * len(texts),
        gold=golds,
    )


def test_a_closed_gate_is_not_asked_about(tmp_path: Path, grader: tuple[str, list[str]]) -> None:
    url, asked = grader
    rewards = load(write_project(tmp_path, spec_of(JUDGES.format(url=url))), "rewards")
    texts = ["<answer>2</answer>", "<answer>3</answer>", "", "so <answer>2</answer>"]
    third = 1 / 3
    assert pay(rewards, "tone", texts, ["2"] * 4) == [third, 0.0, 0.0, third]
    assert sorted(text.partition("\n\n")[0] for text in asked) == [
        "Asked: 1+1?\nGold: 2\nSaid: <answer>2</answer>",
        "Asked: 1+1?\nGold: 2\nSaid: so <answer>2</answer>",
    ]


def test_a_judge_may_gate_and_looks_at_its_part(
    tmp_path: Path, grader: tuple[str, list[str]]
) -> None:
    url, asked = grader
    rewards = load(write_project(tmp_path, spec_of(JUDGES.format(url=url))), "rewards")
    texts = ["so <answer>2</answer>", "so <answer>2</answer>", ""]
    assert pay(rewards, "depth", texts, ["2"] * 3) == [1.0, 1.0, 1.0]
    assert sorted(text.partition("\n\n")[0] for text in asked) == ["Said: ", "Said: 2"]
    # 4 on 1 to 10 is no full mark.
    assert pay(rewards, "brief", texts[:1], ["2"]) == [0.0]


@pytest.mark.heavy
def test_a_look_at_the_data_asks_no_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, grader: tuple[str, list[str]]
) -> None:
    url, asked = grader
    monkeypatch.setattr(sys, "argv", ["data.py"])
    both = JUDGES.format(url=url) + MODELS.partition("correct = 1.0")[2]
    project = write_project(tmp_path, spec_of(both))
    report = load(project, "data_report")
    rewards = sys.modules["rewards"]
    rewards.HELPFUL_MODEL.name = rewards.RAW_MODEL.name = "/nowhere"
    with pytest.raises(SystemExit) as ended:
        report.main()
    assert ended.value.code == 0
    assert asked == []


@pytest.mark.heavy
def test_the_evaluation_asks_in_threads(tmp_path: Path, grader: tuple[str, list[str]]) -> None:
    url, asked = grader
    project = write_project(tmp_path, spec_of(JUDGES.format(url=url)))
    grading = load(project, "grading")
    rows: list[dict[str, Any]] = load(project, "data").load_eval().to_list()
    graded = grading.grade(rows, [[f"<answer>{row['gold']}</answer>"] for row in rows])
    found = grading.figures(graded)["rewards"]
    assert {name: estimate["mean"] for name, estimate in found.items()} == {
        "correct": 1.0,
        "tone": pytest.approx(1 / 3),
        "depth": 1.0,
        "brief": 0.0,
    }
    assert len(asked) == 2 * len(rows)


@pytest.mark.heavy
def test_a_key_that_is_not_set_stops_a_stage_before_it_loads_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, grader: tuple[str, list[str]]
) -> None:
    url, _ = grader
    keyed = JUDGES.format(url=url).replace(
        'model = "grader"', 'model = "g"\napi_key_env = "NO_KEY"'
    )
    monkeypatch.delenv("NO_KEY", raising=False)
    project = write_project(tmp_path, spec_of(keyed))
    train = load(project, "train_reasoning")
    with pytest.raises(SystemExit, match="NO_KEY is not set"):
        train.build_trainer()
    everything = "".join(path.read_text("utf-8") for path in project.rglob("*.py"))
    assert 'api_key_env="NO_KEY"' in everything


@pytest.mark.heavy
def test_a_causal_model_stops_a_stage_before_it_loads_anything(tmp_path: Path) -> None:
    project = write_project(tmp_path, spec_of(MODELS))
    folder = project / "raw-rm"
    folder.mkdir()
    config = {"architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2"}
    (folder / "config.json").write_text(json.dumps(config))
    train = load(project, "train_reasoning")
    with pytest.raises(SystemExit, match="raw-rm is a Qwen2ForCausalLM: its scoring head"):
        train.build_trainer()


def test_the_device_follows_the_tier(tmp_path: Path) -> None:
    cpu = (write_project(tmp_path / "cpu", spec_of(MODELS)) / "rewards.py").read_text("utf-8")
    assert (
        'HELPFUL_MODEL = RewardModel("owner/helpful", dtype="float32", device="cpu", revision="v1")'
        in cpu
    )
    gpu_spec = spec_of(MODELS).replace('tier = "cpu"', 'tier = "24gb"')
    gpu = (write_project(tmp_path / "gpu", gpu_spec) / "rewards.py").read_text("utf-8")
    assert (
        'RewardModel("owner/helpful", dtype="bfloat16", device="cuda", revision="v1")'
        in gpu.replace("\n    ", "").replace(",)", ")")
    )


def test_only_a_stage_that_asks_gets_ready(tmp_path: Path) -> None:
    spec = spec_of(MODELS + '[rewards.layout]\nkind = "xml_tags"\n')
    spec = spec.replace(
        "[stages.reasoning]",
        '[stages.layout]\nmethod = "grpo"\nprompts_per_step = 2\nnum_generations = 4\n'
        'rewards = ["layout"]\n[stages.reasoning]\nrewards = ["correct", "helpful"]',
    ).replace('"warmup", "reasoning"', '"warmup", "layout", "reasoning"')
    project = write_project(tmp_path, spec.replace("[rewards.raw]", "[rewards.unasked]"))
    assert "_MODEL" not in (project / "train_layout.py").read_text("utf-8")
    reasoning = (project / "train_reasoning.py").read_text("utf-8")
    assert "HELPFUL_MODEL.ready()" in reasoning
    assert "UNASKED_MODEL" not in reasoning


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("rewards", "asking"),
    [
        (MODELS, ("raw", "helpful")),
        (JUDGES.format(url="https://api.example.com/v1"), ("tone", "depth")),
    ],
)
def test_the_tests_of_a_project_need_neither_network_nor_key(
    tmp_path: Path, rewards: str, asking: tuple[str, ...]
) -> None:
    keyed = rewards.replace('model = "grader"', 'model = "g"\napi_key_env = "NO_KEY"')
    project = write_project(tmp_path, spec_of(keyed))
    environment = {name: value for name, value in os.environ.items() if name != "NO_KEY"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=project,
        env=environment | {"OMP_NUM_THREADS": "1", "http_proxy": "http://127.0.0.1:9"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "rewards vary: correct, " in done.stdout
    varying = done.stdout.partition("rewards vary: ")[2].partition(", constant")[0]
    assert all(name in varying for name in asking)


@pytest.mark.heavy
@pytest.mark.parametrize("rewards", [MODELS, JUDGES.format(url="https://api.example.com/v1")])
def test_a_project_that_asks_is_clean(tmp_path: Path, rewards: str) -> None:
    project = write_project(tmp_path, spec_of(rewards))
    tools = Path(sys.executable).parent
    for command in (
        [str(tools / "ruff"), "check", "."],
        [str(tools / "ruff"), "format", "--check", "."],
        [str(tools / "pyright"), "--pythonpath", sys.executable, "-p", "."],
    ):
        done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
