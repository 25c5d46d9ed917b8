"""Interpolations in data that cannot be resolved."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.records import replace
from bunraku.base.suggestions import did_you_mean
from bunraku.hiera.interpolate import EMPTY, EXPRESSION, LOOKUPS, METHOD
from bunraku.hiera.issues import ALIAS_NOT_WHOLE, INVALID_KEY
from bunraku.hiera.keys import parse_key
from bunraku.values.keys import from_key
from bunraku.workbench.analysis.hiera.issues import DATA_BAD_INTERPOLATION, DATA_UNKNOWN_KEY
from bunraku.workbench.analysis.hiera.options import all_keys
from bunraku.workbench.analysis.hiera_layers import DataFile
from bunraku.workbench.analysis.state import Analysis

Path = tuple[str | int, ...]
VARIABLE = re.compile(r"(?:::)?\w[\w:]*(?:\.(?:[^'\".\s]+|\s*'[^']+'|\s*\"[^\"]+\"))*")
"""The name of a variable and the way into it, as Hiera reads it."""
UNCLOSED = re.compile(r"%\{[^}]*\Z")
DOLLAR = re.compile(
    r"\$\{((?:facts|trusted)\.[\w.-]+|(?:lookup|hiera|alias|literal)\((?:'[^']+'|\"[^\"]+\")\))\}"
)
"""What is meant for Hiera, and written as Puppet interpolates it; other ``${…}`` can be for a shell."""


def check_interpolations(analysis: Analysis, file: DataFile) -> Iterator[Diagnostic]:
    """Yield the findings about the interpolations in a file of data."""
    if "%{" not in file.text and "${" not in file.text:
        return
    for key, value in file.entries.items():
        for path, text in texts_below((key,), value):
            if "%{" in text or "${" in text:
                for found in check_text(analysis, text):
                    yield replace(found, place=file.place(*path))


def texts_below(path: tuple[Any, ...], value: Any) -> Iterator[tuple[Path, str]]:
    """Yield the texts in a value, and the ways to them; keys, too."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from texts_below((*path, at), item)
    elif isinstance(value, dict):
        for key, item in value.items():
            name = str(from_key(key))
            yield (*path, name), name
            yield from texts_below((*path, name), item)


def check_text(analysis: Analysis, text: str) -> Iterator[Diagnostic]:
    """Yield the findings about the interpolations in a text, without places."""
    for one in EXPRESSION.finditer(text):
        expression = one[1].strip()
        if expression in EMPTY:
            continue
        call = METHOD.fullmatch(expression)
        if call is None:
            yield from check_variable(expression, text)
        elif call[1] in LOOKUPS:
            if call[1] == "alias" and one[0] != text:
                yield ALIAS_NOT_WHOLE.diagnostic(text=text, where="")
            yield from check_lookup(analysis, call[2] or call[3])
        elif call[1] == "scope":
            yield from check_variable(call[2] or call[3], text)
    for one in DOLLAR.finditer(text):
        finding = DATA_BAD_INTERPOLATION.diagnostic(
            severity="warning", text=text, reason="data has '%{…}', not '${…}'"
        )
        yield replace(finding, hint=f"write '%{{{one[1]}}}'")
    if UNCLOSED.search(text):
        yield DATA_BAD_INTERPOLATION.diagnostic(
            severity="warning", text=text, reason="'}' is missing"
        )


def check_variable(expression: str, text: str) -> Iterator[Diagnostic]:
    """Yield the finding about something that cannot be the name of a variable."""
    try:
        parse_key(expression, f" in the text {text!r}")
    except PuppetError:
        finding = INVALID_KEY.diagnostic(key=expression, where=f" in the text {text!r}")
        hint = "write 'facts.os.family'" if "[" in expression else None
        yield replace(finding, hint=hint)
        return
    if not VARIABLE.fullmatch(expression):
        reason = f"no variable can be named '{expression}'"
        finding = DATA_BAD_INTERPOLATION.diagnostic(severity="warning", text=text, reason=reason)
        hint = "the argument must be in quotes" if "(" in expression else None
        yield replace(finding, hint=hint)


def check_lookup(analysis: Analysis, name: str) -> Iterator[Diagnostic]:
    """Yield the finding about a key that no data has; the lookup then gives an empty text."""
    try:
        key = parse_key(name)
    except PuppetError as error:
        yield error.diagnostic
        return
    layers = analysis.layers
    if layers.are_opaque_for(key.root) or any(True for _ in layers.values(key.root)):
        return
    finding = DATA_UNKNOWN_KEY.diagnostic(severity="warning", key=key.root)
    yield replace(finding, hint=did_you_mean(key.root, set(all_keys(layers))))
