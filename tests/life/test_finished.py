"""When run.sh passes a stage over."""

from pathlib import Path

import pytest

from tests.projects import load, write_project


def test_a_stage_is_not_finished_whose_rows_or_model_have_changed(tmp_path: Path) -> None:
    project = write_project(tmp_path)
    stages = load(project, "stages")
    folder = project / "outputs" / "warmup"
    (folder / "model").mkdir(parents=True)
    config = folder / "model" / "config.json"
    config.write_text("{}")
    run = {
        "start": stages.BASE,
        "origin": stages.origin(stages.BASE),
        "sources": stages.source_digests("warmup"),
    }
    stages.write_json(folder / "run.json", run)
    assert stages.has_finished("warmup")
    rows = (project / "train.jsonl").read_text()
    (project / "train.jsonl").write_text(rows.replace("1+1", "one and one"))
    assert not stages.has_finished("warmup")
    (project / "train.jsonl").write_text(rows)
    assert stages.has_finished("warmup")
    config.unlink()
    assert not stages.has_finished("warmup")


@pytest.mark.parametrize("content", [b"", b'{"stage": "warm', b"\xff\xfe"])
def test_a_damaged_file_of_a_run_is_named(tmp_path: Path, content: bytes) -> None:
    project = write_project(tmp_path)
    stages = load(project, "stages")
    (project / "outputs" / "warmup").mkdir(parents=True)
    (project / "outputs" / "warmup" / "run.json").write_bytes(content)
    with pytest.raises(SystemExit, match=r"run\.json is damaged, delete it"):
        stages.has_finished("warmup")
