"""How the answer of a completion is read and compared, as calls of the library's pieces."""

from compiler.literals import docstring
from compiler.plan.modules import AnswersFile
from compiler.plan.project import PlannedFile
from compiler.resolve.answers.comparison import comparison
from compiler.resolve.answers.extraction import extraction
from compiler.resolve.mathematics import MATH_FILES, uses_math
from spec_schema import TaskSpec
from spec_schema.answer import Answer

__all__ = ["math_files", "plan_answers"]


def plan_answers(spec: TaskSpec, answer: Answer) -> tuple[AnswersFile, tuple[str, ...]]:
    """The context of answers.py and the names of its pieces."""
    reading = extraction(spec, answer)
    comparing = comparison(answer)
    plan = AnswersFile(
        imports=(*reading.imports, *comparing.imports),
        read=reading.read,
        read_docstring=reading.promise,
        same=comparing.same,
        same_docstring=docstring(comparing.promise),
        helpers=comparing.helpers,
    )
    return plan, (*reading.pieces, *comparing.pieces)


def math_files(answer: Answer) -> tuple[PlannedFile, ...]:
    """The files that compare mathematics apart from the training, none where nothing asks them."""
    if not uses_math(answer):
        return ()
    return tuple(
        PlannedFile(path, f"{path}.jinja", None, (path.removesuffix(".py"),)) for path in MATH_FILES
    )
