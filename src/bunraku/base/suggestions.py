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
    """
    if len(name) > LONGEST:
        return []
    from difflib import get_close_matches

    spelt: dict[str, str] = {}
    for one in sorted(known, reverse=True):
        if one != name and len(one) <= LONGEST:
            spelt[one.lower()] = one
    found = get_close_matches(name.lower(), spelt, limit, CUTOFF)
    return [spelt[one] for one in found]


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
