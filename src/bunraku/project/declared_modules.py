"""Modules that a project asks for, as its Puppetfile, fixtures or environment declare them."""

from __future__ import annotations

from bunraku.base.records import field, record


@record(frozen=True)
class ForgeModule:
    """A release on the Forge.

    ``version`` is an exact version; ``latest`` for the newest release on every run; empty for the
    newest release where no version is installed (r10k, ``doc/puppetfile.mkd``).
    """

    version: str = ""


@record(frozen=True)
class GitModule:
    """A commit of a git repository.

    ``ref`` is a branch, a tag or a commit, whichever the remote has; empty if none is declared.
    ``control_branch`` stands for the branch of the control repository. ``default_branch`` is used
    where the remote has no ``ref``, ``override_branch`` (``:default_branch_override``) before it. ``subdirectory`` is the directory of the module in the
    repository (``:path``), empty for its root. ``fixed`` is whether ``:tag`` or ``:commit`` declares the ref:
    it is not expected to move. ``declared_ref`` is what the Puppetfile declares where ``ref`` is the commit that
    a lock file has for it.
    """

    remote: str
    ref: str = ""
    control_branch: bool = False
    default_branch: str = ""
    override_branch: str = ""
    subdirectory: str = ""
    fixed: bool = False
    declared_ref: str = field(default="", compared=False)


@record(frozen=True)
class SubversionModule:
    """A revision of a Subversion repository; an empty ``revision`` is the newest one."""

    url: str
    revision: str = ""
    username: str = ""
    password: str = ""


@record(frozen=True)
class TarballModule:
    """An archive at a URL or in a file, with its SHA-256 digest in hexadecimal digits, if declared."""

    source: str
    sha256: str = ""


@record(frozen=True)
class LocalModule:
    """A module that is already in its place and belongs to the project."""


ModuleSource = ForgeModule | GitModule | SubversionModule | TarballModule | LocalModule


@record(frozen=True)
class DeclaredModule:
    """A module, where it comes from, where it is installed and where it is declared.

    ``title`` is the name as written, such as ``acme/alpha``; ``owner`` is empty without one.
    ``directory`` is the absolute path of the installed module. ``exclude_spec`` says whether its
    ``spec`` directory is left out; None where the declaration does not say. ``path``, ``line`` and
    ``column`` are those of the declaration; the first line and column are 1.
    """

    title: str
    name: str
    owner: str
    source: ModuleSource
    directory: str
    path: str
    line: int
    column: int = 1
    exclude_spec: bool | None = None


def is_named(module: DeclaredModule, name: str) -> bool:
    """Return whether a name, with or without an owner, is that of a module."""
    owner, _, plain = name.replace("/", "-").rpartition("-")
    return module.name == plain and (not owner or not module.owner or module.owner == owner)
