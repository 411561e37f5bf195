"""What cannot be started is refused at its key, with the way out."""

import contextlib
from pathlib import Path

import pytest

from compiler.diagnostics import Diagnostic, Stop
from compiler.pipeline import Findings, check_file
from tests.projects import ROWS, SPEC

SKY = 'tier = "h100"\nlauncher = "skypilot"\n[hardware.skypilot]\n'
TWO = 'tier = "h100"\ngpus = 16\nnodes = 2\n'
VOLUME = (
    'name a volume that they share: `[hardware.skypilot]` `outputs = "NAME"`, '
    "made with `sky volumes apply`"
)
SLURM = 'tier = "h100"\nlauncher = "slurm"\n[hardware.slurm]\n'


def found(folder: Path, hardware: str) -> list[Diagnostic]:
    """What a check says of a spec with this `[hardware]`."""
    spec = SPEC.replace('tier = "cpu"', hardware).replace("_per_step = 2", "_per_step = 16")
    (folder / "task.toml").write_text(spec)
    (folder / "train.jsonl").write_text(ROWS * 8)
    findings = Findings()
    with contextlib.suppress(Stop):
        check_file(folder / "task.toml", [], findings)
    return findings.diagnostics


@pytest.mark.parametrize(
    ("hardware", "code", "at", "hint"),
    [
        (
            'tier = "h100"\ngpus = 16\nnodes = 2',
            "bad-value",
            "2",
            'write `launcher = "slurm"` or `launcher = "skypilot"`, which start them all',
        ),
        (
            'tier = "h100"\ngpus = 8\nnodes = 3\nlauncher = "slurm"',
            "bad-value",
            "8",
            "`gpus` counts those of all machines: write `6` or `9` or `24`",
        ),
        (
            f'{TWO}launcher = "slurm"\nrollout = {{ engine = "vllm-server" }}',
            "bad-value",
            '"vllm-server"',
            'write `engine = "vllm-colocate"`',
        ),
        (
            'tier = "h100"\n[hardware.slurm]\npartition = "gpu"',
            "no-effect",
            "[hardware.slurm]",
            'write `launcher = "slurm"`, or leave the table out',
        ),
        (
            'tier = "h100"\nlauncher = "slurm"\n[hardware.skypilot]\nuse_spot = true',
            "no-effect",
            "[hardware.skypilot]",
            'write `launcher = "skypilot"`, or leave the table out',
        ),
        (
            'tier = "rtx-4070"\nlauncher = "skypilot"',
            "bad-value",
            '"rtx-4070"',
            'or write `launcher = "slurm"` or `launcher = "local"`',
        ),
        (
            f"{SKY}use_spot = true",
            "bad-value",
            "true",
            'keep them: `outputs = "s3://BUCKET/FOLDER"`, or the name of a volume',
        ),
        (
            'tier = "h100"\ngpus = 16\nnodes = 2\nlauncher = "skypilot"',
            "bad-value",
            "2",
            VOLUME,
        ),
        (
            f"{SKY}outputs = 's3://runs/sums'".replace(
                "launcher", "gpus = 16\nnodes = 2\nlauncher"
            ),
            "bad-value",
            "'s3://runs/sums'",
            VOLUME,
        ),
        (
            SLURM + 'partition = "a\\nrm -rf x"',
            "bad-value",
            '"a\\nrm -rf x"',
            "write the name in one word, without quotes, backslashes and `#`",
        ),
        (
            SLURM + 'setup = ["one\\ntwo"]',
            "bad-value",
            '"one\\ntwo"',
            "write one line of shell for each entry",
        ),
        (
            SLURM + 'options = ["--mem=1 G"]',
            "bad-value",
            '"--mem=1 G"',
            "write one option of sbatch for each entry, such as `--mem=200G`",
        ),
        (
            SLURM + 'time = "soon"',
            "bad-value",
            '"soon"',
            "write `hours:minutes:seconds`, or with `days-` before it, such as `2-00:00:00`",
        ),
        (
            f'{SKY}outputs = "two words"',
            "bad-value",
            '"two words"',
            "write a bucket, such as `s3://acme-runs/sums`, or the name of a volume",
        ),
    ],
)
def test_what_cannot_be_started_is_refused(
    tmp_path: Path, hardware: str, code: str, at: str, hint: str
) -> None:
    (finding,) = found(tmp_path, hardware)
    assert finding.code == code
    assert finding.place is not None
    span = finding.place.span
    text = (tmp_path / "task.toml").read_text()[span.start : span.end]
    assert text in at
    assert hint in finding.hints


def test_a_spot_machine_with_a_bucket_is_fine(tmp_path: Path) -> None:
    assert found(tmp_path, f'{SKY}use_spot = true\noutputs = "gs://runs/sums"') == []
