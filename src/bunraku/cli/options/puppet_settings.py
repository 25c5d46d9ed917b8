"""Puppet's settings on a command line: each is an option of its own, and ``--set`` takes all.

The parser of a command whose module has ``SETTINGS = True`` rewrites such options to ``--set``, so
a command reads them from one place. They are not in its help, which would list 300.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from bunraku.base.usage import UsageError
from bunraku.cli.options.shared import named_pairs
from bunraku.dialects.known_settings import KNOWN
from bunraku.dialects.puppet_3.settings import DEFAULTS as DEFAULTS_OF_3
from bunraku.jobs.paths import split_path
from bunraku.modules.settings import DEFAULTS, convert

ALL_DEFAULTS: Mapping[str, Any] = {**DEFAULTS_OF_3, **DEFAULTS}
PATH_DEFAULT = re.compile(r"/|\$\w*dir\b")
"""The start of the default of a setting that is a path."""
PATH_LISTS = frozenset({"environmentpath", "basemodulepath", "factpath"})
WORDS = frozenset({"true", "false"})
HELP = (
    "every setting of Puppet is an option, such as --environment_timeout 5m or --no-strict_variables; "
    "docs/settings.md lists them"
)
PUPPET_SETTINGS = f"@settings: a setting of Puppet; can be repeated. {HELP[0].upper()}{HELP[1:]}"
"""``--set``, and the line of help about settings."""


# -- the words of a command line ---------------------------------------------------------------------


def option_names() -> list[str]:
    """Return the settings as options, for suggestions."""
    return [f"--{name}" for name in KNOWN]


def with_settings(words: Sequence[str], own: Mapping[str, argparse.Action]) -> list[str]:
    """Return the words of a command line with settings as ``--set=NAME=VALUE``.

    ``own`` are the options that the command declares; they keep their names. As in Puppet, a boolean
    is ``--NAME`` or ``--no-NAME``; ``--NAME true`` and ``--NAME false`` are allowed, too. Raise
    UsageError for a setting without a value.

    >>> with_settings(
    ...     ["--environment_timeout", "5m", "--no-noop", "--listen", ":0"], {"--listen": None}
    ... )
    ['--set=environment_timeout=5m', '--set=noop=false', '--listen', ':0']
    """
    found: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            return [*found, word, *rest]
        found.append(rewritten(word, rest, own))
    return found


def rewritten(word: str, rest: list[str], own: Mapping[str, argparse.Action]) -> str:
    """Return a word, or the setting that it names; the value of that is taken from ``rest``."""
    option, equals, value = word.partition("=")
    if option in own:
        return declared_switch(option, own[option], rest) if not equals else word
    name = option[2:].replace("-", "_") if option.startswith("--") else ""
    if name in KNOWN:
        return f"--set={name}={value if equals else value_of_next(option, name, rest)}"
    positive = name.removeprefix("no_")
    if positive != name and is_switch(positive) and not equals:
        return f"--set={positive}=false"
    return word


def declared_switch(option: str, action: argparse.Action | None, rest: list[str]) -> str:
    """Return the option of a switch that the command declares, without its value in ``rest``."""
    if isinstance(action, argparse.BooleanOptionalAction) and rest and rest[0] in WORDS:
        positive, negative = action.option_strings[0], action.option_strings[-1]
        if option == positive:
            return positive if rest.pop(0) == "true" else negative
    return option


def value_of_next(option: str, name: str, rest: list[str]) -> str:
    """Take the value of a setting from the next words; UsageError if there is none."""
    if is_switch(name):
        return rest.pop(0) if rest and rest[0] in WORDS else "true"
    if not rest or rest[0].startswith("--"):
        raise UsageError(f"{option}: a value is required")
    return rest.pop(0)


def is_switch(name: str) -> bool:
    """Return whether a setting is yes or no."""
    return isinstance(ALL_DEFAULTS.get(name), bool)


# -- values ------------------------------------------------------------------------------------------


def chosen_settings(
    options: argparse.Namespace, names: Collection[str] = (), command: str = ""
) -> dict[str, Any]:
    """Return the settings of ``--set``, and over them those of the declared options ``names``.

    UsageError for an unknown setting.
    """
    found = {name: value_of(name, text) for name, text in named_pairs(options.set, command)}
    for name in names:
        value = getattr(options, name, None)
        if value is not None:
            found[name] = value_of(name, value)
    return found


def value_of(name: str, given: Any) -> Any:
    """Return the value of a setting that an option gives; relative paths become absolute.

    >>> (
    ...     value_of("environment_timeout", "5m"),
    ...     value_of("environmentpath", "/a:/b"),
    ...     value_of("noop", True),
    ... )
    (300, '/a:/b', True)
    """
    if not isinstance(given, str):
        return given
    if not is_path(name) or not given or "$" in given or given in WORDS:
        return convert(name, given)
    return ":".join(split_path(given)) if name in PATH_LISTS else os.path.abspath(given)


def is_path(name: str) -> bool:
    """Return whether a setting is a path, or a list of paths."""
    default = ALL_DEFAULTS.get(name)
    return isinstance(default, str) and PATH_DEFAULT.match(default) is not None
