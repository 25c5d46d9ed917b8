"""Suggestions for mistyped names: the one home of "did you mean"."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST = 200  # characters of a name that is still compared
CUTOFF = 0.7


def closest(name: str, known: Iterable[str], limit: int = 1) -> list[str]:
    """Return the known names most similar to a name, the best first, ignoring letter case.

    The order of ``known`` does not matter. ``name`` itself is never among them.

    >>> closest("m::prots", ["m::ports", "m::params", "n"]), closest("nope", ["notice"])
    (['m::ports'], [])
    >>> closest("gti", ["hg", "git"])
    ['git']
    """
    if len(name) > LONGEST:
        return []
    from difflib import get_close_matches

    spelt: dict[str, str] = {}
    for one in sorted(known, reverse=True):
        if one != name and len(one) <= LONGEST:
            spelt[one.lower()] = one
    swapped = [one for one in spelt if has_swapped_letters(name.lower(), one)]
    found = [*swapped, *get_close_matches(name.lower(), spelt, limit, CUTOFF)]
    return [spelt[one] for one in dict.fromkeys(found)][:limit]


def has_swapped_letters(name: str, other: str) -> bool:
    """Return whether two neighbouring letters are all that differs; in short names, that is much.

    >>> has_swapped_letters("atp", "apt"), has_swapped_letters("pat", "apt")
    (True, True)
    >>> has_swapped_letters("tpa", "apt"), has_swapped_letters("apt", "apt")
    (False, False)
    """
    if len(name) != len(other):
        return False
    first = next((at for at, letter in enumerate(name) if letter != other[at]), len(name))
    swapped = name[:first] + name[first : first + 2][::-1] + name[first + 2 :]
    return name != other and swapped == other


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """Return the question with the most similar known name, or None if none is similar.

    >>> did_you_mean("sevrer", ["server", "port"]), did_you_mean("x", ["port"])
    ("did you mean 'server'?", None)
    """
    found = closest(name, known)
    return f"did you mean '{found[0]}'?" if found else None


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return the same question in parentheses, to follow a name in a message; else empty text.

    >>> "unknown setting 'strikt'" + suggestion("strikt", ["strict"])
    "unknown setting 'strikt' (did you mean 'strict'?)"
    """
    question = did_you_mean(name, known)
    return f" ({question})" if question else ""
