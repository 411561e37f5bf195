"""What the compiler knows of TRL without importing it: its config fields and their rules."""

from compiler.stack.finding import Finding, Settings
from compiler.stack.table import (
    Field,
    Package,
    Stack,
    Variant,
    foreign_method,
    known_stacks,
    load_stack,
    newest_stack,
    quoted,
)
from compiler.stack.trainer_table import check_trainer_entry
from compiler.stack.value_rules import check_values

__all__ = [
    "Field",
    "Finding",
    "Package",
    "Settings",
    "Stack",
    "Variant",
    "check_trainer_entry",
    "check_values",
    "foreign_method",
    "known_stacks",
    "load_stack",
    "newest_stack",
    "quoted",
]
