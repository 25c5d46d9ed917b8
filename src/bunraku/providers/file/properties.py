"""The properties of files."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import ABSENT, Ensure, Property
from bunraku.providers.checksums import (
    TIMES,
    checksum_time,
    data_of,
    is_as_new,
    is_marked,
    kind_of,
    sum_of_file,
)
from bunraku.providers.errors import InvalidValue, ResourceFailure
from bunraku.providers.file.backup import recurses
from bunraku.providers.file.differences import difference
from bunraku.providers.file.managed import ManagedFile, content_of, group_number, user_number
from bunraku.providers.file.modes import (
    DEFAULT_MODE,
    displayed,
    is_mode,
    is_octal,
    normal,
    resulting,
    searchable,
)
from bunraku.providers.file.posix import Posix
from bunraku.providers.file.sources import Source
from bunraku.providers.file.web_sources import NotServed
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import munging
from bunraku.providers.ruby_classes import implicit_class, ruby_class
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.types.text.display import literal
from bunraku.values.binary import Binary

Value = Any
EXISTING = ("file", "present")
LIMIT_OF_DIFFERENCES = 32 << 20
"""The largest content in bytes for which a difference is shown."""


class UnknownAccount(ResourceFailure):
    """A user or group does not exist."""


def posix_of(resource: ManagedResource) -> Posix:
    """Return the provider of a file."""
    found = resource.provider
    assert isinstance(found, Posix)
    return found


def file_of(resource: ManagedResource) -> ManagedFile:
    """Return the file of a resource."""
    return posix_of(resource).file(resource)


def write_content(resource: ManagedResource) -> None:
    """Write the wanted content of a resource."""
    posix, file = posix_of(resource), file_of(resource)
    posix.write(file, posix.new_content(file))


def has_content(resource: ManagedResource) -> bool:
    """Return whether a resource manages a content."""
    return resource["content"] is not None or resource["checksum_value"] is not None


# -- ensure ------------------------------------------------------------------------------------------


class FileEnsure(Ensure):
    """Whether a file exists, and its kind. Other words are targets of a link."""

    def __init__(self) -> None:
        super().__init__(
            ("absent", "file", "present", "directory", "link"),
            aliases={"false": ABSENT},
            pattern=".",
            about="The kind of the path: absent, a file, a directory or a link. Any other word is the "
            "target of a link.",
        )

    def accept(self, value: Value, resource: ManagedResource) -> Value:
        """Return a word; ``link`` for the target of a link."""
        accepted = self.word(value)
        if accepted in self.words:
            return accepted
        resource.values["target"] = [str(accepted)]
        return "link"

    def refusal(self, value: Value) -> str:
        """Return Puppet's message for a value that is not accepted."""
        return super().refusal(value).replace("absent,", "absent (also called false),")

    def retrieve(self, resource: ManagedResource) -> Value:
        """Return the kind of the file."""
        return file_of(resource).kind

    def in_sync(self, resource: ManagedResource, current: Value) -> bool:
        """Return whether the file is of the wanted kind, or must not be replaced."""
        if current != ABSENT and not resource.is_true("replace"):
            return True
        wanted = resource["ensure"]
        return bool(current != ABSENT if wanted == "present" else current == wanted)

    def change(self, resource: ManagedResource, wanted: Value) -> None:
        """Create or remove the file."""
        try:
            posix, file = posix_of(resource), file_of(resource)
            posix.remove_existing(file, wanted)
            if wanted in EXISTING:
                posix.write(file, posix.new_content(file) if has_content(resource) else None)
            elif wanted == "directory":
                posix.make_directory(file)
            elif wanted == "link":
                posix.make_link(file)
        except (OSError, UnknownAccount, NotServed) as error:
            raise ResourceFailure(self.failure(resource, wanted, error)) from None

    def failure(self, resource: ManagedResource, wanted: str, error: Exception) -> str:
        """Return Puppet's message for an error of the operating system."""
        reason = str(error)
        if isinstance(error, OSError) and error.strerror is not None:
            reason = error.strerror + (f" - {error.filename}" if error.filename else "")
        place = f" (file: {resource.file}, line: {resource.line})" if resource.file else ""
        return f"Could not set '{wanted}' on ensure: {reason}{place}"

    def described(self, resource: ManagedResource, current: Value, wanted: Value) -> str:
        """Return the message of a change: the created kind, or the new kind of the file."""
        content = resource.type.by_name["content"]
        if wanted in EXISTING and resource["content"] is not None and isinstance(content, Property):
            return content.described(resource, ABSENT, resource["content"])
        return super().described(resource, current, wanted)

    def event_name(self, resource: ManagedResource, wanted: Value) -> str:
        """Return the name of the event."""
        names = {"present": "file_created", ABSENT: "file_removed"}
        return names.get(wanted, f"{wanted}_created")


