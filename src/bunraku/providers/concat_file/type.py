"""The resource type ``concat_file``."""

from __future__ import annotations

from functools import partial
from typing import Any

from bunraku.formats.failure import FormatError
from bunraku.formats.json import json_text, parse_json
from bunraku.formats.yaml import load_plain
from bunraku.formats.yaml_writer import psych_text
from bunraku.providers.attributes import Parameter
from bunraku.providers.concat_fragment.type import belongs, read_string
from bunraku.providers.errors import InvalidValue, ResourceFailure
from bunraku.providers.file.modes import is_mode
from bunraku.providers.file.sources import find_source
from bunraku.providers.file_server import Wanted
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import absolute_path, inherited, passed_on, switch
from bunraku.providers.resource_type import ResourceType
from bunraku.providers.ruby_classes import ruby_class
from bunraku.types.ruby_semantics.values import inspect

PASSED_ON = (
    *("owner", "group", "mode", "replace", "backup", "selinux_ignore_defaults", "selrange"),
    *("selrole", "seltype", "seluser", "validate_cmd", "show_diff"),
)
"""The parameters that the generated file resource gets."""
FORMATS = ("plain", "yaml", "json", "json-array", "json-pretty", "json-array-pretty")


def read_backup(value: Any) -> Any:
    """Return whether or how the old file is backed up."""
    if not isinstance(value, bool | str):
        raise InvalidValue("Backup must be a Boolean or String")
    return value


def numeric_key(text: str) -> tuple[int, int | str]:
    """Return a key that sorts numbers before texts; Puppet fails if a file has both."""
    return (0, int(text)) if text.isdigit() else (1, text)


def read_mode(value: Any) -> Any:
    """Return a mode, which the file checks again."""
    if not isinstance(value, str | list):
        text = f"The file mode specification must be a string, not '{ruby_class(value)}'"
        raise InvalidValue(text)
    if isinstance(value, str) and not is_mode(value):
        raise InvalidValue(f"The file mode specification is invalid: {inspect(value)}")
    return value


