"""Whether a manifest spells out a secret: its code holds the text, so it is not kept on disk.

The rule looks at the syntax tree alone and errs on the side of leaving a file out. It cannot
decide which text is a secret; it finds text that may become a value of type Sensitive.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bunraku.syntax import nodes
from bunraku.types.names import builtin_type

SENSITIVE = "sensitive"
CONSTRUCTORS = frozenset({"call", "convert_to", "new"})
"""Functions that make a value of a type that is an argument."""
LITERALS = (nodes.String, nodes.Name, nodes.Integer, nodes.Float, nodes.Regexp, nodes.RenderString)
LOOKED_AT = frozenset(
    [
        *(nodes.Reference, nodes.Call, nodes.MethodCall),
        *(nodes.Parameter, nodes.Lambda, nodes.Assignment),
    ]
)
CALL = re.compile(r"""[A-Z$\])}'"/][\w:]*+\s*+\(""")
"""A call of anything but a name, or what looks like one."""
OPTIONAL = "optional"
TYPE = "type"
"""The type whose values are types: ``Type('Sensitive')``."""


def holds_secret(program: nodes.Program) -> bool:
    """Return whether literal text of a program may become a Sensitive value.

    This is so where a call that makes one (``Sensitive('a')``, ``Sensitive[String].new("a${b}")``,
    ``'a'.convert_to(Sensitive)``, or the same with a type that may be an alias) has literal text in
    its arguments, or a variable that is set from literal text in the same file; and where a parameter
    of type Sensitive has a literal default.

    >>> from bunraku.base.source import Source
    >>> from bunraku.syntax.parser.parser import parse
    >>> [holds_secret(parse(Source(text)).program) for text in ("Sensitive('a')", "Sensitive($a)")]
    [True, False]
    """
    if not may_hold_secret(program.source.text):
        return False
    everything = [node for node in all_below(program.body) if node.__class__ in LOOKED_AT]
    if not any(is_type(node, SENSITIVE) or is_constructor(node) for node in everything):
        return False
    if any(is_secret_default(node) for node in everything):
        return True
    values = [node for call in everything if makes_secret(call) for node in walk(parts_of(call))]
    if not values:
        return False
    settings, unknown = assignments(everything)
    names: set[str] = set()
    while True:
        if any(isinstance(node, LITERALS) for node in values):
            return True
        used = {plain(node.name) for node in values if isinstance(node, nodes.Variable)}
        if used & unknown:
            return True
        if used <= names:
            return False
        values = [node for name in used - names for node in settings.get(name, ())]
        names |= used


def may_hold_secret(text: str) -> bool:
    """Return whether a text names Sensitive or calls a constructor; most do neither.

    >>> may_hold_secret("package { 'a': }"), may_hold_secret("Other::Type('a')")
    (False, True)
    """
    return (
        SENSITIVE in text.lower()
        or any(name in text for name in sorted(CONSTRUCTORS))
        or CALL.search(text) is not None
    )


def all_below(start: nodes.Node) -> list[nodes.Node]:
    """Return a node and all below it, fast: this looks at the whole program."""
    found = [start]
    for node in found:  # which grows meanwhile
        for value in nodes.CHILD_VALUES[node.__class__](node):
            if value.__class__ is list:
                found += value
            elif value is not None:
                found.append(value)
    return found


def walk(starts: list[nodes.Node]) -> Iterator[nodes.Node]:
    """Yield nodes and all below them; names of functions are not among them."""
    ahead = starts[::-1]
    while ahead:
        node = ahead.pop()
        yield node
        if isinstance(node, nodes.Call) and isinstance(node.callee, nodes.Name):
            ahead += node.arguments
            ahead += [] if node.block is None else [node.block]
        elif isinstance(node, nodes.MethodCall):
            ahead += [node.receiver, *node.arguments]
            ahead += [] if node.block is None else [node.block]
        else:
            ahead += nodes.children(node)


def parts_of(call: nodes.Node) -> list[nodes.Node]:
    """Return the operands of a call; its lambda is examined separately."""
    if isinstance(call, nodes.MethodCall):
        return [call.receiver, *call.arguments]
    assert isinstance(call, nodes.Call)
    own = [] if isinstance(call.callee, nodes.Name) else [call.callee]
    return [*own, *call.arguments]


def makes_secret(node: nodes.Node) -> bool:
    """Return whether a node is a call that may make a Sensitive value."""
    if not isinstance(node, nodes.Call | nodes.MethodCall):
        return False
    named = [one.value for one in walk(parts_of(node)) if isinstance(one, nodes.Reference)]
    if any(name.lower() == SENSITIVE for name in named):
        return True
    if not is_constructor(node):
        return False
    # A type of this file or another may be an alias of Sensitive; a variable may hold such a type.
    return not named or any(name.lower() == TYPE or builtin_type(name) is None for name in named)


def is_secret_default(node: nodes.Node) -> bool:
    """Return whether a node is a parameter that only takes Sensitive, with a literal default."""
    if not isinstance(node, nodes.Parameter) or node.type is None or node.value is None:
        return False
    type_ = node.type
    while isinstance(type_, nodes.Access) and is_type(type_.left, OPTIONAL) and type_.keys:
        type_ = type_.keys[0]
    base = type_.left if isinstance(type_, nodes.Access) else type_
    return is_type(base, SENSITIVE) and any(isinstance(one, LITERALS) for one in walk([node.value]))


def is_constructor(node: nodes.Node) -> bool:
    """Return whether a node is a call that makes a value of some type."""
    if isinstance(node, nodes.MethodCall):
        function = node.name
    elif isinstance(node, nodes.Call):
        function = node.callee
    else:
        return False
    return not isinstance(function, nodes.Name) or function.value.removeprefix("::") in CONSTRUCTORS


def is_type(node: nodes.Node, name: str) -> bool:
    """Return whether a node is the name of a type."""
    return isinstance(node, nodes.Reference) and node.value.lower() == name


def assignments(
    everything: list[nodes.Node],
) -> tuple[dict[str, list[nodes.Node]], set[str]]:
    """Return the sources of variables, and the variables whose values come from a lambda's caller."""
    found: dict[str, list[nodes.Node]] = {}
    of_lambdas: set[str] = set()
    for node in everything:
        if isinstance(node, nodes.Lambda):
            of_lambdas.update(parameter.name for parameter in node.parameters)
        elif isinstance(node, nodes.Parameter) and node.value is not None:
            found.setdefault(node.name, []).extend(walk([node.value]))
        elif isinstance(node, nodes.Assignment):
            for one in walk([node.left]):
                if isinstance(one, nodes.Variable):
                    found.setdefault(plain(one.name), []).extend(walk([node.right]))
    return found, of_lambdas


def plain(name: str) -> str:
    """Return a variable's name without its class.

    >>> plain("::a::b")
    'b'
    """
    return name.rpartition("::")[2]
