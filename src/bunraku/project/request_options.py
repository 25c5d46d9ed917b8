"""Options that only callers from Python and requests of the batch protocol set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.base.records import record
from bunraku.project.options import BATCH, COMPILE, TEST, CompileOptions, Table, option, options_in
from bunraku.world.protocol import World


@record(slots=False)
class RequestOptions:
    """What the engine takes besides the options of a command."""

    node_classes: Sequence[str] | Mapping[str, Any] | None = option(
        None,
        "the classes that a node classifier assigns: names, or parameters by name",
        kind="classes",
        by=COMPILE | BATCH,
    )
    node_parameters: Mapping[str, Any] | None = option(
        None,
        "the top-scope variables that a node classifier sets",
        kind="variables",
        by=COMPILE | BATCH | TEST,
    )
    cycles: bool | None = option(
        None,
        "whether dependency cycles are errors; False does not check them (default: warn about them)",
        kind="flag",
        by=COMPILE,
    )
    functions: Sequence[Any] = option(
        (),
        "Python functions decorated with bunraku.function, or modules of them",
        kind="functions",
        by=COMPILE,
    )
    world: World | None = option(
        None,
        "replacement of this machine, such as a bunraku.world.dictionary.DictionaryWorld",
        kind="world",
        by=COMPILE,
    )


COMPILE_KEYWORDS: Table = options_in(CompileOptions, RequestOptions, by=COMPILE)
"""The keywords of ``bunraku.compile`` and its like."""
BATCH_FIELDS: Table = options_in(CompileOptions, RequestOptions, by=BATCH)
"""The options in a request of the batch protocol."""
