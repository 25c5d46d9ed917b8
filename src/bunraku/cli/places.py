"""The environment of a command that cannot do without one."""

from __future__ import annotations

import argparse
import os
from typing import Any

from bunraku.cli.options import UsageError, settings
from bunraku.modules.settings import DEFAULTS


def place_settings(options: argparse.Namespace) -> dict[str, Any]:
    """The settings that the options give, the place of environments among them.

    Puppet's usual place counts when none is given and the environment is there.
    """
    found = settings(options)
    if "environmentpath" in found:
        return found
    name = str(found.get("environment", "production"))
    codedir = str(found.get("codedir", DEFAULTS["codedir"]))
    usual = str(DEFAULTS["environmentpath"]).replace("$codedir", codedir)
    if os.path.isdir(f"{usual}/{name}"):
        return {**found, "environmentpath": usual}
    if not options.modulepath and not options.hiera_config:
        raise UsageError(f"there is no environment {name!r} in {usual}: say --environmentpath")
    return found
