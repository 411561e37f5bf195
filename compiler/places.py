"""Where the data files of the package lie, in a checkout and in an installed wheel."""

from pathlib import Path

__all__ = ["explain_folder", "package_folder", "templates_folder"]


def package_folder() -> Path:
    """Give the folder of the package `compiler`."""
    return Path(__file__).parent


def templates_folder() -> Path:
    """Give the folder of the templates: inside the package in a wheel, beside it in a checkout."""
    packaged = package_folder() / "templates"
    return packaged if packaged.is_dir() else package_folder().parent / "templates"


def explain_folder() -> Path:
    """Give the folder with one page for each diagnostic code."""
    return package_folder() / "explain"
