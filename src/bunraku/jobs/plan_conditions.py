"""Conditions that a deployment must meet: of its plan, or of the people who approve it."""

from __future__ import annotations

from bunraku.base.records import record
from bunraku.base.suggestions import suggestion
from bunraku.base.usage import UsageError

NO_FAILURE, MAX_CHANGED, APPROVED = "no-failure", "max-changed", "approved"
FORMS = (NO_FAILURE, f"{MAX_CHANGED}=N", f"{APPROVED}=FILE")


@record(frozen=True)
class PlannedNodes:
    """The names of the nodes that change, and of those that do not compile any more; all nodes in a number."""

    changed: tuple[str, ...]
    broken: tuple[str, ...]
    total: int


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
            return (
                f"{number_of_nodes(nodes.broken)} would not compile any more"
                if nodes.broken
                else ""
            )
        if self.kind == MAX_CHANGED:
            found = (*nodes.changed, *nodes.broken)
            return f"{number_of_nodes(found)} would change" if len(found) > int(self.value) else ""
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
        with open(path, encoding="utf-8", errors="replace") as file:
            return {line.split()[0] for line in file if line.strip()}
    except FileNotFoundError:
        return set()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None


def number_of_nodes(names: tuple[str, ...]) -> str:
    """Return the number of nodes with some names.

    >>> number_of_nodes(("a",)), number_of_nodes(tuple("abcdefg"))
    ('1 node (a)', '7 nodes (a, b, c, d, e, …)')
    """
    more = ", …" if len(names) > 5 else ""
    word = "node" if len(names) == 1 else "nodes"
    return f"{len(names)} {word} ({', '.join(names[:5])}{more})"
