"""The provider of ``hocon_setting``; the name is that of Puppet's provider."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import Any

from bunraku.formats.hocon import HoconError, HoconFile, parse_hocon_file
from bunraku.formats.hocon_document import HoconDocument, hocon_text, read_document, read_path
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.providers.rewriting import rewrite
from bunraku.values.ruby_semantics.collections import flatten, same

NEW_MODE = 0o644
ENDINGS = (".conf", ".json", ".properties")
"""The endings of names with which an ``include`` means one file."""


class HoconSettings(Provider):
    """Reads and writes HOCON files; comments and the layout of other settings stay.

    A missing file counts as an empty one. It is made when a setting is written, and not, as in the
    module, also when one is read.
    """

    name = "ruby"

    def suitable(self) -> bool:
        """Return True: every machine has files."""
        return True

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Do nothing: the file is read for each setting."""

    # -- reading -----------------------------------------------------------------------------------

    def text(self, resource: ManagedResource) -> str:
        """Return the text of the file, empty if it does not exist."""
        return self.text_of(resource["path"]) or ""

    def text_of(self, path: str) -> str | None:
        """Return the text of a file, None if it does not exist."""
        try:
            return self.host.read(path).decode("utf-8-sig")
        except FileNotFoundError:
            return None
        except UnicodeDecodeError as error:
            raise ResourceFailure(f"{path} is not in UTF-8: {error.reason}") from None

    def file(self, path: str, text: str) -> HoconFile:
        """Return a file that can include those beside it; missing ones count as empty."""

        def included(name: str) -> Iterator[HoconFile]:
            endings = ("",) if name.endswith(ENDINGS) else (".json", ".conf")
            for ending in endings:
                other = posixpath.join(posixpath.dirname(path), name + ending)
                content = self.text_of(other)
                if content is not None:
                    yield self.file(other, content)

        return HoconFile(path, text, included)

    def document(self, resource: ManagedResource) -> HoconDocument:
        """Return the file with its layout; ResourceFailure for one that cannot be read."""
        try:
            return read_document(self.text(resource), json=resource["path"].endswith(".json"))
        except HoconError as error:
            raise file_failure(resource, error) from None

    def current(self, resource: ManagedResource) -> Any:
        """Return the value of a setting that is in the file."""
        try:
            tree: Any = parse_hocon_file(
                self.file(resource["path"], self.text(resource)), self.host.environment_variables()
            )
            names = read_path(resource["setting"]).names
        except HoconError as error:
            raise file_failure(resource, error) from None
        for name in names:
            tree = tree.get(name) if isinstance(tree, dict) else None
        if tree is None:
            raise ResourceFailure(f"{resource['path']}: {resource['setting']} has no value")
        return tree

    def is_written(self, resource: ManagedResource) -> bool:
        """Return whether the file has the setting, or one below it."""
        document = self.document(resource)
        try:
            return document.has(resource["setting"])
        except HoconError as error:
            raise ResourceFailure(f"the setting {resource['setting']!r}: {error}") from None

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the file has the setting, of the wanted kind; or one of the wanted elements."""
        if not self.is_written(resource):
            return False
        current = self.current(resource)
        match resource["type"]:
            case "array":
                return isinstance(current, list)
            case "array_element":
                return any(is_among(one, self.elements(resource)) for one in wanted(resource))
            case None:
                return not (isinstance(current, list) and len(current) == 1)
        return True

    def elements(self, resource: ManagedResource) -> list[Any]:
        """Return the elements of the setting and of arrays in it; none if it is not an array."""
        return flatten(self.get(resource, "value"))

    def get(self, resource: ManagedResource, name: str) -> Any:
        """Return the value as an array, as wanted values are; the type is always the wanted one."""
        if name == "type":
            return resource["type"]
        if not self.is_written(resource):
            return []
        current = self.current(resource)
        if isinstance(current, list):
            return current
        return [] if resource["type"] == "array_element" else [current]

    # -- changing ----------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Write the setting."""
        self.set(resource, "value", wanted(resource))

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Write the value of the setting, or add the wanted elements."""
        given: list[Any] = value
        if resource["type"] == "text":
            self.write(resource, given[0])
            return
        if resource["type"] == "array_element":
            elements = list(self.get(resource, "value"))
            for one in given:
                if not is_among(one, elements):
                    elements.append(one)
            new: Any = elements
        elif resource["type"] == "array" or len(given) > 1:
            new = given
        else:
            new = given[0] if given else None
        self.write_value(resource, new)

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the setting, or its unwanted elements."""
        if resource["type"] == "array_element":
            unwanted = wanted(resource)
            kept = [one for one in self.get(resource, "value") if not is_among(one, unwanted)]
            self.write_value(resource, kept)
            return
        self.write_document(resource, self.document(resource).without(resource["setting"]))

    def write_value(self, resource: ManagedResource, value: Any) -> None:
        """Write the setting with a value."""
        try:
            text = hocon_text(value)
        except HoconError as error:
            raise ResourceFailure(f"the setting {resource['setting']!r}: {error}") from None
        self.write(resource, text)

    def write(self, resource: ManagedResource, text: str) -> None:
        """Write the setting with a value that is a HOCON text."""
        document = self.document(resource)
        try:
            document = document.with_value(resource["setting"], text)
        except HoconError as error:
            raise ResourceFailure(f"the value of {resource['setting']!r}: {error}") from None
        self.write_document(resource, document)

    def write_document(self, resource: ManagedResource, document: HoconDocument) -> None:
        """Write the file; its text ends with the end of a line."""
        text = document.text if document.text.endswith("\n") else f"{document.text}\n"
        rewrite(
            self.host, resource["path"], text.encode("utf-8", "surrogateescape"), new_mode=NEW_MODE
        )


def wanted(resource: ManagedResource) -> list[Any]:
    """Return the values that a resource sets, none if it sets no value."""
    values: list[Any] = resource["value"] or []
    return values


def is_among(value: Any, values: Sequence[Any]) -> bool:
    """Return whether Ruby finds a value in an array."""
    return any(same(value, one) for one in values)


def file_failure(resource: ManagedResource, error: HoconError) -> ResourceFailure:
    """Return the failure of a resource whose file cannot be read."""
    place = "" if error.line is None else f", line {error.line}"
    return ResourceFailure(f"{resource['path']}{place}: {error}")


provider = HoconSettings
