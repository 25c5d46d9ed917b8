from bunraku.api.compile import compile as compile
from bunraku.api.compile import diff as diff
from bunraku.api.compile import evaluate as evaluate
from bunraku.api.compile import lookup as lookup
from bunraku.api.compile import parse as parse
from bunraku.api.environment import Environment as Environment
from bunraku.api.host import Host as Host
from bunraku.api.nodes import compile_nodes as compile_nodes
from bunraku.api.query import query as query
from bunraku.base.errors import Diagnostic as Diagnostic
from bunraku.base.errors import PuppetError as PuppetError
from bunraku.base.usage import UsageError as UsageError
from bunraku.catalog.catalog import Catalog as Catalog
from bunraku.catalog.compare import Difference as Difference
from bunraku.catalog.resource import Resource as Resource
from bunraku.engine.nodes import Outcome as Outcome
from bunraku.facts.declaration import fact as fact
from bunraku.functions.python import function as function
from bunraku.runtime.log import LogEntry as LogEntry
from bunraku.syntax.visitor import NodeVisitor as NodeVisitor
from bunraku.values.literal import literal as literal
from bunraku.values.sensitive import Sensitive as Sensitive

__version__: str

__all__ = [
    "Catalog",
    "Diagnostic",
    "Difference",
    "Environment",
    "Host",
    "LogEntry",
    "NodeVisitor",
    "Outcome",
    "PuppetError",
    "Resource",
    "Sensitive",
    "UsageError",
    "compile",
    "compile_nodes",
    "diff",
    "evaluate",
    "fact",
    "function",
    "literal",
    "lookup",
    "parse",
    "query",
]