# -- contents ----------------------------------------------------------------------------------------


class Content(Property):
    """The content, as a checksum of the resource's kind."""

    def accept(self, value: Value, resource: ManagedResource) -> Value:
        """Return the value; the type replaces it with its checksum once all values are set."""
        if not isinstance(value, str | Binary):
            reason = f"no implicit conversion of {implicit_class(value)} into String"
            raise munging(self.name, value, reason)
        return value

    def retrieve(self, resource: ManagedResource) -> Value:
        """Return the checksum of a regular file, None for other kinds."""
        return current_checksum(resource)

    def in_sync(self, resource: ManagedResource, current: Value) -> bool:
        """Return whether the file has the wanted content; log the difference if required."""
        wanted = resource["content"]
        if resource["checksum_value"] is not None:
            wanted = f"{{{resource['checksum']}}}{to_s(resource['checksum_value'])}"
        return content_in_sync(resource, self.name, current, wanted)

    def change(self, resource: ManagedResource, wanted: Value) -> None:
        """Write the content."""
        write_content(resource)

    def described(self, resource: ManagedResource, current: Value, wanted: Value) -> str:
        """Return the message of a change, with checksums."""
        if resource["source"] is not None:
            wanted = file_of(resource).find_source().checksum
        if current == ABSENT:
            return f"defined content as '{wanted}'"
        return f"content changed '{current}' to '{wanted}'"


class ChecksumValue(Property):
    """The expected checksum of the content of a source."""

    def retrieve(self, resource: ManagedResource) -> Value:
        """Return the checksum of the file, None without a source."""
        if resource["source"] is None:
            return None
        found = current_checksum(resource)
        return data_of(found) if is_marked(found) else found

    def in_sync(self, resource: ManagedResource, current: Value) -> bool:
        """Return whether the file has the content of the source."""
        if resource["source"] is None:
            return True
        return content_in_sync(resource, self.name, current, resource[self.name])

    def change(self, resource: ManagedResource, wanted: Value) -> None:
        """Write the content of the source."""
        write_content(resource)


def current_checksum(resource: ManagedResource) -> Value:
    """Return the checksum of the path, None unless it is a regular file."""
    file = file_of(resource)
    status = file.status
    if status is None:
        return ABSENT
    if status.kind in ("directory", "link", "fifo", "socket"):
        return None
    if status.kind != "file" and not has_content(resource):
        return None
    try:
        return sum_of_file(file.host, resource["checksum"], file.path, status)
    except OSError as error:
        text = f"Could not read {status.kind} {resource.title}: {error.strerror or error}"
        raise ResourceFailure(text) from None


def content_in_sync(resource: ManagedResource, name: str, current: Value, wanted: Value) -> bool:
    """Return whether a file has a content; log the difference if required."""
    file = file_of(resource)
    if not file.is_for_content():
        has_text = name != "content" or resource.original.get("content") is not None
        if resource["ensure"] == "present" and has_text and file.status is not None:
            resource.log(
                "warning",
                f"Ensure set to :present but file type is {file.kind} so no content will be synced",
            )
        return True
    if current == ABSENT:
        return False
    if not resource.is_true("replace"):
        return True
    same = current == wanted or is_newer(resource, current, wanted)
    if not same and resource.run.settings.get("show_diff") and resource.is_true("show_diff"):
        show_difference(resource, name)
    return same


def is_newer(resource: ManagedResource, current: Value, wanted: Value) -> bool:
    """Return whether a file is as new as its source, for checksums that are times."""
    kind = resource["checksum"]
    if kind not in TIMES or not current or not wanted:
        return False
    for one in (current, wanted):
        if is_marked(one) and kind_of(one) not in TIMES:
            return False
    return is_as_new(kind, current, wanted)


