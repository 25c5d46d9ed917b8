"""Resource types in Ruby: ``newtype`` with properties, parameters, checks and features."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.workbench.docs.comments import Comment, read_comment
from bunraku.workbench.docs.model import Attribute, ModuleDocs, ResourceType
from bunraku.workbench.docs.ruby.file import (
    Node,
    RubyFile,
    block_statements,
    call_arguments,
    inside,
    is_call,
    method_name,
    node_line,
    pairs_of,
    receiver,
    text_of,
)
from bunraku.workbench.docs.texts import scrubbed

ENSURE = "The basic property that the resource should be in."
OWNERS = frozenset(["Puppet::Type", "Type"])
BOOLEAN = "Puppet::Parameter::Boolean"


def resource_type(docs: ModuleDocs, file: RubyFile, node: Node) -> None:
    """Add the resource type that a call of ``newtype`` defines."""
    owner = receiver(node)
    name = first_name(file, node)
    if owner is None or text_of(owner) not in OWNERS or not name:
        return
    made = docs.resource_type(name, file.path, node_line(node))
    text, line = file.comment(node)
    comment = read_comment(text or "", line)
    add_directives(made, comment)
    described = described_text(file, node)
    if described is not None:
        comment = read_comment(described[0], described[1])
        add_directives(made, comment)
    made.comment = comment
    for child in block_statements(node) or []:
        adder = ADDERS.get(method_name(child)) if is_call(child) else None
        if adder is not None:
            adder(made, file, child)
    set_default_namevar(made)


def first_name(file: RubyFile, node: Node) -> str | None:
    """Return the first argument of a call, if it is a name."""
    given = call_arguments(node)
    return file.word(given[0]) if given and not isinstance(given[0], list) else None


def described_text(file: RubyFile, node: Node) -> tuple[str, int] | None:
    """Return the text of the first ``desc`` or ``@doc`` in a block, and its line; None without one.

    Code that computes the text has none.
    """
    for child in inside(node):
        value: Node = None
        if child.type == "assignment" and assigned(child) == "@doc":
            value = child.child_by_field_name("right")
        elif (
            child.type == "call"
            and method_name(child) == "desc"
            and len(call_arguments(child)) == 1
        ):
            (value,) = call_arguments(child)
        else:
            continue
        text = None if isinstance(value, list) else file.word(value)
        return None if text is None else (scrubbed(text), node_line(value))
    return None


def assigned(node: Node) -> str:
    """Return the first variable of an object in an assignment."""
    return next((text_of(one) for one in inside(node) if one.type == "instance_variable"), "")


def add_directives(made: ResourceType, comment: Comment) -> None:
    """Add the attributes that directives in a comment describe."""
    for tag in comment.directives:
        if tag.name == "puppet.type.param" and tag.subject:
            values = [one or "" for one in tag.types or []]
            made.attributes.append(Attribute(tag.subject, tag.text or "", values))
        elif tag.name == "puppet.type.property" and tag.subject:
            values = [one or "" for one in tag.types or []]
            made.properties.append(Attribute(tag.subject, tag.text or "", values))


def add_property(made: ResourceType, file: RubyFile, node: Node) -> None:
    """Add a property."""
    name = first_name(file, node)
    if name is not None:
        made.properties.append(read_attribute(file, name, node))


def add_parameter(made: ResourceType, file: RubyFile, node: Node) -> None:
    """Add a parameter."""
    name = first_name(file, node)
    if name is not None:
        made.attributes.append(read_attribute(file, name, node))


def add_check(made: ResourceType, file: RubyFile, node: Node) -> None:
    """Add a check, such as ``onlyif`` of the type exec."""
    name = first_name(file, node)
    if name is not None:
        made.checks.append(read_attribute(file, name, node))


def add_feature(made: ResourceType, file: RubyFile, node: Node) -> None:
    """Add a feature, which needs a text."""
    given = call_arguments(node)
    if len(given) < 2 or isinstance(given[1], list):
        return
    name, text = file.word(given[0]), file.word(given[1])
    if name is not None and text is not None:
        made.features.append((name, scrubbed(text).replace("\n", " ")))


def add_ensure(made: ResourceType, file: RubyFile, node: Node) -> None:
    """Add the property ``ensure``."""
    if block_statements(node) is None:
        found = Attribute("ensure", ENSURE, ["present", "absent"], line=node_line(node))
        found.default = "present"
    else:
        found = read_attribute(file, "ensure", node)
        found.description = found.description or ENSURE
    made.properties.append(found)


ADDERS: dict[str, Callable[[ResourceType, RubyFile, Node], None]] = {
    "newproperty": add_property,
    "newparam": add_parameter,
    "newcheck": add_check,
    "feature": add_feature,
    "ensurable": add_ensure,
}
"""A method in the block of a type → what adds its part."""


def read_attribute(file: RubyFile, name: str, node: Node) -> Attribute:
    """Return a property, parameter or check with what its block says."""
    described = described_text(file, node)
    made = Attribute(name, described[0] if described else "", line=node_line(node))
    body = block_statements(node)
    if body is None:
        return made
    for child in body:
        if is_call(child):
            add_values(made, file, child)
    given = call_arguments(node)
    if len(given) > 1:
        add_options(made, file, given[1])
    return made


def add_values(made: Attribute, file: RubyFile, node: Node) -> None:
    """Add what one call in the block of an attribute says: values, another name of one, a default."""
    given = [
        text_of_pairs(one) if isinstance(one, list) else file.shown(one)
        for one in call_arguments(node)
    ]
    match method_name(node):
        case "newvalue" if given:
            made.values.append(given[0])
        case "newvalues":
            made.values += given
        case "aliasvalue" if len(given) > 1:
            if given[0] not in made.values:
                made.values.append(given[0])
            made.aliases[given[0]] = given[1]
        case "defaultto" if given:
            made.default = given[0]
        case "isnamevar":
            made.is_namevar = True
        case "defaultvalues" if made.name == "ensure":
            made.values += ["present", "absent"]
            made.default = "present"


def text_of_pairs(pairs: list[tuple[Node, Node | None]]) -> str:
    """Return the source of keys and values."""
    first, last = pairs[0][0], pairs[-1][1] or pairs[-1][0]
    whole: bytes = first.parent.parent.text
    start = first.parent.parent.start_byte
    return whole[first.start_byte - start : last.end_byte - start].decode(
        "utf-8", "surrogateescape"
    )


def add_options(made: Attribute, file: RubyFile, given: Node) -> None:
    """Add what the options of an attribute say: features that it needs, the values of a boolean."""
    pairs = [(file.word(key), value) for key, value in pairs_of(given) if value is not None]
    for key, value in pairs:
        if key == "required_features":
            made.required_features = file.word(value)
            break
    for key, value in pairs:
        if key == "parent":
            if text_of(value) == BOOLEAN:
                made.values += [
                    one for one in ("true", "false", "yes", "no") if one not in made.values
                ]
            break


def set_default_namevar(made: ResourceType) -> None:
    """Make ``name`` the name variable if nothing else is it; a property goes before a parameter."""
    every = [*made.properties, *made.attributes]
    if any(one.is_namevar for one in every):
        return
    properties = [one for one in made.properties if one.name == "name"]
    parameters = [one for one in made.attributes if one.name == "name"]
    for one in [*properties[-1:], *parameters][:1]:
        one.is_namevar = True


def further_attribute(docs: ModuleDocs, file: RubyFile, node: Node) -> None:
    """Add an attribute that code outside of a type adds: ``Puppet::Type.type(:x).newparam(:y)``."""
    owner = receiver(node)
    inner = None if owner is None or owner.type != "call" else receiver(owner)
    if (
        owner is None
        or inner is None
        or text_of(inner) not in OWNERS
        or method_name(owner) != "type"
    ):
        return
    type_name = first_name(file, owner)
    name = "ensure" if method_name(node) == "ensurable" else first_name(file, node)
    if type_name is None or name is None:
        return
    made = docs.resource_type(type_name, file.path, node_line(node))
    found = read_attribute(file, name, node)
    if method_name(node) == "newparam":
        made.attributes.append(found)
    else:
        made.properties.append(found)
    set_default_namevar(made)
