"""The context of a job from the options of a command."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from bunraku.base.lazy_typing import TYPE_CHECKING, Any
from bunraku.base.records import replace
from bunraku.cli.options.records import record_of
from bunraku.cli.options.shared import named_pairs
from bunraku.jobs.context import Context
from bunraku.jobs.observer import SILENT
from bunraku.project.options import CompileOptions

if TYPE_CHECKING:
    from bunraku.jobs.observer import Observer

DATA = ("facts", "trusted", "server_facts")
"""Options that name files with data; ``-`` is standard input."""


def context_of(
    options: argparse.Namespace,
    observer: Observer = SILENT,
    *,
    below: bool = False,
    named: Sequence[str] = (),
    **fields: Any,
) -> Context:
    """Return the context of a command; ``fields`` are fields of the options with other values."""
    return Context(compile_options(options, **fields), observer, below=below, named=named)


def compile_options(options: argparse.Namespace, **fields: Any) -> CompileOptions:
    """Return the options of a compile; what a command has no option for is as a job has it by default."""
    pairs = named_pairs(getattr(options, "set", ()))
    settings = {name: {"true": True, "false": False}.get(text, text) for name, text in pairs}
    made = record_of(CompileOptions, options, **{"settings": settings, **fields})
    data = {name: facts_from_standard_input() for name in DATA if getattr(made, name) == "-"}
    return replace(made, **data) if data else made


def facts_from_standard_input() -> dict[str, Any]:
    """Return the facts on standard input, which are YAML; UsageError for anything else."""
    from bunraku.base.errors import PuppetError
    from bunraku.base.usage import InvalidInput
    from bunraku.cli.options.shared import read_text
    from bunraku.facts.documents import facts_in

    try:
        return facts_in(read_text("-"), "-")
    except PuppetError as error:
        raise InvalidInput(error) from error
