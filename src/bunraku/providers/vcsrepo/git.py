"""The provider ``git`` of ``vcsrepo``."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.rewriting import rewrite
from bunraku.providers.vcsrepo.git_commands import GitCommands
from bunraku.providers.vcsrepo.git_credentials import without_credentials
from bunraku.providers.vcsrepo.git_references import References
from bunraku.providers.vcsrepo.repository import beside, text_list
from bunraku.types.ruby_semantics.values import to_s

Value = Any
BARE = ("bare", "mirror")
MIRROR = re.compile(r"remote\..*\.mirror")
REMOTE = re.compile(r"remote\.(.+)\.[^.]+", re.DOTALL)
UNBORN = re.compile(r"Initial commit|No commits yet")
ON_BRANCH = re.compile(r"On branch (.*)")


class Git(GitCommands):
    """Manages working copies, bare repositories and mirrors of Git."""

    name = "git"
    features = frozenset(
        [
            *("bare_repositories", "reference_tracking", "ssh_identity", "multiple_remotes"),
            *("user", "depth", "branch", "submodules", "safe_directory", "hooks_allowed"),
            *("umask", "http_proxy", "tmpdir"),
        ]
    )

    # -- state -----------------------------------------------------------------------------------

    def has_working_copy(self, resource: ManagedResource) -> bool:
        """Return whether the path has a working copy whose remote is the wanted source."""
        path = resource["path"]
        if not self.host.is_directory(posixpath.join(path, ".git")):
            return False
        if resource["source"] is None:
            return self.ran(resource, "status").code == 0
        url = self.settings(resource).get(f"remote.{to_s(resource['remote'])}.url")
        return url is not None and url == self.default_url(resource)

    def bare_form(self, resource: ManagedResource) -> str | None:
        """Return ``bare`` or ``mirror``, None for anything else."""
        path = resource["path"]
        if self.host.status(posixpath.join(path, "config"), follow=True) is None:
            return None
        if self.ran(resource, "config", "--list", "--file", "config").code != 0:
            return None
        return "mirror" if self.is_mirror(resource) else "bare"

    def is_mirror(self, resource: ManagedResource) -> bool:
        """Return whether a remote is mirrored."""
        return any(MIRROR.search(name) for name in self.settings(resource))

    def default_url(self, resource: ManagedResource) -> Value:
        """Return the URL of the tracked remote."""
        source, remote = resource["source"], resource["remote"]
        if not isinstance(source, dict):
            return source
        if remote not in source:
            text = f"You must specify the URL for remote '{remote}' in the :source hash"
            raise ResourceFailure(text)
        return source[remote]

    def get(self, resource: ManagedResource, name: str) -> Value:
        """Return the state of a property."""
        if name == "source":
            return self.urls(resource)
        if name == "revision":
            return self.revision(resource)
        if name == "skip_hooks":
            found = self.ran(resource, "config", "--local", "--get", "core.hooksPath")
            return "true" if found.code == 0 and found.output.strip() == "/dev/null" else "false"
        return ABSENT

    def urls(self, resource: ManagedResource) -> Value:
        """Return the URL of the only remote, or a hash from remotes to their URLs."""
        settings = self.settings(resource)
        urls = {name: settings.get(f"remote.{name}.url", "") for name in remotes_in(settings)}
        return next(iter(urls.values())) if len(urls) == 1 else urls

    # -- revisions -------------------------------------------------------------------------------

    def revision(self, resource: ManagedResource) -> str | None:
        """Return the revision of the working copy: the wanted one, or the ID of the commit."""
        return self.known_revision(resource, "HEAD", fetch=True)

    def known_revision(self, resource: ManagedResource, name: str, *, fetch: bool) -> str | None:
        """Return the wanted revision if a name is that commit, otherwise the commit's ID."""
        if resource["source"] is None:
            status = self.git(resource, "status")
            if UNBORN.search(status):
                branch = ON_BRANCH.search(status)
                return None if branch is None else branch[1]
        current = self.commit(resource, name)
        wanted = resource["revision"]
        if wanted is not None and to_s(wanted) == current:
            return current
        if fetch and resource["source"] is not None:
            self.update_references(resource)
        if wanted is not None and current == self.wanted_commit(resource, to_s(wanted)):
            return to_s(wanted)
        return current

    def wanted_commit(self, resource: ManagedResource, wanted: str) -> str:
        """Return the ID of the commit of a tag, a branch or another name; ResourceFailure if unknown."""
        references = self.references(resource)
        found = references.wanted(wanted, resource["remote"])
        if found is None:
            found = self.git(resource, "rev-parse", "--revs-only", wanted).strip()
        if not found:
            raise ResourceFailure(f"{wanted} is not a local or remote ref")
        return found

    def commit(self, resource: ManagedResource, name: str) -> str:
        """Return the ID of the commit with a name."""
        known = self.references(resource).named(name)
        return self.git(resource, "rev-parse", name).strip() if known is None else known

    def is_latest(self, resource: ManagedResource) -> bool:
        """Return whether the working copy is at the newest commit of its branch.

        With ``force``, a new copy is made before, as in the module, except with ``noop``.
        """
        revision = self.revision(resource)
        if resource.is_true("force") and not resource.noop:
            self.create(resource)
            self.generations["references"] += 1
        branch = self.references(resource).branch
        if branch is None:
            return revision == self.known_revision(resource, "HEAD", fetch=False)
        name = f"{to_s(resource['remote'])}/{branch}"
        return revision == self.known_revision(resource, name, fetch=False)

    def latest(self, resource: ManagedResource) -> str | None:
        """Return the branch of the working copy, or the wanted revision."""
        wanted = resource["revision"]
        if wanted is None:
            return self.references(resource).branch
        return to_s(wanted)

    def update_latest(self, resource: ManagedResource) -> None:
        """Update an existing working copy to the latest revision."""
        if self.bare_form(resource) is not None and not self.has_working_copy(resource):
            self.to_working_copy(resource)
        self.update_references(resource)
        super().update_latest(resource)

    def update_references(self, resource: ManagedResource) -> None:
        """Fetch branches and tags, unless that was done for the same look at the repository.

        Older versions of Git need two commands for that.
        """
        if self.fetched.get(resource.name) == self.run.changes:
            return
        remote = resource["remote"]
        if self.version() >= (2, 20):
            self.remote_git(resource, "fetch", "--tags", "--force", remote)
        else:
            self.remote_git(resource, "fetch", remote)
            self.remote_git(resource, "fetch", "--tags", remote)
        self.fetched[resource.name] = self.run.changes
        self.finish(resource)

    # -- changes ---------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Clone a repository, or make an empty one."""
        bare = resource["ensure"] in BARE
        if bare and resource["revision"] is not None:
            text = f"Cannot set a revision ({to_s(resource['revision'])}) on a bare repository"
            self.check_place(resource)
            raise ResourceFailure(text)
        if resource["source"] is None and resource["ensure"] == "mirror":
            self.check_place(resource)
            text = "Cannot init repository with mirror option, try bare instead"
            raise ResourceFailure(text)
        if resource["source"] is None:
            self.initialize(resource)
        else:
            self.default_url(resource)
            self.build(resource, partial(self.clone, resource))
        self.finish(resource)

    def clone(self, resource: ManagedResource, path: str) -> None:
        """Clone the repository into a directory."""
        with self.at(resource, "/"):
            self.remote_git(resource, *self.clone_words(resource), self.default_url(resource), path)
        with self.at(resource, path):
            self.store_url(resource, to_s(resource["remote"]), self.default_url(resource))
            self.update_remotes(resource, resource["source"])
            if resource["ensure"] == "mirror" and isinstance(resource["source"], dict):
                self.set_mirror(resource)
            self.set_hooks(resource)
            if resource["revision"] is not None:
                self.check_out(resource, to_s(resource["revision"]))
            self.update_submodules(resource)

    def clone_words(self, resource: ManagedResource) -> list[str]:
        """Return the arguments of ``git clone`` before the URL."""
        words, branch, revision = ["clone"], resource["branch"], resource["revision"]
        if is_positive(resource["depth"]):
            words += ["--depth", to_s(resource["depth"])]
            if revision is not None and branch is None:
                words += ["--branch", to_s(revision)]
        if branch is not None:
            words += ["--branch", to_s(branch)]
        if resource["ensure"] in BARE:
            words.append(f"--{resource['ensure']}")
        if resource["remote"] != "origin":
            words += ["--origin", to_s(resource["remote"])]
        return words

    def initialize(self, resource: ManagedResource) -> None:
        """Make an empty repository; the path must not exist."""
        path = resource["path"]

        def make(directory: str) -> None:
            words = ["init", *(["--bare"] if resource["ensure"] == "bare" else [])]
            with self.at(resource, directory):
                self.git(resource, *words)
                self.set_hooks(resource)

        if self.host.is_directory(path) and not self.host.list_directory(path):
            raise ResourceFailure(f"File exists @ dir_s_mkdir - {path}")
        self.build(resource, make)

    def convert(self, resource: ManagedResource, wanted: str) -> None:
        """Give an existing repository another form."""
        if wanted == "present":
            if self.bare_form(resource) is not None and not self.has_working_copy(resource):
                self.to_working_copy(resource)
        elif self.has_working_copy(resource):
            self.to_bare(resource)
        elif wanted == "bare" and self.is_mirror(resource):
            self.unset_mirror(resource)
        elif wanted == "mirror" and not self.is_mirror(resource):
            self.set_mirror(resource)

    def to_bare(self, resource: ManagedResource) -> None:
        """Let the repository inside a working copy replace it."""
        path = resource["path"]
        self.notice(resource, "Converting working copy repository to bare repository")
        aside = beside(path, "new")
        self.discard(aside)
        self.host.rename(posixpath.join(path, ".git"), aside)
        self.remove(path)
        self.host.rename(aside, path)
        self.git(resource, "config", "--local", "--bool", "core.bare", "true", identity=False)
        if resource["ensure"] == "mirror":
            if resource["source"] is None:
                raise ResourceFailure("Cannot have empty repository that is also a mirror.")
            self.set_mirror(resource)

    def to_working_copy(self, resource: ManagedResource) -> None:
        """Let a working copy replace the bare repository that it is made of."""
        path = resource["path"]
        self.notice(resource, "Converting bare repository to working copy repository")
        aside = beside(path, "new")
        self.discard(aside)
        self.host.rename(path, aside)
        self.host.make_directory(path, 0o755)
        self.host.rename(aside, posixpath.join(path, ".git"))
        count = self.ran(resource, "rev-list", "--all", "--count")
        if count.code == 0 and count.output.strip() not in ("", "0"):
            self.git(resource, "config", "--local", "--bool", "core.bare", "false", identity=False)
            self.git(resource, "reset", "--hard", "HEAD")
            self.git(resource, "checkout", "--force")
            self.finish(resource)
        if self.is_mirror(resource):
            self.unset_mirror(resource)

    def set_mirror(self, resource: ManagedResource) -> None:
        """Mirror the remotes."""
        for remote in self.remote_names(resource):
            self.git(resource, "config", f"remote.{remote}.mirror", "true")

    def unset_mirror(self, resource: ManagedResource) -> None:
        """End the mirroring of the remotes."""
        for remote in self.remote_names(resource):
            self.ran(resource, "config", "--unset", f"remote.{remote}.mirror", identity=False)

    def remote_names(self, resource: ManagedResource) -> list[str]:
        """Return the names of the wanted remotes."""
        source = resource["source"]
        return list(source) if isinstance(source, dict) else [to_s(resource["remote"])]

    def set(self, resource: ManagedResource, name: str, value: Value) -> None:
        """Change one property."""
        if name == "source":
            self.set_source(resource, value)
        elif name == "revision":
            self.set_revision(resource, to_s(value))
        elif name == "skip_hooks":
            self.set_hooks(resource)

    def set_source(self, resource: ManagedResource, wanted: Value) -> None:
        """Change the remotes; a repository with another URL is cloned again."""
        current = self.urls(resource)
        if isinstance(current, dict):
            for remote in current:
                stays = (
                    remote in wanted if isinstance(wanted, dict) else remote == resource["remote"]
                )
                if not stays:
                    self.git(resource, "remote", "remove", remote)
        if isinstance(current, str) and isinstance(wanted, str):
            self.create(resource)
        else:
            self.update_remotes(resource, wanted)

    def update_remotes(self, resource: ManagedResource, wanted: Value) -> None:
        """Add remotes and change their URLs, and fetch if anything changed."""
        urls = wanted if isinstance(wanted, dict) else {resource["remote"]: wanted}
        changed = [self.update_remote(resource, name, urls[name]) for name in sorted(urls)]
        if any(changed):
            self.remote_git(resource, "remote", "update")

    def update_remote(self, resource: ManagedResource, name: str, url: Value) -> bool:
        """Add a remote or change its URL; return whether something was changed."""
        if url is None:
            return False
        current = self.settings(resource).get(f"remote.{name}.url")
        if current is None:
            self.git(resource, "remote", "add", name, to_s(url))
        elif not current.startswith(to_s(url)):
            self.git(resource, "remote", "set-url", name, to_s(url))
        else:
            return False
        self.store_url(resource, name, url)
        return True

    def set_hooks(self, resource: ManagedResource) -> None:
        """Switch the hooks of the repository off or on, if the resource sets that."""
        wanted = resource["skip_hooks"]
        words = ("config", "--local")
        if wanted == "true":
            self.git(resource, *words, "core.hooksPath", "/dev/null", identity=False)
        elif wanted == "false":
            self.ran(resource, *words, "--unset", "core.hooksPath", identity=False)

    def set_revision(self, resource: ManagedResource, wanted: str) -> None:
        """Check out a revision; a branch is set to that of the remote."""
        self.check_out(resource, wanted)
        if self.references(resource).is_local_branch(wanted):
            of_remote = f"{to_s(resource['remote'])}/{wanted}"
            target = wanted if resource["source"] is None else of_remote
            self.git(resource, "reset", "--hard", target)
        self.update_submodules(resource)
        self.finish(resource)

    def check_out(self, resource: ManagedResource, revision: str) -> None:
        """Check out a branch, a tag or a commit that is known."""
        keeps, remote = resource.is_true("keep_local_changes"), resource["remote"]
        if keeps:
            self.git(resource, "stash", "save")
        references = self.references(resource)
        if not references.is_local_branch(revision) and references.is_remote_branch(
            revision, remote
        ):
            new = ("-b", revision, "--track", f"{remote}/{revision}")
            self.git(resource, "checkout", "--force", *new)
        else:
            self.git(resource, "checkout", "--force", revision)
        if keeps:
            self.git(resource, "stash", "pop")

    def update_submodules(self, resource: ManagedResource) -> None:
        """Update the submodules of a working copy that has some."""
        if resource["ensure"] in BARE or not resource.is_true("submodules"):
            return
        if self.host.is_file(posixpath.join(self.directory(resource), ".gitmodules")):
            self.initialize_submodules(resource)
            self.git(resource, "submodule", "update", "--init", "--recursive")

    def initialize_submodules(self, resource: ManagedResource) -> None:
        """Store the URLs of submodules, which may be relative to a URL whose password is secret.

        Git passes a stored URL to its programs as an argument, so it is stored without a password.
        """
        remote = resource["remote"]
        url = self.settings(resource).get(f"remote.{remote}.url", "")
        if (bare := without_credentials(url)) != url:
            self.git(resource, "-c", f"remote.{remote}.url={bare}", "submodule", "init")

    def finish(self, resource: ManagedResource) -> None:
        """Set the owner of the files and what the repository ignores."""
        self.set_ownership(resource)
        excludes = text_list(resource["excludes"])
        if excludes:
            path = posixpath.join(resource["path"], ".git/info/exclude")
            content = "".join(f"{one}\n" for one in excludes).encode()
            if not self.host.is_file(path) or self.host.read(path) != content:
                rewrite(self.host, path, content, new_mode=0o644)

    # -- trusted directories ---------------------------------------------------------------------

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the repository exists; Git trusts it afterwards if the owner needs that."""
        owner, path = resource["owner"], resource["path"]
        if owner is not None and owner != resource["user"]:
            if path not in self.safe_directories(resource):
                self.notice(resource, f"Adding '{path}' to safe directory list")
                self.change_safe_directories(resource, "--add")
        return super().exists(resource)

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the repository, and its path from the directories that Git trusts."""
        path = resource["path"]
        if path in self.safe_directories(resource):
            self.notice(resource, f"Removing '{path}' from safe directory list")
            self.change_safe_directories(resource, "--unset")
        super().destroy(resource)

    def change_safe_directories(self, resource: ManagedResource, how: str) -> None:
        """Add the repository to the directories that Git trusts, or remove it."""
        with self.at(resource, "/"):
            self.git(resource, "config", "--system", how, "safe.directory", resource["path"])

    def safe_directories(self, resource: ManagedResource) -> list[str]:
        """Return the directory that Git trusts on this machine.

        The module takes several directories as one text, so it adds and keeps what is known (7.0).
        """
        with self.at(resource, "/"):
            done = self.ran(resource, "config", "--system", "--get-all", "safe.directory")
        return [done.output.removesuffix("\n")] if done.code == 0 else []

    # -- references ------------------------------------------------------------------------------

    def references(self, resource: ManagedResource) -> References:
        """Return the references of the repository, all read with one command."""
        return self.cached(resource, "references", self.read_references)

    def read_references(self, resource: ManagedResource) -> References:
        """Read the references of the repository."""
        directory = self.directory(resource)
        inside = posixpath.join(directory, ".git")
        folder = inside if self.host.is_directory(inside) else directory
        text = self.ran(resource, "show-ref", "--head", "--dereference").output
        return References.read(text, self.host.read(posixpath.join(folder, "HEAD")))


def remotes_in(settings: Mapping[str, str]) -> list[str]:
    """Return the names of the remotes in a configuration, sorted.

    >>> remotes_in({"remote.b.url": "x", "remote.a.b.fetch": "y", "core.bare": "false"})
    ['a.b', 'b']
    """
    found = (REMOTE.fullmatch(name) for name in settings)
    return sorted({one[1] for one in found if one is not None})


def is_positive(value: Value) -> bool:
    """Return whether a number, which may be written as text, is greater than 0."""
    text = re.match(r"\s*[0-9]+", to_s(value)) if value is not None else None
    return text is not None and int(text[0]) > 0


provider = Git
