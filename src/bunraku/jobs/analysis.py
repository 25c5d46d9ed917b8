"""The analysis of manifests with the settings of a job."""

from __future__ import annotations

from collections.abc import Iterable

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.engine.request import Request
from bunraku.jobs.context import Context
from bunraku.limits.limits import Limited
from bunraku.syntax.nodes import Program
from bunraku.workbench.analysis.analyse import analyse


def analysed(context: Context, programs: list[Program], files: Iterable[str]) -> list[Diagnostic]:
    """Return the findings of the analysis; if the environment is invalid, only that.

    ``files`` are all checked files; those with data of Hiera are analysed, too.
    """
    try:
        with Limited(context.limits):
            return analyse(Request(**context.fields), programs, files)
    except PuppetError as error:
        return list(error)
