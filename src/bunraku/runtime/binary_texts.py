"""Strings that are bytes without an encoding in Ruby, such as a password that ``crypt`` has hashed.

For Puppet code they are strings like others. Puppet writes them to a catalog as Binary, so a compile
keeps those very objects: the result of an operation on one is another string.
"""

from __future__ import annotations

from typing import Any

from bunraku.runtime.state import Compilation
from bunraku.values.binary import Binary

Value = Any


def binary_texts(_compilation: Compilation) -> dict[int, str]:
    """Return a table for the binary texts of a compile, by their identity."""
    return {}


def mark_binary(compilation: Compilation, text: str) -> str:
    """Return a new string for these bytes, which is Binary in the catalog."""
    if len(text) < 2:  # Python has one object for all such strings
        return text
    made = "".join((text[:1], text[1:]))
    compilation.extension(binary_texts)[id(made)] = made
    return made


def unmarked(compilation: Compilation, text: str) -> str:
    """Return the text of a template: a string that is not marked, even if it is all there is."""
    known = compilation.known_extension(binary_texts)
    return "".join((text[:1], text[1:])) if known and id(text) in known else text


def write_binary_texts(compilation: Compilation) -> None:
    """Turn the marked strings among the parameters of a finished catalog into Binary."""
    known = compilation.known_extension(binary_texts)
    if not known:
        return
    for resource in compilation.catalog.resources:
        if resource.virtual:
            continue
        for name, value in resource.parameters.items():
            resource.parameters[name] = written(value, known)


def written(value: Value, known: dict[int, str]) -> Value:
    """Return a value with Binary in place of marked strings; the very same one without any."""
    kind = value.__class__
    if kind is str:
        return Binary(value.encode("utf-8", "surrogateescape")) if id(value) in known else value
    if kind is list:
        items = [written(item, known) for item in value]
        return value if all(map(same_object, items, value)) else items
    if kind is dict:
        entries = {key: written(item, known) for key, item in value.items()}
        if all(map(same_object, entries.values(), value.values())):
            return value
        return entries
    return value


def same_object(left: Value, right: Value) -> bool:
    """Return whether two names refer to the same object."""
    return left is right
