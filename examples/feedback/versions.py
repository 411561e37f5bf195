"""Whether the packages that are installed are those that this project is for: `python versions.py`.

The ranges stand in pyproject.toml. A package that is missing says so itself, where it is imported.
"""

import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from packaging.requirements import Requirement

PYPROJECT = Path(__file__).parent / "pyproject.toml"


def require_versions() -> None:
    """Exit before anything is loaded where a package is installed in a version out of range."""
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    found = [out_of_range(Requirement(text)) for text in project["dependencies"]]
    if wrong := [line for line in found if line]:
        raise SystemExit("\n".join([*wrong, "install those with: pip install ."]))


def out_of_range(requirement: Requirement) -> str | None:
    """What is wrong with the installed version of a package, if anything is."""
    try:
        installed = version(requirement.name)
    except PackageNotFoundError:
        return None
    if requirement.specifier.contains(installed, prereleases=True):
        return None
    return f"{requirement.name} {installed} is installed, and this project is for {requirement}"


if __name__ == "__main__":
    require_versions()
    print("versions: the packages that are installed are those that this project is for")
