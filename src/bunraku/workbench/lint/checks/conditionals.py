"""Checks of case expressions and selectors."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.text_edits import Edit
from bunraku.syntax import nodes
from bunraku.workbench.lint.declaration import Problem, check
from bunraku.workbench.lint.manifest import Manifest

UNQUOTED_PLUGIN = "puppet-lint-unquoted_string-check"


@check("A case statement has a default.")
def case_without_default(manifest: Manifest) -> Iterator[Problem]:
    """Report case statements without a default."""
    for case in manifest.all(nodes.Case):
        values = [value for option in case.options for value in option.values]
        if not any(isinstance(value, nodes.Default) for value in values):
            yield Problem(case.start, case.start + 4, "case statement without a default case")


@check("A resource has no selector on a variable.")
def selector_inside_resource(manifest: Manifest) -> Iterator[Problem]:
    """Report attributes whose value is chosen by a selector."""
    if "?" not in manifest.by_kind:
        return
    for body in manifest.bodies:
        for at in body.arrows:
            value = manifest.code_after(at)
            if manifest.kind(value) != "VARIABLE":
                continue
            after = manifest.code_after(end_of_variable(manifest, value))
            if manifest.kind(after) == "?":
                yield Problem(
                    manifest.starts[at], manifest.ends[at], "selector inside resource block"
                )


def end_of_variable(manifest: Manifest, at: int) -> int:
    """Return the index of the last token of a variable with its index expressions."""
    while manifest.kind(at + 1) == "[" and not manifest.gap(at + 1):
        at = manifest.partner.get(at + 1, at + 1)
    return at


def unquoted(values: list[nodes.Node], message: str) -> Iterator[Problem]:
    """Report bare words among values."""
    for value in values:
        name = getattr(value, "value", "")
        if isinstance(value, nodes.Name) or (
            isinstance(value, nodes.Reference) and "::" not in name
        ):
            yield Problem(
                value.start, value.end, message, (Edit(value.start, value.end, f"'{name}'"),)
            )


@check(
    "Strings in the options of a case statement are in quotes.",
    fixes="tree",
    plugin=UNQUOTED_PLUGIN,
)
def unquoted_string_in_case(manifest: Manifest) -> Iterator[Problem]:
    """Report bare words in the options of case statements."""
    for case in manifest.all(nodes.Case):
        for option in case.options:
            yield from unquoted(option.values, "unquoted string in case")


@check("Strings in the options of a selector are in quotes.", fixes="tree", plugin=UNQUOTED_PLUGIN)
def unquoted_string_in_selector(manifest: Manifest) -> Iterator[Problem]:
    """Report bare words in the options of selectors."""
    for selector in manifest.all(nodes.Selector):
        matches = [entry.match for entry in selector.entries]
        yield from unquoted(matches, "unquoted string in selector")
