"""Real specs that differ as people's do from one compile to the next, and what they compile to."""

from pathlib import Path

from compiler.manifest import Compiled
from compiler.pipeline import Findings, check_file, compile_spec, plan_spec
from tests.projects import ROWS, SPEC


def compile_text(folder: Path, text: str) -> Compiled:
    """Compile a spec beside the rows that it names; nothing is written into a project."""
    (folder / "task.toml").write_text(text)
    (folder / "train.jsonl").write_text(ROWS)
    return compile_spec(plan_spec(check_file(folder / "task.toml", [], Findings())))


def real_specs() -> list[str]:
    """A spec, and what one change or another makes of it."""
    changes = (
        (),
        (("correct = 1.0", "correct = 0.7"),),
        (("[rewards]\ncorrect = 1.0", "[rewards]\ncorrect = 1.0\nxml_format = 0.2"),),
        (("num_generations = 4", "num_generations = 8"), ("correct = 1.0", "correct = 0.5")),
        (("warmup", "cold_start"),),
        (("0.5B", "1.5B"), ('tier = "cpu"', 'tier = "80gb"')),
        (('user = "{question}"', 'user = "Answer this: {question}"'),),
        (
            ('stages = ["warmup", "reasoning"]\n', ""),
            ('[stages.warmup]\nmethod = "sft"\nprompts_per_step = 2\n', ""),
        ),
    )
    texts: list[str] = []
    for each in changes:
        text = SPEC
        for old, new in each:
            assert old in text, old
            text = text.replace(old, new)
        texts.append(text)
    return texts
