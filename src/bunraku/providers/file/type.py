"""The resource type ``file``."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Any

from bunraku.providers.attributes import Parameter
from bunraku.providers.checksums import (
    KINDS,
    WITHOUT_CONTENT,
    is_digest,
    is_marked,
    kind_of,
    sum_of,
)
from bunraku.providers.errors import InvalidValue, ResourceFailure
from bunraku.providers.file.backup import SUFFIX, find_bucket, recurses
from bunraku.providers.file.managed import as_number, content_of
from bunraku.providers.file.properties import (
    ChecksumValue,
    Content,
    FileEnsure,
    FileGroup,
    Mode,
    Owner,
    ReadOnly,
    Target,
    posix_of,
)
from bunraku.providers.file.recursion import Recursion
from bunraku.providers.file.security import security_context
from bunraku.providers.file.sources import Source, read_source
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.providers.reading import absolute_path, boolean, switch
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.types.ruby_semantics.values import inspect, to_s

Value = Any
FRACTION = re.compile(r"\.\d+(?= )")
"""The part of a second in a time."""
CREATORS = ("content", "source", "target")
"""The attributes that set a content or target; a resource may have only one of them."""


def read_path(value: Value) -> str:
    """Return an absolute path without doubled or trailing slashes."""
    return normal_path(str(absolute_path(value)))


def read_max_files(value: Value) -> Value:
    """Return a number that is not negative, or -1."""
    if not re.fullmatch("[0-9]+|-1", to_s(value)):
        text = f"Invalid value {inspect(value)}. Valid values match /^[0-9]+$/, /^-1$/."
        raise InvalidValue(text)
    return value


class Recurse(Parameter):
    """Whether the contents of a directory are managed."""

    def refusal(self, value: Value) -> str:
        """Return Puppet's message for a value that is not accepted."""
        return f"Invalid recurse value {inspect(value)}"


def normal_path(path: str) -> str:
    """Return a path without ``.``, ``..`` and repeated slashes.

    >>> normal_path("/srv/../etc//x/"), normal_path("//")
    ('/etc/x', '/')
    """
    return "/" + posixpath.normpath(path).lstrip("/") if path.startswith("/") else path


def read_backup(value: Value) -> str:
    """Return the suffix or the name of a filebucket; empty for no backup."""
    value = value[0] if isinstance(value, list) else value
    if value in (False, "false"):
        return ""
    if value in (True, "true"):
        return SUFFIX
    if isinstance(value, str):
        return value
    raise InvalidValue(f"Invalid backup type {inspect(value)}")


def read_sources(value: Value) -> list[str]:
    """Return the sources as URIs."""
    return [read_source(one) for one in (value if isinstance(value, list) else [value])]


def read_ignore(value: Value) -> Value:
    """Return the patterns."""
    if isinstance(value, list | str) or value is False:
        return value
    raise InvalidValue("Ignore must be a string or an Array")


