"""Random projects, and what random owners do to them."""

import itertools
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from compiler.manifest import Compiled, CompiledStage
from tests.regeneration.folders import compiled

REWARDS = ("correct", "form", "brevity", "style", "tone")
STAGES = ("warmup", "layout", "reasoning", "polish")
KEYWORDS = ("seed", "steps", "learning_rate", "beta", "group", "length", "warm", "every", "limit")
MARK = re.compile(r"mine_\d+_")


class Spec(NamedTuple):
    """What decides a project: numbers, and which files and functions there are."""

    weights: dict[str, int]
    stages: tuple[tuple[str, str], ...]
    keywords: dict[str, int]
    title: str
    evaluates: bool


def random_spec(rng: random.Random) -> Spec:
    names = rng.sample(STAGES, rng.randint(1, 3))
    return Spec(
        weights={name: rng.randint(0, 9) for name in rng.sample(REWARDS, rng.randint(1, 4))},
        stages=tuple((name, rng.choice(("sft", "grpo"))) for name in names),
        keywords={name: rng.randint(0, 9) for name in KEYWORDS},
        title=rng.choice(("Sums", "Proofs")),
        evaluates=rng.random() < 0.5,
    )


def changed_spec(spec: Spec, rng: random.Random) -> Spec:
    """The spec with one to three changes of the kinds that people make."""
    for _ in range(rng.randint(1, 3)):
        match rng.randrange(6):
            case 0:
                name = rng.choice(list(spec.weights))
                spec = spec._replace(weights={**spec.weights, name: rng.randint(10, 99)})
            case 1:
                spec = spec._replace(weights=random_spec(rng).weights)
            case 2:
                name = rng.choice(KEYWORDS)
                spec = spec._replace(keywords={**spec.keywords, name: rng.randint(10, 99)})
            case 3:
                free = [name for name in STAGES if name not in dict(spec.stages)]
                position = rng.randrange(len(spec.stages))
                renamed = list(spec.stages)
                renamed[position] = (rng.choice(free), renamed[position][1])
                spec = spec._replace(stages=tuple(renamed))
            case 4:
                spec = spec._replace(stages=random_spec(rng).stages)
            case _:
                other = random_spec(rng)
                spec = spec._replace(title=other.title, evaluates=other.evaluates)
    return spec


def compiled_spec(spec: Spec) -> Compiled:
    """The tree of a spec, in the manner of a real one."""
    weights = "".join(f'    "{name}": {weight},\n' for name, weight in spec.weights.items())
    functions = "".join(
        f'\n\ndef {name}(text: str) -> float:\n    """Pay for {name}."""\n'
        f'    found = text.count("{name}")\n    return float(found)\n'
        for name in spec.weights
    )
    tree = {
        "rewards.py": f'"""Rewards."""\n\nWEIGHTS = {{\n{weights}}}\n{functions}',
        "README.md": f"# {spec.title}\n\nTrains in these stages:\n\n"
        + "".join(f"- {name}, by {method}\n" for name, method in spec.stages)
        + "\n## How to run\n\nRun `bash run.sh`.\n",
        "run.sh": "set -e\n" + "".join(f"python train_{name}.py\n" for name, _ in spec.stages),
        "tests/test_rewards.py": "import rewards\n"
        + "".join(
            f"\n\ndef test_{name}() -> None:\n    assert rewards.{name}('') == 0\n"
            for name in spec.weights
        ),
    }
    for name, method in spec.stages:
        arguments = "".join(f"    {key}={value},\n" for key, value in spec.keywords.items())
        tree[f"train_{name}.py"] = (
            f'"""Stage {name}."""\n\nfrom lib import {method}\n\nSTAGE = "{name}"\n'
            f"ARGUMENTS = {method}(\n{arguments})\n\n\ndef main() -> None:\n"
            '    """Train."""\n    ARGUMENTS.run(STAGE)\n'
        )
    if spec.evaluates:
        tree["evaluate.py"] = '"""Evaluate."""\n\nROWS = 10\nSAMPLES = 1\n'
    stages = [CompiledStage(name, method) for name, method in spec.stages]
    return compiled(tree, stages=stages)


