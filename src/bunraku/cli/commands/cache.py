"""Show the caches: compiled manifests and templates, and the store of modules; remove or check them."""

from __future__ import annotations

import argparse

from bunraku.base.excerpt import visible
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.declarations import DATA_FORMATS, GENERAL, TEXT, Rules
from bunraku.cli.output.output import write, write_error
from bunraku.formats.json import json_text
from bunraku.jobs.cache import (
    clear_code_cache,
    code_cache_state,
    module_store_state,
    prune_module_store,
    verify_module_store,
)
from bunraku.jobs.cache_file import export_cache, import_cache
from bunraku.jobs.cache_text import LINES, Data

OPTIONS = f"""
action: show: print the directories, whether they are used, their entries and their size; clear:
    remove the entries of the cache of code; prune: remove from the store of modules what no
    deployment needs; verify: read the store of modules, and remove what is damaged; export: write
    the entries of the cache of code to FILE; import: add those of FILE (default: show)
file [FILE]: the file of export and import
--cachedir DIRECTORY: the store of modules to use
--format: output format (default: text)
{GENERAL}
"""
RULES: Rules = {
    "action": {
        "nargs": "?",
        "choices": ("show", "clear", "prune", "verify", "export", "import"),
        "default": "show",
    },
    "cachedir": TEXT,
    "format": DATA_FORMATS,
}


def run(options: argparse.Namespace) -> int:
    """Do the action; exit with 1 if something was damaged."""
    if (options.action in {"export", "import"}) != bool(options.file):
        problem = "does not take a FILE" if options.file else "requires FILE"
        raise UsageError(f"{options.action} {problem}", "cache")
    data = done(options)
    if options.format == "json":
        write(json_text({"schema": 1, **data}, indent=True) + "\n")
    else:
        write("".join(f"{line}\n" for line in LINES[options.action](data, options.file)))
    return exits.FINDINGS if data.get("damaged") else exits.OK


def done(options: argparse.Namespace) -> Data:
    """Do the action and return its result."""
    match options.action:
        case "clear":
            data = clear_code_cache()
            if others := data["others"]:
                count = f"{others} file{'s are' if others > 1 else ' is'}"
                write_error(
                    f"note: {count} not of the cache and left in {visible(data['folder'])}\n"
                )
            return data
        case "prune":
            return prune_module_store(options.cachedir, note_waiting)
        case "verify":
            return verify_module_store(options.cachedir, note_waiting)
        case "export":
            return export_cache(options.file)
        case "import":
            return import_cache(options.file)
        case _:
            return {**code_cache_state(), "modules": module_store_state(options.cachedir)}


def note_waiting() -> None:
    """Say why nothing happens."""
    write_error("note: waiting for a deployment that uses the store\n")