class File(ResourceType):
    """Files, directories and symbolic links: their content, owner and mode.

    New content is written beside the file and renamed, so no reader sees a partial file.
    """

    name = "file"
    named_only = True
    namevar = "path"
    providers = ("posix",)
    secret_together = (frozenset({"content", "source", "ensure", "checksum_value"}),)
    attributes = (
        FileEnsure(),
        Content("content", about="The content. Mutually exclusive with `source` and `target`."),
        ChecksumValue("checksum_value", about="The checksum that the content must have."),
        Target("target", about="The target of the symbolic link."),
        Owner("owner", about="The user that owns the file, by name or ID."),
        FileGroup("group", about="The group that owns the file, by name or ID."),
        Mode(
            "mode",
            about="The permissions: octal digits such as `0644`, or clauses such as `u+x,g=rX`. "
            "For directories, octal read permission includes search permission.",
        ),
        ReadOnly("type", about="The kind of the file; it can only be audited."),
        security_context(
            "seluser",
            "The user in the SELinux context. Default: that of the policy. Ignored where the kernel has no SELinux.",
        ),
        security_context(
            "selrole",
            "The role in the SELinux context. Default: that of the policy. Ignored where the kernel has no SELinux.",
        ),
        security_context(
            "seltype",
            "The type in the SELinux context. Default: that of the policy. Ignored where the kernel has no SELinux.",
        ),
        security_context(
            "selrange",
            "The range in the SELinux context. Default: that of the policy. Ignored where the kernel has no SELinux.",
        ),
        ReadOnly(
            "ctime",
            about="The time of the last change of the file or its status; it can only be audited.",
        ),
        ReadOnly(
            "mtime", about="The time of the last change of the content; it can only be audited."
        ),
        Parameter("path", read=read_path, about="The absolute path."),
        Parameter(
            "backup",
            read=read_backup,
            about="The destination of backups: a suffix that starts with a dot, the title of a "
            "`filebucket`, or `false` (the default).",
        ),
        Recurse(
            "recurse",
            words=("true", "false", "remote"),
            about="Whether the contents of the directory are managed; with `remote`, only what the "
            "source has.",
        ),
        Parameter(
            "recurselimit",
            pattern="^[0-9]+$",
            read=int,
            about="The number of levels of directories that the recursion enters.",
        ),
        Parameter(
            "max_files",
            read=read_max_files,
            default="0",
            about="The largest number of entries that a recursion manages. `0` warns above 1,000 entries, `-1` "
            "never does.",
        ),
        switch(
            "replace",
            default=True,
            about="Whether the content or target of an existing file is replaced.",
        ),
        switch("force", default=False, about="Whether directories may be removed or replaced."),
        Parameter("ignore", read=read_ignore, about="Patterns for names that the recursion skips."),
        Parameter(
            "links",
            words=("follow", "manage"),
            default="manage",
            about="Whether a link itself or its target is managed.",
        ),
        switch(
            "purge", default=False, about="Whether unmanaged files in the directory are removed."
        ),
        Parameter(
            "sourceselect",
            words=("first", "all"),
            default="first",
            about="Whether a recursion copies the first source that exists, or all.",
        ),
        switch("show_diff", default=True, about="Whether differences may be logged."),
        Parameter(
            "staging_location",
            read=absolute_path,
            about="The directory in which new content is written and checked before it replaces the file. It must be in the same file system. Default: the directory of the file.",
        ),
        Parameter(
            "validate_cmd",
            about="A command that checks the new content; `%` stands for the path of a temporary "
            "file. The old file stays if the command fails.",
        ),
        Parameter(
            "validate_replacement",
            text=True,
            default="%",
            about="The placeholder for the path in `validate_cmd`.",
        ),
        Parameter(
            "checksum",
            words=KINDS,
            default="sha256",
            about="The kind of checksum used to compare contents.",
        ),
        Parameter(
            "source",
            read=read_sources,
            about="The files to copy: absolute paths, URIs with `file:`, `http:` or `https:`, or "
            "`puppet:///modules/NAME/PATH`. "
            "The first that exists is used.",
        ),
        Parameter(
            "source_permissions",
            words=("use", "use_when_creating", "ignore"),
            about="Whether the owner, group and mode of the source are copied.",
        ),
        boolean(
            "selinux_ignore_defaults",
            default=False,
            about="Whether the contexts of the SELinux policy are ignored.",
        ),
        Parameter("provider"),
    )

    def canonical_name(self, name: str) -> str:
        """Return the path under which other resources find the resource."""
        return normal_path(name)

    # -- checks ----------------------------------------------------------------------------------

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for values that exclude each other; complete the others."""
        check_creators(resource)
        check_checksum(resource)
        if resource["recurselimit"] is not None and not recurses(resource):
            text = "Possible error: recurselimit is set but not recurse, no recursion will happen"
            resource.log("warning", text)
        find_bucket(resource)
        content = resource["content"]
        if content is not None and not is_marked(content):
            encoded = content_of(resource) or b""
            resource.values["content"] = [sum_of(resource["checksum"], encoded)]
        if resource["ensure"] is None:
            if resource["target"] is not None:
                resource.values["ensure"] = ["link"]
            elif content is not None:
                resource.values["ensure"] = ["file"]

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the nearest managed directory above, the target of a link, the user and the group."""
        path = resource["path"] or "/"
        while path != "/":
            path = posixpath.dirname(path)
            if self.run.find("file", path) is not None:
                yield "file", path
                break
        if resource["target"] is not None:
            yield "file", resource["target"]
        for kind, name in (("user", "owner"), ("group", "group")):
            wanted = resource[name]
            if wanted is not None and as_number(wanted) is None:
                yield kind, str(wanted)

    # -- state -----------------------------------------------------------------------------------

    def retrieve(self, resource: ManagedResource) -> State:
        """Return the current state; the source then sets wanted values."""
        posix = posix_of(resource)
        file = posix.file(resource)
        file.forget()
        if resource["source"] is not None and resource["checksum_value"] is None:
            copy_from_source(resource, file.find_source())
        return super().retrieve(resource)

    def shown_state(self, resource: ManagedResource, state: State) -> State:
        """Return a state without the target of what is not a link; times are in whole seconds."""
        shown = {name: value for name, value in state.items() if value != "notlink"}
        for name in ("ctime", "mtime"):
            if shown.get(name) is not None:
                shown[name] = FRACTION.sub("", shown[name])
        return shown

    def children(self, resource: ManagedResource) -> list[ManagedResource]:
        """Return the resources for the entries of a directory and of its sources."""
        if not recurses(resource):
            return []
        posix = posix_of(resource)
        return Recursion(posix, posix.file(resource)).children()


