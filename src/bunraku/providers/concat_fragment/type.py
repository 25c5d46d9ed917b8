"""The resource type ``concat_fragment``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bunraku.providers.attributes import Parameter
from bunraku.providers.errors import InvalidValue
from bunraku.providers.file.sources import read_source
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.types.ruby_semantics.values import to_s


def read_order(value: Any) -> str:
    """Return the position of a fragment."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise InvalidValue("$order is not a string or integer.")
    if re.search(r"[:\n/]", to_s(value)):
        raise InvalidValue(r"Order cannot contain '/', ':', or '\n'.")
    return to_s(value)


def read_string(name: str, value: Any) -> str:
    """Return a value that must be a String."""
    if not isinstance(value, str):
        raise InvalidValue(f"{name} must be a String")
    return value


def read_uris(value: Any) -> list[str]:
    """Return the sources as URIs; the first one that exists is used."""
    if not isinstance(value, str | list):
        raise InvalidValue("Content must be a String or Array")
    return [read_source(one) for one in (value if isinstance(value, list) else [value])]


def belongs(fragment: ManagedResource, file: ManagedResource) -> bool:
    """Return whether a fragment belongs to a file, which may have several tags since concat 10."""
    tag, tags = fragment["tag"], file["tag"]
    return fragment["target"] in (file["path"], file.title) or (
        tag is not None and (tag == tags or (isinstance(tags, list) and tag in tags))
    )


class ConcatFragment(ResourceType):
    """Parts of a file that ``concat_file`` assembles."""

    name = "concat_fragment"
    module = "puppetlabs-concat 7.3"
    attributes = (
        Parameter("name", about="A name of the resource."),
        Parameter(
            "target",
            read=lambda value: read_string("Target", value),
            about="The title or path of the `concat_file`.",
        ),
        Parameter(
            "content",
            read=lambda value: read_string("Content", value),
            about="The text of the fragment.",
        ),
        Parameter(
            "source",
            read=read_uris,
            about="The file whose content is the fragment; the first that exists of an array.",
        ),
        Parameter(
            "order",
            read=read_order,
            default="10",
            about="The place among the fragments: a number or text.",
        ),
        Parameter("tag", about="A tag; a `concat_file` with the same tag contains the fragment."),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for a fragment without target, or with ``content`` and ``source``."""
        if resource["target"] is None and resource["tag"] is None:
            raise InvalidValue("No 'target' or 'tag' set")
        if resource["source"] is None and resource["content"] is None:
            raise InvalidValue("Set either 'source' or 'content'")
        if resource["source"] is not None and resource["content"] is not None:
            raise InvalidValue("Can't use 'source' and 'content' at the same time")

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield nothing; warn if no file uses the fragment."""
        unknown = not resource.deferred.isdisjoint(("target", "tag"))
        files = self.run.of_type("concat_file")
        if not unknown and not any(belongs(resource, file) for file in files):
            tag = "" if resource["tag"] is None else f"or tag '{to_s(resource['tag'])} "
            text = f"Target Concat_file with path or title '{to_s(resource['target'])}' {tag}"
            resource.log("warning", f"{text}not found in the catalog")
        yield from ()


resource_type = ConcatFragment
