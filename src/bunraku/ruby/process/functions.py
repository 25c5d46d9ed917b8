"""Functions that modules carry in Ruby, as functions that Puppet code can call.

The current kind declares its arguments as types of the Puppet language; these are checked here. The
old kind takes anything, in the form that :meth:`Codec.encode_old` gives it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bunraku.base.records import field, record
from bunraku.hiera.context import LookupContext
from bunraku.ruby.process import issues
from bunraku.ruby.process.bridge import Bridge, bridge_of
from bunraku.ruby.process.hiera import last_context
from bunraku.ruby.process.process import Frame
from bunraku.ruby.run.calls import Effects, replayed
from bunraku.ruby.run.functions import native_function, reason_for_ruby, run_acting, run_method
from bunraku.ruby.run.scope import own_scope
from bunraku.ruby.values.objects import NeedsRuby
from bunraku.runtime.callables import Closure, block_checker, block_type
from bunraku.runtime.caller_variables import with_locals
from bunraku.runtime.state import Compilation, Function, Scope
from bunraku.types.base import TypeAliasType
from bunraku.types.mismatch import describe_call, describe_mismatch
from bunraku.types.model import CallableType, OptionalType, Type
from bunraku.types.parse import parse_type
from bunraku.types.relations.instance import checker, is_instance

Value = Any
NOTHING_FITS: dict[Any, Value] = {}


def ruby_function(name: str, path: str, kind: str) -> Function:
    """Return the function of a Ruby file; ``kind`` is ``ruby3`` for the old kind, else ``ruby``."""
    if kind == "ruby3":
        return OldRubyFunction(name, path)
    return RubyFunction(name, path)


# -- the present kind ------------------------------------------------------------------------------


class LocalTypes:
    """The type aliases of a function's own, then those of all."""

    def __init__(self, compilation: Compilation, texts: Sequence[str]) -> None:
        self.compilation = compilation
        self.types: dict[str, Type] = {}
        definitions = []
        for text in texts:
            name, _, definition = text.partition("=")
            alias = TypeAliasType(name.strip())
            self.types[alias.name.lower()] = alias
            definitions.append((alias, definition.strip()))
        for alias, definition in definitions:
            alias.definition = parse_type(definition, self)

    def load_type(self, name: str) -> Type | None:
        """See :class:`bunraku.types.parameters.parameters.TypeLoader`."""
        return self.types.get(name.lower()) or self.compilation.types.load_type(name)


@record()
class RubyDispatch:
    """One signature: the method behind it, and the checks of its arguments."""

    method: str
    injected: list[str]
    signature: CallableType
    returns: Type | None
    is_mismatch: bool
    checks: list[Callable[[Value], bool]]
    block_check: Callable[[Closure | None], bool] | None

    def accepts(self, arguments: Sequence[Value], block: Closure | None) -> bool:
        """Return whether the dispatch takes these arguments."""
        count, high = len(arguments), self.signature.high
        if count < (self.signature.low or 0) or (high is not None and count > high):
            return False
        checks = self.checks
        if count > len(checks):
            checks = [*checks, *checks[-1:] * (count - len(checks))]
        context = last_context(arguments)
        fits = NOTHING_FITS if context is None else context.fits
        for argument, check in zip(arguments, checks, strict=False):
            # The context and the options of a backend are the same in each call.
            if fits.get(check) is argument and argument is not None:
                continue
            if not check(argument):
                return False
            if context is not None and (argument is context or argument is context.options):
                fits[check] = argument
        return block is None if self.block_check is None else self.block_check(block)


OWN_CALL = RubyDispatch("call", ["scope"], CallableType(), None, False, [], None)
"""Stands for the method ``call`` of a function that has its own."""


def read_dispatch(data: Frame, types: LocalTypes) -> RubyDispatch:
    """Return a signature from Ruby's description."""
    parameters = [(parse_type(text, types), name, kind) for text, name, kind in data["parameters"]]
    kinds = [kind for _, _, kind in parameters]
    low = sum(kind.startswith("required") for kind in kinds)
    repeated = bool(kinds) and kinds[-1].endswith("repeated")
    block = None
    if data["block"] is not None:
        text, _, kind = data["block"]
        block = parse_type(text, types)
        if kind == "optional":
            block = OptionalType(block)
    signature = CallableType(
        parameters=tuple(type_ for type_, _, _ in parameters),
        low=low,
        high=None if repeated else len(parameters),
        block=block,
        names=tuple(name for _, name, _ in parameters),
    )
    returns = data["returns"]
    return RubyDispatch(
        data["method_name"],
        data["injected"],
        signature,
        None if returns is None else parse_type(returns, types),
        data["mismatch"] is True,
        [checker(type_) for type_, _, _ in parameters],
        None if block is None else block_checker(block),
    )


