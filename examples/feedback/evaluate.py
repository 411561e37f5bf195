"""How well each stage tells better answers from worse ones, on the held-out rows of its own.

`python evaluate.py` prints a table and writes outputs/evaluation.json once a stage has ended. With
`--stage` or `--rows` it looks at a part and writes outputs/evaluation-part.json.
"""

import argparse
import json
from typing import Any

from preferences import preference_figures
from stages import OUTPUTS
from tables import tables

VERSION = 1  # of the form of evaluation.json
NAMES = ("thumbs",)  # of what can be scored
PREFERENCES = ("thumbs",)  # stages with held-out rows of their own


def main() -> None:
    """Score what is there, print the tables and write the figures down."""
    parser = argparse.ArgumentParser(description="Score models on held-out rows.")
    parser.add_argument(
        "--stage",
        action="append",
        choices=NAMES,
        help="only this one; may be given again; left out: all",
    )
    parser.add_argument("--rows", type=int, help="only the first rows; left out: all")
    arguments = parser.parse_args()
    names = [name for name in arguments.stage or NAMES if is_there(name)]
    report: dict[str, Any] = {"version": VERSION}
    report["preferences"] = {
        stage: preference_figures(stage, arguments.rows) for stage in PREFERENCES if stage in names
    }
    print(tables(report))
    whole = arguments.stage is None and arguments.rows is None
    OUTPUTS.mkdir(exist_ok=True)
    path = OUTPUTS / ("evaluation.json" if whole else "evaluation-part.json")
    path.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"\nwritten to {path}")


def is_there(name: str) -> bool:
    """Whether a model can be scored; says so where its stage has not ended."""
    folder = OUTPUTS / name / "model"
    if (folder / "config.json").is_file():
        return True
    print(f"{name}: skipped, {folder} is not there yet")
    return False


if __name__ == "__main__":
    main()