class Owner:
    """Edits a project at random, each text that it writes with a mark of its own."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.numbers: Iterator[int] = itertools.count()

    def mark(self) -> str:
        return f"mine_{next(self.numbers)}_"

    def edit(self, project: Path, *, gently: bool = False) -> str:
        """Do one thing and name it; gently: only adds lines, which no compile can meet."""
        paths = owned_files(project)
        if not paths:
            return self.add_file(project)
        path = self.rng.choice(paths)
        acts = [self.insert, self.insert_argument]
        if not gently:
            acts += [self.insert, self.delete, self.replace, self.number, self.move]
        if self.rng.random() < (0.1 if gently else 0.3):
            files = [self.endings] if gently else [self.endings, self.unlink, self.rename, self.add]
            return self.rng.choice(files)(path)
        data = path.read_bytes()
        try:
            lines = data.decode().splitlines(keepends=True)
        except UnicodeDecodeError:
            return "left alone"
        act = self.rng.choice(acts)
        lines = act(lines, path.suffix)
        path.write_bytes("".join(lines).encode())
        return act.__name__

    def line(self, suffix: str, indent: str = "") -> str:
        mark = self.mark()
        texts = {".py": (f"{mark} = 1", f"# {mark}"), ".sh": (f"# {mark}", f"echo {mark}")}
        return indent + self.rng.choice(texts.get(suffix, (f"Text {mark}.",))) + "\n"

    def place(self, lines: list[str]) -> int:
        return self.rng.randint(0, len(lines))

    def insert(self, lines: list[str], suffix: str) -> list[str]:
        at = self.place(lines)
        before = lines[at - 1] if at else ""
        indent = before[: len(before) - len(before.lstrip())]
        ended = [*lines[: at - 1], before.rstrip("\r\n") + "\n"] if at else []
        return [*ended, self.line(suffix, indent), *lines[at:]]

    def insert_argument(self, lines: list[str], suffix: str) -> list[str]:
        places = [at for at, line in enumerate(lines) if line.rstrip().endswith(("(", "{"))]
        if suffix != ".py" or not places:
            return self.insert(lines, suffix)
        at = self.rng.choice(places)
        mark = self.mark()
        text = f'    "{mark}": 1,\n' if lines[at].rstrip().endswith("{") else f"    {mark}=1,\n"
        return [*lines[: at + 1], text, *lines[at + 1 :]]

    def delete(self, lines: list[str], _: str) -> list[str]:
        at = self.place(lines)
        return lines[:at] + lines[at + self.rng.randint(1, 3) :]

    def replace(self, lines: list[str], suffix: str) -> list[str]:
        at = self.place(lines)
        return [*lines[:at], self.line(suffix), *lines[at + 1 :]]

    def number(self, lines: list[str], suffix: str) -> list[str]:
        places = [at for at, line in enumerate(lines) if re.search(r"[=:] \d+|=\d+", line)]
        if not places:
            return self.insert(lines, suffix)
        at = self.rng.choice(places)
        new = re.sub(r"\d+", lambda _: f"10{next(self.numbers)}", lines[at], count=1)
        return [*lines[:at], new, *lines[at + 1 :]]

    def move(self, lines: list[str], _: str) -> list[str]:
        at = self.place(lines)
        block, rest = lines[at : at + 3], lines[:at] + lines[at + 3 :]
        to = self.place(rest)
        return rest[:to] + block + rest[to:]

    def endings(self, path: Path) -> str:
        data = path.read_bytes().replace(b"\r\n", b"\n")
        forms = (
            data.replace(b"\n", b"\r\n"),
            b"\xef\xbb\xbf" + data.removeprefix(b"\xef\xbb\xbf"),
            data.rstrip(b"\n"),
        )
        path.write_bytes(self.rng.choice(forms))
        return "endings"

    def unlink(self, path: Path) -> str:
        path.unlink()
        return "delete a file"

    def rename(self, path: Path) -> str:
        path.rename(path.with_name(f"{self.mark()}{path.name}"))
        return "rename a file"

    def add(self, path: Path) -> str:
        return self.add_file(path.parent)

    def add_file(self, folder: Path) -> str:
        names = ("evaluate.py", *(f"train_{name}.py" for name in STAGES), f"{self.mark()}.md")
        path = folder / self.rng.choice(names)
        if not path.exists():
            path.write_text(self.line(path.suffix))
        return "add a file"

    def settle(self, project: Path, path: str, what: str) -> None:
        """Choose between the sides of each conflict, or take or leave the file beside."""
        place = project / path
        if what == "markers":
            place.write_bytes(self._chosen(place.read_bytes().decode()).encode())
        elif self.rng.random() < 0.5 and (project / path.removesuffix(".new")).is_file():
            place.replace(project / path.removesuffix(".new"))
        else:
            place.unlink()

    def _chosen(self, text: str) -> str:
        side, choice = "both", "all"
        keep: list[str] = []
        for line in text.splitlines(keepends=True):
            if line.startswith("<<<<<<< "):
                choice = self.rng.choice(("mine", "new", "all"))
                side = "mine"
            elif line.startswith("||||||| "):
                side = "base"
            elif line.startswith("=======") and side == "base":
                side = "new"
            elif line.startswith(">>>>>>> "):
                side = "both"
            elif side in ("both", choice) or (choice == "all" and side != "base"):
                keep.append(line)
        return "".join(keep)


def owned_files(project: Path) -> list[Path]:
    return sorted(
        path
        for path in project.rglob("*")
        if path.is_file() and ".trainspec" not in path.parts and path.name != "task.toml"
    )


def marks_in(files: Mapping[str, bytes]) -> dict[str, int]:
    """How often each mark of an owner stands in the project, state left out."""
    found: dict[str, int] = {}
    for path, data in files.items():
        if not path.startswith(".trainspec/"):
            for mark in MARK.findall(data.decode("utf-8", "replace")):
                found[mark] = found.get(mark, 0) + 1
    return found
