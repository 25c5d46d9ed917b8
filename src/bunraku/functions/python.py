"""Functions that others write in Python: in a module's ``lib/bunraku/functions``, or beside a
program that compiles catalogs.

::

    import bunraku


    @bunraku.function("my::double(Integer $x) >> Integer")
    def double(x):
        "Return the number twice."
        return 2 * x

The header is a Puppet signature as :mod:`bunraku.functions.declaration` reads it. Several decorated
functions with one Puppet name are its dispatches, tried in order. An exception in such a function
ends the compile with an error that names the file and the line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import CodeType, ModuleType
from typing import Any, TypeVar

from bunraku.base.bounded_cache import remembered
from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.base.tracebacks import exception_text
from bunraku.functions import issues
from bunraku.functions.declaration import BuiltinFunction, Dispatch
from bunraku.runtime.callables import Closure, Value
from bunraku.runtime.caller_variables import with_locals
from bunraku.runtime.control import ControlSignal
from bunraku.runtime.state import Compilation, Scope
from bunraku.types.mismatch import describe_mismatch
from bunraku.types.model import Type
from bunraku.types.parse import parse_type
from bunraku.types.relations.instance import checker
from bunraku.values.binary import Binary
from bunraku.values.copying import copied
from bunraku.values.keys import make_hash

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
SIGNATURES = "__puppet_signatures__"
TABLE = "__puppet_functions__"
LARGEST = 2**63


# -- declaring -------------------------------------------------------------------------------------


def function(*headers: str, scope: bool = False) -> Callable[[Decorated], Decorated]:
    """Make a Python function callable from Puppet code, under Puppet signatures.

    The function itself is unchanged. With ``scope=True``, its first argument is the calling scope.

    >>> @function("double(Integer $x) >> Integer")
    ... def double(x):
    ...     return 2 * x
    >>> double(4)
    8
    """
    for header in headers:
        Dispatch(header, len, scope)  # ValueError if it is not a header

    def mark(implementation: Decorated) -> Decorated:
        known = getattr(implementation, SIGNATURES, ())
        setattr(implementation, SIGNATURES, [*known, *((header, scope) for header in headers)])
        table = implementation.__globals__.setdefault(TABLE, [])
        if implementation not in table:
            table.append(implementation)
        return implementation

    return mark


# -- finding ---------------------------------------------------------------------------------------


def given_functions(given: Iterable[Any]) -> dict[str, list[Callable[..., Any]]]:
    """Decorated functions, and those of whole Python modules, by their Puppet names.

    >>> @function("double(Integer $x)", "twice(Integer $x)")
    ... def double(x):
    ...     return 2 * x
    >>> list(given_functions([double]))
    ['double', 'twice']
    """
    found: dict[str, list[Callable[..., Any]]] = {}
    for item in given:
        listed = vars(item).get(TABLE) if isinstance(item, ModuleType) else [item]
        for implementation in listed or ():
            signatures = getattr(implementation, SIGNATURES, None)
            if signatures is None:
                raise TypeError(f"{implementation!r} is not decorated with @bunraku.function")
            for header, _ in signatures:
                same = found.setdefault(Dispatch(header, len, False).name, [])
                if implementation not in same:
                    same.append(implementation)
        if not listed:
            raise TypeError(f"{item!r} contains no function decorated with @bunraku.function")
    return found


@remembered(512)
def code_of(content: bytes, path: str) -> CodeType:
    """Return the code of a file; its own ``from __future__`` lines count, those of this file do not."""
    return compile(content, path, "exec", dont_inherit=True)


def load_function(compilation: Compilation, name: str, path: str) -> PythonFunction:
    """Return the function that a module's file defines; it is run once for each compile.

    Raises PuppetError when the file cannot be run or does not define it.
    """
    module = ModuleType(f"bunraku function {path}")
    module.__file__ = path
    sys.modules[module.__name__] = module  # dataclasses look themselves up there
    try:
        exec(code_of(compilation.world.read(path), path), module.__dict__)
    except PuppetError:
        raise
    except (Exception, SystemExit) as error:
        text, place = exception_text(error, path)
        raise issues.BROKEN_FILE(path=path, reason=text, place=place) from error
    finally:
        del sys.modules[module.__name__]
    found = given_functions([module]) if TABLE in vars(module) else {}
    if name not in found:
        defined = ", ".join(found) or "none"
        raise issues.NOT_DEFINED(path=path, name=name, defined=defined)
    return python_function(compilation, name, found[name], path)


def python_function(
    compilation: Compilation,
    name: str,
    implementations: Sequence[Callable[..., Any]],
    path: str | None = None,
) -> PythonFunction:
    """Return a function of decorated Python functions, its types those of the compile."""
    dispatches = []
    for implementation in implementations:
        for header, wants_scope in getattr(implementation, SIGNATURES):
            dispatch = Dispatch(header, implementation, wants_scope)
            if dispatch.name == name:
                dispatches.append(dispatch)
    file = path or implementations[0].__code__.co_filename
    made = PythonFunction(name, dispatches, implementations[0].__doc__ or "", path=file)
    for dispatch in dispatches:
        made.returns.append(resolve_types(compilation, dispatch, file))
    return made


def resolve_types(compilation: Compilation, dispatch: Dispatch, path: str) -> Type | None:
    """Read the types of a header, aliases of modules among them; the type of its result."""
    block = [dispatch.block] if dispatch.block is not None else []
    try:
        for parameter in (*dispatch.parameters, *block):
            parameter.use_type(parse_type(parameter.type_text, compilation.types))
        return None if dispatch.returns is None else parse_type(dispatch.returns, compilation.types)
    except PuppetError as error:
        raise issues.BAD_HEADER(path=path, header=dispatch.header, reason=error.message) from error


# -- calling ---------------------------------------------------------------------------------------


@record()
class PythonFunction(BuiltinFunction):
    """A function of a user or module: it gets copies, and its result is converted to a Puppet value.

    ``returns`` are the types of the results, one for each dispatch; None where none is stated.
    """

    path: str = ""
    returns: list[Type | None] = field(default_factory=list)

    def call(self, scope: Scope, arguments: Sequence[Value], block: Closure | None = None) -> Value:
        """Run the first dispatch that takes the arguments; else raise a description of the mismatch."""
        for dispatch, returns in zip(self.dispatches, self.returns, strict=True):
            if dispatch.accepts(arguments, block):
                return self.run(dispatch, returns, scope, arguments, block)
        raise self.unsuitable(arguments, block)

    def run(
        self,
        dispatch: Dispatch,
        returns: Type | None,
        scope: Scope,
        arguments: Sequence[Value],
        block: Closure | None,
    ) -> Value:
        """Call the Python function of a dispatch that takes the arguments."""
        given = with_locals(scope) if dispatch.wants_scope else scope
        try:
            result = run(dispatch, given, [copied(item) for item in arguments], block)
        except (PuppetError, ControlSignal, RecursionError):
            raise
        except (Exception, SystemExit) as error:
            text, place = exception_text(error, self.path)
            raise issues.FAILED(name=self.name, path=self.path, reason=text, place=place) from error
        value = puppet_value(result, self.name)
        if returns is not None and not checker(returns)(value):
            text = describe_mismatch(f"value returned from function '{self.name}'", returns, value)
            raise issues.BAD_RESULT(mismatch=text)
        return value


def run(dispatch: Dispatch, scope: Scope, arguments: list[Value], block: Closure | None) -> Any:
    """Call the Python function; missing arguments get its own defaults."""
    leading = [scope] if dispatch.wants_scope else []
    if dispatch.block is None:
        return dispatch.implementation(*leading, *arguments)
    return dispatch.implementation(*leading, *arguments, block=converting(block))


def converting(block: Closure | None) -> Closure | None:
    """Return a lambda that passes its arguments to Python code."""
    if block is None:
        return None
    inner = block

    def call(*arguments: Value) -> Value:
        return copied(inner.function(*(puppet_value(item, "lambda") for item in arguments)))

    return Closure(call, block.low, block.high, block.names, block.types, block.return_type)


def puppet_value(value: Any, name: str) -> Value:
    """Return the result of Python code as a Puppet value; raise an error if it is not one.

    >>> puppet_value({"a": (1, 2.5), True: b"x"}, "f")
    {'a': [1, 2.5], Key(True): Binary("eA==")}
    """
    kind = value.__class__
    if value is None or kind is str or kind is bool or kind is float:
        return value
    if isinstance(value, int):
        if not -LARGEST <= value < LARGEST:
            raise issues.TOO_LARGE(name=name, value=value)
        return int(value)
    if isinstance(value, list | tuple):
        return [puppet_value(item, name) for item in value]
    if isinstance(value, Mapping):
        entries = value.items()
        return make_hash((puppet_value(k, name), puppet_value(item, name)) for k, item in entries)
    if isinstance(value, bytes | bytearray):
        return Binary(bytes(value))
    if isinstance(value, str | float):
        return str(value) if isinstance(value, str) else float(value)
    if kind.__module__.startswith(("bunraku.values.", "bunraku.types.")):
        return value
    raise issues.NO_VALUE(name=name, kind=f"{kind.__module__}.{kind.__qualname__}")
