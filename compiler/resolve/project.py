"""The files of a project, each with its context, from its outline."""

from compiler.parse import Document
from compiler.plan.outline import Outline
from compiler.plan.project import PlannedFile, ProjectPlan
from compiler.resolve.checks import plan_checks
from compiler.resolve.files import module_names, plan_modules, plan_texts
from compiler.resolve.inputs import Inputs
from compiler.resolve.pages import plan_page, plan_readme
from compiler.resolve.rewards import plan_rewards
from compiler.resolve.smoke import plan_smoke
from compiler.resolve.version_set import with_version_set

__all__ = ["plan_project"]


def plan_project(inputs: Inputs, outline: Outline, document: Document) -> ProjectPlan:
    """Plan every file of a project whose outline the rules have let pass."""
    stages = outline.stages
    inputs = inputs._replace(mechanics={stage.name: stage.mechanics for stage in stages})
    inputs = with_version_set(inputs)
    rewards = plan_rewards(inputs)[0].rewards if inputs.spec.rewards else ()
    code = (
        *plan_modules(inputs, stages),
        *plan_checks(inputs, stages, rewards),
        *plan_smoke(inputs, stages),
    )
    modules = module_names((*outline.named_files, *(file.path for file in code)))
    files = (*code, *plan_texts(inputs, stages, modules))
    own = ("notebook.ipynb",) if inputs.spec.project.notebook else ()
    paths = (*(file.path for file in files), *own, "PLAN.md")
    spec_name = document.source.path.name
    readme = plan_readme(inputs, stages, paths, spec_name)
    page = plan_page(inputs, stages, rewards, spec_name, _written(document))
    if inputs.spec.project.notebook:
        from compiler.resolve.notebook import plan_notebook  # few specs ask for one

        folder = document.source.path.parent
        files = (*files, plan_notebook(inputs, stages, files, (readme, page), folder))
    return ProjectPlan(
        project_name=inputs.spec.project.name,
        stack=outline.stack,
        variant=outline.variant,
        stages=stages,
        rewards=rewards,
        files=(
            *files,
            PlannedFile("README.md", "README.md.jinja", readme),
            PlannedFile("PLAN.md", "PLAN.md.jinja", page),
        ),
        named_files=outline.named_files,
        modules=modules,
    )


def _written(document: Document) -> dict[tuple[str | int, ...], str]:
    """What each key is called that the spec or its house file writes.

    By its name and not by its line, so that a page does not change with a comment in the spec.
    """
    found: dict[tuple[str | int, ...], str] = {}

    def walk(table: object, path: tuple[str | int, ...]) -> None:
        if isinstance(table, dict):
            for key, value in table.items():  # pyright: ignore[reportUnknownVariableType]  # TOML
                walk(value, (*path, str(key)))  # pyright: ignore[reportUnknownArgumentType]  # TOML
        else:
            house = document.shared.get(path)
            key = f"`{'.'.join(map(str, path))}`"
            found[path] = key if house is None else f"{key} of `{house.path.name}`"

    walk(document.values, ())
    return found
