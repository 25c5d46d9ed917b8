"""The provider ``hg`` of ``vcsrepo``."""

from __future__ import annotations

import posixpath
import re
from functools import partial
from typing import Any
from urllib.parse import unquote

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.rewriting import rewrite
from bunraku.providers.vcsrepo.repository import CommandFailed, Repositories
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.host import Finished

Value = Any
CHANGESET = re.compile(r"^changeset:\s+(?:-?\d+):(\S+)", re.MULTILINE)
DEFAULT = re.compile(r"^default = (.*)", re.MULTILINE)
CREDENTIALS = re.compile(r"(\w+://)([^/?#:@]*):([^/?#]*)@(.*)", re.DOTALL)
SYSTEM_PATHS = ("/etc/mercurial/hgrc", "/etc/mercurial/hgrc.d")
USER_PATHS = (".hgrc", ".config/hg/hgrc")
"""The configuration files of Mercurial (hgrc(5)); the second ones are below the home directory."""
SSH = (
    "ssh -oStrictHostKeyChecking=no -oPasswordAuthentication=no "
    "-oKbdInteractiveAuthentication=no -oChallengeResponseAuthentication=no -i "
)


class Hg(Repositories):
    """Manages repositories of Mercurial. Credentials are in a configuration file of one command."""

    name = "hg"
    programs = ("hg",)
    features = frozenset(["reference_tracking", "ssh_identity", "user", "basic_auth"])

    # -- commands --------------------------------------------------------------------------------

    def ran(self, resource: ManagedResource, *words: str, at: str | None = None) -> Finished:
        """Return the result of a command, also if it fails."""
        own = self.is_own_user(resource)
        user = None if own else resource["user"]
        return self.attempt(("hg", *words), directory=at, user=user, merged=not own)

    def hg(self, resource: ManagedResource, *words: str, at: str | None = None) -> str:
        """Return the output of a command; raise CommandFailed if it fails."""
        done = self.ran(resource, *words, at=at)
        if done.code != 0:
            text = f"Execution of 'hg {' '.join(words)}' returned {done.code}: "
            raise CommandFailed(text + (done.errors or done.output).strip())
        return done.output

    def inside(self, resource: ManagedResource, *words: str) -> str:
        """Return the output of a command that runs in the repository.

        As in the module (7.0), only a command of another user may fail: raise CommandFailed.
        """
        done = self.ran(resource, *words, at=resource["path"])
        if done.code != 0 and not self.is_own_user(resource):
            text = (
                f"Execution of 'hg {' '.join(words)}' returned {done.code}: {done.output.strip()}"
            )
            raise CommandFailed(text)
        return done.output

    def remote(self, resource: ManagedResource, *words: str, at: str | None = None) -> str:
        """Return the output of a command that contacts a server; ResourceFailure if it fails."""
        if resource["identity"] is not None:
            words = (*words, "--ssh", f"{SSH}{to_s(resource['identity'])}")
        settings = credentials(resource)
        if settings is None:
            return self.hg(resource, *words, at=at)
        with self.host.temporary_file(settings) as path:
            if not self.is_own_user(resource):
                uid, gid = self.identity_of(resource)
                for one in (posixpath.dirname(path), path):
                    self.host.set_owner(one, uid, gid)
            self.variables = {"HGRCPATH": ":".join((*self.configuration_files(resource), path))}
            try:
                return self.hg(resource, *words, at=at)
            finally:
                self.variables = {}

    def configuration_files(self, resource: ManagedResource) -> list[str]:
        """Return the files that Mercurial reads for the user of the commands."""
        own = self.is_own_user(resource)
        account = self.host.user(self.host.effective_user() if own else to_s(resource["user"]))
        home = "/" if account is None else account.home
        return [*SYSTEM_PATHS, *(posixpath.join(home, one) for one in USER_PATHS)]

    # -- state -----------------------------------------------------------------------------------

    def has_working_copy(self, resource: ManagedResource) -> bool:
        """Return whether the path is a directory; with another user, whether it is a repository.

        The module does not notice a directory that is not a repository (7.0).
        """
        path = resource["path"]
        if not self.host.is_directory(path):
            return False
        return self.is_own_user(resource) or self.ran(resource, "status", path).code == 0

    def get(self, resource: ManagedResource, name: str) -> Value:
        """Return the state of a property."""
        if name == "source":
            return self.url(resource)
        return self.revision(resource) if name == "revision" else ABSENT

    def url(self, resource: ManagedResource) -> str | None:
        """Return the URL of the repository; Mercurial shows the wanted one without its password."""
        found = DEFAULT.search(self.inside(resource, "paths"))
        wanted = to_s(resource["source"])
        match = CREDENTIALS.fullmatch(wanted)
        if match is not None and found is not None:
            scheme, user, _, rest = match.groups()
            return wanted if found[1] == f"{scheme}{user}:***@{rest}" else found[1]
        return None if found is None else found[1]

    def revision(self, resource: ManagedResource) -> str | None:
        """Return the ID of the changeset of the files, or the wanted tag if that is the same."""
        found = CHANGESET.search(self.inside(resource, "parents"))
        current, wanted = None if found is None else found[1], resource["revision"]
        if wanted is None:
            return current
        pattern = rf"^{re.escape(to_s(wanted))}\s+\d+:(\S+)"
        tag = re.search(pattern, self.inside(resource, "tags"), re.MULTILINE)
        return to_s(wanted) if current == (None if tag is None else tag[1]) else current

    def latest(self, resource: ManagedResource) -> str | None:
        """Return the ID of the newest changeset of the branch that is not pulled; else the revision."""
        words = ("incoming", "--branch", ".", "--newest-first", "--limit", "1")
        try:
            found = CHANGESET.search(self.remote(resource, *words, at=resource["path"]))
        except CommandFailed:
            return None if self.is_own_user(resource) else self.revision(resource)
        return None if found is None else found[1]

    def is_latest(self, resource: ManagedResource) -> bool:
        """Return whether the server has no newer changeset of the branch."""
        return self.revision(resource) == self.latest(resource)

    # -- changes ---------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Clone a repository, or make an empty one."""
        make = self.initialize if resource["source"] is None else self.clone
        make_it = partial(make, resource)
        if self.is_own_user(resource):
            self.built(resource, make_it)
        else:
            self.build(resource, make_it)
        self.set_ownership(resource)

    def initialize(self, resource: ManagedResource, path: str) -> None:
        """Make an empty repository in a directory."""
        self.hg(resource, "init", path)

    def clone(self, resource: ManagedResource, path: str) -> None:
        """Clone the repository into a directory. Its configuration has the source as it is written."""
        source, revision = to_s(resource["source"]), resource["revision"]
        bare = CREDENTIALS.sub(r"\1\4", source)
        words = () if revision is None else ("-u", to_s(revision))
        self.remote(resource, "clone", *words, bare, path)
        if bare != source:
            file = posixpath.join(path, ".hg/hgrc")
            text = self.host.read(file).decode("utf-8", "surrogateescape")
            text = text.replace(f"default = {bare}", f"default = {source}")
            rewrite(self.host, file, text.encode("utf-8", "surrogateescape"))

    def set(self, resource: ManagedResource, name: str, value: Value) -> None:
        """Change one property."""
        if name == "source":
            self.create(resource)
        elif name == "revision":
            self.set_revision(resource, to_s(value))

    def set_revision(self, resource: ManagedResource, wanted: str) -> None:
        """Pull, merge, and update to a revision.

        As in the module, commands of another user end with the first one that fails.
        """
        own = self.is_own_user(resource)
        try:
            self.remote(resource, "pull", at=resource["path"])
        except CommandFailed as failure:
            if not own:
                self.set_ownership(resource)
                return
            self.run.log("warning", str(failure), resource.reference, tags=resource.tags)
        done = self.ran(resource, "merge", at=resource["path"])
        if own or done.code == 0:
            self.update(resource, wanted)
        self.set_ownership(resource)

    def update(self, resource: ManagedResource, wanted: str) -> None:
        """Update the files to a revision; as in the module, only another user may fail."""
        try:
            self.hg(resource, "update", "--clean", "-r", wanted, at=resource["path"])
        except CommandFailed as failure:
            if not self.is_own_user(resource):
                raise
            self.run.log("warning", str(failure), resource.reference, tags=resource.tags)


def credentials(resource: ManagedResource) -> bytes | None:
    """Return the configuration with user and password of a resource, None if it has none."""
    source = to_s(resource["source"])
    user, password = resource["basic_auth_username"], resource["basic_auth_password"]
    match = CREDENTIALS.fullmatch(source)
    if match is not None:
        user, password, source = unquote(match[2]), unquote(match[3]), match[1] + match[4]
    if user is None or password is None:
        return None
    values = (source, to_s(user), to_s(password))
    if any("\n" in one for one in values):
        raise ResourceFailure("The user and the password must be one line each")
    prefix, user, password = values
    return (
        f"[auth]\nx.prefix = {prefix}\nx.username = {user}\nx.password = {password}\n"
        "x.schemes = http https\n"
    ).encode("utf-8", "surrogateescape")


provider = Hg
