"""Whether the packages that are installed are those that this project is for: `python versions.py`.

The ranges stand in pyproject.toml. A package that is missing says so itself, where it is imported.
"""

import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from packaging.requirements import Requirement

PYPROJECT = Path(__file__).parent / "pyproject.toml"
BESIDE = ("vllm>=0.22,<=0.31.0",)  # not needed, but TRL imports what is installed


def require_versions() -> None:
    """Exit before anything is loaded where a package is installed in a version out of range."""
    wrong = [
        f"{each.name} {found} is installed, and this project is for {each}"
        for each in requirements()
        if (found := installed(each)) and not each.specifier.contains(found, prereleases=True)
    ]
    if wrong:
        raise SystemExit(
            "\n".join([*wrong, "make it an environment of its own, as README.md says"])
        )


def requirements() -> list[Requirement]:
    """What this project asks for."""
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    asked = project["dependencies"]
    asked += BESIDE
    return [Requirement(text) for text in asked]


def installed(package: Requirement) -> str | None:
    """The version of a package that is installed, None where it is missing."""
    try:
        return version(package.name)
    except PackageNotFoundError:
        return None


if __name__ == "__main__":
    require_versions()
    found = (f"{each.name} {installed(each)}" for each in requirements() if installed(each))
    print(f"versions: {', '.join(found)}")
