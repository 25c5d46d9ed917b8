"""Checks of references to resources, and of trailing commas."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.text_edits import Edit
from bunraku.syntax import nodes
from bunraku.workbench.lint.checks.classes import BUILT_IN
from bunraku.workbench.lint.declaration import Problem, check
from bunraku.workbench.lint.manifest import COMMENT, Manifest

PLUGIN = "puppet-lint-resource_reference_syntax"
RELATIONS = ("require", "subscribe", "notify", "before", "consume", "export")
BEFORE_HASH = frozenset({"=", "==", "=>", "("})


def references(manifest: Manifest) -> Iterator[nodes.Access]:
    """Yield the references in the values of relationships of resources."""
    for body in manifest.bodies:
        for attribute in body.attributes(*RELATIONS):
            stack: list[nodes.Node] = [attribute.value]
            while stack:
                node = stack.pop()
                stack += nodes.children(node)
                if isinstance(node, nodes.Access) and isinstance(node.left, nodes.Reference):
                    if node.left.value not in BUILT_IN:
                        yield node


@check("Titles in references are in quotes.", severity="error", fixes="tree", plugin=PLUGIN)
def resource_reference_with_unquoted_title(manifest: Manifest) -> Iterator[Problem]:
    """Report references whose title is a bare word."""
    for access in references(manifest):
        key = access.keys[0]
        if isinstance(key, nodes.Name):
            edit = Edit(key.start, key.end, f"'{key.value}'")
            yield Problem(key.start, key.end, "unquoted title in resource reference", (edit,))


@check("Titles in references are not capitalized bare words.", severity="error", plugin=PLUGIN)
def resource_reference_without_title_capital(manifest: Manifest) -> Iterator[Problem]:
    """Report references whose title is a capitalized bare word."""
    for access in references(manifest):
        key = access.keys[0]
        if isinstance(key, nodes.Reference) and key.value not in BUILT_IN:
            yield Problem(key.start, key.end, "resource reference with title with capital letter")


def spaced(manifest: Manifest, *, built_in: bool) -> Iterator[Problem]:
    """Report types with a space before the bracket of their title."""
    for at in manifest.of_kind("CLASSREF"):
        if (manifest.values[at] in BUILT_IN) != built_in:
            continue
        gap = manifest.gap(at + 1)
        if manifest.kind(at + 1) == "[" and gap and not gap.strip(" \t"):
            end = manifest.ends[at]
            yield Problem(
                manifest.starts[at],
                end,
                "whitespce between reference type and title",
                (Edit(end, end + len(gap), ""),),
            )


@check(
    "No space is between a type and the bracket of its title.",
    severity="error",
    fixes="tree",
    plugin=PLUGIN,
)
def resource_reference_without_whitespace(manifest: Manifest) -> Iterator[Problem]:
    """Report ``Package ['a']``."""
    if ":" in manifest.kinds:  # of a resource, as the space is a syntax error there
        yield from spaced(manifest, built_in=False)


@check(
    "No space is between a data type and its bracket.",
    severity="error",
    fixes="tree",
    plugin=PLUGIN,
)
def resource_reference_chain_without_whitespace(manifest: Manifest) -> Iterator[Problem]:
    """Report ``Class ['a']``."""
    return spaced(manifest, built_in=True)


@check(
    "A comma is after the last element of a list over several lines.",
    fixes="layout",
    plugin="puppet-lint-trailing_comma-check",
)
def trailing_comma(manifest: Manifest) -> Iterator[Problem]:
    """Report attributes, arrays and hashes whose last element has no comma before the line end."""
    for body in manifest.bodies:
        yield from missing_comma(manifest, body.colon, body.last)
    for array in manifest.all(nodes.List):
        yield from in_brackets(manifest, array)
    for entries in manifest.all(nodes.Hash):
        at = manifest.index_starting(entries.start)
        if at is not None and manifest.kind(manifest.code_before(at)) in BEFORE_HASH:
            yield from in_brackets(manifest, entries)
    for defaults in manifest.all(nodes.ResourceDefaults):
        last = manifest.index_ending(defaults.end)
        if last is not None and last in manifest.partner:
            yield from missing_comma(manifest, manifest.partner[last], last)


def in_brackets(manifest: Manifest, node: nodes.Node) -> Iterator[Problem]:
    """Report a missing comma before the last bracket of an array or a hash."""
    first = manifest.index_starting(node.start)
    if first is not None and first in manifest.partner:
        yield from missing_comma(manifest, first, manifest.partner[first])


def missing_comma(manifest: Manifest, first: int, last: int) -> Iterator[Problem]:
    """Report a missing comma between two tokens around elements."""
    before = manifest.code_before(last)
    if manifest.kinds[last] == ";" or before <= first or manifest.kinds[before] == ",":
        return
    end = manifest.ends[before]
    for start, stop in manifest.tokens.heredocs:
        if start <= manifest.starts[before] < stop:
            return
    after = manifest.text[end : end + 2]
    if manifest.kind(before + 1) is not COMMENT and after.startswith(("\n", "\r\n")):
        message = "missing trailing comma after last element"
        yield Problem(end, end + 1, message, (Edit(end, end, ","),))
