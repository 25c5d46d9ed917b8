"""Hints for code that reads facts that a node does not have."""

from __future__ import annotations

from bunraku.facts.collect import ALL
from bunraku.facts.legacy import fact_expression, is_legacy, structured_keys

NO_FACTS = "the node has no facts: give some, for example with --facts FILE"


def fact_hint(name: str, *, has_facts: bool) -> str | None:
    """Return what helps to read a fact, if this is the name of one.

    >>> fact_hint("osfamily", has_facts=True)
    "osfamily is a legacy fact: write $facts['os']['family']"
    >>> fact_hint("kernel", has_facts=False)
    'the node has no facts: give some, for example with --facts FILE'
    >>> fact_hint("port", has_facts=False)
    """
    is_old = is_legacy(name)
    if not is_old and (has_facts or name not in ALL):
        return None
    keys = structured_keys(name) if is_old else None
    replaced = f"{name} is a legacy fact: write ${fact_expression(keys)}" if keys else ""
    return "; ".join(filter(None, [replaced, "" if has_facts else NO_FACTS])) or None
