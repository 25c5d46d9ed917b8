from bunraku.api import compile as compile
from bunraku.api import diff as diff
from bunraku.api import evaluate as evaluate
from bunraku.api import lookup as lookup
from bunraku.api import parse as parse
from bunraku.api_fleet import compile_nodes as compile_nodes
from bunraku.catalog.model import Catalog as Catalog
from bunraku.catalog.model import Resource as Resource
from bunraku.engine import LogEntry as LogEntry
from bunraku.errors import Diagnostic as Diagnostic
from bunraku.errors import PuppetError as PuppetError
from bunraku.functions.python import function as function

__all__ = [
    "Catalog",
    "Diagnostic",
    "LogEntry",
    "PuppetError",
    "Resource",
    "compile",
    "compile_nodes",
    "diff",
    "evaluate",
    "function",
    "lookup",
    "parse",
]
