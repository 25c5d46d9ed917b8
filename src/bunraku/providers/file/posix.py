"""Changes of files: atomic writes with mode and owner, and safe replacement."""

from __future__ import annotations

import errno
from collections.abc import Iterable

from bunraku.base.records import record
from bunraku.providers.checksums import WITHOUT_CONTENT, Sum, data_of, sum_of, summing
from bunraku.providers.errors import ResourceFailure, execution_failure
from bunraku.providers.file.backup import back_up, bucket_of
from bunraku.providers.file.managed import ManagedFile, content_of, group_number, user_number
from bunraku.providers.file.modes import (
    DEFAULT_DIRECTORY_MODE,
    DEFAULT_MODE,
    resulting,
    searchable,
)
from bunraku.providers.file.sources import Source
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.providers.run import Run
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.host import Command, CommandTimeout, FileStatus

OWNED = frozenset({"owner", "group", "mode", "seluser", "selrole", "seltype", "selrange"})
"""The properties that are set together with new content."""


@record(slots=False)
class NewContent:
    """A content to write: its pieces and the expected checksum, if there is one.

    ``validate_cmd`` checks it if it is ``validated``.
    """

    pieces: Iterable[bytes]
    expected: str | None = None
    validated: bool = True


class Posix(Provider):
    """Files of a POSIX system."""

    name = "posix"
    features = frozenset({"manages_symlinks"})

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.current: ManagedFile | None = None
        self.sources: dict[ManagedResource, Source] = {}
        """Sources of generated resources, until the resources are applied."""

    def file(self, resource: ManagedResource) -> ManagedFile:
        """Return the file of a resource; the file of the previous resource is dropped."""
        if self.current is None or self.current.resource is not resource:
            self.current = ManagedFile(resource, self.sources.pop(resource, None))
        return self.current

    # -- contents to write ------------------------------------------------------------------------

    def new_content(self, file: ManagedFile) -> NewContent | None:
        """Return the wanted content of a resource; None if it has none."""
        resource = file.resource
        kind = resource["checksum"]
        expected = None
        if resource["checksum_value"] is not None:
            expected = f"{{{kind}}}{to_s(resource['checksum_value'])}"
        if resource["source"] is not None:
            source = file.find_source()
            if expected is None and kind not in WITHOUT_CONTENT:
                expected = source.checksum
            return NewContent(source.pieces(), expected)
        content = content_of(resource)
        if content is not None:
            return NewContent([content], expected or sum_of(kind, content))
        if resource["content"] is not None:
            return NewContent(self.kept_content(resource))
        return None

    def kept_content(self, resource: ManagedResource) -> Iterable[bytes]:
        """Return the content with the checksum that a resource sets, from its filebucket."""
        wanted = resource["content"]
        try:
            bucket = bucket_of(resource)
            if bucket is None:
                raise ResourceFailure("Could not get filebucket from file")
            return bucket.content(data_of(wanted))
        except ResourceFailure as failure:
            text = f"Could not retrieve content for {wanted} from filebucket: {failure}"
            raise ResourceFailure(text) from None

    # -- writing ---------------------------------------------------------------------------------

    def write(self, file: ManagedFile, content: NewContent | None) -> None:
        """Write a regular file with its owner and mode; keep unmanaged attributes of an existing one."""
        self.remove_existing(file, "file")
        # A link that is followed is replaced by a file with the mode of the link, as in Puppet.
        existing = self.host.status(file.path)
        if existing is not None and self.host.status(file.path, follow=True) is None:
            existing = None
        if existing is not None and existing.kind == "directory":
            raise IsADirectoryError(errno.EISDIR, "Is a directory", file.path)
        self.replace(file, content or NewContent((), validated=False), existing)
        file.forget()
        self.set_owned(file)

    def replace(self, file: ManagedFile, content: NewContent, existing: FileStatus | None) -> None:
        """Write a new file and replace the old one with it."""
        resource = file.resource
        total = Sum(resource["checksum"])

        def check(path: str) -> None:
            made = total.text()
            if content.expected not in (None, made):
                raise ResourceFailure(
                    "File written to disk did not match desired checksum; discarding changes "
                    f"({made} vs {content.expected})"
                )
            if content.validated and resource["validate_cmd"] is not None:
                self.validate(resource, path)

        mode = DEFAULT_MODE if existing is None else existing.mode
        if resource["mode"] is not None:
            mode = resulting(resource["mode"], mode, directory=False)
        self.host.replace_file(
            file.path,
            summing(content.pieces, total),
            mode=mode,
            owner=self.owner_of_new(resource, existing),
            check=check,
            staging=resource["staging_location"],
        )

    def owner_of_new(
        self, resource: ManagedResource, existing: FileStatus | None
    ) -> tuple[int, int] | None:
        """Return the user and group for a new file; None for those of the process.

        The properties report unknown names.
        """
        if self.host.effective_user() != 0:
            return None
        uid, gid = (-1, -1) if existing is None else (existing.uid, existing.gid)
        if resource["owner"] is not None:
            number = user_number(self.run, resource["owner"])
            uid = uid if number is None else number
        if resource["group"] is not None:
            number = group_number(self.run, resource["group"])
            gid = gid if number is None else number
        return None if (uid, gid) == (-1, -1) else (uid, gid)

    def validate(self, resource: ManagedResource, path: str) -> None:
        """Run the command that checks new content; raise ResourceFailure if it fails."""
        command = to_s(resource["validate_cmd"]).replace(resource["validate_replacement"], path)
        try:
            done = self.host.execute(Command(command, merged=True))
        except (OSError, CommandTimeout) as error:
            raise execution_failure(command, error) from None
        output = "[output redacted]" if "content" in resource.sensitive else done.output.strip()
        if done.code != 0:
            raise ResourceFailure(f"Execution of '{command}' returned {done.code}: {output}")
        for line in output.splitlines():
            resource.log("debug", line)

    def make_directory(self, file: ManagedFile) -> None:
        """Create a directory with its owner and mode."""
        parent = file.path.rpartition("/")[0] or "/"
        if self.host.status(parent, follow=True) is None:
            text = f"Cannot create {file.path}; parent directory {parent} does not exist"
            raise ResourceFailure(text)
        wanted = file.resource["mode"]
        mode = DEFAULT_DIRECTORY_MODE
        if wanted is not None:
            mode = resulting(searchable(wanted), mode, directory=True)
        self.host.make_directory(file.path, mode)
        file.forget()
        self.set_owned(file)

    def make_link(self, file: ManagedFile) -> None:
        """Create a symbolic link with its owner; it replaces any other file."""
        target = file.resource["target"]
        if target is None:
            raise ResourceFailure("Cannot create a symlink without a target")
        if file.kind == "link":
            self.remove_or_back_up(file)
            self.host.replace_link(file.path, target)
        else:
            self.remove_existing(file, target)
            if self.host.status(file.path, follow=True) is not None:
                raise ResourceFailure("Could not remove existing file")
            self.host.make_link(file.path, target)
        file.forget()
        self.set_owned(file)

    def set_owned(self, file: ManagedFile) -> None:
        """Set the owner, group and mode that are out of sync."""
        resource = file.resource
        for attribute in resource.properties():
            if attribute.name in OWNED and attribute.name in resource:
                file.forget()
                if not attribute.in_sync(resource, attribute.retrieve(resource)):
                    attribute.change(resource, resource[attribute.name])
        file.forget()

    # -- removing --------------------------------------------------------------------------------

    def remove_or_back_up(self, file: ManagedFile) -> None:
        """Back up a path, if the resource requires it."""
        resource = file.resource
        if not resource["backup"]:
            return
        if file.kind in ("file", "link") or (
            file.kind == "directory" and resource.is_true("force")
        ):
            back_up(file)
        else:
            resource.log("warning", f"Could not back up file of type {file.kind}")

    def remove_existing(self, file: ManagedFile, wanted: str) -> None:
        """Back up a path, and remove it unless it is of the wanted kind."""
        kind = file.kind
        if kind == "absent":
            return
        self.remove_or_back_up(file)
        if kind != wanted or kind == "link":
            self.remove(file)

    def remove(self, file: ManagedFile) -> None:
        """Remove a path; directories only with ``force``."""
        kind = file.kind
        if kind == "directory":
            if not file.resource.is_true("force"):
                file.resource.log("notice", "Not removing directory; use 'force' to override")
                return
            self.host.remove_tree(file.path)
        elif kind in ("link", "file", "fifo", "socket"):
            self.host.remove_file(file.path)
        else:
            raise ResourceFailure(f"Could not remove files of type {kind}")
        file.forget()


provider = Posix
