"""The analysis of manifests with the settings of a command."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.cli.options.project import existing_directories
from bunraku.cli.options.shared import limits_of, settings
from bunraku.engine.request import Request
from bunraku.limits.limits import Limited
from bunraku.project.fields import request_fields
from bunraku.project.model import Project
from bunraku.syntax.nodes import Program
from bunraku.workbench.analysis.analyse import analyse


def analysed(
    options: argparse.Namespace, project: Project, programs: list[Program], files: Iterable[str]
) -> list[Diagnostic]:
    """Return the findings of the analysis; if the environment is invalid, only that.

    ``files`` are all checked files; those with data of Hiera are analysed, too.
    """
    modulepath = None
    if options.modulepath:
        modulepath = existing_directories(options.modulepath, "--modulepath")
    fields = request_fields(
        project, settings(options), modulepath=modulepath, language=options.language
    )
    try:
        with Limited(limits_of(options)):
            return analyse(Request(**fields, follow=options.follow), programs, files)
    except PuppetError as error:
        return list(error)
