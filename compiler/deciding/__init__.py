"""What becomes of each path of a project: base, disk and new text compared, renames followed."""

__all__: list[str] = []
