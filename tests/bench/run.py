"""Print each bar of the design as a ratio: `make bench`.

Each pair is measured in turns in one run, so that what else the machine does weighs on both. Times
are of whole processes unless a line says otherwise; the ratio is that of the medians.
"""

import importlib.util
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "gsm8k" / "task.toml"
ARITHMETIC = ROOT / "examples" / "arithmetic"
COMPILE = [sys.executable, "-m", "compiler", "compile"]
COPIER = [sys.executable, "-m", "copier"]
COPY = [*COPIER, "copy", "--defaults", "--quiet"]
UPDATE = [*COPIER, "update", "--defaults", "--quiet"]
GIT = ["git", "-c", "user.name=bench", "-c", "user.email=bench@localhost"]
OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "CUDA_VISIBLE_DEVICES": ""}


def main() -> None:
    """Run every bench and print its line."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        place = Path(folder)
        check_against_pydantic(place)
        compile_against_copier(place)
        update_against_copier(place)
        smoke_against_bare_script(place)
        training_against_hand_written(place)
        rewards_against_trl()


def check_against_pydantic(place: Path) -> None:
    """`check` of a 100-line spec beside the import of pydantic; bar 3.5."""
    spec = place / "check" / "task.toml"
    spec.parent.mkdir()
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    rewards = [f'[rewards.no_{n}]\nkind = "forbidden"\npatterns = ["word{n}"]' for n in range(9)]
    spec.write_text("\n".join([*lines, *rewards]) + "\n", encoding="utf-8")
    ours, peer = in_turns(
        lambda: run([sys.executable, "-m", "compiler", "check", str(spec)]),
        lambda: run([sys.executable, "-c", "import pydantic"]),
        count=21,
    )
    count = len(spec.read_text(encoding="utf-8").splitlines())
    say(f"check, cold, {count} lines / import pydantic", ours, peer, "<= 3.5")


def compile_against_copier(place: Path) -> None:
    """`compile` into a new folder beside `copier copy` of as many files; bar 1.3."""
    template, made = place / "template", place / "made"
    run([*COMPILE, str(EXAMPLE), "--into", str(made)])
    written = as_template(made, template)
    targets = iter(range(1000))
    ours, peer = in_turns(
        lambda: run([*COMPILE, str(EXAMPLE), "--into", str(place / f"ours{next(targets)}")]),
        lambda: run([*COPY, str(template), str(place / f"copier{next(targets)}")]),
        count=9,
    )
    say(f"compile, cold, {written} files / copier copy", ours, peer, "<= 1.3")


def as_template(project: Path, template: Path) -> int:
    """Write a Copier template that renders to the files of a project; their number."""
    written = [path for path in project.rglob("*") if path.is_file()]
    for path in written:
        target = template / (path.relative_to(project).as_posix() + ".jinja")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("{% raw %}" + path.read_text(encoding="utf-8") + "{% endraw %}")
    (template / "copier.yml").write_text("name:\n  type: str\n  default: demo\n")
    return len(written)


def update_against_copier(place: Path) -> None:
    """A compile that finds nothing new, and one with a conflict, beside `copier update`; bar 1."""
    spec = place / "again" / "task.toml"
    run([*COMPILE, str(EXAMPLE), "--into", str(spec.parent)])
    template, project = place / "versioned", place / "updated"
    count = as_template(spec.parent, template)
    answers = template / "{{ _copier_conf.answers_file }}.jinja"
    answers.write_text("{{ _copier_answers|to_nice_yaml }}")
    tag(template, "v1")
    run([*COPY, str(template), str(project)])
    tag(project, "start")
    ours, peer = in_turns(
        lambda: run([*COMPILE, str(spec)]), lambda: run(UPDATE, cwd=project), count=9
    )
    say(f"compile again, {count} files / copier update", ours, peer, "< 1")

    script, old = "train_reasoning.py", "max_completion_length=768"
    assert old in (project / script).read_text()
    respell(template / f"{script}.jinja", old, "max_completion_length=512")
    respell(spec, "max_completion_length = 768", "max_completion_length = 512")
    tag(template, "v2")
    for folder in (spec.parent, project):
        respell(folder / script, old, "max_completion_length=640")
    tag(project, "edited")
    turns = 10
    for turn in range(turns):
        shutil.copytree(spec.parent, place / f"ours-conflict{turn}")
        shutil.copytree(project, place / f"copier-conflict{turn}")
    mine, theirs = iter(range(turns)), iter(range(turns))
    ours, peer = in_turns(
        lambda: run([*COMPILE, str(place / f"ours-conflict{next(mine)}" / "task.toml")], ends=3),
        lambda: run(UPDATE, cwd=place / f"copier-conflict{next(theirs)}"),
        count=turns - 1,
    )
    for name in ("ours", "copier"):
        assert "<<<<<<<" in (place / f"{name}-conflict0" / script).read_text()
    say(f"compile with a conflict, {count} files / copier update", ours, peer, "< 1")


def tag(folder: Path, name: str) -> None:
    """Commit all that is in a folder under a tag, making the folder a repository first."""
    run(["git", "init", "--quiet"], cwd=folder)
    run(["git", "add", "--all", "--force"], cwd=folder)
    run([*GIT, "commit", "--quiet", "--message", name], cwd=folder)
    run([*GIT, "tag", name], cwd=folder)


def respell(path: Path, old: str, new: str) -> None:
    """Replace a text that stands in a file."""
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{path} has no {old}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def smoke_against_bare_script(place: Path) -> None:
    """Smoke of one GRPO stage beside a bare script doing the same steps; bar 3 s more."""
    project = place / "one-stage"
    shutil.copytree(ARITHMETIC, project, ignore=shutil.ignore_patterns("outputs", ".trainspec"))
    spec = one_stage((ARITHMETIC / "task.toml").read_text(encoding="utf-8"))
    for path in project.iterdir():
        if path.name not in {"data", "prepare.py"}:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    (project / "task.toml").write_text(spec, encoding="utf-8")
    run([sys.executable, "-m", "compiler", "compile", str(project / "task.toml"), "--here"])
    ours, peer = in_turns(
        lambda: run([sys.executable, "-m", "pytest", "-q", "tests/test_smoke.py"], cwd=project),
        lambda: run([sys.executable, str(ROOT / "tests" / "bench" / "bare_grpo.py")], cwd=project),
        count=5,
    )
    more = statistics.median(ours) - statistics.median(peer)
    say("smoke of one GRPO stage / bare script", ours, peer, f"{more:+.1f} s, bar +3 s")


def one_stage(spec: str) -> str:
    """The arithmetic spec with its GRPO stage alone."""
    head, _, rest = spec.partition("[stages.warmup]")
    stages = rest.partition("[stages.reasoning]")[2]
    head = head.replace('stages = ["warmup", "reasoning"]', 'stages = ["reasoning"]')
    return head + "[stages.reasoning]" + stages


def training_against_hand_written(place: Path) -> None:
    """Our rewards beside hand-written ones, as a share of a step of 0.25 s; bar 2 %."""
    project = place / "rewards"
    shutil.copytree(ARITHMETIC, project, ignore=shutil.ignore_patterns("outputs", ".trainspec"))
    script = ROOT / "tests" / "bench" / "reward_time.py"
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=project,
        env=os.environ | OFFLINE,
        capture_output=True,
        text=True,
        check=True,
    )
    ours, peer = ([float(cell) for cell in line.split()] for line in done.stdout.splitlines()[-2:])
    more = (statistics.median(ours) - statistics.median(peer)) / 0.25
    say(
        "rewards of one step, 64 completions / hand-written",
        ours,
        peer,
        f"{more:+.2%} of 0.25 s, bar 2 %",
    )


def rewards_against_trl() -> None:
    """Library rewards beside TRL's own functions for the same job; bar: not slower."""
    script = ROOT / "tests" / "bench" / "trl_rewards.py"
    done = subprocess.run(
        [sys.executable, str(script)],
        env=os.environ | OFFLINE,
        capture_output=True,
        text=True,
        check=True,
    )
    for line in done.stdout.splitlines():
        name, *seconds = line.split()
        times = [float(each) for each in seconds]
        half = len(times) // 2
        say(f"`{name}` of 10,000 completions / TRL", times[:half], times[half:], "<= 1")


