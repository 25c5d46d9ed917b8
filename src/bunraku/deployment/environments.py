"""Environments that the sources of a deployment declare."""

from __future__ import annotations

from collections.abc import Mapping

from bunraku.base.records import field, record
from bunraku.project.declared_modules import DeclaredModule


@record(frozen=True)
class DeclaredEnvironment:
    """An environment: a revision of a repository, and the directory where it is deployed.

    ``name`` is the name in its source: the branch, with the prefix of the source taken off or put
    before it. ``directory_name`` is the name of the environment for Puppet and of its directory
    in ``basedir``. ``kind`` is ``git``, ``svn``, ``tarball`` or ``plain`` (a directory without content of
    its own, ``bare`` in older versions). ``modules`` are declared by the source itself (``yaml``, ``yamldir``
    and ``exec`` sources) and go before those of the Puppetfile, as ``module_conflicts`` says.
    ``options`` are the settings that only one kind knows, such as the user name for Subversion.
    """

    name: str
    directory_name: str
    basedir: str
    source: str
    kind: str
    remote: str = field(default="", shown=False)
    ref: str = ""
    modules: tuple[DeclaredModule, ...] = ()
    module_conflicts: str = ""
    options: Mapping[str, str] | None = field(default=None, shown=False)

    @property
    def path(self) -> str:
        """The directory where the environment is deployed."""
        return f"{self.basedir.rstrip('/')}/{self.directory_name}"
