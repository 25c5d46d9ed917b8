from bunraku.api import compile as compile
from bunraku.api import diff as diff
from bunraku.api import evaluate as evaluate
from bunraku.api import lookup as lookup
from bunraku.api import parse as parse
from bunraku.api_environment import Environment as Environment
from bunraku.api_fleet import compile_nodes as compile_nodes
from bunraku.catalog.catalog import Catalog as Catalog
from bunraku.catalog.compare import Difference as Difference
from bunraku.catalog.resource import Resource as Resource
from bunraku.engine import LogEntry as LogEntry
from bunraku.errors import Diagnostic as Diagnostic
from bunraku.errors import PuppetError as PuppetError
from bunraku.fleet import Outcome as Outcome
from bunraku.functions.python import function as function
from bunraku.values.literal import literal as literal
from bunraku.values.sensitive import Sensitive as Sensitive

__version__: str

__all__ = [
    "Catalog",
    "Diagnostic",
    "Difference",
    "Environment",
    "LogEntry",
    "Outcome",
    "PuppetError",
    "Resource",
    "Sensitive",
    "compile",
    "compile_nodes",
    "diff",
    "evaluate",
    "function",
    "literal",
    "lookup",
    "parse",
]
