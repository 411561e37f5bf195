"""The compiler stays the size and the shape that was agreed."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("compiler", "spec_schema")
MODULES = sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py"))
MODULE_LINES = 300
FUNCTION_LINES = 40

# A module may import what stands in its own row or below it; cycles are refused apart.
LAYERS = (
    ("cli", "__main__", "commands"),
    (
        *("pipeline", "smoke", "apply", "verdicts", "outcome", "explanation", "installed"),
        *("adopt", "annotations", "copying", "lint", "new_project", "preview", "undo"),
    ),
    (
        *("extends", "stack_choice"),
        *("changes", "deciding", "manifest", "merge", "writing"),
        *("tidy", "emit", "assemble", "pieces"),
        *("resolve", "rules", "validate", "overrides", "render", "key_errors", "value_errors"),
        *("local_data", "families", "reference", "reference_examples"),
        "reference_losses",
        *("notebook", "overlay", "questionnaire"),
    ),
    ("parse", "layout", "markdown", "chat", "yaml_scalars"),
    ("plan", "literals", "memory", "stack", "closest", "overlay_pin", "throughput"),
    ("toml_syntax", "toml_duplicates", "toml_strings", "toml_characters", "toml_scanner"),
    ("toml_spans", "unbuilt", "spec_schema"),
    ("source", "places", "hub_cache"),
    ("diagnostics", "unsettled", "version", ""),
)
WALLS = {
    "emit": {"spec_schema"},
    "plan": {"spec_schema"},
    "assemble": {"spec_schema"},
    "spec_schema": {"compiler"},
}
HEAVY = {"torch", "trl", "transformers", "datasets", "peft", "numpy", "pandas", "copier"}
# Rooms that run Copier, each in the function that needs it.
COPIERS = {"overlay", "questionnaire"}


def dotted(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room(module: str) -> str:
    """The row's word for a module: its first part inside the compiler."""
    top, _, rest = module.partition(".")
    return top if top != "compiler" else rest.partition(".")[0]


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            module = node.module or ""
            inner = {alias.name for alias in node.names if is_module(f"{module}.{alias.name}")}
            yield from (f"{module}.{name}" for name in inner)
            if inner != {alias.name for alias in node.names}:
                yield module


def is_module(name: str) -> bool:
    place = ROOT / name.replace(".", "/")
    return place.with_suffix(".py").exists() or (place / "__init__.py").exists()


def ours(path: Path) -> set[str]:
    return {name for name in imported(path) if name.partition(".")[0] in PACKAGES}


def function_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_a_module_has_its_size(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MODULE_LINES
    long = [
        f"{node.name}: {function_lines(node)}"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and function_lines(node) > FUNCTION_LINES
    ]
    assert not long


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_a_module_names_what_it_offers(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "a sentence on its job"
    names = [
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    ]
    assert "__all__" in names or (path.name == "__init__.py" and not list(ours(path)))


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_a_suppression_has_a_code_and_a_reason(path: Path) -> None:
    comments = (
        token.string
        for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline)
        if token.type == tokenize.COMMENT
    )
    found = [text for text in comments if re.search(r"noqa|type: ignore|pyright:", text)]
    reasoned = re.compile(
        r"# (noqa: [A-Z]+\d+(, [A-Z]+\d+)*|pyright: ignore\[\w+(, \w+)*\])(  #| -) \S.*"
    )
    assert [text for text in found if not reasoned.fullmatch(text)] == []


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_only_the_command_line_prints_and_ends(path: Path) -> None:
    if path in (ROOT / "compiler/cli.py", ROOT / "compiler/commands/terminal.py"):
        return
    called = {
        ast.unparse(node.func)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    }
    assert not called & {
        "print",
        "exit",
        "quit",
        "sys.exit",
        "os._exit",
        "typer.echo",
        "SystemExit",
    }


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_an_exception_is_caught_by_its_name(path: Path) -> None:
    broad = {
        ast.unparse(node.type) if node.type else ""
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler)
        # What is raised again was not swallowed.
        and not isinstance(node.body[-1], ast.Raise)
    } & {"", "Exception", "BaseException"}
    assert not broad or path == ROOT / "compiler/cli.py"


def test_every_module_has_a_row() -> None:
    rows = {name for row in LAYERS for name in row}
    assert {room(dotted(path)) for path in MODULES} - rows == set()


def test_the_map_shows_these_layers() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    section = page.partition("\n## Layers\n")[2].partition("\n1. ")[2].partition("\n\n")[0]
    # A numbered list, lowest first; the package itself has no room and stands as `compiler`.
    shown = [sorted(re.findall(r"`(\w+)`", row)) for row in re.split(r"\n\d+\. ", section)]
    assert shown == [sorted(name or "compiler" for name in row) for row in reversed(LAYERS)]


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_a_module_imports_nothing_from_above(path: Path) -> None:
    depth = {name: row for row, names in enumerate(LAYERS) for name in names}
    here = room(dotted(path))
    assert {name for name in ours(path) if depth[room(name)] < depth[here]} == set()
    assert {name.partition(".")[0] for name in imported(path)} & WALLS.get(here, set()) == set()


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_nothing_imports_the_libraries_of_training(path: Path) -> None:
    allowed = {"copier"} if room(dotted(path)) in COPIERS else set[str]()
    assert {name.partition(".")[0] for name in imported(path)} & HEAVY <= allowed


def test_no_modules_import_each_other() -> None:
    arrows = {dotted(path): ours(path) - {dotted(path)} for path in MODULES}
    while free := {name for name, targets in arrows.items() if not targets & arrows.keys()}:
        arrows = {name: targets for name, targets in arrows.items() if name not in free}
    # What merely stands above a cycle has no part in it.
    while top := arrows.keys() - {target for targets in arrows.values() for target in targets}:
        arrows = {name: targets for name, targets in arrows.items() if name not in top}
    assert {name: targets & arrows.keys() for name, targets in arrows.items()} == {}
