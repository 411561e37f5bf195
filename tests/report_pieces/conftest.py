"""The library pieces of reports on rows are imported as they import each other."""

import sys
from pathlib import Path

TEMPLATES = Path(__file__).parents[2] / "templates"
sys.path += [str(TEMPLATES / "reports"), str(TEMPLATES / "data")]
