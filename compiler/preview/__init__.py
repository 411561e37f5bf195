"""What a compile would change and why, before anything is written."""

__all__: list[str] = []
