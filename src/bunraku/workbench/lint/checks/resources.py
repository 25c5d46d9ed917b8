"""Checks of resources and their attributes."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.text_edits import Edit
from bunraku.syntax import nodes
from bunraku.workbench.lint.declaration import Problem, check
from bunraku.workbench.lint.manifest import COMMENT, Body, Manifest

FILES = ("file", "concat")
COLON = attrgetter("colon")
MODE = lazy_pattern("[0-7]{4}|[ugoa]*[-=+][-=+rstwxXugo]*(?:,[ugoa]*[-=+][-=+rstwxXugo]*)*")
"""The modes that the provider of file accepts and people read."""
EXEC_CONDITIONS = ("onlyif", "unless", "creates", "refreshonly")


def of_type(manifest: Manifest, *types: str) -> Iterator[Body]:
    """Yield the resources of some types."""
    by_type = manifest.bodies_by_type
    found = [body for type_ in types for body in by_type.get(type_, ())]
    yield from found if len(types) == 1 else sorted(found, key=COLON)


def quoted(node: nodes.Node, text: str) -> tuple[Edit, ...]:
    """Return the edit that puts a text in single quotes in place of a node."""
    return (Edit(node.start, node.end, f"'{text}'"),)


@check("No attribute of a resource is set twice.", severity="error")
def duplicate_params(manifest: Manifest) -> Iterator[Problem]:
    """Report names before arrows that occur twice between the same braces of a resource."""
    text, kinds, starts, ends = manifest.text, manifest.kinds, manifest.starts, manifest.ends
    for body in manifest.bodies:
        keys = [
            at - 1 if kinds[at - 1] is not COMMENT else manifest.code_before(at)
            for at in body.arrows
        ]
        if len({text[starts[at] : ends[at]] for at in keys}) == len(keys):
            continue
        seen: list[set[str]] = [set()]
        for at in manifest.between(body.colon, body.last, "{", "}", "=>"):
            kind = manifest.kinds[at]
            if kind == "{":
                seen.append(set())
            elif kind == "}":
                seen.pop()
            else:
                key = manifest.code_before(at)
                name = manifest.written(key)
                if manifest.kinds[key] == "NAME" and name in seen[-1]:
                    yield Problem(
                        manifest.starts[key],
                        manifest.ends[key],
                        "duplicate parameter found in resource",
                    )
                elif manifest.kinds[key] == "NAME":
                    seen[-1].add(name)


@check("The attribute ensure is the first of a resource.", fixes="tree")
def ensure_first_param(manifest: Manifest) -> Iterator[Problem]:
    """Report ``ensure`` after other attributes."""
    for body in manifest.bodies:
        operations = body.node.operations
        if len(operations) < 2 or body.type == "class":
            continue
        if getattr(operations[0], "name", "") == "ensure":
            continue
        attributes = body.attributes()
        names = [one.name for one in attributes]
        if "ensure" not in names[1:] or names[0] == "ensure":
            continue
        first, ensure = attributes[0], attributes[names.index("ensure")]
        edits: tuple[Edit, ...] = ()
        if len(names) == len(body.node.operations):
            edits = (
                Edit(first.start, first.end, manifest.text_of(ensure)),
                Edit(ensure.start, ensure.end, manifest.text_of(first)),
            )
        yield Problem(
            ensure.start,
            ensure.start + 6,
            "ensure found on line but it's not the first attribute",
            edits,
        )


@check("The target of a symbolic link is in target, not in ensure.", fixes="tree")
def ensure_not_symlink_target(manifest: Manifest) -> Iterator[Problem]:
    """Report files whose ``ensure`` is a path."""
    for body in of_type(manifest, "file"):
        for attribute in body.attributes("ensure"):
            value = attribute.value
            at = manifest.index_of(value)
            if not manifest.content(at).startswith("/"):
                continue
            line = manifest.source.line_starts[manifest.source.line(attribute.start) - 1]
            indent = manifest.text[line : attribute.start]
            edits: tuple[Edit, ...] = ()
            if not indent.strip():
                edits = (Edit(value.start, value.start, f"link,\n{indent}target => "),)
            yield Problem(value.start, value.end, "symlink target specified in ensure attr", edits)


@check("The mode of a file has four digits or is symbolic.", fixes="tree")
def file_mode(manifest: Manifest) -> Iterator[Problem]:
    """Report modes that are neither four octal digits nor symbolic."""
    for body in of_type(manifest, *FILES):
        for attribute in body.attributes("mode")[:1]:
            value = attribute.value
            at = manifest.index_of(value)
            is_call = manifest.kind(at) == "NAME" and manifest.kind(at + 1) == "("
            if is_call or manifest.kind(at) in {"VARIABLE", "undef"}:
                continue
            written = manifest.content(at)
            if MODE.fullmatch(written):
                continue
            simple = isinstance(value, nodes.Integer | nodes.String)
            is_short = simple and len(written) == 3 and written.isdecimal()
            yield Problem(
                manifest.starts[at],
                manifest.ends[at],
                "mode should be represented as a 4 digit octal value or symbolic mode",
                quoted(value, f"0{written}") if is_short else (),
            )


@check("The mode of a file is in quotes.", fixes="tree")
def unquoted_file_mode(manifest: Manifest) -> Iterator[Problem]:
    """Report modes that are numbers or bare words."""
    for body in of_type(manifest, *FILES):
        for attribute in body.attributes("mode"):
            value = attribute.value
            if isinstance(value, nodes.Integer | nodes.Name):
                edits = quoted(value, manifest.text_of(value))
                yield Problem(value.start, value.end, "unquoted file mode", edits)


@check("The title of a resource is in quotes.", fixes="tree")
def unquoted_resource_title(manifest: Manifest) -> Iterator[Problem]:
    """Report titles that are bare words."""
    for body in manifest.bodies:
        title = body.node.title
        for one in title.values if isinstance(title, nodes.List) else [title]:
            if isinstance(one, nodes.Name):
                edits = quoted(one, one.value)
                yield Problem(one.start, one.end, "unquoted resource title", edits)


@check(
    "Classes are contained with contain, not with anchor resources.",
    plugin="puppet-lint-anchor-check",
)
def anchor_resource(manifest: Manifest) -> Iterator[Problem]:
    """Report resources of the type anchor."""
    for body in of_type(manifest, "anchor"):
        name = body.resource.type_name
        yield Problem(name.start, name.end, "manifest includes anchor resource")


@check(
    "An exec has an attribute that lets it run only when needed.",
    plugin="puppet-lint-exec_idempotency-check",
)
def exec_idempotency(manifest: Manifest) -> Iterator[Problem]:
    """Report execs that run each time."""
    for body in of_type(manifest, "exec"):
        if not body.attributes(*EXEC_CONDITIONS):
            yield Problem(
                manifest.starts[body.colon],
                manifest.ends[body.colon],
                "exec without idempotency. set at least one of the attributes: "
                + ", ".join(EXEC_CONDITIONS),
            )


@check(
    "The attribute ensure of a file names its kind, not present.",
    fixes="tree",
    plugin="puppet-lint-file_ensure-check",
)
def file_ensure(manifest: Manifest) -> Iterator[Problem]:
    """Report files with ``ensure => present``."""
    for body, value in ensured(manifest, "file", "present"):
        kind = "link" if body.attributes("target") else "file"
        is_name = isinstance(value, nodes.Name)
        edits = (Edit(value.start, value.end, kind),) if is_name else quoted(value, kind)
        yield Problem(value.start, value.end, "ensure set to present on file resource", edits)


@check(
    "The attribute ensure of a package is not latest.",
    fixes="tree",
    plugin="puppet-lint-package_ensure-check",
)
def package_ensure(manifest: Manifest) -> Iterator[Problem]:
    """Report packages with ``ensure => latest``."""
    for _body, value in ensured(manifest, "package", "latest"):
        is_name = isinstance(value, nodes.Name)
        edit = Edit(value.start, value.end, "installed" if is_name else "'installed'")
        yield Problem(value.start, value.end, "ensure set to latest on a package resource", (edit,))


def ensured(
    manifest: Manifest, type_: str, wanted: str
) -> Iterator[tuple[Body, nodes.Name | nodes.String]]:
    """Yield the resources of a type whose ``ensure`` is a word, and the node of the word."""
    for body in of_type(manifest, type_):
        for attribute in body.attributes("ensure")[:1]:
            value = attribute.value
            if isinstance(value, nodes.Name | nodes.String) and value.value == wanted:
                yield body, value


@check(
    "Numbers with a leading zero, which are octal, are in quotes.",
    fixes="tree",
    plugin="puppet-lint-leading_zero-check",
)
def leading_zero(manifest: Manifest) -> Iterator[Problem]:
    """Report numbers that begin with 0 and have another digit."""
    for at in manifest.of_kind("NUMBER"):
        written = manifest.written(at)
        if written[:1] == "0" and written[1:2].isdecimal():
            start, end = manifest.starts[at], manifest.ends[at]
            edit = Edit(start, end, f"'{written}'")
            yield Problem(start, end, "unquoted number with leading zero", (edit,))