def in_turns(
    ours: Callable[[], None], peer: Callable[[], None], *, count: int
) -> tuple[list[float], list[float]]:
    """The seconds of each, measured in turns; the first turn only warms the caches."""
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(count + 1):
        for measured, action in zip(times, (ours, peer), strict=True):
            start = time.perf_counter()
            action()
            if turn:
                measured.append(time.perf_counter() - start)
    return times


def run(command: Sequence[str], cwd: Path = ROOT, *, ends: int = 0) -> None:
    """Run a command to its end; where its exit code is not the expected one, show why and stop."""
    environment = os.environ | OFFLINE
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != ends:
        print(done.stdout, done.stderr)
        raise SystemExit(f"{' '.join(command)} exited with {done.returncode}")


def say(what: str, ours: Sequence[float], peer: Sequence[float], bar: str) -> None:
    """One line: both medians with their range, the ratio, and the bar."""
    ratio = statistics.median(ours) / statistics.median(peer)
    print(f"{what}: {spread(ours)} / {spread(peer)} = {ratio:.2f}  ({bar})", flush=True)


def spread(times: Sequence[float]) -> str:
    """A median and its range, in the unit that reads best."""
    unit, scale = ("s", 1) if statistics.median(times) >= 0.01 else ("ms", 1000)
    low, middle, high = (
        f"{value * scale:.3g}" for value in (min(times), statistics.median(times), max(times))
    )
    return f"{middle} {unit} [{low}-{high}]"


if __name__ == "__main__":
    assert importlib.util.find_spec("copier"), "make bench needs copier: `make setup`"
    main()
