"""Conditions that a deployment must meet: of its plan, or of the people who approve it."""

from __future__ import annotations

from bunraku.base.file_reading import text_on_disk
from bunraku.base.records import record, replace
from bunraku.base.suggestions import suggestion
from bunraku.base.usage import UsageError

NO_FAILURE, MAX_CHANGED, APPROVED = "no-failure", "max-changed", "approved"
BROKEN = "would not compile any more"
UNKNOWN = "without a catalog before and after: what changes is not known"
FORMS = (NO_FAILURE, f"{MAX_CHANGED}=N", f"{APPROVED}=FILE")


@record(frozen=True)
class PlannedNodes:
    """The names of the nodes that change, and of those that do not compile any more; all nodes in a number.

    ``unknown`` are nodes of which nothing is known: they compile neither before nor after, such as those whose
    facts cannot be read.
    """

    changed: tuple[str, ...]
    broken: tuple[str, ...]
    total: int
    unknown: tuple[str, ...] = ()

    def effects(self) -> list[str]:
        """Return in sentences what becomes of the nodes, a sentence for each group of them."""
        groups = ((self.changed, "would change"), (self.broken, BROKEN), (self.unknown, UNKNOWN))
        return [f"{number_of_nodes(names)} {text}" for names, text in groups if names]


@record(frozen=True)
class Condition:
    """A condition: its kind, and a number or the path of a file."""

    kind: str
    value: str = ""

    @property
    def text(self) -> str:
        """The condition as it is written."""
        return f"{self.kind}={self.value}" if self.value else self.kind

    def reason_against(self, nodes: PlannedNodes, digest: str) -> str:
        """Return why a plan does not meet the condition; an empty text if it does. Raise UsageError."""
        if self.kind == NO_FAILURE:
            return ", ".join(replace(nodes, changed=()).effects())
        if self.kind == MAX_CHANGED:
            found = (*nodes.changed, *nodes.broken, *nodes.unknown)
            return ", ".join(nodes.effects()) if len(found) > int(self.value) else ""
        if digest in approved(self.value):
            return ""
        return f"no line of {self.value} has the digest of the plan, {digest}"


def read_condition(text: str) -> Condition:
    """Return the condition in a text; raise UsageError for an unknown one.

    >>> read_condition("max-changed=3")
    Condition(kind='max-changed', value='3')
    """
    kind, given, value = text.partition("=")
    if kind == NO_FAILURE and not given:
        return Condition(kind)
    if kind == MAX_CHANGED and value.isdecimal():
        return Condition(kind, value)
    if kind == APPROVED and value:
        return Condition(kind, value)
    near = suggestion(kind, [NO_FAILURE, MAX_CHANGED, APPROVED])
    raise UsageError(f"--require {text}: expected {', '.join(FORMS)}{near}", "deploy")


def approved(path: str) -> set[str]:
    """Return the digests in a file of approvals: the first word of each line. Raise UsageError."""
    try:
        lines = text_on_disk(path).split("\n")
    except FileNotFoundError:
        return set()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    return {line.split()[0] for line in lines if line.strip()}


def number_of_nodes(names: tuple[str, ...]) -> str:
    """Return the number of nodes with some names.

    >>> number_of_nodes(("a",)), number_of_nodes(tuple("abcdefg"))
    ('1 node (a)', '7 nodes (a, b, c, d, e, …)')
    """
    more = ", …" if len(names) > 5 else ""
    word = "node" if len(names) == 1 else "nodes"
    return f"{len(names)} {word} ({', '.join(names[:5])}{more})"
