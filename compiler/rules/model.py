"""`[model]`: the base is a model of the hub, or a folder that may be one."""

from compiler.chat.facts import hub_name
from compiler.closest import shortened
from compiler.hub_cache import model_folder
from compiler.memory import architecture_of, device_of
from compiler.parse import KeyPath
from compiler.rules.case import Case
from compiler.rules.hub import check_hub_id

__all__ = [
    "LOCAL",
    "base_is_a_model",
    "check_model",
    "revision_is_of_the_hub",
    "size_is_known",
]

LOCAL = ("./", "../", "/")


def base_is_a_model(case: Case) -> None:
    """`base` and a stage's `model` are ids of the hub, or folders that may hold a model."""
    check_model(case, ("model", "base"), case.spec.model.base)
    for name, stage in case.spec.stages.items():
        if stage.model in case.spec.stages:
            message = f"`{stage.model}` is a stage, and `model` names a model of the hub"
            hint = f'write `from = "{stage.model}"`'
            case.error("bad-value", ("stages", name, "model"), message, hint)
        elif stage.model is not None:
            check_model(case, ("stages", name, "model"), stage.model)


def check_model(case: Case, path: KeyPath, base: str) -> None:
    """Report what is no id of the hub and no folder of a model, at the key that names it."""
    shown = shortened(base)
    if base.startswith(LOCAL) or base in (".", ".."):
        _check_folder(case, path, base)
    elif base.startswith("~") or "\\" in base or base[1:3] in (":/", ":\\"):
        message = f"`{shown}` is no path that is understood here, and no id of the hub"
        hint = "write a path that begins with `./`, `../` or `/`, with slashes"
        case.error("bad-value", path, message, hint)
    elif _exists(case, base):
        message = f"`{shown}` is a folder beside the spec, and is written as an id of the hub"
        case.error("bad-value", path, message, f'write `{path[-1]} = "./{base.rstrip("/")}"`')
    else:
        check_hub_id(case, path, base)


def revision_is_of_the_hub(case: Case) -> None:
    """A folder has no revisions."""
    model = case.spec.model
    if model.revision is not None and model.base.startswith(LOCAL):
        message = "`revision` has no effect on a `base` that is a folder"
        case.warning("no-effect", ("model", "revision"), message, "leave it out", at="key")


def size_is_known(case: Case) -> None:
    """Ask for the numbers of a hub model that neither the catalogue nor its name tells."""
    spec = case.spec
    if device_of(spec.hardware.tier) is None:
        return
    own = {("stages", name, "model"): stage.model for name, stage in spec.stages.items()}
    for path, base in {("model", "base"): spec.model.base, **own}.items():
        if base is None or not hub_name(base):
            continue
        revision = spec.model.revision if path[0] == "model" else None
        cached = model_folder(base, revision, case.folder)
        if architecture_of(base, case.folder, cached) is None:
            shown = shortened(base)
            message = f"nothing here tells the size of `{shown}`, so that its memory is not planned"
            hint = f"run `hf download {shown} config.json`: it is read from the hub's cache"
            case.warning("unknown-size", path, message, hint)


def _check_folder(case: Case, path: KeyPath, base: str) -> None:
    """Report what is there and is no model; what is not there yet may be made before training."""
    folder = case.folder / base
    shown = shortened(base)
    try:
        there, is_folder = folder.exists(), folder.is_dir()
        is_model, is_adapter = (
            (folder / name).is_file() for name in ("config.json", "adapter_config.json")
        )
    except (OSError, ValueError):
        return
    if is_model or not there:
        return
    if not is_folder:
        fault, hint = "is a file", "name the folder that holds the model's `config.json`"
    elif is_adapter:
        fault, hint = "holds an adapter", "merge it into its base model, and name that folder"
    else:
        fault, hint = "has no `config.json`", "name the folder of a model, as transformers saves it"
    case.error("bad-value", path, f"`{shown}` {fault}, and is no model", hint)


def _exists(case: Case, name: str) -> bool:
    try:
        return (case.folder / name).is_dir()
    except (OSError, ValueError):
        return False
