"""The phase behind `trainspec smoke`, on projects that only look like one and on a real one."""

import json
import re
import shutil
import sys
import textwrap
from pathlib import Path

import pytest

from compiler.pipeline import Findings, check_file, compile_spec, plan_spec
from compiler.smoke import SmokeResult, choose_python, run_smoke

PYTHON = Path(sys.executable)


def project(folder: Path, test: str, dependencies: str = "[]") -> Path:
    """Write a project with this smoke test."""
    (folder / "tests").mkdir(parents=True)
    (folder / "tests/test_smoke.py").write_text(textwrap.dedent(test), encoding="utf-8")
    (folder / "pyproject.toml").write_text(
        f'[project]\nname = "fake"\ndependencies = {dependencies}\n'
        '[tool.pytest.ini_options]\npythonpath = ["."]\n',
        encoding="utf-8",
    )
    return folder


def smoke(folder: Path) -> tuple[SmokeResult, list[str]]:
    """Run a project's smoke test; gives its result and the lines that were passed on."""
    lines: list[str] = []
    return run_smoke(folder, PYTHON, lines.append), lines


TWO_STAGES = """
    import pytest

    @pytest.mark.parametrize("stage", ["warmup", "reasoning"])
    def test_stage(stage, record_property, capsys):
        record_property("replaced", "replaced max_steps 500 -> 4")
        with capsys.disabled():
            print(f"{stage}: started")
        check(stage)
        record_property("verdict", "trained 4 steps")

    def check(stage):
        pass
"""


def test_each_stage_of_a_good_project_has_its_verdict(tmp_path: Path) -> None:
    result, lines = smoke(project(tmp_path, TWO_STAGES))

    assert result.passed
    assert result.exit_code == 0
    assert [(stage.name, stage.outcome, stage.text) for stage in result.stages] == [
        ("warmup", "passed", "trained 4 steps"),
        ("reasoning", "passed", "trained 4 steps"),
    ]
    assert result.stages[0].replaced == "replaced max_steps 500 -> 4"
    assert any("warmup: started" in line for line in lines)


def test_a_failing_stage_gives_its_reason_alone_and_stops_those_after_it(tmp_path: Path) -> None:
    check = """
        if stage == "reasoning":
            pytest.skip("`reasoning` starts from `warmup`, which left no model")
        values = [1.0, 1.0]
        assert len(set(values)) > 1, "reward `well_formed` is constant (1.0): see rewards.py"
"""
    test = TWO_STAGES.replace("\n        pass\n", check)
    result, _ = smoke(project(tmp_path, test))

    assert not result.passed
    assert result.exit_code == 1
    assert result.reason == "reward `well_formed` is constant (1.0): see rewards.py"
    assert [stage.outcome for stage in result.stages] == ["failed", "not run"]
    assert "left no model" in result.stages[1].text
    assert "test_smoke.py" in result.output


@pytest.mark.parametrize(
    ("test", "reason"),
    [
        ("import no_such_package", "ModuleNotFoundError: No module named 'no_such_package'"),
        ("def broken(:", "SyntaxError: invalid syntax"),
        (
            """
            import pytest

            @pytest.fixture
            def rows():
                raise ValueError("'####' is missing")

            def test_stage(rows): ...
            """,
            "ValueError: '####' is missing",
        ),
        ("def test_stage(): raise SystemExit('data is missing')", "SystemExit: data is missing"),
        ("import os; os._exit(9)", "pytest ended with exit code 9 before a stage was tried"),
        ("", "pytest ended with exit code 5 before a stage was tried"),
    ],
)
def test_a_project_that_cannot_even_start_is_a_result(
    tmp_path: Path, test: str, reason: str
) -> None:
    result, _ = smoke(project(tmp_path, test))

    assert result.exit_code == 1
    assert result.reason == reason


def test_a_project_without_a_smoke_test_is_told_how_to_get_one(tmp_path: Path) -> None:
    result, lines = smoke(tmp_path)

    assert result.exit_code == 1
    assert "there is no `tests/test_smoke.py`" in result.reason
    assert "trainspec compile" in result.hint
    assert lines == []


def test_missing_and_old_packages_are_named_with_the_install_line(tmp_path: Path) -> None:
    needs = ["no-such-package>=1", "pytest>=9999,<10000", "Jinja2>=3,<4", "odd; extra == 'x'"]
    result, _ = smoke(project(tmp_path, "", json.dumps(needs)))

    assert result.exit_code == 4
    assert "`no-such-package`" in result.reason
    assert "`pytest>=9999,<10000` (it has " in result.reason
    assert "Jinja2" not in result.reason
    assert f"{PYTHON} -m pip install" in result.hint
    assert f"{tmp_path}[dev]" in result.hint


def test_the_install_line_names_a_folder_and_no_package_of_an_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(tmp_path / "sums", "", '["no-such-package"]')
    monkeypatch.chdir(tmp_path)
    assert "'./sums[dev]'" in smoke(Path("sums"))[0].hint
    monkeypatch.chdir(tmp_path / "sums")
    assert "'.[dev]'" in smoke(Path())[0].hint


def test_a_python_that_does_not_run_is_in_the_way(tmp_path: Path) -> None:
    result = run_smoke(project(tmp_path, ""), tmp_path / "no-python", print)

    assert result.exit_code == 4
    assert "no-python` cannot be run: No such file or directory" in result.reason


def test_the_test_runs_offline_in_its_folder_and_leaves_nothing_there(tmp_path: Path) -> None:
    folder = project(
        tmp_path,
        """
        import os
        from pathlib import Path

        def test_stage(record_property):
            assert os.environ["HF_HUB_OFFLINE"] == "1"
            assert os.environ["CUDA_VISIBLE_DEVICES"] == ""
            record_property("verdict", str(Path.cwd()))
        """,
    )
    before = sorted(folder.rglob("*"))
    result, _ = smoke(folder)

    assert Path(result.stages[0].text).resolve() == folder.resolve()
    assert sorted(folder.rglob("*")) == before