class ConcatFile(ResourceType):
    """Files that are assembled from the fragments of the catalog."""

    name = "concat_file"
    module = "puppetlabs-concat 7.3"
    namevar = "path"
    attributes = (
        Parameter(
            "ensure",
            words=("present", "absent"),
            default="present",
            about="Whether the file exists.",
        ),
        Parameter(
            "tag",
            about="The tag, or the tags, of the fragments that belong to the file, besides those that name it as `target`.",
        ),
        Parameter("path", read=absolute_path, about="The file."),
        Parameter("owner", about="The owner of the file; see `file`."),
        Parameter("group", about="The group of the file; see `file`."),
        Parameter("mode", read=read_mode, about="The permissions of the file; see `file`."),
        Parameter(
            "order",
            words=("alpha", "numeric"),
            default="numeric",
            about="How the `order` of fragments is compared: as numbers or as text. Numbers come before words.",
        ),
        Parameter(
            "backup", read=read_backup, about="Where the previous content is kept; see `file`."
        ),
        switch("replace", default=True, about="Whether an existing file is overwritten."),
        Parameter(
            "validate_cmd",
            read=lambda value: read_string("Validate_cmd", value),
            about="A command that checks the new content; `%` is replaced by its path. The file is written only if it succeeds.",
        ),
        switch(
            "ensure_newline",
            default=False,
            about="Whether a fragment without a line break at its end gets one.",
        ),
        Parameter(
            "format",
            words=FORMATS,
            default="plain",
            about="How the fragments are joined: one after the other (`plain`), or merged as data.",
        ),
        switch(
            "force",
            default=False,
            about="Whether a later fragment may replace a key of an earlier one when data is merged.",
        ),
        switch(
            "selinux_ignore_defaults",
            about="Whether the SELinux context of the system's policy is ignored; see `file`.",
        ),
        *[
            Parameter(
                f"sel{part}",
                read=partial(read_string, f"Sel{part}"),
                about=f"The SELinux {part} of the file; see `file`.",
            )
            for part in ("range", "role", "type", "user")
        ],
        switch("show_diff", about="Whether differences may be logged."),
        switch(
            "create_empty_file",
            default=True,
            about="Whether the file exists if its fragments have no content; otherwise it is removed.",
        ),
    )

    # -- the file --------------------------------------------------------------------------------

    def generate(self, resource: ManagedResource) -> list[ManagedResource]:
        """Return the file resource; it gets its content when it is applied."""
        kind = self.run.resource_type("file")
        assert kind is not None
        resource.resolve_deferred(["path", "ensure"])
        values = passed_on(resource, PASSED_ON)
        values["ensure"] = "absent" if resource["ensure"] == "absent" else "file"
        values |= {name: value for name, value in inherited(resource).items() if name != "tag"}
        return [ManagedResource(kind, resource["path"], values, path=resource.containers)]

    def children(self, resource: ManagedResource) -> list[ManagedResource]:
        """Return the file resource with its content."""
        file = self.run.find("file", resource["path"])
        if file is None:
            return []
        file.original |= passed_on(resource, file.deferred)
        fragments = self.fragments(resource)
        secret = any(not one.sensitive.isdisjoint(("content", "source")) for one in fragments)
        try:
            file.original["content"] = self.content(resource, fragments)
        except ResourceFailure:
            if not secret:
                raise
            raise ResourceFailure("Could not merge the fragments: [redacted]") from None
        if secret:
            file.hide(["content"])
        if not file.original["content"] and not resource.is_true("create_empty_file"):
            file.original |= {"ensure": "absent", "content": None}
        file.complete()
        return [file]

    # -- the content -----------------------------------------------------------------------------

    def fragments(self, resource: ManagedResource) -> list[ManagedResource]:
        """Return the fragments in order, with their values known: the file is made before them."""
        every = self.run.of_type("concat_fragment")
        for one in every:
            one.resolve_deferred(["target", "tag"])
        found = [one for one in every if belongs(one, resource)]
        for one in found:
            one.resolve_deferred()
        if resource["order"] == "numeric":
            return sorted(found, key=lambda one: (numeric_key(one["order"]), numeric_key(one.name)))
        return sorted(found, key=lambda one: (one["order"], one.name))

    def content(self, resource: ManagedResource, fragments: list[ManagedResource]) -> str:
        """Return the content of the file."""
        texts = [self.text(resource, one) for one in fragments]
        kind: str = resource["format"]
        if kind == "plain":
            return "".join(texts)
        try:
            if kind == "yaml":
                return psych_text(merged([load_plain(text) for text in texts], resource), {})
            data = [parse_json(text) for text in texts]
            whole = data if "array" in kind else merged(data, resource)
            return json_text(whole, indent=kind.endswith("pretty"))
        except FormatError as error:
            raise ResourceFailure(str(error)) from None

    def text(self, resource: ManagedResource, fragment: ManagedResource) -> str:
        """Return the text of a fragment."""
        text = fragment["content"]
        if text is None:
            text = self.source_text(fragment["source"])
        if resource.is_true("ensure_newline") and not text.endswith("\n"):
            text += "\n"
        return str(text)

    def source_text(self, uris: list[str]) -> str:
        """Return the content of the first source that exists."""
        for uri in uris:
            found = find_source(uri, self.run, Wanted(uri, follow=True))
            if found is not None:
                return b"".join(found.pieces()).decode("utf-8", "surrogateescape")
        raise ResourceFailure(f"Could not retrieve source(s) {', '.join(uris)}")


def merged(parts: list[Any], resource: ManagedResource) -> Any:
    """Merge hashes, including nested ones; raise ResourceFailure for keys with two values."""
    whole: Any = {}
    for part in parts:
        whole = merged_pair(whole, part, resource)
    return whole


def merged_pair(first: Any, second: Any, resource: ManagedResource) -> Any:
    """Merge two hashes, or two arrays without duplicates."""
    if not first or not second:
        return first or second
    if isinstance(first, list) and isinstance(second, list):
        both = first + second
        return [item for number, item in enumerate(both) if item not in both[:number]]
    found = dict(first)
    for key, value in second.items():
        known = found.get(key, value)
        nested = isinstance(known, dict | list) and type(known) is type(value)
        if nested:
            known = merged_pair(known, value, resource)
        elif known != value and not resource.is_true("force"):
            raise ResourceFailure(
                f"Duplicate key '{key}' found with values '{known}' and {value}'. "
                "Use 'force' attribute to merge keys."
            )
        found[key] = known
    return found


resource_type = ConcatFile
