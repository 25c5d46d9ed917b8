"""Options of commands that use the store of modules."""

from __future__ import annotations

from bunraku.cli.options.declarations import TEXT, Rules

STORE_CONFIGURATION = "--config FILE"
STORE = """\
--cachedir DIRECTORY: the store to use
@offline: use what is in the store, and ask no server
-v --verbose: report each step"""
STORE_RULES: Rules = {
    "config": {"dest": "settings_file", "default": ""},  # bunraku.toml has a key 'config'
    "cachedir": TEXT,
}
