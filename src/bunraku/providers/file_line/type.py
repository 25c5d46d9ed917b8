"""The resource type ``file_line``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import absolute_path, boolean
from bunraku.providers.resource_type import Reference, ResourceType


class Line(Property):
    """The line. The state of ``ensure`` says whether the file contains it."""

    def retrieve(self, resource: ManagedResource) -> Any:
        """Return the wanted line."""
        return resource["line"]


class FileLine(ResourceType):
    """Lines of files. The file must exist."""

    name = "file_line"
    module = "puppetlabs-stdlib 8.5"
    providers = ("ruby",)
    attributes = (
        Ensure(default="present", about="Whether the line is in the file."),
        Line("line", text=True, about="The line, without its end."),
        Parameter("name", about="A name of the resource."),
        Parameter(
            "match",
            about="A regular expression; the line replaces a line that it matches.",
        ),
        boolean(
            "match_for_absence",
            default=False,
            about="Whether `ensure => absent` removes the line that `match` matches.",
        ),
        boolean("multiple", about="Whether more than one line may be changed."),
        Parameter(
            "after", about="A regular expression; the line is added after a line that it matches."
        ),
        Parameter("path", read=absolute_path, about="The file."),
        boolean("replace", default=True, about="Whether a line that `match` matches is replaced."),
        boolean(
            "replace_all_matches_not_matching_line",
            default=False,
            about="Whether all lines that `match` matches are replaced "
            "even if the file contains the line already.",
        ),
        Parameter("encoding", default="UTF-8", about="The encoding of the file."),
        boolean(
            "append_on_no_match",
            default=True,
            about="Whether the line is added if `match` matches none.",
        ),
        Parameter("provider"),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for values that exclude or contradict each other."""
        if resource.is_true("replace_all_matches_not_matching_line"):
            for name in ("multiple", "replace"):
                if resource[name] == "false":
                    text = f"{name} must be true when replace_all_matches_not_matching_line is true"
                    raise InvalidValue(text)
        by_match = (
            resource["ensure"] == "absent"
            and resource.is_true("match_for_absence")
            and resource["match"] is not None
        )
        if resource["line"] is None and not by_match:
            raise InvalidValue("line is a required attribute")
        if resource["path"] is None:
            raise InvalidValue("path is a required attribute")

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the file."""
        yield "file", resource["path"]


resource_type = FileLine
