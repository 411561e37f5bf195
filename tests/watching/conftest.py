"""Make the pieces of alarms.py importable as they stand."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "templates" / "alarms"))
