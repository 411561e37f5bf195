"""A chain of LoRA stages, each killed on its way and run again, is exported as it was trained."""

from pathlib import Path

import pytest

from tests.chains.test_chain import CHAIN, SHORT, check_export
from tests.chains.test_methods import PAIRS
from tests.chains.training import MY_REWARDS
from tests.life.runs import KILLED, Driver
from tests.projects import load


@pytest.mark.heavy
def test_a_chain_killed_in_each_stage_goes_on_and_is_exported(tmp_path: Path, runs: Driver) -> None:
    spec = f"{SHORT}[run]\nsave_every = 1\n"
    files = {"pairs__jsonl": PAIRS, "my_rewards__py": MY_REWARDS}
    project = runs.make(tmp_path / "project", spec, **files)
    for stage in CHAIN:
        killed = runs.run(project, stage, "on_step_begin", 1)
        assert killed.status == KILLED, killed.said
        gone_on = runs.run(project, stage)
        assert gone_on.status == 0, gone_on.said
        assert f"{stage}: goes on at step 1" in gone_on.said
    load(project, "export").export()
    check_export(project)
