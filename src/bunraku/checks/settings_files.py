"""``environment.conf``, ``puppet.conf`` and ``bunraku.toml``."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from bunraku.base.errors import Diagnostic, Issue, PuppetError
from bunraku.base.lines import line_matching
from bunraku.base.paths import path_list
from bunraku.base.source import Source
from bunraku.base.suggestions import suggestion
from bunraku.checks import issues
from bunraku.checks.source import finding, found_by
from bunraku.dialects.known_settings import near_setting
from bunraku.modules.environment import CONFIGURABLE
from bunraku.modules.ini import parse_sections, setting_value
from bunraku.project.config_file import read_config_file
from bunraku.project.puppetfile import read_puppetfile
from bunraku.world.machine import Machine


def check_environment_conf(source: Source) -> list[Diagnostic]:
    """Return the errors in the settings of an environment, and directories that do not exist."""
    found = check_settings(
        source,
        issues.NOT_OF_ENVIRONMENTS,
        lambda name: None if name in CONFIGURABLE else suggestion(name, CONFIGURABLE),
    )
    return found or missing_modules(source)


def missing_modules(source: Source) -> list[Diagnostic]:
    """Return a warning for each relative directory of the modulepath that does not exist.

    The directory that a Puppetfile fills may be missing before that.
    """
    line = line_matching(source.text, r"^[ \t]*modulepath\s*=")
    if line is None or not os.path.isfile(source.path):
        return []
    root = os.path.dirname(os.path.abspath(source.path))
    filled = {os.path.dirname(one.directory) for one in read_puppetfile(root, Machine()).names}
    filled.add(f"{root}/modules" if os.path.exists(f"{root}/Puppetfile") else "")
    value = setting_value(source.line_text(line).partition("=")[2].strip())
    missing = [
        path
        for path in path_list(value)
        if path and path[0] not in "/$" and os.path.normpath(f"{root}/{path}") not in filled
        if not os.path.isdir(f"{root}/{path}")
    ]
    return [
        finding(issues.MISSING_FOLDER, source, line, "warning", path=path, name="modulepath")
        for path in missing
    ]


def check_puppet_conf(source: Source) -> list[Diagnostic]:
    """Return the errors in the settings of Puppet."""
    return check_settings(source, issues.UNKNOWN_SETTING, near_setting)


def check_settings(
    source: Source, issue: Issue, near: Callable[[str], str | None]
) -> list[Diagnostic]:
    """Return lines that are not settings, and a warning for each unknown setting.

    ``near`` returns a suggestion for the name of an unknown setting, None for a known one.
    """
    try:
        sections = parse_sections(source.text, source.path)
    except PuppetError as error:
        return [found_by(error, source)]
    found = []
    for name in dict.fromkeys(name for section in sections.values() for name in section):
        suggested = near(name)
        if suggested is not None:
            line = line_matching(source.text, rf"^[ \t]*{re.escape(name)}\s*=")
            found.append(finding(issue, source, line, "warning", name=name, near=suggested))
    return found


def check_bunraku(source: Source) -> list[Diagnostic]:
    """Return the errors in a configuration of bunraku."""
    try:
        read_config_file(source.path, source.text.encode("utf-8", "surrogateescape"))
    except PuppetError as error:
        return [found_by(error, source)]
    return []
