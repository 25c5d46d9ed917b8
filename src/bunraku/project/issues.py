"""Errors in the configuration of bunraku, and in the directory that it is for."""

from __future__ import annotations

from bunraku.base.errors import Issue

NOT_TOML = Issue("NOT_TOML", "{path} is not valid TOML: {reason}")
INVALID_PYPROJECT = Issue("INVALID_PYPROJECT", "Cannot read {path}: {reason}")
UNTRUSTED_FILE = Issue(
    "UNTRUSTED_FILE", "{path} is not used, because other users can have written it: {reason}"
)
UNKNOWN_KEY = Issue("UNKNOWN_KEY", "unknown key '{name}'{near}")
UNKNOWN_SETTING = Issue("UNKNOWN_SETTING", "unknown setting '{name}'{near}")
WRONG_VALUE = Issue("WRONG_VALUE", "'{name}' must be {wanted}{near}")
WRONG_SETTING = Issue("WRONG_VALUE", "setting {problem}")
WRONG_LIMIT = Issue("WRONG_VALUE", "The value of '{name}' is not a limit: {reason}")
NO_PROJECT = Issue(
    "NO_PROJECT",
    "Cannot find Puppet code in {path} or above it",
    hint="name the directory of a control repository, a module or a Puppet 3 tree",
)
NO_FACTS = Issue("NO_FACTS", "No facts for node {node}: {reason}")
