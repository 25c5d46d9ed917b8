"""The provider ``svn`` of ``vcsrepo``."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.secrets import passwords_in
from bunraku.providers.vcsrepo.repository import CommandFailed, Repositories
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.host import Finished

Value = Any
REVISION = re.compile(r"^Revision:\s+(\d+)", re.MULTILINE)
URL = re.compile(r"^URL:\s+(\S+)", re.MULTILINE)
DEPTH = re.compile(r"^Depth:\s+(\w+)", re.MULTILINE)
SPECIAL = re.compile("[\u007b-\u00bf\u02b0-\u037f\u2000-\u2bff]")
ADMINISTRATION = ".svn"


class Svn(Repositories):
    """Manages working copies and repositories of Subversion 1.10 and later."""

    name = "svn"
    programs = ("svn", "svnadmin", "svnlook")
    features = frozenset(
        [
            *("filesystem_types", "reference_tracking", "basic_auth", "configuration"),
            *("conflict", "depth", "include_paths"),
        ]
    )

    # -- commands --------------------------------------------------------------------------------

    def ran(self, resource: ManagedResource, *words: str, at: str | None = None) -> Finished:
        """Return the result of a command, which reads a password from standard input."""
        if any(passwords_in(resource["source"])):
            reason = "Subversion does not use the password of a URL: set basic_auth_password"
            raise ResourceFailure(reason)
        content = password_of(resource).encode()
        return self.attempt(("svn", *words), directory=at, content=content, merged=False)

    def svn(self, resource: ManagedResource, *words: str, at: str) -> None:
        """Run a command with the options of the resource; raise CommandFailed if it fails."""
        all_words = (*options(resource), *words)
        done = self.ran(resource, *all_words, at=at)
        if done.code != 0:
            text = f"Execution of 'svn {' '.join(all_words)}' returned {done.code}: {done.errors}"
            raise CommandFailed(text.strip())

    def read(self, resource: ManagedResource, *words: str) -> str:
        """Return the output of a command that reads the working copy; it may fail."""
        return self.ran(resource, *options(resource), *words, at=resource["path"]).output

    def change(self, resource: ManagedResource, *words: str) -> None:
        """Run a command that changes the working copy; warn if it fails."""
        try:
            self.svn(resource, *words, at=resource["path"])
        except CommandFailed as failure:
            self.run.log("warning", str(failure), resource.reference, tags=resource.tags)

    # -- state -----------------------------------------------------------------------------------

    def has_working_copy(self, resource: ManagedResource) -> bool:
        """Return whether the path is a directory; without a source, whether it is a repository.

        The module does not notice a directory that is not a working copy (7.0).
        """
        path = resource["path"]
        if not self.host.is_directory(path):
            return False
        if resource["source"] is None:
            return self.attempt(("svnlook", "uuid", path)).code == 0
        return True

    def get(self, resource: ManagedResource, name: str) -> Value:
        """Return the state of a property."""
        if name == "source":
            return found_in(URL, self.read(resource, "info"))
        if name == "revision":
            return self.revision(resource)
        if name == "includes":
            return sorted(self.includes(resource, "."))
        return ABSENT

    def revision(self, resource: ManagedResource) -> str | None:
        """Return the number of the working copy's revision."""
        return found_in(REVISION, self.read(resource, "info"))

    def latest(self, resource: ManagedResource) -> str | None:
        """Return the number of the latest revision."""
        return found_in(REVISION, self.read(resource, "info", "-r", "HEAD"))

    def is_latest(self, resource: ManagedResource) -> bool:
        """Return whether the working copy has the latest revision and the wanted source.

        Revisions are compared as texts, as in the module.
        """
        current, latest = self.revision(resource), self.latest(resource)
        if current is None:
            raise ResourceFailure("undefined method `>=' for nil:NilClass")
        if latest is None:
            raise ResourceFailure("comparison of String with nil failed")
        return current >= latest and self.get(resource, "source") == resource["source"]

    def includes(self, resource: ManagedResource, place: str) -> Iterator[str]:
        """Yield the paths that a working copy has which starts empty."""
        shown = place[2:]
        if found_in(DEPTH, self.read(resource, "info", place)) != "empty":
            if place == ".":
                raise ResourceFailure("undefined method `gsub' for nil:NilClass")
            yield shown
            return
        directory = posixpath.join(resource["path"], place)
        for name, status in self.host.scan(directory):
            if name == ADMINISTRATION:
                continue
            if status.kind == "directory":
                yield from self.includes(resource, f"{place}/{name}")
            elif status.kind == "file":
                yield f"{place}/{name}"[2:]

    # -- changes ---------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Check out a working copy, or make an empty repository."""
        if resource["source"] is None:
            self.built(resource, partial(self.make_repository, resource))
        else:
            self.built(resource, partial(self.check_out, resource))
        self.set_ownership(resource)

    def make_repository(self, resource: ManagedResource, path: str) -> None:
        """Make an empty repository in a directory."""
        if resource["includes"] is not None:
            raise ResourceFailure("Specifying include paths on a nonexistent repo.")
        kind = resource["fstype"]
        words = ("--fs-type", to_s(kind)) if kind is not None else ()
        self.execute("svnadmin", "create", *words, path)

    def check_out(self, resource: ManagedResource, path: str) -> None:
        """Check out a working copy into a directory."""
        check_credentials(resource)
        includes, depth = resource["includes"], resource["depth"]
        words = ["checkout", *revision_words(resource)]
        if includes is not None:
            words += ["--depth", "empty"]
        elif depth is not None:
            words += ["--depth", to_s(depth)]
        self.svn(resource, *words, to_s(resource["source"]), path, at="/")
        if includes is not None:
            self.add_includes(resource, includes, path)

    def add_includes(self, resource: ManagedResource, paths: list[str], at: str) -> None:
        """Add paths to a working copy which starts empty, with the directories above them."""
        words = revision_words(resource)
        above = [one for path in paths for one in parts_of(posixpath.dirname(path) or ".")]
        self.svn(resource, "update", "--depth", "empty", *words, *above, at=at)
        depth = resource["depth"]
        further = [] if depth is None else ["--depth", to_s(depth)]
        self.svn(resource, "update", *words, *further, *paths, at=at)

    def set(self, resource: ManagedResource, name: str, value: Value) -> None:
        """Change one property."""
        if name == "revision":
            self.set_revision(resource, to_s(value))
        elif name == "source":
            words = [*self.force_words(resource), *revision_words(resource)]
            self.change(resource, "switch", *words, *conflict_words(resource), to_s(value))
            self.set_ownership(resource)
        elif name == "includes":
            self.set_includes(resource, list(map(to_s, value)))

    def set_revision(self, resource: ManagedResource, wanted: str) -> None:
        """Change the revision."""
        source = resource["source"]
        words = ["update", "-r", wanted]
        if source is not None:
            words = ["switch", "-r", wanted, to_s(source)]
        self.change(resource, *words, *self.force_words(resource), *conflict_words(resource))
        self.set_ownership(resource)

    def set_includes(self, resource: ManagedResource, wanted: list[str]) -> None:
        """Remove the paths that are not wanted, and add those that are missing."""
        current = list(self.includes(resource, "."))
        for path in current:
            if path not in wanted:
                self.exclude(resource, path)
        missing = [path for path in wanted if path not in current]
        with suppress(CommandFailed):
            self.add_includes(resource, missing, resource["path"])

    def exclude(self, resource: ManagedResource, path: str) -> None:
        """Remove a path from the working copy, and the directories above it that become empty."""
        text = f"Vcsrepo[{resource.name}]: Can remove {path} directly using svn"
        self.run.log("debug", text)
        while path:
            self.change(resource, "update", "--set-depth", "exclude", path)
            path = path.rpartition("/")[0]
            names = self.host.list_directory(posixpath.join(resource["path"], path))
            if not {ADMINISTRATION}.issuperset(names):
                return

    def force_words(self, resource: ManagedResource) -> list[str]:
        """Return the option to overwrite local files."""
        return ["--force"] if resource.is_true("force") else []