def check_creators(resource: ManagedResource) -> None:
    """Raise InvalidValue if a resource sets its content in more than one way."""
    if sum(resource[name] is not None for name in CREATORS) > 1:
        text = f"You cannot specify more than one of {', '.join(CREATORS)}"
        raise InvalidValue(text)
    if resource["source"] is None and resource["recurse"] == "remote":
        raise InvalidValue("You cannot specify a remote recursion without a source")


def check_checksum(resource: ManagedResource) -> None:
    """Raise InvalidValue for a checksum kind that does not fit the other values."""
    kind, value = resource["checksum"], resource["checksum_value"]
    if kind == "none" and resource["source"] is not None:
        raise InvalidValue("You cannot specify source when using checksum 'none'")
    if kind in WITHOUT_CONTENT and resource["content"] is not None:
        raise InvalidValue(f"You cannot specify content when using checksum '{kind}'")
    if value is None:
        return
    unchecked = resource["content"] is not None and "checksum" not in resource.original
    if not unchecked and not is_digest(kind, to_s(value)):
        raise InvalidValue(f"Checksum value '{to_s(value)}' is not a valid checksum type {kind}")
    if resource["content"] is None and resource["source"] is None:
        text = "Checksum value is ignored unless content or source are specified"
        resource.log("warning", text)


def copy_from_source(resource: ManagedResource, source: Source) -> None:
    """Set the wanted kind and content from the source and, if required, the owner, group and mode."""
    kind = source.status.kind
    values = resource.values
    if kind not in ("file", "directory", "link"):
        raise ResourceFailure(f"Cannot manage files of type {kind}")
    if kind == "file" and resource["content"] is None:
        values["content"] = [source.checksum]
        values["checksum"] = kind_of(source.checksum)
    permissions = resource["source_permissions"]
    existing = resource.run.host.status(resource["path"], follow=True) is not None
    if permissions == "use" or (permissions == "use_when_creating" and not existing):
        is_root = resource.run.host.effective_user() == 0
        if not source.is_owned:
            raise ResourceFailure(f"Got nil value for {'owner' if is_root else 'mode'}")
        if is_root:
            values.setdefault("owner", [source.status.uid])
        values.setdefault("mode", [format(source.status.mode, "04o")])
        if is_root:
            values.setdefault("group", [source.status.gid])
    if resource["ensure"] == "absent":
        return
    if kind == "link":
        values["ensure"] = ["link"]
        values["target"] = [source.target]
    else:
        values["ensure"] = [kind]


resource_type = File