def test_the_python_is_the_given_one_then_the_projects_then_the_active_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def environment(name: str) -> Path:
        python = tmp_path / name / "bin/python"
        python.parent.mkdir(parents=True)
        python.touch()
        return python

    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    task = tmp_path / "task"
    assert choose_python(task, None) == (PYTHON, "that runs this command")

    active = environment("active")
    monkeypatch.setenv("VIRTUAL_ENV", str(active.parents[1]))
    assert choose_python(task, None) == (active, "of the active environment")

    own = environment("task/.venv")
    assert choose_python(task, None) == (own, "of the project's `.venv`")

    given = environment("given")
    assert choose_python(task, given) == (given, "given by `--python`")
    assert choose_python(task, given.parents[1])[0] == given

    monkeypatch.chdir(tmp_path)
    assert choose_python(Path("task"), Path("given/bin/python"))[0].samefile(given)
    assert choose_python(Path("task"), None)[0].is_absolute()


SPEC = """
spec = 1
[project]
name = "sums"
stages = ["warmup", "reasoning"]
[model]
base = "Qwen/Qwen2.5-0.5B-Instruct"
adapter = { kind = "lora", r = 4, alpha = 8 }
[hardware]
tier = "24gb"
[data]
train = { path = "rows.jsonl" }
gold = { column = "answer" }
[prompt]
system = "Write <reasoning>...</reasoning><answer>...</answer>"
user = "{question}"
assistant = "<reasoning>{question}</reasoning><answer>{gold}</answer>"
[answer]
extract = "xml"
tag = "answer"
compare = "number"
[rewards]
correct = 2.0
well_formed = { kind = "xml_format", weight = 0.5 }
never = { kind = "forbidden", patterns = ["lorem ipsum"], weight = 0.1 }
[stages.warmup]
method = "sft"
steps = 100
[stages.reasoning]
method = "grpo"
steps = 100
prompts_per_step = 32
"""


@pytest.fixture(scope="module")
def sums(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that is compiled from a spec, for a GPU and with an adapter."""
    folder = tmp_path_factory.mktemp("sums")
    rows = [{"question": f"{number} + 1", "answer": str(number + 1)} for number in range(40)]
    lines = [json.dumps(row) + "\n" for row in rows]
    (folder / "rows.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / "task.toml").write_text(SPEC, encoding="utf-8")
    compiled = compile_spec(plan_spec(check_file(folder / "task.toml", [], Findings())))
    for path, text in compiled.tree.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.heavy
def test_a_compiled_project_passes_and_says_what_was_replaced(sums: Path) -> None:
    result, lines = smoke(sums)

    assert result.passed, result.output
    warmup, reasoning, export = result.stages
    assert (warmup.name, export.name) == ("warmup", "export")
    assert "trained 4 steps with SFTConfig" in warmup.text
    assert "rewards vary: correct, well_formed, constant in some groups: never" in reasoning.text
    assert "BASE 'Qwen/Qwen2.5-0.5B-Instruct' -> a tiny random model" in warmup.replaced
    assert "bf16 True -> False" in reasoning.replaced
    assert "learning_rate" not in reasoning.replaced
    assert any(line.startswith("reasoning: trained") for line in lines)
    assert not (sums / "outputs").exists()


BREAKAGES = {
    "constant": (
        "rewards.py",
        "score_xml_format(completion_text(completion), WELL_FORMED_TAGS)",
        "0.5",
        (
            "reward `well_formed` is constant (0.5) over the ideal, wrong, empty, malformed "
            "completions of row N: see well_formed in rewards.py"
        ),
    ),
    "short": (
        "rewards.py",
        "in zip(completions, gold, strict=True)",
        "in zip(completions[1:], gold[1:], strict=True)",
        "reward `correct` (rewards.py) gave 7 values to 8 completions",
    ),
    "inverted": (
        "rewards.py",
        "score_xml_format(completion_text(completion), WELL_FORMED_TAGS)",
        "1.0 - score_xml_format(completion_text(completion), WELL_FORMED_TAGS)",
        (
            "reward `well_formed` gives [0.0, 0.0, 1.0, 1.0] to the ideal, wrong, empty, malformed "
            "completions of row N, which is not most to the ideal one: see rewards.py"
        ),
    ),
    "raising": (
        "rewards.py",
        "score_xml_format(completion_text(completion), WELL_FORMED_TAGS)",
        "1 / 0",
        "reward `well_formed` (rewards.py) raised ZeroDivisionError: division by zero",
    ),
    "wrong start": (
        "train_reasoning.py",
        'start = result_of("warmup")',
        'start = result_of("base")',
        "`reasoning` did not start from the model of `warmup`: see train_reasoning.py",
    ),
}


@pytest.mark.heavy
@pytest.mark.parametrize("breakage", BREAKAGES)
def test_a_project_that_was_broken_on_purpose_fails_with_the_reason(
    sums: Path, tmp_path: Path, breakage: str
) -> None:
    file, old, new, reason = BREAKAGES[breakage]
    broken = tmp_path / "broken"
    shutil.copytree(sums, broken)
    text = (broken / file).read_text(encoding="utf-8")
    assert old in text
    (broken / file).write_text(text.replace(old, new), encoding="utf-8")
    result, _ = smoke(broken)

    assert result.exit_code == 1
    # What a failed stage has saved may still be exported.
    assert [stage.outcome for stage in result.stages[:2]] == ["passed", "failed"]
    assert re.sub(r"row \d+", "row N", result.reason) == reason
