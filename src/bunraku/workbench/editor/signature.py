"""The signatures of the function whose arguments are being written."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.records import field, record
from bunraku.workbench.editor.completion.before import (
    CLOSERS,
    OPENERS,
    Before,
    TokenBefore,
    before_cursor,
    open_brackets,
)
from bunraku.workbench.editor.hover import documented
from bunraku.workbench.editor.mentions import canonical
from bunraku.workbench.editor.parsed import PUPPET_CODE
from bunraku.workbench.editor.places import TextRange
from bunraku.workbench.editor.snapshot import Snapshot
from bunraku.workbench.functions.listing import find

BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


@record(frozen=True)
class Signature:
    """A way to call a function: ``parameters`` are places in ``label``."""

    label: str
    parameters: list[TextRange]
    documentation: str = ""


@record(frozen=True)
class SignatureHelp:
    """The signatures of a function; ``argument`` counts from 0, ``active`` is the first that has it."""

    signatures: list[Signature] = field(default_factory=list)
    active: int = 0
    argument: int = 0


def signature_help(snapshot: Snapshot, path: str, offset: int) -> SignatureHelp | None:
    """Return the signatures of the call around a cursor; None outside of calls and for unknown functions."""
    source = snapshot.source(path)
    if source is None or not path.endswith(PUPPET_CODE):
        return None
    before = before_cursor(source, offset, snapshot.project_of(path).dialect)
    call = None if before is None else call_around(before)
    if call is None:
        return None
    name, argument = call
    found = list(signatures_of(snapshot, name))
    if not found:
        return None
    fitting = (index for index, one in enumerate(found) if len(one.parameters) > argument)
    return SignatureHelp(found, next(fitting, 0), argument)


def call_around(before: Before) -> tuple[str, int] | None:
    """Return the function whose arguments are being written, and the number of the argument."""
    tokens = before.tokens
    for place in open_brackets(tokens):
        if tokens[place].kind in {"{", "SELBRACE"}:
            return None
        is_call = tokens[place].kind in {"(", "WSLPAREN"} and place > 0
        if is_call and tokens[place - 1].kind == "NAME":
            around = tokens[place - 2].kind if place > 1 else ""
            if around in {"class", "define", "function", "plan"}:
                return None
            argument = commas(tokens[place + 1 :]) + (around == ".")
            return canonical(str(tokens[place - 1].value)), argument
    return None


def commas(tokens: list[TokenBefore]) -> int:
    """Return the number of commas outside of brackets."""
    depth = count = 0
    for one in tokens:
        depth += (one.kind in OPENERS) - (one.kind in CLOSERS)
        count += one.kind == "," and depth == 0
    return count


def signatures_of(snapshot: Snapshot, name: str) -> Iterator[Signature]:
    """Yield the signatures of a function: of the workspace, or of Puppet and its standard library."""
    for one in snapshot.index.definitions("function", name):
        thing = documented(snapshot, one)
        if thing is not None:
            label = " ".join(thing.source.split())
            start = label.find(one.written)
            label = label[max(start, 0) :].removesuffix("{").rstrip()
            yield Signature(label, parameters_in(label), thing.comment.text or "")
            return
    for entry in find(name):
        for label in entry.signatures:
            yield Signature(label, parameters_in(label), entry.documentation)


def parameters_in(label: str) -> list[TextRange]:
    """Return the places of the parameters in a signature.

    >>> [
    ...     label[one.start : one.end]
    ...     for label in ["f(Hash[A, B] $x, $y = [1, 2]) >> C"]
    ...     for one in parameters_in(label)
    ... ]
    ['Hash[A, B] $x', '$y = [1, 2]']
    """
    found: list[TextRange] = []
    depth, start = 0, label.find("(") + 1
    for place in range(label.find("("), len(label)) if start else ():
        letter = label[place]
        depth += BRACKETS.get(letter, 0)
        if (letter == "," and depth == 1) or (letter == ")" and depth == 0):
            begin = start + len(label[start:place]) - len(label[start:place].lstrip())
            if label[start:place].strip():
                found.append(TextRange(begin, place))
            start = place + 1
            if depth == 0:
                break
    return found
