"""Checks of facts: those that Puppet 8 no longer has, and those read from the top scope."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.text_edits import Edit
from bunraku.facts.legacy import (
    MEGABYTES,
    OTHER_PATHS,
    PATHS,
    fact_expression,
    structured_keys,
)
from bunraku.workbench.lint.declaration import Problem, check
from bunraku.workbench.lint.manifest import Manifest

NOT_IN_PLUGIN = "scope6"
REPLACED = tuple(sorted({*PATHS, *OTHER_PATHS} - {NOT_IN_PLUGIN}))
"""Legacy facts with a structured fact, as puppet-lint's plugin has them."""
REMOVED = frozenset(
    [
        *MEGABYTES,
        *("blockdevices", "interfaces", "zones"),
        *("sshfp_dsa", "sshfp_ecdsa", "sshfp_ed25519", "sshfp_rsa"),
    ]
)
"""Legacy facts without a structured fact of the same value."""


def keys_of(fact: str) -> str | None:
    """Return the keys of the structured fact for a legacy one; None for any other name.

    >>> keys_of("osfamily"), keys_of("ipaddress6_eth0"), keys_of("zones"), keys_of("role")
    ("['os']['family']", "['networking']['interfaces']['eth0']['ip6']", '', None)
    """
    if fact in REMOVED:
        return ""
    keys = None if fact == NOT_IN_PLUGIN else structured_keys(fact)
    return None if keys is None else fact_expression(keys).removeprefix("facts")


def fact_of(manifest: Manifest, at: int) -> tuple[str, int]:
    """Return the fact that a variable reads, and the offset of the end of the expression."""
    name: str = manifest.values[at]
    key = at + 2
    if name.removeprefix("::") == "facts" and manifest.kind(at + 1) == "[":
        if manifest.kind(key) in {"STRING", "NAME"} and manifest.kind(key + 1) == "]":
            return str(manifest.values[key]), manifest.ends[key + 1]
    if name.startswith("::") and "::" not in name[2:]:
        return name[2:], manifest.ends[at]
    return "", 0


def in_facts(manifest: Manifest, at: int, keys: str) -> str:
    """Return the expression of a fact in place of a variable, which can be in a string."""
    dollar = "$" if manifest.text[manifest.starts[at]] == "$" else ""
    if at in manifest.unenclosed:
        return f"${{facts{keys}}}"
    return f"{dollar}facts{keys}"


@check("Structured facts are used instead of legacy ones.", fixes="tree")
def legacy_facts(manifest: Manifest) -> Iterator[Problem]:
    """Report legacy facts, read as ``$::name`` or ``$facts['name']``."""
    names = {name for name in manifest.variable_names if name[:2] == "::"}
    if "facts" in manifest.variable_names:
        names.add("facts")
    known: dict[str, str | None] = {"": None}
    for at, name in manifest.variables if names else ():
        if name not in names:
            continue
        fact, end = fact_of(manifest, at)
        if fact not in known:
            known[fact] = keys_of(fact)
        keys = known[fact]
        if keys is not None:
            start = manifest.starts[at]
            edits = (Edit(start, end, in_facts(manifest, at, keys)),) if keys else ()
            yield Problem(start, manifest.ends[at], f"legacy fact '{fact}'", edits)


@check("Facts are read from $facts, not from the top scope.", fixes="tree")
def top_scope_facts(manifest: Manifest) -> Iterator[Problem]:
    """Report ``$::name``, which is a fact or a variable of the top scope."""
    known = ("trusted", "facts", *REPLACED, *manifest.options.get("top_scope_variables", ()))
    found = {
        name
        for name in manifest.variable_names
        # puppet-lint also accepts names that begin with an accepted one.
        if name[:2] == "::" and "::" not in name[2:] and not name[2:].startswith(known)
    }
    for at, name in manifest.variables if found else ():
        if name not in found:
            continue
        start, end = manifest.starts[at], manifest.ends[at]
        edit = Edit(start, end, in_facts(manifest, at, f"['{name[2:]}']"))
        yield Problem(start, end, "top scope fact instead of facts hash", (edit,))
