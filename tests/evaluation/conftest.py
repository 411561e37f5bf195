"""The library pieces of estimates.py are imported as they import each other."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "templates" / "evaluation"))
