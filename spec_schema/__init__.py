"""The spec language as strict and frozen pydantic models; `TaskSpec` is its root."""

from spec_schema.task import TaskSpec

__all__ = ["TaskSpec"]
