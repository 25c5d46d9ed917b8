"""Functions that Puppet 3 refuses unless the future parser is in use."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.dialects.puppet_3.functions import issues
from bunraku.dialects.puppet_3.functions.table import OLD_PARSER, Table
from bunraku.runtime.callables import Value
from bunraku.runtime.state import Scope

function = Table()


def refusal(name: str) -> Callable[..., None]:
    """Return a function that raises the error for an unavailable function."""

    def refuse(_scope: Scope, *_arguments: Value) -> None:
        raise issues.FUTURE_ONLY(name=name)

    refuse.__doc__ = "There with the future parser only."
    return refuse


LEAST = {
    "assert_type": 2,
    "each": 2,
    "epp": 1,
    "filter": 2,
    "inline_epp": 1,
    "lookup": 1,
    "map": 2,
    "match": 2,
    "reduce": 2,
    "slice": 2,
    "with": 0,
}
"""Function → number of arguments that it requires before it refuses."""
for function_name, least in LEAST.items():
    function.api_3(function_name, least, dialects=OLD_PARSER, refused=True)(refusal(function_name))
