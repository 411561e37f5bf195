"""Resolve every version set of a stack on the package index, and write what it resolves to.

    python tests/stack/resolve_pins.py --uv build/uv/bin/uv     # writes compiler/stack/locks/

Only metadata is read: nothing is downloaded that a set would install. `test_variants.py` holds the
locks against the sets.
"""

import argparse
import pathlib
import subprocess
import sys
import tomllib

__all__ = ["lock_of"]

STACK = "trl-1.16"
FOLDER = pathlib.Path(__file__).parents[2] / "compiler" / "stack"
# What the GPUs are run with that these sets are for; uv resolves for it on any machine.
PYTHON = "3.11"
PLATFORM = "x86_64-manylinux_2_28"
HEADER = """\
# The version set `{variant}` of the stack {stack} with all its optional packages, resolved by
# `make pins` for Python {python} on Linux x86_64.
"""


def lock_of(variant: str, requirements: list[str], uv: str) -> str:
    """Give the text of a lock: each package that the requirements bring, at its version.

    Exits with uv's own words where the index has no such set.
    """
    command = [uv, "pip", "compile", "-", "--quiet", "--no-config", "--no-header", "--no-annotate"]
    command += ["--python-version", PYTHON, "--python-platform", PLATFORM]
    done = subprocess.run(
        command, input="\n".join(requirements), capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(f"the set {variant} does not resolve:\n{done.stderr}")
    lines = [line for line in done.stdout.splitlines() if "==" in line]
    lines.sort(key=lambda line: line.partition("==")[0])
    head = HEADER.format(variant=variant, stack=STACK, python=PYTHON)
    return head + "\n".join(lines) + "\n"


def main() -> None:
    """Resolve the tested versions of each set together, and write its lock."""
    parser = argparse.ArgumentParser(description="resolve the version sets of a stack")
    parser.add_argument("--uv", default="uv", help="the uv that resolves")
    parser.add_argument("--into", type=pathlib.Path, default=FOLDER / "locks")
    arguments = parser.parse_args()
    arguments.into.mkdir(exist_ok=True)
    variants = tomllib.loads((FOLDER / f"{STACK}.toml").read_text(encoding="utf-8"))
    for variant, table in variants.items():
        packages = {**table["packages"], **table["optional"]}
        tested = [f"{name}=={entry['tested']}" for name, entry in packages.items()]
        text = lock_of(variant, tested, arguments.uv)
        (arguments.into / f"{STACK}-{variant}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
