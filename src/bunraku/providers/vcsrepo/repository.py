"""What the providers of ``vcsrepo`` share: forms of a repository, new copies, owners."""

from __future__ import annotations

import hashlib
import posixpath
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.world.host import FileStatus

Value = Any


class CommandFailed(ResourceFailure):
    """A command failed. The module does not notice that of some systems, so it is a warning."""


class Repositories(Provider):
    """The base class of the providers."""

    # -- forms -----------------------------------------------------------------------------------

    @abstractmethod
    def has_working_copy(self, resource: ManagedResource) -> bool:
        """Return whether the path is a working copy of the wanted repository."""

    def bare_form(self, resource: ManagedResource) -> str | None:
        """Return ``bare`` or ``mirror`` if the path is a repository without files; None otherwise."""
        return None

    @abstractmethod
    def is_latest(self, resource: ManagedResource) -> bool:
        """Return whether the working copy has the latest revision."""

    @abstractmethod
    def revision(self, resource: ManagedResource) -> str | None:
        """Return the revision, in the words of the resource if it is the wanted one."""

    def reach(self, resource: ManagedResource, wanted: str) -> None:
        """Bring the repository to a form."""
        exists = self.exists(resource)
        if wanted == "absent":
            if exists:
                self.destroy(resource)
        elif wanted == "latest":
            self.reach_latest(resource, exists=exists)
        elif not exists:
            self.create(resource)
        else:
            self.convert(resource, wanted)

    def convert(self, resource: ManagedResource, wanted: str) -> None:
        """Give an existing repository another form."""

    def reach_latest(self, resource: ManagedResource, *, exists: bool) -> None:
        """Update to the latest revision, or create the repository."""
        if exists and not resource.is_true("force"):
            self.update_latest(resource)
        else:
            resource.log("notice", "Creating repository from latest", "ensure")
            self.create(resource)

    def update_latest(self, resource: ManagedResource) -> None:
        """Update an existing working copy to the latest revision."""
        reference = self.latest(resource) or self.revision(resource)
        resource.log("notice", f"Updating to latest '{to_s(reference)}' revision", "ensure")
        self.set_revision(resource, to_s(reference))

    @abstractmethod
    def latest(self, resource: ManagedResource) -> str | None:
        """Return the name of the latest revision."""

    @abstractmethod
    def set_revision(self, resource: ManagedResource, wanted: str) -> None:
        """Change the revision."""

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the repository exists in any form."""
        return self.has_working_copy(resource) or self.bare_form(resource) is not None

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the repository."""
        self.remove(resource["path"])

    # -- files -----------------------------------------------------------------------------------

    def remove(self, path: str) -> None:
        """Remove a path. A directory gets another name first: no part of it is left at the path."""
        status = self.host.status(path)
        if status is None:
            return
        if status.kind != "directory":
            self.host.remove_file(path)
            return
        aside = beside(path, "old")
        self.discard(aside)
        with suppress(OSError):  # a mount point has no other name
            self.host.rename(path, aside)
            path = aside
        self.host.remove_tree(path)

    def discard(self, path: str) -> None:
        """Remove a directory that a killed run has left."""
        if self.host.status(path) is not None:
            self.host.remove_tree(path)

    def check_place(self, resource: ManagedResource) -> bool:
        """Return whether other files at the path must go; ResourceFailure if they must stay."""
        path = resource["path"]
        if not self.host.is_directory(path) or not self.host.list_directory(path):
            return False
        if not resource.is_true("force"):
            raise ResourceFailure(f"Path {path} exists and is not the desired repository.")
        self.notice(resource, f"Removing {path} to replace with desired repository.")
        return True

    def build(self, resource: ManagedResource, make: Callable[[str], None]) -> None:
        """Make a repository in a temporary directory beside the path, which then gets its name.

        A failure leaves the old files, unless the repository exists by then. Where the directory
        cannot be beside the path, the repository is made in place.
        """
        path: str = resource["path"]
        replaced = self.check_place(resource)
        status = self.host.status(path)
        if not self.can_stage(resource, status):
            if replaced:
                self.destroy(resource)
            make(path)
            return
        staged = beside(path, "new")
        self.discard(staged)
        self.make_directory(resource, staged, None if replaced else status)
        try:
            make(staged)
        except ResourceFailure as failure:
            if self.host.list_directory(staged):
                self.put(resource, staged)
            raise type(failure)(str(failure).replace(staged, path)) from None
        else:
            self.put(resource, staged)
        finally:
            self.discard(staged)

    def put(self, resource: ManagedResource, staged: str) -> None:
        """Let a new directory replace what is at the path."""
        path = resource["path"]
        if self.host.is_directory(path) and self.host.list_directory(path):
            self.destroy(resource)
        self.host.rename(staged, path)

    def can_stage(self, resource: ManagedResource, status: FileStatus | None) -> bool:
        """Return whether a directory beside the path can become the repository."""
        above = self.host.status(posixpath.dirname(resource["path"]), follow=True)
        if above is None or (status is not None and status.kind != "directory"):
            return False
        if status is not None:
            return status.device == above.device
        return self.is_own_user(resource) or self.may_write(resource)

    def may_write(self, resource: ManagedResource) -> bool:
        """Return whether the user of the commands can create the path."""
        above = posixpath.dirname(resource["path"])
        return self.attempt(("test", "-w", above), user=resource["user"]).code == 0

    def is_own_user(self, resource: ManagedResource) -> bool:
        """Return whether the commands run as the user of this process."""
        if resource["user"] is None:
            return True
        account = self.host.user(self.host.effective_user())
        return account is not None and account.name == to_s(resource["user"])

    def make_directory(self, resource: ManagedResource, path: str, like: FileStatus | None) -> None:
        """Create the directory of a repository for the user of the commands."""
        umask = 0o022 if resource["umask"] is None else resource["umask"]
        self.host.make_directory(path, 0o777 & ~umask)
        if like is not None:
            self.host.set_owner(path, like.uid, like.gid)
            self.host.set_mode(path, like.mode)
        elif not self.is_own_user(resource):
            uid, gid = self.identity_of(resource)
            self.host.set_owner(path, uid, gid)

    def identity_of(self, resource: ManagedResource) -> tuple[int, int]:
        """Return the IDs of the user of the commands and of its group."""
        account = self.host.user(account_key(resource["user"]))
        if account is None:
            raise ResourceFailure(f"can't find user for {to_s(resource['user'])}")
        return account.uid, account.gid

    # -- owners ----------------------------------------------------------------------------------

    def set_ownership(self, resource: ManagedResource) -> None:
        """Set owner and group of all files, or of those that are not excluded."""
        if resource["owner"] is None and resource["group"] is None:
            return
        path = resource["path"]
        uid, gid = self.owner_of(resource)
        if isinstance(resource["excludes"], str) and resource["excludes"]:
            shown = inspect(resource["excludes"])  # as in the module, which expects an array here
            raise ResourceFailure(f"undefined method `any?' for {shown}:String")
        excluded = tuple(f"{path}/{one}" for one in text_list(resource["excludes"]))
        for one, status in self.files(path, hidden=not excluded):
            if excluded and one.startswith(excluded):
                continue
            if (uid not in (-1, status.uid)) or (gid not in (-1, status.gid)):
                self.host.set_owner(one, uid, gid)

    def owner_of(self, resource: ManagedResource) -> tuple[int, int]:
        """Return the IDs of owner and group; -1 for no change."""
        uid = gid = -1
        if resource["owner"] is not None:
            account = self.host.user(account_key(resource["owner"]))
            if account is None and not isinstance(account_key(resource["owner"]), int):
                raise ResourceFailure(f"can't find user for {to_s(resource['owner'])}")
            uid = int(account_key(resource["owner"])) if account is None else account.uid
        if resource["group"] is not None:
            group = self.host.group(account_key(resource["group"]))
            if group is None and not isinstance(account_key(resource["group"]), int):
                raise ResourceFailure(f"can't find group for {to_s(resource['group'])}")
            gid = int(account_key(resource["group"])) if group is None else group.gid
        return uid, gid

    def files(self, path: str, *, hidden: bool) -> Iterator[tuple[str, FileStatus]]:
        """Yield the files below a path; with ``hidden``, also the path and names with a dot."""
        if hidden and (status := self.host.status(path)) is not None:
            yield path, status
        for name, status in self.host.scan(path):
            if name.startswith(".") and not hidden:
                continue
            below = f"{path}/{name}"
            yield below, status
            if status.kind == "directory":
                for one in self.files(below, hidden=hidden):
                    if one[0] != below:
                        yield one

    # -- messages and programs -------------------------------------------------------------------

    def built(self, resource: ManagedResource, make: Callable[[str], None]) -> None:
        """Make a repository; warn about a command that fails."""
        try:
            self.build(resource, make)
        except CommandFailed as failure:
            self.run.log("warning", str(failure), resource.reference, tags=resource.tags)

    def notice(self, resource: ManagedResource, text: str) -> None:
        """Log a message of the provider."""
        source = f"{resource.reference}(provider={self.name})"
        self.run.log("notice", text, source, tags=resource.tags)


def beside(path: str, ending: str) -> str:
    """Return the path of a temporary directory beside another one.

    >>> beside("/srv/a", "new")
    '/srv/.bunraku-b068a6cef8334eeb.new'
    """
    digest = hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return posixpath.join(posixpath.dirname(path), f".bunraku-{digest}.{ending}")


def account_key(name: Value) -> str | int:
    """Return a user or group as a number if it is one."""
    text = to_s(name)
    return int(text) if text.isdecimal() else text


def text_list(value: Value) -> list[str]:
    """Return a value, or the items of an array, as texts; none for None."""
    if value is None:
        return []
    return [to_s(one) for one in (value if isinstance(value, list) else [value])]