@record()
class RubyFunction:
    """A function of ``lib/puppet/functions``."""

    name: str
    path: str
    dispatches: list[RubyDispatch] | None = None
    methods: dict[str, Callable[..., Value]] = field(default_factory=dict)
    acts: bool = False
    own_call: bool = False

    @property
    def what(self) -> str:
        """The name of the function in messages."""
        return f"Function '{self.name}'"

    def call(self, scope: Scope, arguments: Sequence[Value], block: Closure | None = None) -> Value:
        """Run the function, with its own method ``call`` if it has one."""
        if self.dispatches is None:
            self.dispatches = self.read(scope.compilation)
        if self.own_call:
            bridge_of(scope.compilation).answers.dispatchers[self.path] = self.dispatch
            return self.run_in_ruby(OWN_CALL, scope, arguments, block)
        return self.dispatch(scope, arguments, block)

    def dispatch(
        self, scope: Scope, arguments: Sequence[Value], block: Closure | None = None
    ) -> Value:
        """Run the first dispatch that takes the arguments; else raise a description of the mismatch."""
        dispatches = self.dispatches or []
        for dispatch in dispatches:
            if not dispatch.is_mismatch and dispatch.accepts(arguments, block):
                return self.run(dispatch, scope, arguments, block)
        raise self.refuse(dispatches, scope, arguments, block)

    def read(self, compilation: Compilation) -> list[RubyDispatch]:
        """Return the dispatches as read from the file, or else from Ruby."""
        native = native_function(compilation.world, self.path, self.name)
        if native is not None:
            self.methods, self.acts = native.methods, native.acts
            texts, signatures = native.types, native.signatures
        else:
            bridge = bridge_of(compilation)
            with bridge.code.function(self.path, self.name):
                bridge.process(self.what + reason_for_ruby(self.path, self.name))
                loaded = bridge.load(self.name, self.path, self.what)
            texts, signatures = loaded["types"], loaded["signatures"]
            self.own_call = loaded["own_call"]
        types = LocalTypes(compilation, texts)
        return [read_dispatch(item, types) for item in signatures]

    def run(
        self,
        dispatch: RubyDispatch,
        scope: Scope,
        arguments: Sequence[Value],
        block: Closure | None,
    ) -> Value:
        """Call the method, without Ruby if possible; check its result."""
        method = self.methods.get(dispatch.method)
        if method is None:
            result = self.run_in_ruby(dispatch, scope, arguments, block)
        else:
            result = self.run_method(method, dispatch, scope, arguments, block)
        if dispatch.returns is not None and not is_instance(result, dispatch.returns):
            subject = f"value returned from function '{self.name}'"
            last = self.name.rpartition("::")[2]
            puppet = f"value returned from function '{last}' has wrong type,"
            raise issues.WRONG_RETURN(
                mismatch=describe_mismatch(subject, dispatch.returns, result),
                words=describe_mismatch(puppet, dispatch.returns, result),
            )
        return result

    def run_method(
        self,
        method: Callable[..., Value],
        dispatch: RubyDispatch,
        scope: Scope,
        arguments: Sequence[Value],
        block: Closure | None,
    ) -> Value:
        """Call a translated method; Ruby's own if it turns out to need Ruby."""
        effects: Effects = []
        try:
            if self.acts:
                return run_acting(scope.compilation, method, arguments, effects)
            return run_method(method, arguments)
        except NeedsRuby as reason:
            compilation = scope.compilation
            with replayed(compilation, effects):
                bridge = bridge_of(compilation)
                with bridge.code.function(self.path, self.name):
                    bridge.process(f"{self.what} ({reason})")
                return self.run_in_ruby(dispatch, scope, arguments, block)

    def run_in_ruby(
        self,
        dispatch: RubyDispatch,
        scope: Scope,
        arguments: Sequence[Value],
        block: Closure | None,
    ) -> Value:
        """Call the Ruby method."""
        with bridge_of(scope.compilation).code.function(self.path, self.name):
            return self.ask_ruby(dispatch, scope, arguments, block, last_context(arguments))

    def ask_ruby(
        self,
        dispatch: RubyDispatch,
        scope: Scope,
        arguments: Sequence[Value],
        block: Closure | None,
        context: LookupContext | None,
    ) -> Value:
        """Call the Ruby method; the reply may be here already, because backends answer several keys."""
        bridge = bridge_of(scope.compilation)
        is_level = context is not None and context.function == self.name
        if context is not None and context.answers and is_level:
            reply = context.answers.pop(arguments[0], None)
            if reply is not None:
                return bridge.value_of(reply, self.what)
        bridge.load(self.name, self.path, self.what)
        if context is None:  # a backend may run before the parameters of the scope have values
            copies = bridge.changes.own_parameters(scope)
            if copies:
                arguments = [copies.get(id(item), item) for item in arguments]
        codec = bridge.codec
        seen = with_locals(scope) if dispatch.injected else scope
        with codec.lent(seen) as number, codec.lent(block) as block_number:
            frame = {
                "method": dispatch.method,
                "injected": dispatch.injected,
                "scope": number,
                "own": codec.hold(own_scope(scope)),
                "args": bridge.backends.encode_arguments(arguments, context),
                "block": None if block is None else describe_block(block, block_number),
                "backend": context is not None,
            }
            if context is None or not is_level:
                return bridge.value_of(bridge.call(frame, self.what, self.path), self.what)
            rest = arguments[1:]
            under_way = bridge.backends.keys_under_way(context)
            further = [
                key
                for key in context.further
                if key not in under_way and dispatch is self.dispatch_of([key, *rest])
            ]

            def call(keys: list[str]) -> Frame:
                more = {"more": keys} if keys else {}
                return bridge.call({**frame, **more}, self.what, self.path)

            reply = bridge.backends.call(context, further, call)
            return bridge.value_of(reply, self.what)

    def dispatch_of(self, arguments: Sequence[Value]) -> RubyDispatch | None:
        """Return the first dispatch that takes some arguments."""
        for dispatch in self.dispatches or ():
            if not dispatch.is_mismatch and dispatch.accepts(arguments, None):
                return dispatch
        return None

    def refuse(
        self,
        dispatches: Sequence[RubyDispatch],
        scope: Scope,
        arguments: Sequence[Value],
        block: Closure | None,
    ) -> BaseException:
        """Return the error for arguments without a dispatch; the function may define its text."""
        for dispatch in dispatches:
            if dispatch.is_mismatch and dispatch.accepts(arguments, block):
                reason = self.run(dispatch, scope, arguments, block)
                return issues.REFUSED_ARGUMENT(name=self.name, reason=reason)
        signatures = [item.signature for item in dispatches if not item.is_mismatch]
        mismatch = describe_call(self.name, signatures, arguments, block_type(block))
        return issues.ILLEGAL_ARGUMENT(mismatch=mismatch)


