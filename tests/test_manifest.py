"""The state folder: what it holds, and what happens where it was lost or damaged."""

from pathlib import Path

import pytest

from compiler.manifest import Manifest, read_manifest, state_files
from compiler.unsettled import Unsettled

MANIFEST = Manifest(
    "task.toml",
    "0.1.0",
    "trl-1.16",
    {"train.py": "x = 1\n", "tests/test_x.py": ""},
    stages={"warmup": "sft"},
    unsettled={"train.py": "markers", "tests/test_x.py.new": "file"},
    spec_text="spec = 1\n",
    house_text="[model]\n",
    abandoned={"old.py": "a = 1\n"},
    deleted={"gone/b.py": "b = 1\n"},
)


def write(project: Path) -> Path:
    for path, text in state_files(MANIFEST, "{}").items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text, newline="")
    return project / ".trainspec"


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    write(tmp_path)
    assert read_manifest(tmp_path) == MANIFEST


def test_an_older_state_notes_less(tmp_path: Path) -> None:
    state = write(tmp_path)
    for path in ("spec.toml", "house.toml", "unsettled/train.py", "unsettled/tests/test_x.py.new"):
        (state / path).unlink()
    record = '{"format": 1, "spec": "task.toml", "trainspec": "0.0.1", "stack": "trl-1.16"}'
    (state / "manifest.json").write_text(record)
    manifest = read_manifest(tmp_path)
    assert manifest is not None
    assert (manifest.base, manifest.stages, manifest.spec_text) == (MANIFEST.base, {}, "")
    assert manifest.unsettled == {}


def test_a_folder_without_state_has_none(tmp_path: Path) -> None:
    assert read_manifest(tmp_path) is None
    (tmp_path / ".trainspec").mkdir()
    assert read_manifest(tmp_path) is None


def test_the_texts_that_were_written_are_plain_files(tmp_path: Path) -> None:
    assert (write(tmp_path) / "base/train.py").read_text() == "x = 1\n"


def test_two_compiles_of_one_version_write_the_same_manifest() -> None:
    # Of the same stages; what stages there are, no two branches change without a conflict.
    other = MANIFEST._replace(base={"other.py": ""}, unsettled={}, abandoned={}, deleted={})
    name = ".trainspec/manifest.json"
    assert state_files(MANIFEST, "")[name] == state_files(other, "")[name]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "lacks"),
        ('{"format": 1}', "lacks"),
        (
            '{"format": 1, "spec": "a", "trainspec": "9", "stack": "x", "stages": []}',
            "is no table",
        ),
        ('{"format": 2, "trainspec": "9", "stack": "x"}', "a newer trainspec has compiled"),
    ],
)
def test_a_damaged_manifest_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (write(tmp_path) / "manifest.json").write_text(text)
    with pytest.raises(Unsettled, match=said):
        read_manifest(tmp_path)


def test_a_lost_manifest_is_refused(tmp_path: Path) -> None:
    (write(tmp_path) / "manifest.json").unlink()
    with pytest.raises(Unsettled, match=r"`\.trainspec/manifest\.json` is not"):
        read_manifest(tmp_path)


def test_a_lost_base_is_refused(tmp_path: Path) -> None:
    (write(tmp_path) / "base").rename(tmp_path / "elsewhere")
    with pytest.raises(Unsettled, match="is missing"):
        read_manifest(tmp_path)


def test_a_base_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (write(tmp_path) / "base/train.py").write_bytes(b"\xff\xfe")
    with pytest.raises(Unsettled, match="is not UTF-8"):
        read_manifest(tmp_path)


def test_the_refusal_says_what_to_do(tmp_path: Path) -> None:
    (write(tmp_path) / "manifest.json").write_text("{")
    with pytest.raises(Unsettled) as caught:
        read_manifest(tmp_path)
    assert "nothing was written" in caught.value.lines
    assert "trainspec adopt" in caught.value.lines[-1]
