"""What every job that compiles takes, as one record."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from bunraku.base.lazy_typing import TYPE_CHECKING, Any
from bunraku.base.records import field, record
from bunraku.limits.limits import DEFAULT_BYTES, DEFAULT_SECONDS

if TYPE_CHECKING:
    from bunraku.project.model import Choice


@record(slots=False)
class CompileOptions:
    """A directory, and how its code is compiled. Absent options are those of the project, or Puppet's.

    ``directory`` is where the search for the project begins (default: ``root`` of the configuration,
    or this directory); ``no_project`` leaves it out. ``configured`` has the values of the
    configuration file, by key. ``facts``, ``trusted`` and ``server_facts`` are data, or the path of a
    file with them. ``config`` is a puppet.conf; ``settings`` win over it. Paths of several directories
    are separated by colons. ``timeout`` is in seconds, ``memory`` in bytes; 0 means no limit of time,
    and the memory of the machine. ``executor`` is ``processes``, ``dask=ADDRESS`` or ``MODULE:FACTORY``.
    """

    directory: str | None = None
    no_project: bool = False
    configured: Mapping[str, Choice] = field(default_factory=dict)
    modulepath: str = ""
    environment: str | None = None
    environmentpath: str | None = None
    basemodulepath: str | None = None
    hiera_config: str | None = None
    config: str | None = None
    settings: Mapping[str, Any] | Sequence[tuple[str, Any]] = ()
    language: str | None = None
    follow: str = "puppet"
    strict: str | None = None
    strict_variables: bool | None = None
    tasks: bool = False
    node: str | None = None
    facts: Mapping[str, Any] | str | None = None
    facts_folder: str | None = None
    facts_from: str | None = None
    trusted: Mapping[str, Any] | str | None = None
    server_facts: Mapping[str, Any] | str | None = None
    include_legacy_facts: bool | None = None
    node_terminus: str | None = None
    external_nodes: str | None = None
    storedconfigs: str | None = None
    timeout: float = DEFAULT_SECONDS
    memory: int = DEFAULT_BYTES
    jobs: int | None = None
    executor: str = "processes"


LATER = frozenset(
    {"exclude", "facts", "facts_folder", "output_folder", "root", "manifest", "settings"}
)
"""Keys of the configuration that are not defaults of options: jobs read them when they need them."""


def configured_defaults(
    options: Mapping[str, Any], configured: Mapping[str, Choice]
) -> dict[str, Any]:
    """Return new defaults of options from the configuration; ``options`` has their present ones by name."""
    found = {}
    for name, choice in configured.items():
        if name in options and name not in LATER:
            value = choice.value
            joined = isinstance(value, list) and not isinstance(options[name], list)
            found[name] = os.pathsep.join(value) if joined else value
    return found