def options(resource: ManagedResource) -> Iterator[str]:
    """Yield the options of a resource: credentials, configuration, trust."""
    yield "--non-interactive"
    if password_of(resource):
        user = to_s(resource["basic_auth_username"])
        yield from ("--username", user, "--password-from-stdin", "--no-auth-cache")
    if resource["configuration"] is not None:
        yield from ("--config-dir", to_s(resource["configuration"]))
    if resource.is_true("trust_server_cert"):
        yield "--trust-server-cert"


def password_of(resource: ManagedResource) -> str:
    """Return the password, if there is a user, too."""
    if resource["basic_auth_username"] is None or resource["basic_auth_password"] is None:
        return ""
    return to_s(resource["basic_auth_password"])


def check_credentials(resource: ManagedResource) -> None:
    """Raise ResourceFailure for a user without a password, or a password that is not accepted."""
    user, password = resource["basic_auth_username"], resource["basic_auth_password"]
    if user is not None and password is None:
        text = f"You must specify the HTTP basic authentication password for user '{to_s(user)}'"
        raise ResourceFailure(text)
    if user is None and password is not None:
        raise ResourceFailure("You must specify the HTTP basic authentication username")
    if password is not None and SPECIAL.search(to_s(password)):
        raise ResourceFailure("The password can not contain non-ASCII characters")


def revision_words(resource: ManagedResource) -> list[str]:
    """Return the option for the wanted revision."""
    return [] if resource["revision"] is None else ["-r", to_s(resource["revision"])]


def conflict_words(resource: ManagedResource) -> list[str]:
    """Return the option for conflicts."""
    return [] if resource["conflict"] is None else ["--accept", to_s(resource["conflict"])]


def parts_of(path: str) -> list[str]:
    """Return a path and the paths of the directories above it, the topmost first.

    >>> parts_of("a/b/c")
    ['a', 'a/b', 'a/b/c']
    """
    names = path.split("/")
    return ["/".join(names[: number + 1]) for number in range(len(names))]


def found_in(pattern: re.Pattern[str], text: str) -> str | None:
    """Return what a pattern finds in the output of a program."""
    match = pattern.search(text)
    return None if match is None else match[1]


provider = Svn