def show_difference(resource: ManagedResource, name: str) -> None:
    """Log the difference of a file."""
    if not resource.sensitive.isdisjoint((name, "content")):
        resource.log(resource.level, "[diff redacted]", name)
        return
    file = file_of(resource)
    status = file.status
    content, source, size = content_of(resource) or b"", None, 0
    if resource["source"] is not None:
        found = file.find_source()
        source, size = found.path, found.status.size
        if source is None:
            try:
                content = beginning_of(found, LIMIT_OF_DIFFERENCES + 1)
            except ResourceFailure as error:
                resource.log("warning", f"Could not show the difference: {error}", name)
                return
    if max(size, len(content), status.size if status else 0) > LIMIT_OF_DIFFERENCES:
        resource.log(resource.level, "[diff too large]", name)
        return
    try:
        text = difference(file.host, file.path, content=content, source=source)
    except (OSError, ResourceFailure) as error:
        resource.log("warning", f"Could not show the difference: {error}", name)
        return
    resource.log(resource.level, "\n" + text, name)


def beginning_of(source: Source, size: int) -> bytes:
    """Return the first bytes of a source."""
    found = b""
    for piece in source.pieces():
        found += piece
        if len(found) >= size:
            break
    return found


# -- links -------------------------------------------------------------------------------------------


class Target(Property):
    """The target of a symbolic link."""

    def retrieve(self, resource: ManagedResource) -> Value:
        """Return the target, ``notlink`` for other kinds of files."""
        file = file_of(resource)
        if file.kind == "link":
            return file.host.link_target(file.path)
        return ABSENT if file.status is None else "notlink"

    def in_sync(self, resource: ManagedResource, current: Value) -> bool:
        """Return whether the link points to the target."""
        wanted = resource["target"]
        if wanted == "notlink" or recurses(resource):
            return True
        host = resource.run.host
        if not resource.is_true("replace"):
            if host.status(resource["path"], follow=True) is not None:
                return True
        return bool(current == wanted)

    def change(self, resource: ManagedResource, wanted: Value) -> None:
        """Create the link, unless another kind of file is wanted."""
        file = file_of(resource)
        if resource["ensure"] in (None, file.kind) or not resource.is_true("replace"):
            posix_of(resource).make_link(file)


# -- owners ------------------------------------------------------------------------------------------


class Owner(Property):
    """The user that owns the file. States are IDs; messages show names."""

    def accept(self, value: Value, resource: ManagedResource) -> Value:
        """Return the name or ID."""
        return value

    def retrieve(self, resource: ManagedResource) -> Value:
        """Return the ID of the user."""
        status = file_of(resource).status
        return ABSENT if status is None else status.uid

    def in_sync(self, resource: ManagedResource, current: Value) -> bool:
        """Return whether the wanted user owns the file; only root can change the owner."""
        if not accounts_found(resource, self.name):
            return False
        if current in resource.accepted(self.name):
            return True
        if resource.run.host.effective_user() == 0:
            return False
        key = (Owner, "warned")
        if key not in resource.run.shared:
            resource.run.shared[key] = True
            resource.log("warning", "Cannot manage ownership unless running as root", self.name)
        return True

    def change(self, resource: ManagedResource, wanted: Value) -> None:
        """Set the user."""
        file = file_of(resource)
        try:
            file.host.set_owner(file.path, resource[self.name], -1, follow=file.follows)
        except OSError as error:
            text = f"Failed to set owner to '{resource[self.name]}': {error.strerror or error}"
            raise ResourceFailure(text) from None

    def shown(self, resource: ManagedResource, value: Value) -> str:
        """Return the name of the user, or the ID of a user without a name."""
        found = resource.run.host.user(value) if isinstance(value, int) else None
        return literal(value if found is None else found.name)


class FileGroup(Property):
    """The group that owns the file. States are IDs; messages show names."""

    def accept(self, value: Value, resource: ManagedResource) -> Value:
        """Return the name or ID."""
        if value == "":
            raise InvalidValue(f"Invalid group name '{inspect(value)}'")
        return value

    def retrieve(self, resource: ManagedResource) -> Value:
        """Return the ID of the group."""
        status = file_of(resource).status
        return ABSENT if status is None else status.gid

    def in_sync(self, resource: ManagedResource, current: Value) -> bool:
        """Return whether the wanted group owns the file."""
        found = accounts_found(resource, self.name)
        return found and current in resource.accepted(self.name)

    def change(self, resource: ManagedResource, wanted: Value) -> None:
        """Set the group."""
        file = file_of(resource)
        try:
            file.host.set_owner(file.path, -1, resource[self.name], follow=file.follows)
        except OSError as error:
            text = f"Failed to set group to '{resource[self.name]}': {error.strerror or error}"
            raise ResourceFailure(text) from None

    def shown(self, resource: ManagedResource, value: Value) -> str:
        """Return the name of the group, or the ID of a group without a name."""
        found = resource.run.host.group(value) if isinstance(value, int) else None
        return literal(value if found is None else found.name)


