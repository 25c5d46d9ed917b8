"""Resource types that were read from Ruby, kept on disk: reading them takes longer than all else
that a first compile does with a type.

The key of an entry is a hash of all inputs (file, folders, bunraku, the parser of Ruby). The entry
records every lookup of the reading with its result, and is valid if all results are still the same.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.util import find_spec

from bunraku.base.bounded_cache import remembered
from bunraku.base.disk_cache import DiskCache
from bunraku.catalog.schema.model import ResourceTypeSchema, TitlePattern
from bunraku.compiler.code_names import cache_key, fingerprint_of, program_fingerprint
from bunraku.ruby.schema.libraries import Libraries
from bunraku.ruby.schema.schema import types_in
from bunraku.ruby.syntax.encoding import source_text

FIELDS = (
    *("name", "parameters", "properties", "namevars", "title_patterns", "titles_known"),
    *(
        "isomorphic",
        "features",
        "providers",
        "applies_to",
        "old_call",
        "open",
        "failure",
        "file",
        "line",
    ),
)
PARSERS = ("tree_sitter", "tree_sitter_ruby")


def resource_types(
    content: bytes, path: str, libraries: Libraries, disk: DiskCache | None
) -> Sequence[ResourceTypeSchema]:
    """Return the resource types that a Ruby file defines, read or from the disk."""
    if disk is None:
        return types_in(source_text(content), path, libraries)
    return kept_types(content, path, libraries, disk, reader_fingerprint())


def kept_types(
    content: bytes, path: str, libraries: Libraries, disk: DiskCache, reader: str
) -> Sequence[ResourceTypeSchema]:
    """Return the resource types of a file from the disk, if ``reader`` made the entry; else read them."""
    key = cache_key(content, path, f"resource types {libraries.folders}", reader)
    entry = disk.read_data(key)
    if isinstance(entry, tuple):
        asked, kept = entry
        if libraries.still(asked):
            return [from_fields(fields) for fields in kept]
        libraries.asked.clear()
        libraries.contents.clear()
    schemas = types_in(source_text(content), path, libraries)
    fields = tuple(to_fields(schema) for schema in schemas)
    disk.write_data(key, (tuple(libraries.asked.items()), fields))
    return schemas


def to_fields(schema: ResourceTypeSchema) -> tuple[object, ...]:
    """Return a schema as plain data."""
    values = {name: getattr(schema, name) for name in FIELDS}
    if schema.title_patterns is not None:
        values["title_patterns"] = tuple(map(tuple, schema.title_patterns))
    return tuple(values.values())


def from_fields(fields: Sequence[object]) -> ResourceTypeSchema:
    """Return the schema of plain data."""
    schema = dict(zip(FIELDS, fields, strict=True))
    patterns = schema["title_patterns"]
    if isinstance(patterns, tuple):
        schema["title_patterns"] = tuple(TitlePattern(*pattern) for pattern in patterns)
    return ResourceTypeSchema(**schema)  # type: ignore[arg-type]


@remembered(1)
def reader_fingerprint() -> str:
    """Return a fingerprint of the reader of Ruby: its own files, and those of its parser."""
    found = [program_fingerprint(("compiler", "ruby", "catalog"))]
    for name in PARSERS:
        spec = find_spec(name)
        folders = [] if spec is None else spec.submodule_search_locations or []
        for folder in folders:
            files = sorted(os.scandir(folder), key=lambda item: item.name)
            found.append(fingerprint_of([one for one in files if one.name.endswith(".so")]))
    return "\n".join(found)
