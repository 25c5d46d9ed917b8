"""Checks of the parameters of classes and defined types."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.syntax import nodes
from bunraku.workbench.lint.checks.classes import BUILT_IN, type_name
from bunraku.workbench.lint.declaration import Problem, check
from bunraku.workbench.lint.manifest import Definition, Manifest

STYLES = {
    "doc": lazy_pattern(r"\[\*(\w+)\*\]"),
    "kafo": lazy_pattern(r"\$(\w+):: "),
    "strings": lazy_pattern(r"@param (?:\[.+\] )?(\w+)(?: |$)"),
}
"""The three ways in which comments name the parameter that they are about."""


def all_parameters(manifest: Manifest) -> Iterator[tuple[Definition, nodes.Parameter]]:
    """Yield each parameter with its class or defined type."""
    for definition in manifest.definitions:
        for parameter in definition.node.parameters:
            yield definition, parameter


def at_name(manifest: Manifest, parameter: nodes.Parameter, message: str) -> Problem:
    """Return a problem at the name of a parameter."""
    after = parameter.type.end if parameter.type else parameter.start
    start = manifest.text.index("$", after)
    return Problem(start, start + 1 + len(parameter.name), message)


def is_computed(value: nodes.Node) -> bool:
    """Return whether a default has a call or parentheses in it."""
    if isinstance(value, nodes.Call | nodes.MethodCall | nodes.Parenthesized):
        return True
    return any(map(is_computed, nodes.children(value)))


@check(
    "Parameters of type Optional default to undef, and those of defined types have a default.",
    plugin="puppet-lint-optional_default-check",
)
def optional_default(manifest: Manifest) -> Iterator[Problem]:
    """Report parameters of type Optional with another default, or in defined types without one."""
    for definition, parameter in all_parameters(manifest):
        if type_name(parameter) != "Optional":
            continue
        value = parameter.value
        if value is None:
            if definition.kind == "defined type":
                message = "Optional defined type parameter doesn't have a default"
                yield at_name(manifest, parameter, message)
        elif not isinstance(value, nodes.Undef | nodes.Variable) and not is_computed(value):
            message = "Optional parameter defaults to something other than undef"
            yield at_name(manifest, parameter, message)


@check(
    "Parameters of type String do not default to the empty string.",
    plugin="puppet-lint-params_empty_string-check",
)
def params_empty_string_assignment(manifest: Manifest) -> Iterator[Problem]:
    """Report parameters of type String or Variant whose default is ``''``."""
    for _, parameter in all_parameters(manifest):
        if type_name(parameter) in {"String", "Variant"} and (
            parameter.value is not None and manifest.text_of(parameter.value) == "''"
        ):
            message = "class parameter with String type defaults to empty string"
            yield at_name(manifest, parameter, message)


@check(
    "Parameters that default to undef have a type that accepts it.",
    plugin="puppet-lint-params_not_optional_with_undef-check",
)
def params_not_optional_with_undef(manifest: Manifest) -> Iterator[Problem]:
    """Report parameters that default to undef and whose type is neither Optional nor a Variant with Undef."""
    for _, parameter in all_parameters(manifest):
        name, type_ = type_name(parameter), parameter.type
        if not isinstance(parameter.value, nodes.Undef) or name not in BUILT_IN - {"Optional"}:
            continue
        options = type_.keys if isinstance(type_, nodes.Access) and name == "Variant" else []
        if not any(getattr(one, "value", "") == "Undef" for one in options):
            yield at_name(manifest, parameter, "Not optional parameter defaults to undef")


@check("Each parameter has a type.", plugin="puppet-lint-param-types")
def parameter_types(manifest: Manifest) -> Iterator[Problem]:
    """Report parameters without a type."""
    for definition, parameter in all_parameters(manifest):
        if parameter.type is None:
            name = f"{manifest.written(definition.name)}::{parameter.name}"
            yield at_name(manifest, parameter, f"missing datatype for parameter {name}")


@check(
    "The default of a parameter does not call lookup.",
    plugin="puppet-lint-lookup_in_parameter-check",
)
def lookup_in_parameter(manifest: Manifest) -> Iterator[Problem]:
    """Report calls of lookup in the parameters of classes and defined types."""
    for definition in manifest.definitions:
        first, last = manifest.parameters(definition)
        for at in manifest.between(first, last, "NAME"):
            if (
                manifest.values[at] == "lookup"
                and manifest.kind(at + 1) == "("
                and not manifest.gap(at + 1)
            ):
                yield Problem(
                    manifest.starts[at],
                    manifest.ends[at],
                    "lookup used to set the default value of a parameter",
                )


@check(
    "The comment above a definition describes each of its parameters, once, and no other.",
    plugin="puppet-lint-param-docs",
)
def parameter_documentation(manifest: Manifest) -> Iterator[Problem]:
    """Report parameters without a description, and descriptions without a parameter."""
    for definition in manifest.definitions:
        documented, private = described(manifest, definition)
        kind = definition.kind
        full = manifest.written(definition.name)
        names = {parameter.name for parameter in definition.node.parameters}
        for name, places in documented.items():
            for start in places if len(places) > 1 else ():
                message = f"Duplicate {kind} parameter documentation for {full}::{name}"
                yield Problem(start, start + len(name), message)
        for name, places in documented.items():
            if name not in names and not (kind == "defined type" and name == "name/title"):
                start = places[0]
                message = f"No matching {kind} parameter for documentation of {full}::{name}"
                yield Problem(start, start + len(name), message)
        for parameter in () if private else definition.node.parameters:
            if parameter.name not in documented:
                message = f"missing documentation for {kind} parameter {full}::{parameter.name}"
                yield at_name(manifest, parameter, message)


def described(manifest: Manifest, definition: Definition) -> tuple[dict[str, list[int]], bool]:
    """Return the names in the comments above a definition, with places; and whether it is private."""
    found: dict[str, list[int]] = {}
    private = False
    for start, end in manifest.comments_above(definition.first):
        written = manifest.text[start:end]
        text = written.removeprefix("#").strip()
        private = private or re.fullmatch("@api +private", text) is not None
        for pattern in STYLES.values():
            match = pattern.match(text) if written.startswith("#") else None
            if match:
                name = match[1]
                if definition.kind == "defined type" and name in {"name", "title"}:
                    name = "name/title"
                place = start + written.index(match[0]) + match.start(1)
                found.setdefault(name, []).append(place)
                break
    return found, private
