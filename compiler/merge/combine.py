"""Three versions of a Python file merged node by node."""

from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import NamedTuple

from compiler.merge.bracket_layout import Placed, Sides, lay_out
from compiler.merge.lines import merge_lines
from compiler.merge.markers import Conflict, Part
from compiler.merge.match import ALIKE, Clash, Triple, likeness, line_up
from compiler.merge.nodes import Block, Brackets, Item, Leaf, Node, Record, code_of, comments_of
from compiler.merge.python_source import Meaning

__all__ = ["Combiner"]


class Combiner(NamedTuple):
    """The merge of nodes. Imports of the names in `needed` stay, though a side took them out."""

    needed: AbstractSet[str] = frozenset()

    def merge(self, base: Node, mine: Node, new: Node) -> list[Part]:
        """Make the changes of both sides: as deep as they can be told apart, else a conflict."""
        settled = mine.text in {base.text, new.text} or base.text == new.text
        if settled and not self._is_missed(base):
            return [new.text if mine.text == base.text else mine.text]
        try:
            match base, mine, new:
                case Record(), Record(), Record() if _same_shape(base, mine, new):
                    slots = zip(base.slots, mine.slots, new.slots, strict=True)
                    return [part for three in slots for part in self.merge(*three)]
                case Brackets(), Brackets(), Brackets() if base.kind == mine.kind == new.kind:
                    return self._merge_brackets(base, mine, new)
                case Block(), Block(), Block():
                    return self._merge_block(base, mine, new)
                case _:
                    pass
        except Clash:
            pass
        return _merge_whole(base, mine, new)

    def _is_missed(self, node: Node) -> bool:
        """Whether names are imported here that must not go."""
        names = _names(node)
        bound = (name for item in names.items for name in _bound(item)) if names else ()
        return not self.needed.isdisjoint(bound)

    def _merge_block(self, base: Block, mine: Block, new: Block) -> list[Part]:
        parts: list[Part] = []
        for triple in line_up(base.items, mine.items, new.items):
            parts += self._merge_statement(triple)
        return parts + _merge_comments(base.tail, mine.tail, new.tail)

    def _merge_statement(self, triple: Triple) -> list[Part]:
        base, mine, new = triple
        if mine is None or new is None:
            names = self._merge_half_import(triple)
            return self._one_sided(triple) if names is None else names
        lead = _merge_comments(base.lead if base else "", mine.lead, new.lead)
        if base is None and _names(mine.core):
            return [*lead, *self.merge(_without_names(mine.core), mine.core, new.core)]
        if base is None:
            return [*lead, *_merge_additions(mine.core, new.core)]
        return [*lead, *self.merge(base.core, mine.core, new.core)]

    def _one_sided(self, triple: Triple) -> list[Part]:
        kept = self._kept(triple)
        if isinstance(kept, Item):
            return [kept.lead, kept.core.text]
        if kept is None:
            return []
        texts = [item.lead + item.core.text if item else "" for item in triple]
        blank = _blank_lines(next(text for text in texts if text))
        base, mine, new = (text.removeprefix(blank) for text in texts)
        return [blank, Conflict(mine, base, new)]

    def _kept(self, triple: Triple) -> Item | Triple | None:
        """What becomes of an item that one side lacks: it stays, it goes, or both must be asked."""
        base, mine, new = triple
        present = mine or new
        if base is None or present is None or (mine and new):
            return present
        if not self.needed.isdisjoint(_bound(base)):
            return present
        # A comment of the user's is theirs to lose; one of the compiler's goes with what it says.
        same = (
            present.meaning == base.meaning
            if new is None
            else code_of(present.meaning) == code_of(base.meaning)
        )
        return None if same else triple

    def _merge_half_import(self, triple: Triple) -> list[Part] | None:
        """The names that stay of an import that one side took out, for the other may add some.

        None where it is not an import of names, or one to which the user added a comment.
        """
        base, mine, new = triple
        present = mine or new
        if not base or not present or not _names(base.core) or not _names(present.core):
            return None
        if mine and comments_of(mine.meaning) != comments_of(base.meaning):
            return None
        empty = _without_names(present.core)
        cores = [base.core, *(item.core if item else empty for item in (mine, new))]
        names = [_names(core) for core in cores]
        triples = line_up(*(each.items if each else () for each in names))
        if any(self._kept(each) for each in triples):
            return [present.lead, *self.merge(*cores)]
        return []

    def _merge_brackets(self, base: Brackets, mine: Brackets, new: Brackets) -> list[Part]:
        placed: list[Placed] = []
        for triple in line_up(base.items, mine.items, new.items):
            kept = self._kept(triple)
            if isinstance(kept, Triple):
                placed += (Placed(item, dispute=kept) for item in kept[1:] if item)
            elif kept is not None:
                placed.append(self._place(kept, triple))
        head = _merge_comments(base.head, mine.head, new.head)
        tail = _merge_comments(base.tail, mine.tail, new.tail)
        return lay_out(Sides(base, mine, new), placed, head, tail)

    def _place(self, kept: Item, triple: Triple) -> Placed:
        base, mine, new = triple
        if mine is None or new is None:
            return Placed(kept, mine is not None, [kept.lead], [kept.core.text], [kept.trail])
        return Placed(
            kept,
            in_mine=True,
            lead=_merge_comments(base.lead if base else "", mine.lead, new.lead),
            core=self.merge(base.core, mine.core, new.core)
            if base
            else _merge_additions(mine.core, new.core),
            trail=_merge_comments(
                base.trail if base else "", mine.trail, new.trail, keep_both=False
            ),
        )


