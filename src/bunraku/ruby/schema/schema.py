"""Reads the resource types that modules define in Ruby, without running Ruby.

Both ways of writing one are understood: ``Puppet::Type.newtype(:name) do … end`` and
``Puppet::ResourceApi.register_type(name: …, attributes: …)``.
"""

from __future__ import annotations

import posixpath
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.catalog.schema.model import ResourceTypeSchema, TitlePattern
from bunraku.ruby.schema.libraries import Libraries
from bunraku.ruby.schema.nodes import HANDLERS
from bunraku.ruby.schema.reader import SchemaReader, Stopped
from bunraku.ruby.schema.static_values import UNKNOWN, Attribute, Code, RubyRegexp, TypeBuilder

IN_LIBRARY = "/lib/"
PROVIDES = lazy_pattern(r"\.\s*provide[\s(]+:?['\"]?(\w+)")
ENSURES = frozenset({"exists?", "create", "destroy"})


def own_library(path: str) -> str | None:
    """Return the ``lib`` folder that contains a file.

    >>> own_library("/modules/a/lib/puppet/type/b.rb")
    '/modules/a/lib'
    """
    folder, found, _ = path.rpartition(IN_LIBRARY)
    return f"{folder}/lib" if found else None


def types_in(source: str, path: str, libraries: Libraries | None) -> list[ResourceTypeSchema]:
    """Return the resource types that the text of a Ruby file defines, in its order."""
    reader = SchemaReader(HANDLERS, libraries)
    try:
        reader.read_source(source, path)
    except Stopped as stopped:
        return [unloadable(path, stopped)]
    for definition, line in reader.apis:
        read_api(reader, definition, line, path)
    schemas = []
    for type_ in reader.types.values():
        type_.reasons.extend(reader.troubles)
        if libraries is not None:
            find_providers(type_, libraries)
        schemas.append(finish(type_, path))
    return schemas


def unloadable(path: str, stopped: Stopped) -> ResourceTypeSchema:
    """Return the schema of the type of a file that Ruby cannot load: Puppet does not have the type."""
    return ResourceTypeSchema(
        name=posixpath.basename(path).removesuffix(".rb"),
        failure=stopped.reason,
        open="its file cannot be loaded",
        file=stopped.path,
        line=stopped.line,
    )


def finish(type_: TypeBuilder, path: str) -> ResourceTypeSchema:
    """Return the schema of a type whose definition was read to its end."""
    if type_.instance_methods >= ENSURES and "ensure" not in type_.properties:
        type_.properties = {"ensure": Attribute("ensure", is_parameter=False), **type_.properties}
    parameters = list(type_.parameters)
    if type_.has_providers is not False and "provider" not in parameters:
        parameters.append("provider")
    namevars = tuple(
        name for name, each in type_.parameters.items() if each.is_namevar or name == "name"
    )
    patterns: tuple[TitlePattern, ...] | None = None if namevars else ()
    readable = bool(namevars) or not type_.reasons
    if type_.title_patterns is not None:
        found = read_title_patterns(type_.title_patterns)
        readable = found is not None
        patterns = simplify(found, namevars) if found is not None else None
    return ResourceTypeSchema(
        name=type_.name,
        parameters=tuple(parameters),
        properties=tuple(type_.properties),
        namevars=namevars,
        title_patterns=patterns,
        titles_known=readable,
        isomorphic=type_.isomorphic,
        features=tuple(sorted(set(type_.features))),
        providers=tuple(sorted(set(type_.providers))),
        applies_to=type_.applies_to,
        old_call=type_.old_call,
        open="; ".join(type_.reasons) or None,
        file=path,
        line=type_.line,
    )


def simplify(
    patterns: tuple[TitlePattern, ...], namevars: tuple[str, ...]
) -> tuple[TitlePattern, ...] | None:
    """None if the patterns only state that the title is the one namevar."""
    whole = (TitlePattern("(.*)", "m", namevars),)
    return None if len(namevars) == 1 and patterns == whole else patterns


def read_title_patterns(value: Any) -> tuple[TitlePattern, ...] | None:
    """Return the patterns that ``title_patterns`` returns; None when they cannot be known."""
    if not isinstance(value, list):
        return None
    patterns = []
    for entry in value:
        match entry:
            case [RubyRegexp(source, flags), [*groups]]:
                named = [group if isinstance(group, list) else [group] for group in groups]
                if not all(group and group[0].__class__ is str for group in named):
                    return None
                attributes = tuple(group[0] for group in named)
                computed = tuple(group[0] for group in named if not keeps_text(group[1:]))
                patterns.append(TitlePattern(source, flags, attributes, computed))
            case _:
                return None
    return tuple(patterns)


def keeps_text(rest: list[Any]) -> bool:
    """Return whether a group's text becomes the attribute unchanged."""
    return all(code is None or (isinstance(code, Code) and code.is_identity()) for code in rest)


# -- providers -------------------------------------------------------------------------------------
def find_providers(type_: TypeBuilder, libraries: Libraries) -> None:
    """Look for the type's providers: a type without any has no parameter ``provider``."""
    type_.has_providers = bool(type_.has_providers)
    for file in libraries.providers(type_.name):
        names = PROVIDES.findall(libraries.read(file))
        type_.providers.extend(names)
        type_.has_providers = type_.has_providers or bool(names)


# -- the Resource API ------------------------------------------------------------------------------
def read_api(reader: SchemaReader, definition: Any, line: int, path: str) -> None:
    """Turn the hash given to ``register_type`` into a type."""
    known = definition if isinstance(definition, dict) else {}
    name = known.get("name", posixpath.basename(path).removesuffix(".rb"))
    type_ = TypeBuilder(str(name).lower(), line)
    reader.types[type_.name] = type_
    attributes = known.get("attributes")
    if not isinstance(attributes, dict):
        type_.open("the attributes given to register_type are computed")
        return
    for attribute, options in attributes.items():
        add_api_attribute(reader, type_, attribute, options)
    features = known.get("features")
    if isinstance(features, list) and "remote_resource" in features:
        type_.applies_to = "device"
    patterns = known.get("title_patterns")
    if patterns is not None and patterns != []:
        type_.title_patterns = api_patterns(patterns)


def add_api_attribute(
    reader: SchemaReader, type_: TypeBuilder, attribute: str, options: Any
) -> None:
    """Add an entry of ``attributes``: its behaviour makes it a parameter or a property."""
    behaviour = (
        options.get("behaviour", options.get("behavior")) if isinstance(options, dict) else None
    )
    is_parameter = behaviour in ("namevar", "parameter", "read_only")
    kind = "newparam" if is_parameter else "newproperty"
    reader.define(type_, kind, [attribute, {"namevar": behaviour == "namevar"}], None)


def api_patterns(patterns: Any) -> Any:
    """Return the Resource API's title patterns, whose groups are named, in Puppet's older form."""
    found = []
    for entry in patterns if isinstance(patterns, list) else [UNKNOWN]:
        pattern = entry.get("pattern") if isinstance(entry, dict) else UNKNOWN
        if not isinstance(pattern, RubyRegexp):
            return UNKNOWN
        found.append([pattern, [[name] for name in pattern.names]])
    return found
