"""The names in a file, packed into bytes: a tenth of the memory, and those of one name are found without the others.

Names that mean the same are a group, and groups are found by the last part of the name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter

from bunraku.base.disk_cache import marshalled, unmarshalled
from bunraku.base.records import record
from bunraku.workbench.editor.mentions import Kind, Mention, PuppetSymbol, Role
from bunraku.workbench.editor.places import TextRange

PackedGroup = tuple[Kind, str, str, Role, str, bool, tuple[int, ...]]
"""Kind, name and owner of the symbol, the role, the owner of the code around, whether it is settled, and the places.

A place is three numbers: that of the mention in the file, its start and its end.
"""
NumberedMention = tuple[int, Mention]


@record(frozen=True)
class MentionGroup:
    """The mentions of a file that differ in their places alone; ``first`` is the first one.

    ``places`` has the number of each mention in the file, its start and its end, one behind the other.
    """

    first: Mention
    places: Sequence[int]

    def mentions(self) -> Iterator[NumberedMention]:
        """Yield the mentions with their numbers."""
        one, numbers = self.first, iter(self.places)
        for number, start, end in zip(numbers, numbers, numbers, strict=True):
            place = TextRange(start, end)
            yield number, Mention(one.symbol, place, one.role, one.around, one.settled)


def packed(mentions: Iterable[Mention]) -> bytes:
    """Return the names of a file, in the order of the text, as bytes."""
    places: dict[tuple[PuppetSymbol, Role, str, bool], list[int]] = {}
    for number, one in enumerate(mentions):
        key = one.symbol, one.role, one.around, one.settled
        places.setdefault(key, []).extend((number, one.range.start, one.range.end))
    found: dict[str, list[PackedGroup]] = {}
    for (symbol, role, around, settled), some in places.items():
        group = symbol.kind, symbol.name, symbol.owner, role, around, settled, tuple(some)
        found.setdefault(symbol.last_part, []).append(group)
    return marshalled(found)


def groups_named(content: bytes, name: str) -> list[MentionGroup]:
    """Return the groups whose names have a last part."""
    return [unpacked_group(one) for one in unpacked_groups(content).get(name, ())]


def unpacked(content: bytes) -> list[Mention]:
    """Return the names of a file in the order of the text.

    >>> one = Mention(PuppetSymbol("class", "ntp"), TextRange(6, 9), "definition")
    >>> unpacked(packed([one])) == [one]
    True
    """
    groups = chain.from_iterable(unpacked_groups(content).values())
    return in_text_order(map(unpacked_group, groups))


def in_text_order(groups: Iterable[MentionGroup]) -> list[Mention]:
    """Return the mentions of some groups of a file in the order of the text."""
    found = [numbered for group in groups for numbered in group.mentions()]
    return [one for _number, one in sorted(found, key=itemgetter(0))]


def unpacked_groups(content: bytes) -> Mapping[str, list[PackedGroup]]:
    """Return the packed groups of a file by the last parts of their names."""
    found: Mapping[str, list[PackedGroup]] = unmarshalled(content)
    return found


def unpacked_group(group: PackedGroup) -> MentionGroup:
    """Return a group."""
    kind, name, owner, role, around, settled, places = group
    first = TextRange(places[1], places[2])
    return MentionGroup(
        Mention(PuppetSymbol(kind, name, owner), first, role, around, settled), places
    )
