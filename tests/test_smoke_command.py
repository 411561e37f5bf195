"""The phase behind `trainspec smoke`, on projects that only look like one and on a real one."""

import json
import sys
import textwrap
from pathlib import Path

import pytest

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
