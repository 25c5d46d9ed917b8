"""The resource types that modules declare in Ruby."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.base.records import record
from bunraku.catalog.schema import issues
from bunraku.catalog.schema.model import ResourceTypeSchema
from bunraku.engine.manifests import read_content
from bunraku.engine.request import ResolvedRequest
from bunraku.modules.files import FileTable, RecordedTable
from bunraku.ruby.schema.cache import resource_types
from bunraku.ruby.schema.libraries import Libraries, Question
from bunraku.ruby.schema.reader import BROKEN
from bunraku.ruby.schema.schema import own_library
from bunraku.ruby.syntax.encoding import source_text
from bunraku.ruby.syntax.tree import mistake_line


@record()
class KeptTypes:
    """The resource types in a Ruby file, and what reading it asked of other files."""

    content: bytes
    schemas: Mapping[str, ResourceTypeSchema]
    asked: Mapping[Question, Any]
    contents: Mapping[str, bytes]

    def holds(self, files: FileTable, folders: Sequence[str], own: str | None) -> bool:
        """Return whether the files that were read are the same; a recorded compile asks all again."""
        if isinstance(files, RecordedTable):
            return Libraries(files, folders, own).still(self.asked.items())
        read = files.world.read
        try:
            return all(read(path) is content for path, content in self.contents.items())
        except OSError:
            return False


class RubyTypes:
    """The resource types in the Ruby files of one resolved request."""

    def __init__(self, resolved: ResolvedRequest) -> None:
        self.resolved = resolved

    def find(self, name: str, path: str) -> ResourceTypeSchema | None:
        """Return the schema of a type in a file; PuppetError if the file cannot be read as Ruby."""
        content = read_content(self.resolved.world, path)
        kept = self.read(content, path)
        schema = kept.schemas.get(name)
        if schema is None or (schema.open is not None and BROKEN in schema.open):
            refuse_broken(name, {path: content, **kept.contents})
        if schema is not None and schema.failure is not None:
            raise issues.FAILED_TYPE(
                name=name, reason=schema.failure, path=schema.file, line=schema.line
            )
        if schema is not None and schema.old_call and not self.resolved.rules.puppet_newtype:
            raise issues.OLD_CALL(name=name, path=path)
        return schema

    def read(self, content: bytes, path: str) -> KeptTypes:
        """Return the resource types in a Ruby file; it is read again when a file it used changed."""
        environment = self.resolved.environment
        files = environment.files
        key = ("resource types", path, environment.module_paths)
        shared, own = files.shared(), own_library(path)
        folders = [f"{folder}/lib" for folder in environment.module_folders]
        kept: KeptTypes | None = shared.get(key)
        if kept is None or kept.content is not content or not kept.holds(files, folders, own):
            libraries = Libraries(files, folders, own)
            schemas = resource_types(content, path, libraries, self.resolved.disk_cache)
            by_name = {schema.name: schema for schema in reversed(schemas)}
            kept = KeptTypes(content, by_name, libraries.asked, libraries.contents)
            shared[key] = kept
        return kept


def refuse_broken(name: str, contents: Mapping[str, bytes]) -> None:
    """Raise the error of the first file of a type that is not Ruby, as Puppet does when it loads the file."""
    for path, content in contents.items():
        line = mistake_line(source_text(content))
        if line is not None:
            raise issues.BROKEN_TYPE(name=name, path=path, line=line)
