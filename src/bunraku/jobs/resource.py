"""Read and change single resources of this machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bunraku.apply.direct import Direct
from bunraku.apply.log import Destination
from bunraku.base.records import record
from bunraku.jobs.apply import dialect_of, directories_for
from bunraku.jobs.context import Context
from bunraku.providers.listing import Observed
from bunraku.world.linux import LinuxHost


@record()
class ResourceOptions:
    """How resources are changed: ``noop`` only reports, ``show_diff`` logs the differences in files.

    ``statedir`` and ``vardir`` are directories for the state of runs; ``level`` is the least urgent level
    of messages.
    """

    noop: bool = False
    show_diff: bool = False
    statedir: str | None = None
    vardir: str | None = None
    level: str = "notice"


def machine_of(
    context: Context, options: ResourceOptions, destinations: Sequence[Destination] = ()
) -> Direct:
    """Return this machine with the modules and settings of a context; messages go to ``destinations``."""
    host = LinuxHost()
    directories = directories_for(options.statedir, options.vardir, context.settings, host)
    values = {
        **context.settings,
        "noop": options.noop,
        "show_diff": options.show_diff,
        "statedir": directories.state,
        "clientbucketdir": directories.bucket,
        "puppet_version": dialect_of(context).version,
    }
    modules = context.fields["modulepath"]
    return Direct(host, values, modules=modules, destinations=destinations, level=options.level)


def read_or_change(
    machine: Direct,
    type_name: str,
    title: str | None = None,
    values: Mapping[str, str] | None = None,
    extra: Sequence[str] = (),
) -> tuple[list[Observed], bool]:
    """Return resources of a type, and whether all requested changes succeeded.

    Without a title these are all; with ``values``, the resource is changed first. ``extra`` names
    parameters to return besides properties. Raises PuppetError.
    """
    if title is None:
        return machine.every(type_name, extra), True
    if values:
        found, succeeded = machine.change(type_name, title, values, extra)
        return [found], succeeded
    return [machine.one(type_name, title, extra)], True
