"""The files that look after a run: how it begins, goes on and may end early."""

from compiler.literals import literal
from compiler.plan.life import GateFile, ResumeFile, StoppingFile, VersionsFile
from compiler.plan.project import PlannedFile
from compiler.resolve.asking import asking_files
from compiler.resolve.inputs import Inputs
from compiler.resolve.mathematics import MATH_FILES
from compiler.resolve.paths import named_files, written_files
from compiler.resolve.processes import is_distributed
from compiler.resolve.solutions import running_files
from compiler.resolve.stage_endings import gated, stopped, timed
from compiler.resolve.starts import has_adapters
from compiler.resolve.version_set import packages_of_machine

__all__ = ["plan_life"]


def plan_life(inputs: Inputs) -> tuple[PlannedFile, ...]:
    """The files, each with its context."""
    spec, distributed = inputs.spec, is_distributed(inputs)
    vllm = any(mechanics.vllm is not None for mechanics in inputs.mechanics.values())
    resume = ResumeFile(has_adapters(spec), vllm, _reward_files(inputs), distributed=distributed)
    files = [
        PlannedFile("versions.py", "versions.py.jinja", _versions(inputs, vllm=vllm)),
        PlannedFile("resume.py", "resume.py.jinja", resume),
    ]
    if any(gated(spec, name) for name in spec.stages):
        gate = GateFile(vllm, distributed)
        files.append(PlannedFile("gate.py", "gate.py.jinja", gate))
    until = any(timed(spec, name) for name in spec.stages)
    stop_when = any(stopped(spec, name) for name in spec.stages)
    if until or stop_when:
        context = StoppingFile(until=until, stop_when=stop_when, distributed=distributed)
        files.append(PlannedFile("stopping.py", "stopping.py.jinja", context))
    return tuple(files)


def _versions(inputs: Inputs, *, vllm: bool) -> VersionsFile:
    """What TRL's rollouts import where it happens to be installed, beside what a project needs."""
    samples = any(each.rollout is not None for each in inputs.mechanics.values())
    needed = packages_of_machine(inputs)
    beside = [n + r for n, r in inputs.stack.beside.items() if samples and n not in needed]
    return VersionsFile(vllm, literal(tuple(beside)) if beside else None)


def _reward_files(inputs: Inputs) -> str | None:
    """The files of the project that say what a completion earns, the user's own among them."""
    spec = inputs.spec
    if not spec.rewards:
        return None
    made = ("answers.py", *MATH_FILES, "rewards.py", *running_files(spec), *asking_files(spec))
    written = written_files(inputs)
    files = [path for path in made if path in written]
    files += [path for path in named_files(inputs) if path.endswith(".py")]
    return literal(tuple(dict.fromkeys(files)))
