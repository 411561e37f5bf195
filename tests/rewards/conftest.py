"""Make the reward pieces importable as they stand, with the answer pieces that they use."""

import sys
from pathlib import Path

TEMPLATES = Path(__file__).parents[2] / "templates"
sys.path[:0] = [str(TEMPLATES / "answers"), str(TEMPLATES / "rewards")]
