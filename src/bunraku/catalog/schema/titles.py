"""Titles: the namevars that they set, and the keys by which two resources are the same.

The rules are those of the catalog of Puppet 7.23: values are compared as text, without conversion.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.catalog.schema.issues import MISSING_TITLE_PATTERNS, UNMATCHED_TITLE
from bunraku.catalog.schema.model import ReadTitle, ResourceTypeSchema
from bunraku.types.ruby_semantics.values import identity
from bunraku.values.regexp.regexp import EXTENDED, IGNORECASE, MULTILINE, Regexp

OPTIONS = {"m": MULTILINE, "i": IGNORECASE, "x": EXTENDED}


@remembered(1024)
def compiled(pattern: str, flags: str) -> Regexp:
    """Return a title pattern, compiled once."""
    options = 0
    for flag in flags:
        options |= OPTIONS[flag]
    return Regexp(pattern, options)


def parse_title(schema: ResourceTypeSchema, title: str) -> dict[str, str | None]:
    """Return the attributes from a title in pattern order; a group without text gives None.

    Raises UNMATCHED_TITLE or MISSING_TITLE_PATTERNS, as Puppet does where the resource is declared.

    >>> from bunraku.catalog.schema.builtin import vendored_resource_type
    >>> parse_title(vendored_resource_type("sshkey"), "example.org@rsa")
    {'name': 'example.org', 'type': 'rsa'}
    """
    if not schema.titles_known:
        return {}
    if schema.title_patterns is None:
        if len(schema.namevars) == 1:
            return {schema.namevars[0]: title}
        raise MISSING_TITLE_PATTERNS(type=schema.name, namevars=", ".join(schema.namevars))
    for pattern, flags, attributes, computed in schema.title_patterns:
        found = compiled(pattern, flags).search(title)
        if found is not None:
            given = dict(zip(attributes, found.groups(), strict=False))
            for name in computed:
                given.pop(name, None)
            return given
    raise UNMATCHED_TITLE(type=schema.name, title=title)


PLAIN: Mapping[str, str | None] = {}
"""The result of :func:`read_title` for most titles; callers compare it by identity."""


def read_title(schema: ResourceTypeSchema, title: str) -> Mapping[str, str | None]:
    """Return the result of :func:`parse_title`, or PLAIN if it is the title unchanged.

    >>> from bunraku.catalog.schema.builtin import builtin_resource_type
    >>> file = builtin_resource_type("file")
    >>> read_title(file, "/a") is PLAIN, read_title(file, "/a/")
    (True, {'path': '/a'})
    """
    read = schema.read
    if read is None:
        read = title_reader(schema)
        object.__setattr__(schema, "read", read)
    return read(title)


def title_reader(schema: ResourceTypeSchema) -> ReadTitle:
    """Return a function that parses the titles of a type, prepared once per type."""
    namevars, patterns = schema.namevars, schema.title_patterns
    if patterns is None and schema.titles_known and len(namevars) == 1:
        return lambda _title: PLAIN
    main = namevars[0] if len(namevars) == 1 else None
    search, only = None, ""
    if schema.titles_known and patterns and len(patterns[0].attributes) == 1:
        pattern, flags, (only,), computed = patterns[0]
        if only == main and not computed:
            search = compiled(pattern, flags).search

    def read(title: str) -> Mapping[str, str | None]:
        found = None if search is None else search(title)
        if found is not None and found.groups()[:1] == (title,):
            return PLAIN
        given = parse_title(schema, title)
        return PLAIN if len(given) == 1 and main and given.get(main) == title else given

    return read


def namevar(schema: ResourceTypeSchema | None) -> str:
    """Return the attribute that the title sets; ``name`` with several namevars or no schema."""
    if schema is not None and len(schema.namevars) == 1:
        return schema.namevars[0]
    return "name"


def uniqueness_key(
    schema: ResourceTypeSchema,
    title: str,
    parameters: Mapping[str, Any],
    given: Mapping[str, str | None] | None = None,
) -> list[Any] | None:
    """Return the values of the namevars in name order, unique per type within a catalog.

    None if titles alone distinguish resources, and no second check is needed. A namevar that
    neither title nor attributes give is None in the key, but for ``name`` and a single namevar,
    which are the title then. ``given`` is the result of :func:`read_title`, if it is known already.

    >>> from bunraku.catalog.schema.builtin import builtin_resource_type
    >>> file = builtin_resource_type("file")
    >>> uniqueness_key(file, "config", {"path": "/etc/a"}), uniqueness_key(file, "/etc/a", {})
    (['/etc/a'], None)
    >>> uniqueness_key(file, "/etc/a/", {})
    ['/etc/a']
    """
    if not schema.isomorphic or not schema.titles_known:
        return None
    if given is None:
        given = read_title(schema, title)
    if given is PLAIN:
        if schema.namevars[0] not in parameters:
            return None
        given = {schema.namevars[0]: title}
    main = namevar(schema)
    key = []
    for name in sorted(schema.namevars):
        value = parameters.get(name)
        if value is None:
            if any(name in pattern.computed for pattern in schema.title_patterns or ()):
                return None
            value = given.get(name)
        if name == main and (value is None or value is False):
            value = parameters.get("name") or given.get("name") or title
        key.append(value)
    if key == [title]:
        return None
    for value in key:
        if value is not None and value is not False:
            return key
    return None


def index_key(key: Sequence[Any]) -> Hashable:
    """Return a unique key or an alias as the index of resources has it.

    Titles and keys share the index: a key of one text is like a title. Arrays lie flat in it.

    >>> index_key(["x"]), index_key([["x", 1], None])
    ('x', ('x', 1, None))
    """
    parts = tuple(map(identity, flat(key)))
    return parts[0] if len(parts) == 1 and parts[0].__class__ is str else parts


def flat(values: Sequence[Any]) -> Iterator[Any]:
    """Yield the values, with nested arrays flattened."""
    for value in values:
        if value.__class__ is list:
            yield from flat(value)
        else:
            yield value


def catalog_parameters(
    schema: ResourceTypeSchema | None,
    title: str,
    parameters: dict[str, Any],
    given: Mapping[str, str | None] | None = None,
) -> dict[str, Any]:
    """Return the parameters of the finished catalog: the same dict if nothing changes.

    Parameters from the title come first, then the resource's own in their order; ``name`` becomes
    the namevar and replaces it; a namevar equal to the title is omitted. An undef does not replace
    what the title gives, and a group of the title without text is undef in the catalog.
    ``schema`` is None for classes and defined types; ``given`` is the result of
    :func:`read_title`, if it is known already.

    >>> from bunraku.catalog.schema.builtin import builtin_resource_type
    >>> catalog_parameters(builtin_resource_type("file"), "/a/", {"mode": "0644"})
    {'path': '/a', 'mode': '0644'}
    >>> catalog_parameters(builtin_resource_type("exec"), "a", {"command": "b", "name": "c"})
    {'command': 'c'}
    """
    main = namevar(schema)
    if schema is None or (schema.title_patterns is None and len(schema.namevars) == 1):
        given = PLAIN
    elif given is None:
        given = read_title(schema, title)
    if given is PLAIN:
        if "name" not in parameters and main not in parameters:
            return parameters
        given = {main: title}
    merged: dict[str, Any] = {**given, **without_undef(parameters)}
    if main != "name" and "name" in merged:
        merged[main] = merged.pop("name")
    if merged.get(main) == title:
        del merged[main]
    return merged


def without_undef(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that have a value."""
    return {name: value for name, value in parameters.items() if value is not None}
