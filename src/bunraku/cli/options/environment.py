"""The environment of a command that cannot work without one."""

from __future__ import annotations

import argparse
import os

from bunraku.base.usage import UsageError
from bunraku.cli.options.project import ProjectOptions, place_of
from bunraku.modules.settings import DEFAULTS


def place_for_lookup(options: argparse.Namespace) -> ProjectOptions:
    """Return the environment for lookups: the given or detected one, else Puppet's default."""
    place = place_of(options, below=True)
    fields = place.fields
    if place.has_environment or fields["modulepath"] or fields["modules"] or fields["hiera_config"]:
        return place
    settings = fields["settings"]
    name = str(settings.get("environment", "production"))
    codedir = str(settings.get("codedir", DEFAULTS["codedir"]))
    usual = str(DEFAULTS["environmentpath"]).replace("$codedir", codedir)
    if not os.path.isdir(f"{usual}/{name}"):
        raise UsageError(
            f"cannot find an environment: {place.project.reason}, and {usual}/{name} does not "
            "exist; run the command in a control repository or give --environmentpath"
        )
    fields["settings"] = {**settings, "environmentpath": usual}
    return place
