"""Compiles a spec into a folder, and imports a module of the project that came out."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

from compiler.diagnostics import Report, Stop
from compiler.emit import emit
from compiler.parse import parse
from compiler.pipeline import with_notebook
from compiler.resolve import gather, outline_of
from compiler.resolve.project import plan_project
from compiler.rules import check_plan, check_spec
from compiler.source import read_source
from compiler.tidy import tidy
from compiler.validate import validate

SPEC = """
spec = 1
[project]
name = "sums"
stages = ["warmup", "reasoning"]
[model]
base = "Qwen/Qwen2.5-0.5B-Instruct"
[hardware]
tier = "cpu"
[data]
train = { path = "train.jsonl" }
gold = { column = "answer" }
[prompt]
user = "{question}"
assistant = "<answer>{answer}</answer>"
[answer]
extract = "xml"
tag = "answer"
[rewards]
correct = 1.0
[stages.warmup]
method = "sft"
prompts_per_step = 2
[stages.reasoning]
method = "grpo"
prompts_per_step = 2
num_generations = 4
"""

ROWS = "".join(
    f'{{"question": "{number}+{number}?", "answer": "{2 * number}", "level": {number}}}\n'
    for number in range(12)
)


def write_project(folder: Path, spec: str = SPEC, **files: str | bytes) -> Path:
    """Write the spec and its files, compile, and write the project; asserts that nothing is wrong.

    A file's name is given with `__` for the dot.
    """
    folder.mkdir(exist_ok=True)
    named: dict[str, str | bytes] = {"train__jsonl": ROWS, **files, "task__toml": spec}
    for name, content in named.items():
        data = content if isinstance(content, bytes) else content.encode()
        (folder / name.replace("__", ".")).write_bytes(data)
    report = Report()
    plan = None
    try:
        document = parse(read_source(folder / "task.toml", report), report)
        checked = validate(document, report)
        check_spec(checked, document, report)
        report.stop_if_errors()
        inputs = gather(checked, document.source.path.parent)
        outline = outline_of(inputs)
        check_plan(outline, document, report)
        plan = plan_project(inputs, outline, document)
        assert outline.written_files == {file.path for file in plan.files}
    except Stop:
        pass
    assert plan is not None, report.diagnostics
    assert not report.has_errors, report.diagnostics
    tree = with_notebook(tidy(emit(plan), plan.modules), folder)
    for path, text in tree.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())
    return folder


_loaded: list[Path] = []


def load(project: Path, name: str) -> ModuleType:
    """Import a module of the project, in the place of any project that was loaded before."""
    for before in {*_loaded, project}:
        for path in before.glob("*.py"):
            sys.modules.pop(path.stem, None)
        if str(before) in sys.path:
            sys.path.remove(str(before))
    _loaded[:] = [project]
    sys.path.insert(0, str(project))
    importlib.invalidate_caches()
    return importlib.import_module(name)
