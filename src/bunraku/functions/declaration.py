"""Declarations of functions written in Python, and checks of their calls.

Such a function is an ordinary Python function under a Puppet signature::

    @function("abs(Numeric $value) >> Numeric")
    def absolute(value): ...

Each decorated Python function is one dispatch; several with the same Puppet name are tried in the
order of their definition. ``&$block`` at the end of a header is the lambda::

    @function("each(Iterable $items, Callable[1, 1] &$block)")
    @function("each(Hash $items)", "each(Array $items)")          # several headers, one function

Python arguments come in order, then the block (None when absent) if the header names one. With
``scope=True`` the calling scope comes first.

The first declaration of a function also says which versions have it, see :class:`About`. The indexes
and the page of functions are generated from that (``tests/tools/update_functions.py``).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TypedDict, Unpack

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import field, record
from bunraku.runtime import issues
from bunraku.runtime.callables import Closure, Implementation, Value, block_checker, block_type
from bunraku.runtime.state import Scope
from bunraku.types.mismatch import describe_call
from bunraku.types.model import CallableType, Type
from bunraku.types.parse import parse_type
from bunraku.types.relations.instance import always, checker

Check = Callable[[Value], bool]
Acceptance = Callable[[Sequence[Value], Closure | None], bool]
"""Whether a dispatch takes arguments and a lambda."""


@record()
class Parameter:
    """A parameter of a signature; its type is parsed when first needed."""

    type_text: str
    name: str
    optional: bool = False
    repeated: bool = False
    is_block: bool = False
    _type: Type | None = None

    @property
    def type(self) -> Type:
        """The parsed type."""
        if self._type is None:
            self._type = parse_type(self.type_text)
        return self._type

    def use_type(self, type_: Type) -> None:
        """Set the type, for those who read the text in their own way."""
        self._type = type_


HEADER = lazy_pattern(
    r"\s*(?P<name>[\w:]+)\((?P<parameters>.*)\)(?:\s*>>\s*(?P<returns>.*))?\s*\Z", re.DOTALL
)
PARAMETER = lazy_pattern(
    r"\s*(?P<type>.*?)\s*(?P<mark>[*&]?)\$(?P<name>\w+)\s*(?P<default>=.*)?\s*\Z", re.DOTALL
)


def split_parameters(text: str) -> Iterator[str]:
    """Yield the parameters of a header: pieces between commas outside of brackets and quotes."""
    depth, start, quote = 0, 0, ""
    for at, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "[{(":
            depth += 1
        elif letter in "]})":
            depth -= 1
        elif letter == "," and depth == 0:
            yield text[start:at]
            start = at + 1
    if text[start:].strip():
        yield text[start:]


@record()
class Dispatch:
    """One signature of a function with the Python function behind it."""

    header: str
    implementation: Implementation
    wants_scope: bool
    name: str = ""
    parameters: list[Parameter] = field(default_factory=list)
    block: Parameter | None = None
    returns: str | None = None
    low: int = 0
    high: int | None = 0
    acceptance: Acceptance | None = None

    def __post_init__(self) -> None:
        found = HEADER.match(self.header)
        if found is None:
            raise ValueError(f"not a function header: {self.header}")
        self.name, self.returns = found["name"], found["returns"]
        for text in split_parameters(found["parameters"]):
            parts = PARAMETER.match(text)
            if parts is None:
                raise ValueError(f"not a parameter: {text!r} in {self.header}")
            parameter = Parameter(
                parts["type"] or "Any",
                parts["name"],
                optional=parts["default"] is not None,
                repeated=parts["mark"] == "*",
                is_block=parts["mark"] == "&",
            )
            if parameter.is_block:
                self.block = parameter
            else:
                self.parameters.append(parameter)
        self.low = sum(not (item.optional or item.repeated) for item in self.parameters)
        # A repeated parameter with "= 1" as its default must be given at least once.
        repeated = any(item.repeated for item in self.parameters)
        self.high = None if repeated else len(self.parameters)

    def prepare(self) -> Acceptance:
        """Compile the checks of the parameters, once."""
        checks = [checker(item.type) for item in self.parameters]
        block_check = None if self.block is None else block_checker(self.block.type)
        self.acceptance = acceptance(self.low, self.high, checks, block_check)
        return self.acceptance

    def accepts(self, arguments: Sequence[Value], block: Closure | None) -> bool:
        """Return whether the dispatch takes these arguments."""
        return (self.acceptance or self.prepare())(arguments, block)

    def invoke(self, scope: Scope, arguments: Sequence[Value], block: Closure | None) -> Value:
        """Call the implementation with arguments that were accepted."""
        if self.block is not None:
            missing = len(self.parameters) - len(arguments)
            if missing > 0 and self.high is not None:
                arguments = [*arguments, *[None] * missing]
            if self.wants_scope:
                return self.implementation(scope, *arguments, block=block)
            return self.implementation(*arguments, block=block)
        if self.wants_scope:
            return self.implementation(scope, *arguments)
        return self.implementation(*arguments)


def acceptance(
    low: int,
    high: int | None,
    checks: list[Check],
    block_check: Callable[[Closure | None], bool] | None,
) -> Acceptance:
    """Return a check of the number and types of arguments; checks that always hold are omitted."""
    most = sys.maxsize if high is None else high
    asked = tuple((place, check) for place, check in enumerate(checks) if check is not always)
    last = checks[-1] if high is None and checks[-1] is not always else None
    first_repeated = len(checks)

    def accepts(arguments: Sequence[Value], block: Closure | None) -> bool:
        count = len(arguments)
        if not low <= count <= most:
            return False
        for place, check in asked:
            if place >= count:
                break
            if not check(arguments[place]):
                return False
        if last is not None:
            for argument in arguments[first_repeated:]:
                if not last(argument):
                    return False
        return block is None if block_check is None else block_check(block)

    return accepts


class About(TypedDict, total=False):
    """The data in a declaration of a function besides its signature.

    ``since`` and ``until`` are the first and the last release that has it: of Puppet for core
    functions, else of the standard library. ``earlier`` lists releases before ``since`` that had it,
    each with its API: ``2.6.0-2.6.0 3x``. ``api`` is ``4x``, ``3x``, or ``pp`` for a function that is
    written in the Puppet language. ``dialects`` limits it to some of Puppet 3's. ``refused`` marks a
    name whose every call is an error in these dialects. ``remark`` is its status in the list of
    functions, where that is not simply "complete".
    """

    since: str
    until: str
    earlier: str
    api: str
    dialects: tuple[str, ...]
    refused: bool
    remark: str


@record()
class BuiltinFunction:
    """A function written in Python, with its dispatches in the order they are tried.

    For the other fields see :class:`About`.
    """

    name: str
    dispatches: list[Dispatch] = field(default_factory=list)
    documentation: str = ""
    since: str = ""
    until: str | None = None
    earlier: str = ""
    api: str = "4x"
    dialects: tuple[str, ...] = ()
    refused: bool = False
    remark: str = "complete"

    def call(self, scope: Scope, arguments: Sequence[Value], block: Closure | None = None) -> Value:
        """Run the first dispatch that takes the arguments; else raise a description of the mismatch."""
        for dispatch in self.dispatches:
            if (dispatch.acceptance or dispatch.prepare())(arguments, block):
                return dispatch.invoke(scope, arguments, block)
        raise self.unsuitable(arguments, block)

    def unsuitable(self, arguments: Sequence[Value], block: Closure | None) -> PuppetError:
        """Return the error of a call that no dispatch takes."""
        return issues.ILLEGAL_ARGUMENT(
            mismatch=describe_call(self.name, self.signatures(), arguments, block_type(block))
        )

    def signatures(self) -> list[CallableType]:
        """Return the Callable type of each dispatch, for messages."""
        return [
            CallableType(
                parameters=tuple(item.type for item in dispatch.parameters),
                low=dispatch.low,
                high=dispatch.high,
                block=dispatch.block.type if dispatch.block else None,
                names=tuple(item.name for item in dispatch.parameters),
            )
            for dispatch in self.dispatches
        ]


class FunctionTable(dict[str, BuiltinFunction]):
    """The built-ins that one module of ``functions/`` defines."""

    def __call__(
        self, *headers: str, scope: bool = False, **about: Unpack[About]
    ) -> Callable[[Implementation], Implementation]:
        """Return the decorator: register a Python function under Puppet signatures."""

        def register(implementation: Implementation) -> Implementation:
            for header in headers:
                dispatch = Dispatch(header, implementation, scope)
                entry = self.get(dispatch.name)
                if entry is None:
                    entry = self[dispatch.name] = BuiltinFunction(dispatch.name, **about)
                elif any(getattr(entry, name) != value for name, value in about.items()):
                    raise ValueError(f"two declarations of {dispatch.name} disagree")
                entry.dispatches.append(dispatch)
                entry.documentation = entry.documentation or implementation.__doc__ or ""
            return implementation

        return register
