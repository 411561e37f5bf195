"""Make the pieces of schedules.py importable as they stand."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "templates" / "weights"))
