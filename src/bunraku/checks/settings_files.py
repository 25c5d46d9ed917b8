"""``environment.conf``, ``puppet.conf`` and ``bunraku.toml``."""

from __future__ import annotations

import re
from collections.abc import Callable

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.source import Source
from bunraku.base.suggestions import suggestion
from bunraku.checks import issues
from bunraku.checks.source import finding, found_by, line_of
from bunraku.dialects.known_settings import check_setting
from bunraku.modules.environment import CONFIGURABLE
from bunraku.modules.ini import parse_sections
from bunraku.project.config_file import read_config_file


def check_environment_conf(source: Source) -> list[Diagnostic]:
    """Return what is wrong with the settings of an environment."""
    return check_settings(
        source,
        lambda name: (
            ""
            if name in CONFIGURABLE
            else f"'{name}' is not a setting of environments and is ignored"
            f"{suggestion(name, CONFIGURABLE)}"
        ),
    )


def check_puppet_conf(source: Source) -> list[Diagnostic]:
    """Return what is wrong with the settings of Puppet."""
    return check_settings(source, check_setting)


def check_settings(source: Source, problem_of: Callable[[str], str]) -> list[Diagnostic]:
    """Return lines that are not settings, and a warning for each unknown setting."""
    try:
        sections = parse_sections(source.text, source.path)
    except PuppetError as error:
        return [found_by(error, source)]
    found = []
    for name in dict.fromkeys(name for section in sections.values() for name in section):
        if problem := problem_of(name):
            line = line_of(source.text, rf"^[ \t]*{re.escape(name)}\s*=")
            found.append(finding(issues.UNKNOWN_SETTING, source, line, "warning", problem=problem))
    return found


def check_bunraku(source: Source) -> list[Diagnostic]:
    """Return what is wrong with a configuration of bunraku."""
    try:
        read_config_file(source.path, source.text.encode("utf-8", "surrogateescape"))
    except PuppetError as error:
        return [found_by(error, source)]
    return []
