"""The project in a directory: its kind, and the settings of a compile that follow from it."""

from __future__ import annotations

from collections.abc import Mapping

from bunraku.base.lazy_typing import Any
from bunraku.base.records import field, record

CONTROL_REPOSITORY = "control repository"
MODULE = "module"
PUPPET_3_TREE = "Puppet 3 tree"
ENVIRONMENTS = "directory of environments"
NOTHING = "none"
KINDS = (CONTROL_REPOSITORY, MODULE, PUPPET_3_TREE, ENVIRONMENTS, NOTHING)


@record(frozen=True)
class Choice:
    """A value and the reason for it; ``file`` and ``line`` name the text that gives the value."""

    value: Any
    reason: str
    file: str | None = None
    line: int | None = None


@record(frozen=True)
class Project:
    """The project in a directory.

    ``root`` is the project's directory, ``name`` the module's or the environment's name.
    ``choices`` are the values that follow, by the names of the keys of ``bunraku.toml``; three
    have no key there: ``modules`` (names and directories of modules outside of the modulepath),
    ``environment_directory`` and ``server_directories``.
    """

    kind: str
    root: str
    name: str = ""
    reason: str = ""
    choices: Mapping[str, Choice] = field(default_factory=dict)

    def value(self, name: str, default: Any = None) -> Any:
        """Return the value of a choice."""
        found = self.choices.get(name)
        return default if found is None else found.value
