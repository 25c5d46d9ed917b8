"""Checks of classes, defined types and nodes, and of the arrows between resources."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from bunraku.base.text_edits import Edit
from bunraku.modules.names import is_module_name
from bunraku.project.detect import find_project
from bunraku.project.model import MODULE
from bunraku.syntax import nodes
from bunraku.workbench.lint.declaration import Problem, check
from bunraku.workbench.lint.manifest import COMMENT, Definition, Manifest
from bunraku.world.machine import Machine

ABSOLUTE_PLUGIN = "puppet-lint-absolute_classname-check"


def at_token(manifest: Manifest, at: int, message: str, *edits: Edit) -> Problem:
    """Return a problem of one token."""
    return Problem(manifest.starts[at], manifest.ends[at], message, edits)


@check("A definition is in the file that Puppet loads it from.", severity="error")
def autoloader_layout(manifest: Manifest) -> Iterator[Problem]:
    """Report classes and defined types in other files than those of their names."""
    if not manifest.path:
        return
    for definition in manifest.definitions:
        name = manifest.written(definition.name)
        module, *rest = name.split("::")
        expected = f"manifests/{'/'.join(rest) or 'init'}.pp"
        if not manifest.options.get("relative"):
            expected = f"/{module}/{expected}"
        is_expected = is_path_end(manifest.path, expected)
        if not is_expected and not is_in_checkout(manifest.path, module, rest):
            yield at_token(manifest, definition.name, f"{name} not in autoload module layout")


def is_in_checkout(path: str, module: str, rest: Sequence[str]) -> bool:
    """Return whether a path is that of a definition in a module's own repository.

    Its directory may have any name there: that of the module is in ``metadata.json``, or that of the
    class in ``manifests/init.pp`` if Puppet cannot load a module from a directory of this name.
    """
    root = os.path.abspath(path).removesuffix(f"/manifests/{'/'.join(rest) or 'init'}.pp")
    if not os.path.isdir(root):
        return False
    project = find_project(root, Machine())
    if (project.kind, project.root, project.name) != (MODULE, root, module):
        return False
    return os.path.isfile(f"{root}/metadata.json") or not is_module_name(os.path.basename(root))


def is_path_end(path: str, end: str) -> bool:
    """Return whether an absolute or relative path ends with some names."""
    return path.endswith(end) or os.path.abspath(path).endswith(end)


@check("No name of a definition has a dash.", severity="error")
def names_containing_dash(manifest: Manifest) -> Iterator[Problem]:
    """Report dashes in the names of classes and defined types."""
    for kind, name in manifest.named:
        if "-" in manifest.written(name):
            yield at_token(manifest, name, f"{kind} name containing a dash")


@check("Names of definitions are in lower case.", severity="error", fixes="tree")
def names_containing_uppercase(manifest: Manifest) -> Iterator[Problem]:
    """Report upper-case letters in the names of classes and defined types."""
    for kind, name in manifest.named:
        written = manifest.written(name)
        if written != written.lower():
            edit = Edit(manifest.starts[name], manifest.ends[name], written.lower())
            message = f"{kind} '{written}' contains illegal uppercase"
            yield at_token(manifest, name, message, edit)


def parent_of(manifest: Manifest, definition: Definition) -> int | None:
    """Return the index of the name after ``inherits``."""
    parent = getattr(definition.node, "parent", None)
    if parent is None:
        return None
    at = definition.name
    while manifest.kind(at) not in {"inherits", "{", ""}:
        at = manifest.passed(at)
    return manifest.code_after(at)


@check("A class does not inherit from its params class.", enabled=False)
def class_inherits_from_params_class(manifest: Manifest) -> Iterator[Problem]:
    """Report classes that inherit from a class named params."""
    for definition in manifest.definitions:
        parent = parent_of(manifest, definition)
        if parent is not None and manifest.written(parent).endswith("::params"):
            yield at_token(manifest, parent, "class inheriting from params class")


@check("A class inherits from a class of its own module.")
def inherits_across_namespaces(manifest: Manifest) -> Iterator[Problem]:
    """Report classes that inherit from a class of another module."""
    for definition in manifest.definitions:
        parent = parent_of(manifest, definition)
        if parent is None:
            continue
        modules = {
            manifest.written(at).removeprefix("::").partition("::")[0]
            for at in (parent, definition.name)
        }
        if len(modules) > 1:
            yield at_token(manifest, parent, "class inherits across module namespaces")


@check("No definition is inside a class.")
def nested_classes_or_defines(manifest: Manifest) -> Iterator[Problem]:
    """Report classes and defined types inside classes, once for each class around."""
    for outer in manifest.definitions:
        if outer.kind != "class":
            continue
        for inner in manifest.definitions:
            if outer.first < inner.first < outer.last:
                yield at_token(manifest, inner.first, f"{inner.kind} defined inside a class")


def value_of(manifest: Manifest, at: int) -> str:
    """Return a token without the quotes, dollar sign or slashes around it."""
    kind = manifest.kinds[at]
    if kind in {"STRING", "DQPRE"}:
        return manifest.content(at)
    return str(manifest.values[at]) if kind in {"VARIABLE", "REGEX"} else manifest.written(at)


@check("All code is in a class or a defined type.", enabled=False)
def code_on_top_scope(manifest: Manifest) -> Iterator[Problem]:
    """Report each token outside of classes and defined types."""
    inside: set[int] = set()
    for definition in manifest.definitions:
        inside.update(range(definition.first, definition.last + 1))
    for at, kind in enumerate(manifest.kinds):
        if at not in inside and kind is not COMMENT:
            message = f"code outside of class or define block - {value_of(manifest, at)}"
            yield at_token(manifest, at, message)


BUILT_IN = frozenset(
    [
        "Any",
        "Array",
        "Binary",
        "Boolean",
        "Callable",
        "CatalogEntry",
        "Class",
        "Collection",
        "Data",
        "Default",
        "Enum",
        "Error",
        "Float",
        "Hash",
        "Integer",
        "Iterable",
        "Iterator",
        "NotUndef",
        "Numeric",
        "Optional",
        "Pattern",
        "Regexp",
        "Resource",
        "RichData",
        "Runtime",
        "Scalar",
        "ScalarData",
        "SemVer",
        "SemVerRange",
        "Sensitive",
        "String",
        "Struct",
        "Tuple",
        "Type",
        "Undef",
        "Variant",
    ]
)
"""The types that puppet-lint 4.3.0 tells from names of modules."""


def type_name(parameter: nodes.Parameter) -> str:
    """Return the name of a parameter's type, without its arguments; empty without a type."""
    type_ = parameter.type
    if isinstance(type_, nodes.Access):
        type_ = type_.left
    return type_.value if isinstance(type_, nodes.Reference) else ""


