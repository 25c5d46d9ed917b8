"""``lookup_options`` without effect, and with mistakes that a lookup reports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.records import replace
from bunraku.base.suggestions import did_you_mean
from bunraku.hiera.issues import (
    BAD_CONVERT_TYPE,
    BAD_PATTERN,
    FOREIGN_LOOKUP_OPTIONS,
    LOOKUP_OPTIONS_NO_HASH,
    OPTIONS_NO_HASH,
)
from bunraku.hiera.merge import strategy
from bunraku.types.model import TypeReferenceType
from bunraku.types.names import TYPES
from bunraku.types.parse import parse_type
from bunraku.workbench.analysis.hiera.issues import DATA_OPTIONS_UNUSED, DATA_UNKNOWN_OPTION
from bunraku.workbench.analysis.hiera_layers import OPTIONS, DataFile, DataLayer, Layers
from bunraku.workbench.analysis.state import Analysis

KNOWN = ("merge", "convert_to")


def check_options(
    analysis: Analysis, layer: DataLayer, file: DataFile, data: Any
) -> Iterator[Diagnostic]:
    """Yield the findings about the ``lookup_options`` of a file."""
    if not isinstance(data, dict):
        yield LOOKUP_OPTIONS_NO_HASH.diagnostic(file.place(OPTIONS))
        return
    for key, options in data.items():
        if not isinstance(key, str):
            continue
        place = file.place(OPTIONS, key)
        if layer.module is not None and not key.removeprefix("^").startswith(f"{layer.module}::"):
            yield FOREIGN_LOOKUP_OPTIONS.diagnostic(place, module=layer.module, key=key)
            continue
        try:
            used = is_used(analysis, key)
        except re.error as error:
            yield BAD_PATTERN.diagnostic(place, pattern=key, reason=str(error))
            continue
        if not used:
            yield DATA_OPTIONS_UNUSED.diagnostic(place, "warning", key=key)
        if isinstance(options, dict):
            yield from check_option(analysis, file, key, options)
        elif options is not None and not isinstance(options, str):
            yield OPTIONS_NO_HASH.diagnostic(place, key=key)


def check_option(
    analysis: Analysis, file: DataFile, key: str, options: Mapping[Any, Any]
) -> Iterator[Diagnostic]:
    """Yield the findings about the options of one key."""
    for name, value in options.items():
        place = file.place(OPTIONS, key, str(name))
        if name == "merge" and value is not None:
            try:
                strategy(value)
            except PuppetError as error:
                yield replace(error.diagnostic, place=place)
        elif name == "convert_to":
            yield from check_conversion(analysis, file, key, value)
        elif name not in KNOWN:
            finding = DATA_UNKNOWN_OPTION.diagnostic(place, "warning", name=name, key=key)
            yield replace(finding, hint=did_you_mean(str(name), KNOWN))


def check_conversion(
    analysis: Analysis, file: DataFile, key: str, value: Any
) -> Iterator[Diagnostic]:
    """Yield the finding about a ``convert_to`` that is not a type."""
    wanted = value[0] if isinstance(value, list) and value else value
    if not isinstance(wanted, str):
        return
    try:
        type_ = parse_type(wanted, analysis.declared)
    except PuppetError as error:
        reason = error.message
    else:
        if not isinstance(type_, TypeReferenceType) or not is_unknown(analysis, type_.text):
            return
        reason = "no such type"
    place = file.place(OPTIONS, key, "convert_to")
    finding = BAD_CONVERT_TYPE.diagnostic(place, key=key, source=wanted, reason=reason)
    yield replace(finding, hint=did_you_mean(wanted, TYPES))


def is_unknown(analysis: Analysis, name: str) -> bool:
    """Return whether no module can have a type: one whose module is not installed may."""
    return "::" not in name or analysis.definitions.can_be_checked(name)


def is_used(analysis: Analysis, key: str) -> bool:
    """Return whether some data has a key, or one that matches a pattern. Raises re.error."""
    layers = analysis.layers
    if not key.startswith("^"):
        return layers.are_opaque_for(key) or any(True for _ in layers.values(key))
    if not layers.are_all_readable:
        return True
    pattern = re.compile(key, re.MULTILINE)
    return any(pattern.search(one) for one in all_keys(layers))


def all_keys(layers: Layers) -> Iterator[str]:
    """Yield the keys of all data."""
    for layer in layers.all():
        yield from (key for key in layer.by_key if isinstance(key, str))


def options_of_key(layers: Layers, key: str) -> tuple[list[Any], set[str]]:
    """Return the conversions and the names of merge strategies that a key may have."""
    conversions: list[Any] = []
    merges: set[str] = set()
    for layer in layers.for_key(key):
        for name, options in layer.options:
            if not is_for(name, key):
                continue
            if options.get("convert_to") is not None:
                conversions.append(options["convert_to"])
            if (merge := options.get("merge")) is not None:
                strategy_name = merge.get("strategy") if isinstance(merge, dict) else merge
                merges.add(str(strategy_name))
    return conversions, merges


def is_for(name: str, key: str) -> bool:
    """Return whether the options of a name are for a key."""
    if not name.startswith("^"):
        return name == key
    try:
        return re.search(name, key, re.MULTILINE) is not None
    except re.error:
        return False
