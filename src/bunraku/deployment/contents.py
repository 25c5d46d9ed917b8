"""Contents of modules and environments: from what is declared to a tree in the store."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bunraku.base.lazy_typing import Protocol
from bunraku.base.paths import inner_path
from bunraku.base.records import record
from bunraku.deployment import issues
from bunraku.deployment.credentials import SCHEME, without_credentials
from bunraku.deployment.git_cache import GitCache, check_remote, host_of, is_local
from bunraku.deployment.releases import Release
from bunraku.deployment.store import LINK, Store, Tree, usable
from bunraku.project.declared_modules import (
    DeclaredModule,
    ForgeModule,
    GitModule,
    LocalModule,
    SubversionModule,
    TarballModule,
)
from bunraku.world import linked_files, scratch

DEEPEST = 10
"""How many submodules may be inside each other."""
POINTER = b"version https://git-lfs.github.com/spec/v1\n"
"""The first line of a file in whose place git's large file storage has the content."""
LARGEST_POINTER = 1024


@record(frozen=True)
class Content:
    """The files of a module or an environment.

    ``version`` is what was asked for: the version of a release, or the name of a branch, tag or commit.
    ``revision`` is what that is at the moment: a commit, a revision of Subversion, a digest.
    """

    tree: Tree
    version: str
    revision: str = ""


@record(frozen=True)
class RefRules:
    """Which git ref a module gets: of the control repository, in place of a missing one, by default.

    ``control_branch`` is empty where the project is not a branch of a repository.
    """

    control_branch: str = ""
    override: str = ""
    default: str = ""


class ForgeReleases(Protocol):
    """What a Forge has: see :mod:`bunraku.deployment.forge`."""

    @property
    def url(self) -> str:
        """The address of the Forge, without credentials."""

    def newest(self, slug: str) -> str:
        """Return the newest version of a module. Raise PuppetError."""

    def releases(self, slug: str) -> tuple[Release, ...]:
        """Return all releases of a module, the highest first; none for an unknown one. Raise PuppetError."""

    def release(self, slug: str, version: str) -> Release:
        """Return one release. Raise PuppetError."""

    def digest(self, slug: str, version: str) -> str:
        """Return the digest of the archive of a release, after its kind: ``sha256:…``. Raise PuppetError."""

    def unpack(self, slug: str, version: str, directory: str) -> None:
        """Write the files of a release to a directory. Raise PuppetError."""


ANY_TARBALL = "(present)"
"""What r10k calls the version of an archive without a checksum."""


