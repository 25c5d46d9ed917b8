"""``puppet config print``, ``set`` and ``delete``: settings, and their lines in puppet.conf."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.declarations import Rules
from bunraku.cli.options.puppet_call import Call, call_of, parser_for
from bunraku.cli.output.output import write
from bunraku.dialects.known_settings import KNOWN, near_setting
from bunraku.formats.json import json_text
from bunraku.jobs.facts_files import machine_name
from bunraku.jobs.puppet_environment import environment_of
from bunraku.modules.ini import with_setting, without_setting
from bunraku.modules.settings import resolve
from bunraku.world.machine import Machine
from bunraku.world.whole_files import make_folders, write_whole

SECTION = "--section NAME: section of puppet.conf (default: main)"
RULES: Rules = {"section": {"default": "main"}}
NO_MANIFEST = "no_manifest"
"""The value of ``manifest`` for an environment without a directory (Puppet 7.23)."""


def print_settings(words: Sequence[str]) -> int:
    """Print one value, or lines ``NAME = VALUE`` in the order of the names."""
    options = f"names [SETTING]...: settings (default: all)\n{SECTION}"
    formats = ("console", "json", "s")
    about = "Show the values of settings."
    parser = parser_for("config print", about, options, RULES, formats=formats)
    section = parser.parse_known_args(list(words))[0].section
    call = call_of(parser, words, section)
    values = setting_values(call)
    names = call.options.names
    names = sorted(values) if names in ([], ["all"]) else sorted(set(names))
    for name in names:
        if name not in values:
            raise UsageError(f"unknown setting '{name}'{near_setting(name) or ''}", parser.prog)
    write(settings_text({name: values[name] for name in names}, call.options.render_as))
    return exits.OK


def change(words: Sequence[str]) -> int:
    """Write a setting to puppet.conf; its other lines stay as they are."""
    options = f"names [SETTING VALUE]...: the setting, its value\n{SECTION}"
    parser = parser_for("config set", "Change a setting in puppet.conf.", options, RULES)
    call = call_of(parser, words, "main")
    if len(call.options.names) != 2:
        return wrong_number(call, "set", "2 arguments")
    name, value = call.options.names
    if name not in KNOWN:
        raise UsageError(f"unknown setting '{name}'{near_setting(name) or ''}", parser.prog)
    path, text = configuration(call)
    write_configuration(path, with_setting(text, call.options.section, name, value))
    return exits.OK


def delete(words: Sequence[str]) -> int:
    """Remove a setting from puppet.conf and print its line; a missing one is a warning."""
    options = f"names [SETTING]...: the setting\n{SECTION}"
    parser = parser_for("config delete", "Remove a setting from puppet.conf.", options, RULES)
    call = call_of(parser, words, "main")
    if len(call.options.names) != 1:
        return wrong_number(call, "delete", "1 argument")
    (name,), section = call.options.names, call.options.section
    path, text = configuration(call)
    rest, line = without_setting(text, section, name)
    if line is None:
        call.messages.say(
            "warning",
            f"No setting found in configuration file for section '{section}' setting name '{name}'",
        )
        return exits.OK
    write_configuration(path, rest)
    write(f"Deleted setting from '{section}': '{line}'\n")
    return exits.OK


def wrong_number(call: Call, action: str, wanted: str) -> int:
    """Print how many arguments an action takes; return the exit code."""
    given = len(call.options.names)
    call.messages.error(f"puppet config {action} takes {wanted}, but you gave {given}")
    call.messages.error(f"Try 'puppet help config {action}' for usage")
    return exits.FINDINGS


def configuration(call: Call) -> tuple[str, str]:
    """Return the path and the content of puppet.conf; a missing one is empty."""
    path = call.text("config")
    try:
        return path, Machine().read(path).decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return path, ""
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", "puppet config") from error


def write_configuration(path: str, text: str) -> None:
    """Write puppet.conf with the permissions that it has; UsageError if that fails."""
    try:
        make_folders(os.path.dirname(path), 0o755)
        mode = stat.S_IMODE(os.stat(path).st_mode) if os.path.exists(path) else 0o644
        write_whole(path, text.encode("utf-8", "surrogateescape"), mode=mode)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}", "puppet config") from error


def setting_values(call: Call) -> dict[str, Any]:
    """Return the values of all settings; ``manifest`` and ``modulepath`` are the environment's."""
    values = resolve(call.given, machine_name(Machine()))
    environment = environment_of(call)
    values["modulepath"] = ":".join(environment.modulepath)
    values["manifest"] = environment.manifest or NO_MANIFEST
    return values


def settings_text(values: Mapping[str, Any], style: str) -> str:
    """Return the settings in a format."""
    if style == "json":
        return json_text(values) + "\n"
    texts = {name: text_of(value) for name, value in values.items()}
    if len(texts) == 1:
        return next(iter(texts.values())) + "\n"
    return "".join(f"{name} = {text}\n" for name, text in texts.items())


def text_of(value: Any) -> str:
    """Return a value as Puppet prints it.

    >>> text_of(True), text_of(None), text_of(["a", "b"])
    ('true', '', '["a", "b"]')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return json.dumps(value)
    return str(value)
