"""Conditions on the tree of Augeas: ``onlyif``."""

from __future__ import annotations

import re
from typing import TypeVar

from bunraku.base.errors import PuppetError
from bunraku.providers.augeas.commands import Command, parse_array, parse_commands
from bunraku.providers.errors import ResourceFailure
from bunraku.values.regexp.regexp import regexp_from_string
from bunraku.world.augeas import AugeasError, AugeasTree

NUMERIC = re.compile(r"[+-]?\d+(\.\d+)?\n?")
Ordered = TypeVar("Ordered", str, float)


def compares(found: Ordered, comparator: str, wanted: Ordered) -> bool:
    """Return whether a comparison of two texts or two numbers holds.

    >>> compares(2, "<=", 3), compares("b", "<", "a")
    (True, False)
    """
    if comparator in ("==", "!="):
        return (found == wanted) == (comparator == "==")
    if comparator in ("<", ">="):
        return (found < wanted) == (comparator == "<")
    return comparator in (">", "<=") and (found > wanted) == (comparator == ">")


def holds(tree: AugeasTree, command: Command, context: str) -> bool:
    """Return whether a condition holds (other commands do); ResourceFailure for wrong ones."""
    name, arguments = command
    if name not in ("get", "match", "values"):
        return True
    try:
        if name == "get":
            path, comparator, wanted = arguments
            return compare(tree.get(path) or "", comparator, wanted)
        path, clause = arguments
        found: list[str | None] = list(tree.match(path))
        if name == "values":
            found = [tree.get(one) for one in tree.match(path)]
        return clause_holds(name, found, clause, context)
    except (AugeasError, PuppetError, ResourceFailure) as error:
        # Puppet has consumed the arguments when it writes this message.
        rest = "[]" if name == "get" else "nil"
        reason = error.message if isinstance(error, PuppetError) else str(error)
        text = f"Error sending command '{name}' with params {rest}/{reason}"
        raise ResourceFailure(text) from None


def compare(found: str, comparator: str, wanted: str) -> bool:
    """Return whether a comparison with a value holds; only less and more compare numbers.

    >>> compare("10", ">", "9"), compare("10", "==", "10.0"), compare("ab", "=~", "^a")
    (True, False, True)
    """
    if comparator == "=~":
        return regexp_from_string(wanted).matches(found)
    if comparator not in ("==", "!=") and NUMERIC.fullmatch(found) and NUMERIC.fullmatch(wanted):
        return compares(float(found), comparator, float(wanted))
    return compares(found, comparator, wanted)


def clause_holds(name: str, found: list[str | None], clause: str, context: str) -> bool:
    """Return whether paths or values match a clause."""
    parsed = parse_commands(clause, context)
    if not parsed:
        raise ResourceFailure(f"the clause after '{name}' is missing")
    verb, arguments = parsed[0]
    if verb in ("include", "not_include"):
        return (arguments[0] in found) == (verb == "include")
    if verb in ("==", "!="):
        try:
            return (found == parse_array(arguments[0])) == (verb == "==")
        except ValueError:
            raise ResourceFailure(f"Invalid array in command: {arguments[0]}") from None
    if verb == "size" and name == "match":
        comparator, number = arguments
        return compares(len(found), comparator, int(number))
    return False
