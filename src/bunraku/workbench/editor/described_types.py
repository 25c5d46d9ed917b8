"""Resource types that are not defined types: their attributes, with documentation and accepted words."""

from __future__ import annotations

import inspect
from collections.abc import Mapping

from bunraku.base.bounded_cache import remembered
from bunraku.base.records import field, record
from bunraku.catalog.schema.builtin import builtin_resource_type, vendored_resource_type
from bunraku.catalog.schema.model import ResourceTypeSchema
from bunraku.providers.attributes import Parameter
from bunraku.providers.index import type_class
from bunraku.providers.metaparameter_texts import ABOUT_METAPARAMETERS, PROVIDER
from bunraku.providers.registry import type_names
from bunraku.workbench.docs.model import Attribute, ModuleDocs, ResourceType
from bunraku.workbench.docs.ruby.read import read_ruby_file
from bunraku.workbench.editor.snapshot import Snapshot


@record(frozen=True)
class DescribedAttribute:
    """An attribute: Markdown about it, and the words that it accepts, if only those."""

    name: str
    about: str = ""
    words: tuple[str, ...] = ()


@record(frozen=True)
class DescribedType:
    """A resource type with its attributes by name; metaparameters are not among them.

    ``providers`` are the names of its providers.
    """

    name: str
    about: str = ""
    attributes: Mapping[str, DescribedAttribute] = field(default_factory=dict)
    providers: tuple[str, ...] = ()


def described_type(snapshot: Snapshot, name: str) -> DescribedType | None:
    """Return a resource type of a module in Ruby, of Puppet or of bunraku; None for other names."""
    for one in snapshot.index.definitions("resource_type", name):
        source = snapshot.source(one.path) if one.path.endswith(".rb") else None
        if source is not None:
            return type_in_ruby(source.text, one.path, name)
    return known_type(name)


def described_attribute(snapshot: Snapshot, type_name: str, name: str) -> DescribedAttribute | None:
    """Return an attribute of a resource type, or one that all types have."""
    if name in ABOUT_METAPARAMETERS:
        return DescribedAttribute(name, ABOUT_METAPARAMETERS[name])
    found = described_type(snapshot, type_name)
    return None if found is None else found.attributes.get(name)


@remembered(200)
def type_in_ruby(text: str, path: str, name: str) -> DescribedType:
    """Return the type that a Ruby file defines."""
    docs = ModuleDocs()
    read_ruby_file(docs, text, path)
    for thing in docs.things["resource_types"]:
        if isinstance(thing, ResourceType) and thing.name == name:
            some = [*thing.properties, *thing.attributes, *thing.checks]
            attributes = {one.name: ruby_attribute(one) for one in some}
            return DescribedType(name, thing.comment.text, attributes)
    return DescribedType(name)


def ruby_attribute(one: Attribute) -> DescribedAttribute:
    """Return an attribute of a type in Ruby."""
    words = tuple(word for word in one.values if word.isidentifier())
    only = words if len(words) == len(one.values) else ()
    return DescribedAttribute(one.name, one.description, only)


@remembered(400)
def known_type(name: str) -> DescribedType | None:
    """Return a type of bunraku, of Puppet, or of the modules in Puppet's packages."""
    schema = builtin_resource_type(name) or vendored_resource_type(name)
    if name in type_names():
        kind = type_class(name)
        found = {one.name: own_attribute(one) for one in kind.attributes}
        return DescribedType(
            name, paragraph(kind), {**of_schema(schema), **found}, tuple(kind.providers)
        )
    if schema is None:
        return None
    return DescribedType(name, "", of_schema(schema), schema.providers)


def of_schema(schema: ResourceTypeSchema | None) -> dict[str, DescribedAttribute]:
    """Return the attributes of a schema, without documentation."""
    names = () if schema is None else (*schema.properties, *schema.parameters)
    return {name: DescribedAttribute(name) for name in names}


def own_attribute(one: Parameter) -> DescribedAttribute:
    """Return an attribute of a type of bunraku."""
    about = one.about or (PROVIDER if one.name == "provider" else "")
    return DescribedAttribute(one.name, about, tuple(map(str, one.words or ())))


def paragraph(documented: object) -> str:
    """Return the docstring of an object as one paragraph of Markdown."""
    return " ".join((inspect.getdoc(documented) or "").replace("``", "`").split())
