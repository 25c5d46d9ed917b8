"""The settings in a puppet.conf, and in the ``environment.conf`` of a project that was found."""

from __future__ import annotations

import os
from collections.abc import Mapping

from bunraku.base.errors import PuppetError
from bunraku.base.file_reading import read_whole
from bunraku.base.lazy_typing import Any
from bunraku.base.usage import UsageError
from bunraku.jobs.observer import Observer
from bunraku.modules import settings
from bunraku.modules.ini import SETTING, setting_value
from bunraku.world.machine import Machine
from bunraku.world.owners import how_to_allow


def read_configuration(path: str, mode: str = "server") -> dict[str, Any]:
    """Return the settings of a puppet.conf for the server or the agent; UsageError with the place."""
    try:
        found = settings.read_configuration(path, Machine(), mode)
    except PuppetError as error:
        place = ":".join(str(part) for part in error.place.where[:2] if part)
        raise UsageError(f"{place}: {error}" if place else str(error)) from error
    for name, value in found.items():
        problem = settings.wrong_value(name, value)
        if problem is not None:
            place = f"{path}:{setting_line(name, value, path)}"
            raise UsageError(f"{place}: invalid value {value!r} of the setting {name}: {problem}")
    return found


def misspelt_settings(path: str) -> list[str]:
    """Return a note for each unknown setting of a puppet.conf whose name is like a known one."""
    from bunraku.dialects.known_settings import near_setting

    text = os.fsdecode(read_whole(path))
    lines = [(number, SETTING.match(line)) for number, line in enumerate(text.splitlines(), 1)]
    names = {setting[1]: number for number, setting in reversed(lines) if setting is not None}
    return [
        f"{path}:{number}: unknown setting '{name}'{near}"
        for name, number in sorted(names.items(), key=lambda item: item[1])
        if (near := near_setting(name))
    ]


def setting_line(name: str, value: Any, path: str) -> int:
    """Return the number of the line that sets a value in a puppet.conf."""
    lines = os.fsdecode(read_whole(path)).splitlines()
    return next(
        number
        for number, line in enumerate(lines, 1)
        if (setting := SETTING.match(line)) is not None
        and setting[1] == name
        and settings.convert(name, setting_value(setting[2])) == value
    )


def read_mounts(path: str) -> dict[str, str]:
    """Return the directories of the mounts in a ``fileserver.conf``; UsageError with the place."""
    from bunraku.server.files import mount_table

    try:
        text = read_whole(path).decode("utf-8", "surrogateescape")
        mounts = mount_table.read_mounts(text, path).mounts
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from error
    except PuppetError as error:
        place = ":".join(str(part) for part in error.place.where[:2] if part)
        raise UsageError(f"{place}: {error}") from error
    return {name: directory for name, directory in mounts.items() if "%" not in directory}


def without_untrusted_classifier(
    found: dict[str, Any], path: str, observer: Observer
) -> dict[str, Any]:
    """Return the settings of a puppet.conf without a classifier that other users can have written."""
    machine = Machine()
    program = str(found.pop("external_nodes", "none"))
    for one in (path, *program.split()[:1]):
        if reason := machine.reason_against(one, None):
            observer.ignored(f"external_nodes in {path}", f"{one}: {reason}", how_to_allow(one))
            return found
    return {**found, "external_nodes": program}


def environment_conf_with_program(fields: Mapping[str, Any]) -> str | None:
    """Return the path of the ``environment.conf`` that sets ``config_version``; None without one."""
    directory = fields["environment_directory"]
    if directory is None:
        given = fields["settings"]
        above = str(given.get("environmentpath", "")).split(":")[0]
        directory = os.path.join(above, str(given.get("environment", "production")))
    path = os.path.join(directory, "environment.conf")
    try:
        return path if b"config_version" in read_whole(path) else None
    except OSError:
        return None
