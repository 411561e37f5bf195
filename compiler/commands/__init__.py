"""The commands of the command line, in groups; `terminal` alone prints."""

__all__: list[str] = []
