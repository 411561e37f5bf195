"""What TRL hands to vLLM of a sharded model with an adapter, in two processes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest


def synced(adapter: str) -> dict[str, object]:
    """What TRL's walk over the weights gives, against the merged model."""
    script = Path(__file__).with_name("sync_weights.py")
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2"]
    done = subprocess.run(
        [*command, str(script), adapter], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    line = next(line for line in done.stdout.splitlines() if line.startswith("{"))
    return json.loads(line)


@pytest.mark.heavy
def test_field_179_vllm_gets_the_merged_weights_of_a_sharded_adapter() -> None:
    """Early releases sent them under the adapter's names; TRL 1.16 does not, and merges right."""
    assert synced("lora") == {"unknown": [], "wrong": 0}


@pytest.mark.heavy
def test_dora_under_fsdp2_is_refused_for_a_reason() -> None:
    """Once this fails, the rule `sharded-dora` of compiler/resolve/incompatible.py can go."""
    found = synced("dora")
    assert found["unknown"] == []
    assert found["wrong"]
