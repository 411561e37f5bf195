"""Make the answer pieces importable as they stand, under the names they use for one another."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "templates" / "answers"))