def _same_shape(base: Record, mine: Record, new: Record) -> bool:
    """Whether records may be merged slot by slot."""
    sides = (base, mine, new)
    if len({(side.kind, len(side.slots)) for side in sides}) > 1:
        return False
    if base.kind != "code":
        return True
    around = {_around_brackets(side) for side in sides}
    # Where other code stands around the brackets, they are the same only if most of all is.
    return len(around) == 1 or (
        len(around) < len(sides)
        and all(likeness(base.meaning, side.meaning) >= ALIKE for side in (mine, new))
    )


def _around_brackets(code: Record) -> tuple[Meaning, ...]:
    return tuple(slot.meaning for slot in code.slots if isinstance(slot, Leaf))


def _merge_whole(base: Node, mine: Node, new: Node) -> list[Part]:
    if new.meaning in {base.meaning, mine.meaning}:
        return [mine.text]
    if base.meaning == mine.meaning:
        return [new.text]
    if not mine.meaning and not code_of(base.meaning) and not code_of(new.meaning):
        return [mine.text]
    nodes = (base, mine, new)
    prose = all(isinstance(node, Leaf) and node.by_lines for node in nodes)
    if prose or all(isinstance(node, Block) for node in nodes):
        return merge_lines(base.text, mine.text, new.text)
    return [Conflict(mine.text, base.text, new.text)]


def _merge_additions(mine: Node, new: Node) -> list[Part]:
    if mine.meaning == new.meaning:
        return [mine.text]
    return [Conflict(mine.text, "", new.text)]


def _merge_comments(base: str, mine: str, new: str, *, keep_both: bool = True) -> list[Part]:
    """Comments and blank lines: a change of blank lines alone yields to any other change.

    Comments that the user took out stay out, whatever the compiler would say now.
    """
    said = [
        [line.strip() for line in text.splitlines() if line.strip()] for text in (base, mine, new)
    ]
    if mine == base or (said[0] == said[1] and said[0] != said[2]):
        return [new]
    if said[2] in (said[0], said[1]) or (said[0] and not said[1]):
        return [mine]
    if not keep_both:
        return [Conflict(mine, base, new)]
    return merge_lines(base, mine, new, keep_both=True)


def _blank_lines(text: str) -> str:
    stripped = text.lstrip("\n")
    return text[: len(text) - len(stripped)]


def _names(node: Node) -> Brackets | None:
    """The names of a `from` import."""
    match node:
        case Record(kind="from", slots=(_, Brackets() as names, _)) | (
            Brackets(kind="names") as names
        ):
            return names
        case _:
            return None


def _without_names(node: Node) -> Node:
    """A `from` import that names nothing, as the other side of one that does."""
    match node:
        case Record(slots=(head, Brackets() as names, rest)):
            return Record(node.kind, (head, replace(names, items=(), text="", meaning=()), rest))
        case _:
            return node


def _bound(item: Item) -> tuple[str, ...]:
    """The name that an import binds."""
    match item.key:
        case ("name" | "import", str(), str(alias)):
            return (alias,)
        case ("name" | "import", str(name), None):
            return (name.partition(".")[0],)
        case _:
            return ()
