"""What the compiler knows of TRL without importing it: its config fields and their rules."""

from compiler.stack.finding import Finding, Settings
from compiler.stack.table import (
    DEFAULT_STACK,
    STACKS,
    Field,
    Package,
    Stack,
    load_stack,
    quoted,
)
from compiler.stack.trainer_table import check_trainer_entry
from compiler.stack.value_rules import check_values

__all__ = [
    "DEFAULT_STACK",
    "STACKS",
    "Field",
    "Finding",
    "Package",
    "Settings",
    "Stack",
    "check_trainer_entry",
    "check_values",
    "load_stack",
    "quoted",
]
