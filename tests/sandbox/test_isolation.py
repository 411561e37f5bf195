"""What shuts a process off: the numbers of the filter, what is demanded, and what is said."""

import re
import shutil
from pathlib import Path

import confinement
import pytest
import sandbox
from run_code import Limits, RowTests, outcomes, read_tests

HEADERS = {
    0: Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    1: Path("/usr/include/asm-generic/unistd.h"),
}


@pytest.mark.parametrize("column", HEADERS)
def test_the_calls_have_the_numbers_of_the_kernel(column: int) -> None:
    if not HEADERS[column].exists():
        pytest.skip("the kernel's headers are not here")
    text = HEADERS[column].read_text()
    numbers = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text))
    listed = [call.split(":") for call in confinement.DENIED.split()]
    listed += [[name, *map(str, given)] for name, given in confinement.GUARDED.items()]
    named = {name: given[column] for name, *given in listed}
    # Left out of the generic list, or known there by another macro.
    known = {name: number for name, number in named.items() if number != "-" and name in numbers}
    assert known == {name: numbers[name] for name in known}
    assert len(known) >= len(named) - 25
    absent = {name for name, number in named.items() if number == "-"}
    assert absent & numbers.keys() == set()


def test_a_filter_lets_nothing_past_on_another_machine() -> None:
    # struct sock_filter: a load of the machine, then a comparison that skips the verdict.
    program = confinement.calls_filter("aarch64", (7,))
    assert len(program) % 8 == 0
    assert program[16:24] == bytes.fromhex("0600000000000080")  # return, kill the process


def returning_one(limits: Limits) -> RowTests:
    tests = read_tests("asserts", (["assert f() == 1"],), limits=limits)
    assert tests is not None
    return tests


@pytest.fixture
def weakened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The processes' side as on a machine without a filter of calls."""
    for name in ("code_runner", "confinement", "handles", "messages", "wire"):
        shutil.copy(sandbox.HERE / f"{name}.py", tmp_path)
    place = tmp_path / "confinement.py"
    text = place.read_text().replace("if machine not in MACHINES:", "if machine in MACHINES:")
    place.write_text(text)
    monkeypatch.setattr(sandbox, "HERE", tmp_path)
    return place


@pytest.mark.usefixtures("weakened")
def test_a_machine_that_cannot_shut_code_off_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "SAID", set())
    with pytest.raises(sandbox.SandboxError, match="It needs seccomp"):
        outcomes("def f(): return 1", returning_one(Limits(seconds=2.0)))
    assert outcomes(
        "def f(): return 1", returning_one(Limits(seconds=2.1, isolation="limits"))
    ) == ("",)
    assert "NOT shut off" in capsys.readouterr().err


def test_a_process_that_does_not_start_is_no_wrong_answer(weakened: Path) -> None:
    weakened.write_text("raise OSError('no such means')")
    with pytest.raises(sandbox.SandboxError, match="no such means"):
        outcomes("def f(): return 1", returning_one(Limits(seconds=2.2)))


def test_what_is_in_force_is_said_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "SAID", set())
    for value in (1, 2):
        outcomes(f"def f(): return {value}", returning_one(Limits(seconds=2.3)))
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("code of completions runs ")
    assert "seccomp" in said


def test_a_process_has_a_clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "secret")
    code = "import os\ndef f(): return set(os.environ) - {'LC_CTYPE', 'PWD'}\n"
    tests = read_tests(
        "asserts",
        (["assert f() == {'PATH', 'HOME', 'TMPDIR', 'PYTHONHASHSEED', 'LD_LIBRARY_PATH'}"],),
        limits=Limits(),
    )
    assert tests is not None
    assert outcomes(code, tests) == ("",)
