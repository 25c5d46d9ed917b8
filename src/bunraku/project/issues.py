"""What can be wrong in a configuration of bunraku, and in the directory that it is for."""

from __future__ import annotations

from bunraku.errors import Issue

NOT_TOML = Issue("NOT_TOML", "{path} is not valid TOML: {reason}")
UNKNOWN_KEY = Issue("UNKNOWN_KEY", "unknown key '{name}'{near}")
UNKNOWN_SETTING = Issue("UNKNOWN_SETTING", "{problem}")
WRONG_VALUE = Issue("WRONG_VALUE", "'{name}' must be {wanted}{near}")
