"""``puppet module list``: the modules of an environment by directory, and what they lack."""

from __future__ import annotations

import os
from collections.abc import Sequence

from bunraku.cli import exits
from bunraku.cli.options.puppet_call import Call, call_of, parser_for
from bunraku.cli.output.output import write
from bunraku.formats.json import json_text
from bunraku.jobs.module_list import Listing, heading, modules_as_data, modules_in, requirement
from bunraku.jobs.puppet_environment import environment_of
from bunraku.modules.requirements import (
    KINDS,
    Unmet,
)


def list_modules(words: Sequence[str]) -> int:
    """Print the modules; requirements that are not met are warnings."""
    options = "--tree: show modules below those that need them"
    formats = ("console", "json", "yaml")
    parser = parser_for("module list", "List the installed modules.", options, formats=formats)
    call = call_of(parser, words, "main")
    environment = environment_of(call)
    folders = [path for path in environment.searched if os.path.isdir(path)]
    places = {path: modules_in(environment, path) for path in folders}
    listing = Listing(environment)
    if call.options.render_as == "console":
        warn(call, listing.missed)
        lines = (listing.of_folder(*one, tree=call.options.tree) for one in places.items())
        write("".join(lines) or "\n")
        return exits.OK
    data = modules_as_data(environment, places, listing.missed)
    style = call.options.render_as
    if style == "json":
        write(json_text(data) + "\n")
    else:
        from bunraku.formats.yaml_writer import yaml_text

        write(f"---\n{yaml_text(data)}")
    return exits.OK


def warn(call: Call, missed: Sequence[Unmet]) -> None:
    """Print a warning for each module that is required and not there in the required version."""
    for kind in KINDS:
        for name in sorted({one.name for one in missed if one.kind == kind}):
            found = [one for one in missed if one.kind == kind and one.name == name]
            lines = [heading(found[0]), *(f"  {requirement(one)}" for one in found)]
            call.messages.say("warning", "\n".join(lines))
