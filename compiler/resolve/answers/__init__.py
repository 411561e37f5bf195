"""How the answer of a completion is read and compared, as calls of the library's pieces."""

from compiler.literals import docstring
from compiler.plan.modules import AnswersFile
from compiler.resolve.answers.comparison import comparison
from compiler.resolve.answers.extraction import extraction
from spec_schema.answer import Answer

__all__ = ["plan_answers"]


def plan_answers(answer: Answer) -> tuple[AnswersFile, tuple[str, ...]]:
    """The context of answers.py and the names of its pieces."""
    found, about, pieces = extraction(answer)
    form, form_docstring, same, same_docstring, more = comparison(answer)
    which = {"last": "the last", "first": "the first", "only": "the only"}[answer.several]
    plan = AnswersFile(
        read=f"{answer.several}_of({found})",
        read_docstring=docstring(f"The answer of a completion: {which} {about}; None without one."),
        form=form,
        form_type='"Number | None"' if answer.compare == "number" else "str",
        form_docstring=form_docstring,
        same=same,
        same_docstring=same_docstring,
    )
    return plan, (f"{answer.several}_of", *pieces, *more)
