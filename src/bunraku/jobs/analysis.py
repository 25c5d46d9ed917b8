"""The analysis of manifests with the settings of a job."""

from __future__ import annotations

from collections.abc import Iterable

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.engine.request import Request
from bunraku.limits.limits import Limited, Limits
from bunraku.syntax.nodes import Program
from bunraku.workbench.analysis.analyse import analyse


def analysed(
    request: Request, limits: Limits, programs: list[Program], files: Iterable[str]
) -> list[Diagnostic]:
    """Return the findings of the analysis; if the environment is invalid, only that.

    ``files`` are all checked files; those with data of Hiera are analysed, too.
    """
    try:
        with Limited(limits):
            return analyse(request, programs, files)
    except PuppetError as error:
        return list(error)