def accounts_found(resource: ManagedResource, name: str) -> bool:
    """Replace the accepted names of a resource with IDs.

    For an unknown name, return False with ``noop`` and raise UnknownAccount otherwise: with ``noop``,
    another resource may add the name first.
    """
    number_of, word = (user_number, "user") if name == "owner" else (group_number, "group")
    accepted = resource.accepted(name)
    if all(type(one) is int for one in accepted):
        return True
    numbers = []
    for one in accepted:
        number = number_of(resource.run, one)
        if number is None:
            if resource.noop:
                return False
            raise UnknownAccount(f"Could not find {word} {one}")
        numbers.append(number)
    resource.values[name] = numbers
    return True


# -- modes -------------------------------------------------------------------------------------------


class Mode(Property):
    """The permissions. Numbers are octal; clauses change the current mode."""

    def accept(self, value: Value, resource: ManagedResource) -> Value:
        """Return the mode; a number gets four digits."""
        if not isinstance(value, str):
            text = f"The file mode specification must be a string, not '{ruby_class(value)}'"
            raise InvalidValue(text)
        if not is_mode(value):
            raise InvalidValue(f"The file mode specification is invalid: {inspect(value)}")
        return displayed(normal(value))

    def retrieve(self, resource: ManagedResource) -> Value:
        """Return the mode as four digits."""
        file = file_of(resource)
        status = file.status
        if status is None:
            return ABSENT
        if status.kind == "directory" or (
            status.kind == "link" and file.host.is_directory(file.path)
        ):
            wanted = resource.accepted(self.name)
            resource.values[self.name] = [displayed(searchable(one)) for one in wanted]
        return format(status.mode, "04o")

    def in_sync(self, resource: ManagedResource, current: Value) -> bool:
        """Return whether the file has the mode; links have no mode."""
        file = file_of(resource)
        if file.kind == "link" and not file.follows:
            return True
        return current != ABSENT and normal(current) == self.result(resource, current)

    def result(self, resource: ManagedResource, current: str) -> str:
        """Return the wanted mode as a number; clauses are applied to the current mode."""
        directory = file_of(resource).kind == "directory"
        mode = int(current, 8) if current != ABSENT else DEFAULT_MODE
        return format(resulting(resource[self.name], mode, directory=directory), "o")

    def change(self, resource: ManagedResource, wanted: Value) -> None:
        """Set the mode."""
        file = file_of(resource)
        status = file.status
        current = DEFAULT_MODE if status is None else status.mode
        directory = file.kind == "directory"
        mode = resulting(resource[self.name], current, directory=directory)
        try:
            file.host.set_mode(file.path, mode)
        except OSError as error:
            text = f"failed to set mode {mode:o} on {file.path}: {error.strerror or error}"
            raise ResourceFailure(text) from None

    def described(self, resource: ManagedResource, current: Value, wanted: Value) -> str:
        """Return the message of a change, with the clauses that caused it."""
        if current == ABSENT or is_octal(resource[self.name]):
            return super().described(resource, current, wanted)
        new = self.result(resource, current).rjust(4, "0")
        return f"mode changed {self.shown(resource, current)} to '{new}' ({wanted})"

    def shown(self, resource: ManagedResource, value: Value) -> str:
        """Format a mode with four digits."""
        return literal(value) if value == ABSENT else f"'{str(value).rjust(4, '0')}'"


# -- read-only properties ------------------------------------------------------------------------


class ReadOnly(Property):
    """A state that can be audited but not set."""

    def accept(self, value: Value, resource: ManagedResource) -> Value:
        """Refuse any value."""
        raise InvalidValue(f"{self.name} is read-only")

    def retrieve(self, resource: ManagedResource) -> Value:
        """Return the kind of the file or the time of its change."""
        status = file_of(resource).status
        if status is None:
            return ABSENT
        if self.name == "type":
            return status.kind
        return checksum_time(status.changed if self.name == "ctime" else status.modified)