@check("Required parameters come before optional ones.")
def parameter_order(manifest: Manifest) -> Iterator[Problem]:
    """Report required parameters after optional ones; type Optional counts as optional."""
    for definition in manifest.definitions:
        given = [parameter.value is not None for parameter in definition.node.parameters]
        if given == sorted(given):
            continue
        optional, last_type = False, ""
        for parameter in definition.node.parameters:
            name = type_name(parameter)
            last_type = name if name in BUILT_IN else last_type
            if parameter.value is not None:
                optional = True
            elif optional and last_type != "Optional":
                message = "optional parameter listed before required parameter"
                start = manifest.text.index(
                    "$", parameter.type.end if parameter.type else parameter.start
                )
                yield Problem(start, parameter.end, message)


@check("Relationships are written from left to right.")
def right_to_left_relationship(manifest: Manifest) -> Iterator[Problem]:
    """Report ``<-``."""
    for at in manifest.of_kind("<-"):
        yield at_token(manifest, at, "right-to-left (<-) relationship")


@check("An arrow is on the line of its right operand.", fixes="layout")
def arrow_on_right_operand_line(manifest: Manifest) -> Iterator[Problem]:
    """Report ``->`` and ``~>`` at the end of a line."""
    for at in manifest.of_kind("->", "~>"):
        right = manifest.code_after(at)
        if right >= manifest.size:
            continue
        place = manifest.starts[right]
        if "\n" not in manifest.text[manifest.starts[at] : place]:
            continue
        before = manifest.ends[at - 1] if not manifest.gap(at).strip(" ") else manifest.starts[at]
        yield at_token(
            manifest,
            at,
            "arrow should be on the right operand's line",
            Edit(before, manifest.ends[at], ""),
            Edit(place, place, f"{manifest.kinds[at]} "),
        )


@check("The name of a node is in quotes.", fixes="tree")
def unquoted_node_name(manifest: Manifest) -> Iterator[Problem]:
    """Report names of nodes without quotes."""
    for definition in manifest.all(nodes.NodeDefinition):
        for match in definition.matches:
            start, end = match.start, match.end
            written = manifest.text[start:end]
            if written[:1] not in {"'", '"', "/"} and not isinstance(match, nodes.Default):
                edit = Edit(start, end, f"'{written}'")
                yield Problem(start, end, "unquoted node name found", (edit,))


# -- absolute names ------------------------------------------------------------------------------


def without_colons(manifest: Manifest, at: int, message: str) -> Iterator[Problem]:
    """Report a name that begins with ``::``."""
    written = manifest.written(at)
    place = written.find("::")
    if manifest.kinds[at] in {"NAME", "STRING"} and 0 <= place < 2 and written[0] != '"':
        start = manifest.starts[at] + place
        yield at_token(manifest, at, message, Edit(start, start + 2, ""))


@check("Classes are included without a leading ::.", fixes="tree", plugin=ABSOLUTE_PLUGIN)
def relative_classname_inclusion(manifest: Manifest) -> Iterator[Problem]:
    """Report ``include ::name``, ``class { '::name': }`` and ``inherits ::name``."""
    message = "class included by absolute name (::$class)"
    for call in manifest.all(nodes.Call):
        if getattr(call.callee, "value", "") in {"include", "contain", "require"}:
            for argument in call.arguments:
                values = argument.values if isinstance(argument, nodes.List) else [argument]
                for value in values:
                    if isinstance(value, nodes.Name | nodes.String):
                        yield from without_colons(manifest, manifest.index_of(value), message)
    for body in manifest.bodies_by_type.get("class", ()):
        title = body.node.title
        if isinstance(title, nodes.Name | nodes.String):
            yield from without_colons(manifest, manifest.index_of(title), message)
    for definition in manifest.definitions:
        parent = parent_of(manifest, definition)
        if parent is not None:
            yield from without_colons(manifest, parent, message)


@check("References to classes have no leading ::.", fixes="tree", plugin=ABSOLUTE_PLUGIN)
def relative_classname_reference(manifest: Manifest) -> Iterator[Problem]:
    """Report ``Class['::name']``."""
    for access in manifest.all(nodes.Access):
        if getattr(access.left, "value", "") == "Class":
            for key in access.keys:
                if isinstance(key, nodes.Name | nodes.String):
                    at = manifest.index_of(key)
                    yield from without_colons(manifest, at, "absolute class name reference")