class Contents:
    """Brings contents into a store: from git, the Forge, Subversion and archives.

    A remote, a Forge or a server is asked only for what the store lacks.
    """

    def __init__(self, store: Store, git: GitCache, forge: ForgeReleases) -> None:
        self.store = store
        self.git = git
        self.forge = forge
        self.pointers: list[tuple[str, str, str]] = []
        """Remotes, commits and files whose content is in git's large file storage."""

    def of_module(self, module: DeclaredModule, rules: RefRules, installed: str = "") -> Content:
        """Return the content of a module; ``installed`` is the version of the Forge that is there.

        Raise PuppetError at the place of the declaration.
        """
        source = module.source
        if isinstance(source, GitModule):
            return self.of_git_module(module, source, rules)
        if isinstance(source, ForgeModule):
            return self.of_release(f"{module.owner}-{module.name}", source.version, installed)
        if isinstance(source, SubversionModule):
            return self.of_subversion(source)
        if isinstance(source, TarballModule):
            return self.of_tarball(source)
        assert not isinstance(source, LocalModule)
        raise AssertionError(source)

    def is_at_hand(self, module: DeclaredModule) -> bool:
        """Return whether the content of a module needs no remote, so that nothing has to be waited for."""
        source = module.source
        if isinstance(source, GitModule):
            return self.git.is_known(source.remote, source.ref)
        if isinstance(source, ForgeModule):
            name = self.name_of_release(f"{module.owner}-{module.name}", source.version)
            with usable(self.store.root):
                return self.store.remembered("\n".join(name)) is not None
        return isinstance(source, LocalModule)

    # -- git ---------------------------------------------------------------------------------------

    def of_git_module(self, module: DeclaredModule, source: GitModule, rules: RefRules) -> Content:
        """Return the content of a git module: of its ref, or of the first default that exists."""
        desired = rules.control_branch if source.control_branch else source.ref
        override = rules.override or source.override_branch
        default = source.default_branch or rules.default
        for ref in filter(None, (desired, override, default)):
            commit = self.git.resolve(source.remote, ref)
            if commit is not None:
                tree = self.of_commit(source.remote, commit, source.subdirectory)
                return Content(tree, ref, commit)
        shown = without_credentials(source.remote)
        if source.control_branch and not desired:
            raise issues.NO_CONTROL_BRANCH(name=module.name)
        if not desired:
            raise issues.NO_REF(name=module.name)
        near = self.git.near(source.remote, desired)
        if default:
            raise issues.UNKNOWN_REFS(remote=shown, ref=desired, default=default, near=near)
        raise issues.UNKNOWN_REF(remote=shown, ref=desired, near=near)

    def of_commit(self, remote: str, commit: str, subdirectory: str = "") -> Tree:
        """Return the files of a commit, with those of its submodules. Raise PuppetError."""
        plain = without_credentials(remote)

        def make(directory: str) -> str:
            self.check_out(remote, commit, directory, 0)
            start = below(directory, subdirectory)
            if not os.path.isdir(start):
                raise issues.NO_SUBDIRECTORY(remote=plain, commit=commit, path=subdirectory)
            return start

        tree, is_new = self.named(("git", plain, commit, subdirectory), make)
        if is_new:
            self.pointers += [(plain, commit, path) for path in pointers(self.store, tree)]
        return tree

    def check_out(self, remote: str, commit: str, directory: str, depth: int) -> None:
        """Write a commit and its submodules to a directory."""
        for path, (url, revision) in self.git.check_out(remote, commit, directory).items():
            if not url or depth == DEEPEST:
                shown = without_credentials(remote)
                raise issues.BAD_SUBMODULE(remote=shown, commit=commit, path=path)
            address = submodule_address(remote, url)
            check_remote(address)
            if is_local(address) and not is_local(remote):
                raise issues.LOCAL_SUBMODULE(remote=without_credentials(remote), path=path)
            if host_of(address) != host_of(remote):
                self.git.refuse_default(address)
            if self.git.resolve(address, revision) is None:
                self.git.refs(address)
                if self.git.stored_commit(address, revision) is None:
                    shown = without_credentials(address)
                    raise issues.UNKNOWN_REF(remote=shown, ref=revision, near="")
            inner = below(directory, path)
            os.makedirs(inner, exist_ok=True)
            self.check_out(address, revision, inner, depth + 1)

    # -- the Forge ---------------------------------------------------------------------------------

    def of_release(self, slug: str, version: str, installed: str) -> Content:
        """Return the content of a release of the Forge. Raise PuppetError."""
        exact = version
        if version in {"", "latest"}:
            exact = installed if installed and not version else self.forge.newest(slug)

        def make(directory: str) -> str:
            self.forge.unpack(slug, exact, directory)
            return directory

        return Content(self.named(self.name_of_release(slug, exact), make)[0], exact)

    def name_of_release(self, slug: str, version: str) -> tuple[str, ...]:
        """Return the name of a release in the store."""
        return "forge", self.forge.url, slug, version

    # -- others ------------------------------------------------------------------------------------

    def of_subversion(self, source: SubversionModule) -> Content:
        """Return the content of a revision of a Subversion repository. Raise PuppetError."""
        from bunraku.deployment import subversion  # few sites use it

        revision = source.revision or subversion.newest(source)

        def make(directory: str) -> str:
            subversion.export(source, revision, directory)
            return directory

        tree, _new = self.named(("svn", without_credentials(source.url), revision), make)
        return Content(tree, revision, revision)

    def of_tarball(self, source: TarballModule) -> Content:
        """Return the content of an archive. Raise PuppetError."""
        from bunraku.deployment import tarballs  # few sites use it

        def make(directory: str) -> str:
            tarballs.unpack_tarball(source, directory)
            return directory

        if source.sha256:
            tree, _new = self.named(("tarball", "", source.sha256.lower()), make)
            return Content(tree, source.sha256, source.sha256)
        with self.staged() as directory:  # the content behind the URL may change at any time
            digest = tarballs.unpack_tarball(source, directory)
            tree = self.store.take_tree(directory)
        return Content(tree, ANY_TARBALL, digest)

    # -- the store ---------------------------------------------------------------------------------

    def named(self, name: tuple[str, ...], make: Callable[[str], str]) -> tuple[Tree, bool]:
        """Return the tree of a name, and whether it is new.

        ``make`` writes what the store lacks to a directory, and returns the one that is taken.
        """
        text = "\n".join(name)
        with usable(self.store.root):
            found = self.store.remembered(text)
            if found is not None:
                return found, False
            with self.staged() as directory:
                made = self.store.take_tree(make(directory))
            self.store.remember(text, made)
        return made, True

    @contextmanager
    def staged(self) -> Iterator[str]:
        """Yield an empty directory in the store; its files move into the store by a rename.

        Raise STORE_FAILED if the disk is full, for example.
        """
        with (
            usable(self.store.root),
            scratch.scratch_directory(self.store.directory("staging")) as above,
        ):
            directory = f"{above}/tree"
            os.mkdir(directory, 0o700)
            try:
                yield directory
            finally:
                linked_files.remove_tree(directory)


def pointers(store: Store, tree: Tree) -> list[str]:
    """Return the files of a tree in whose place git's large file storage has the content."""
    rules = [
        entry
        for path, entry in tree.entries.items()
        if os.path.basename(path) == ".gitattributes" and entry[0] != LINK
    ]
    if not any(b"filter=lfs" in store.read(entry) for entry in rules):
        return []
    return [
        path
        for path, entry in tree.entries.items()
        if entry[0] != LINK and entry[2] < LARGEST_POINTER and store.read(entry).startswith(POINTER)
    ]


def below(directory: str, path: str) -> str:
    """Return a path below a directory; raise BAD_PATH if it leads out of it.

    >>> below("/a", "b/c"), below("/a", "")
    ('/a/b/c', '/a')
    """
    joined = os.path.normpath(f"{directory}/{path}")
    if os.path.isabs(path) or not f"{joined}/".startswith(f"{os.path.normpath(directory)}/"):
        raise issues.BAD_PATH(path=path)
    parts = inner_path(joined, directory).split("/")
    walked = directory
    for part in parts:
        walked = f"{walked}/{part}"
        if os.path.islink(walked):
            raise issues.BAD_PATH(path=path)
    return joined


def submodule_address(remote: str, url: str) -> str:
    """Return the address of a submodule; a relative one starts at the remote of its repository.

    >>> submodule_address("https://git.example.com/x/a.git", "../b.git")
    'https://git.example.com/x/b.git'
    >>> submodule_address("git@git.example.com:x/a.git", "../b.git")
    'git@git.example.com:x/b.git'
    """
    if not url.startswith(("./", "../")):
        return url
    if SCHEME.match(remote):
        from urllib.parse import urljoin  # few modules have submodules

        return urljoin(f"{remote.rstrip('/')}/", url)
    host, colon, path = remote.rpartition(":")
    return f"{host}{colon}{os.path.normpath(f'{path}/{url}')}"
