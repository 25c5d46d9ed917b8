"""Which keys of data have secrets: an editor never shows their values."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from bunraku.base.bounded_cache import remembered
from bunraku.syntax import nodes
from bunraku.workbench.docs.secrets import has_secret, is_secret_name
from bunraku.workbench.editor.definition import data_places
from bunraku.workbench.editor.languages.yaml_data import (
    INTERPOLATION,
    LOADER,
    OPTIONS,
    entries,
    scalars,
)
from bunraku.workbench.editor.mentions import PuppetSymbol
from bunraku.workbench.editor.nodes import definition_nodes, parameter_nodes
from bunraku.workbench.editor.snapshot import Snapshot

LOOKUPS = frozenset({"lookup", "hiera", "alias"})
NAME_OF_ENTRY = re.compile(r"[\w:.-]+(?=['\"]?\s*:(?:\s|$))")
SENSITIVE = re.compile(r"Sensitive|::")
"""Text of a type that can make a value Sensitive: an alias may do so, too."""


def is_secret_key(snapshot: Snapshot, key: str) -> bool:
    """Return whether a key has a secret, or gets one from another key by interpolation.

    A value is secret by the name of the key or of an entry in it, by the type of the parameter, by
    ``lookup_options``, or because it is encrypted.
    """
    waiting = [key]
    for one in waiting:
        snapshot.guard.check()
        texts = list(entry_texts(snapshot, one))
        if (
            is_secret_name(one)
            or any(map(is_secret_entry, texts))
            or is_made_sensitive(snapshot, one)
            or is_sensitive_parameter(snapshot, one)
        ):
            return True
        waiting += dict.fromkeys(
            name for text in texts for name in keys_in(text) if name not in waiting
        )
    return False


def entry_texts(snapshot: Snapshot, key: str) -> Iterator[str]:
    """Yield the texts of a key with its value in all files: up to the next key."""
    for place in data_places(snapshot, key):
        source = snapshot.source(place.path)
        if source is not None:
            starts = (
                one.range.start
                for one in snapshot.mentions(place.path)
                if one.role == "write" and one.range.start > place.range.start
            )
            yield source.text[place.range.start : min(starts, default=len(source.text))]


def is_secret_entry(text: str) -> bool:
    """Return whether an entry is encrypted, or has the name of a secret in it.

    >>> is_secret_entry("db: {root_password: x}"), is_secret_entry("db: {port: 1}")
    (True, False)
    """
    return has_secret(text) or any(map(is_secret_name, NAME_OF_ENTRY.findall(text)))


def keys_in(text: str) -> Iterator[str]:
    """Yield the keys that are interpolated into an entry.

    >>> list(keys_in("url: 'http://%{lookup(\\"db.host\\")}/%{facts.x}'"))
    ['db']
    """
    for found in INTERPOLATION.finditer(text):
        if found["function"] in LOOKUPS:
            yield found["key"].partition(".")[0]


# -- types ---------------------------------------------------------------------------------------


def is_sensitive_parameter(snapshot: Snapshot, key: str) -> bool:
    """Return whether a key sets a parameter of a class that takes a Sensitive."""
    owner, _, name = key.rpartition("::")
    return any(
        one.type is not None and takes_sensitive(snapshot, one.type)
        for one in parameter_nodes(snapshot, PuppetSymbol("variable", name, owner))
    )


def takes_sensitive(snapshot: Snapshot, node: nodes.Node, seen: tuple[str, ...] = ()) -> bool:
    """Return whether the expression of a type has Sensitive in it, or an alias for such a type."""
    if isinstance(node, nodes.Reference):
        name = node.value.lower().removeprefix("::")
        if name == "sensitive":
            return True
        if name not in seen:
            aliases = definition_nodes(snapshot, "data_type", name)
            if any(takes_sensitive(snapshot, one, (*seen, name)) for one in aliases):
                return True
    return any(takes_sensitive(snapshot, one, seen) for one in nodes.children(node))


def is_made_sensitive(snapshot: Snapshot, key: str) -> bool:
    """Return whether the ``lookup_options`` of some file convert the value of a key to a Sensitive."""
    for path in snapshot.index.files_with(OPTIONS):
        is_asked = snapshot.index.has_word(path, "convert_to")
        source = snapshot.source(path) if is_asked else None
        if source is not None and any(matches(one, key) for one in sensitive_keys(source.text)):
            return True
    return False


@remembered(64)
def sensitive_keys(text: str) -> tuple[str, ...]:
    """Return the keys and patterns in ``lookup_options`` that convert to a Sensitive; all keys for a broken text.

    >>> sensitive_keys("lookup_options:\\n  ^a: {convert_to: Sensitive}\\n  b: {merge: hash}\\n")
    ('^a',)
    """
    try:
        top = entries(yaml.compose(text, LOADER))
    except (yaml.YAMLError, RecursionError, ValueError):
        return ("^",)
    return tuple(
        str(key.value)
        for name, options in top
        if name.value == OPTIONS
        for key, option in entries(options)
        for part, value in entries(option)
        if part.value == "convert_to"
        and any(SENSITIVE.search(str(one.value)) for one in scalars(value))
    )


def matches(pattern: str, key: str) -> bool:
    """Return whether a name in ``lookup_options`` is a key, or a pattern (``^…``) of it."""
    if not pattern.startswith("^"):
        return pattern == key
    try:
        return re.search(pattern, key) is not None
    except re.error:  # a pattern that only Ruby understands
        return True