def describe_block(block: Closure, number: int) -> Frame:
    """Return a lambda in the form for Ruby: its number and its parameters."""
    return {
        "id": number,
        "low": block.low,
        "high": block.high,
        "names": list(block.names),
    }


# -- the old kind ----------------------------------------------------------------------------------


@record()
class OldRubyFunction:
    """A function of the old kind: its name, and the file of ``lib/puppet/parser/functions`` to load."""

    name: str
    path: str

    @property
    def what(self) -> str:
        """The name of the function in messages."""
        return f"Function '{self.name}'"

    def call(self, scope: Scope, arguments: Sequence[Value], block: Closure | None = None) -> Value:
        """Run the Ruby block; a lambda is not handed over, as in Puppet."""
        with bridge_of(scope.compilation).code.function(self.path, self.name):
            return self.call_in_ruby(scope, arguments)

    def call_in_ruby(self, scope: Scope, arguments: Sequence[Value]) -> Value:
        """Run the Ruby block."""
        bridge = bridge_of(scope.compilation)
        self.check_count(self.load(bridge)[1], len(arguments))
        codec = bridge.codec
        with codec.lent(with_locals(scope)) as number:
            frame = {
                "do": "call_old",
                "name": self.name,
                "scope": number,
                "own": codec.hold(own_scope(scope)),
                "args": [
                    "" if item is None else codec.encode_old(item, self.name) for item in arguments
                ],
            }
            return bridge.value_of(bridge.call(frame, self.what, self.path), self.what)

    def has_value(self, scope: Scope) -> bool:
        """Return whether the function has a value; Puppet 3 separates functions from statements."""
        with bridge_of(scope.compilation).code.function(self.path, self.name):
            return self.load(bridge_of(scope.compilation))[0] != "statement"

    def load(self, bridge: Bridge) -> tuple[str, int]:
        """Load the file unless the function exists; return the function's type and arity."""
        if self.name not in bridge.old_functions:
            bridge.load_old(self.name, self.path, self.what)
        return bridge.old_functions[self.name]

    def check_count(self, arity: int, count: int) -> None:
        """Refuse a wrong number of arguments: an arity of -2 means one or more."""
        if arity == count or (arity < 0 and count >= -arity - 1):
            return
        expected = str(arity) if arity >= 0 else f"at least {-arity - 1}"
        wanted = str(arity) if arity >= 0 else f"minimum {-arity - 1}"
        raise issues.WRONG_COUNT(name=self.name, expected=expected, actual=count, wanted=wanted)
