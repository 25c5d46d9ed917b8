"""Methods of ``Puppet::LookupContext``, of the scope and of ``Puppet`` itself in translated functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from bunraku.base.errors import PuppetError
from bunraku.hiera.context import LocalCache, LookupContext
from bunraku.hiera.file_data import Made
from bunraku.ruby.run.calls import current_call
from bunraku.ruby.run.scope import puppet_value, share, to_puppet
from bunraku.ruby.values.objects import (
    HASHES,
    LISTS,
    SIMPLE,
    SYMBOLS,
    NeedsRuby,
    symbol,
    text,
    unknown,
)
from bunraku.runtime.markers import MISSING as UNSET
from bunraku.values.keys import as_key, from_key, pairs
from bunraku.values.missing import MISSING, KeyNotFound
from bunraku.values.sensitive import Sensitive

Value = Any
Block = Callable[..., Value]
KEPT = SIMPLE | LISTS | HASHES | SYMBOLS | {float, Sensitive}
"""Classes of values that a translated function may keep in a context: all can be sent to Ruby."""
WITH_TEXTS = LISTS | HASHES | {str}


def context_of(value: Value, what: str) -> LookupContext:
    """Return a receiver that must be a context."""
    if value.__class__ is LookupContext:
        return value
    raise unknown(what, value)


def values_of(value: Value, what: str) -> LocalCache:
    """Return the values that a context keeps, unless they are in Ruby."""
    kept = context_of(value, what).kept
    if kept.__class__ is not LocalCache:
        raise NeedsRuby("a context whose values are in Ruby")
    return kept


# -- the context of a backend ----------------------------------------------------------------------


def cached_value(value: Value, key: Value) -> Value:
    """Implement ``context.cached_value``."""
    return values_of(value, "cached_value").get(key)


def cache_has_key(value: Value, key: Value) -> bool:
    """Implement ``context.cache_has_key``."""
    return values_of(value, "cache_has_key").has(key)


def cache(value: Value, key: Value, item: Value) -> Value:
    """``context.cache``; a cached value may not be changed, because that could not be undone."""
    kept = values_of(value, "cache")
    if item.__class__ not in KEPT:
        raise unknown("cache", item)
    share(item)
    current_call().keep(kept, to_puppet(key), item)
    return item


def cache_all(value: Value, items: Value) -> None:
    """``context.cache_all``."""
    kept, call = values_of(value, "cache_all"), current_call()
    if items.__class__ not in HASHES:
        raise unknown("cache_all", items)
    for key, item in items.items():
        if item.__class__ not in KEPT:
            raise unknown("cache_all", item)
        share(item)
        call.keep(kept, from_key(key), item)


def not_found(value: Value) -> NoReturn:
    """``context.not_found``."""
    context_of(value, "not_found")
    raise KeyNotFound


def environment_name(value: Value) -> Value:
    """Implement ``context.environment_name``, a symbol."""
    return symbol(context_of(value, "environment_name").environment_name)


def module_name(value: Value) -> Value:
    """Implement ``context.module_name``."""
    return context_of(value, "module_name").module_name


def explain(value: Value, block: Block, count: int) -> None:
    """``context.explain``: the block runs only if an explanation is requested."""
    context = context_of(value, "explain")
    if context.explaining:
        if count:
            raise NeedsRuby("explain with this kind of block")
        shown = text(block())
        current_call().effect(("explain", shown), lambda: context.note(shown))


def interpolate(value: Value, item: Value) -> Value:
    """Implement ``context.interpolate``."""
    context = context_of(value, "interpolate")
    if item.__class__ is str and "%{" not in item:
        return item
    texts: list[str] = []
    collect(item, texts)
    if not texts:
        share(item)  # Ruby makes a copy, which makes no difference where nothing can be changed
        return item
    call = current_call()
    try:
        found = call.effect(
            ("interpolate", texts), lambda: [context.interpolate(one) for one in texts]
        )
    except PuppetError as error:
        raise NeedsRuby(error.message) from None
    return fill(item, iter(found))


def collect(value: Value, texts: list[str]) -> None:
    """Find the texts in which there is something to replace, in the order in which Puppet does."""
    kind = value.__class__
    if kind is str:
        if "%{" in value:
            texts.append(value)
    elif kind in HASHES:
        for key, item in value.items():
            if key.__class__ is not str or "%{" in key:
                collect(from_key(key), texts)
            if item.__class__ in WITH_TEXTS:
                collect(item, texts)
    elif kind in LISTS:
        for item in value:
            if item.__class__ in WITH_TEXTS:
                collect(item, texts)


def fill(value: Value, found: Any) -> Value:
    """Return a value with its texts replaced."""
    kind = value.__class__
    if kind is str:
        return next(found) if "%{" in value else value
    if kind in LISTS:
        return [fill(item, found) for item in value]
    if kind in HASHES:
        made = {}
        for key, item in pairs(value):
            name = as_key(fill(key, found))
            made[name] = fill(item, found)
        return made
    return value


def cached_file_text(value: Value, path: Value) -> Value:
    """Implement ``context.cached_file_data`` without a block."""
    return file_data(value, path, lambda found: found)


def cached_file_data(value: Value, block: Block, count: int, path: Value) -> Value:
    """Implement ``context.cached_file_data`` with a block."""
    if count not in (0, 1):
        raise NeedsRuby("cached_file_data with this kind of block")
    return file_data(value, path, block if count else lambda _text: block())


def file_data(value: Value, path: Value, make: Block) -> Value:
    """Return the parsed content of a file, which must not change."""
    files = context_of(value, "cached_file_data").files
    if path.__class__ is not str:
        raise unknown("cached_file_data", path)
    try:
        content = files.read(path)
        known = files.known(path, content)
        found = MISSING if known is None else known.found()
        if found is MISSING:
            found = puppet_value(make(content.decode()))
            files.keep(path, Made(content, found))
    except (OSError, UnicodeDecodeError):
        raise NeedsRuby("a file that cannot be read as text") from None
    return found


# -- the compile -----------------------------------------------------------------------------------


def closure_variable(name: Value) -> Value:
    """Implement ``closure_scope['name']``: a variable of the top scope."""
    call = current_call()
    compilation = call.compilation
    journal = call.attempt.journal
    if name.__class__ is not str or (journal.ruby is not None and journal.ruby.active):
        raise unknown("closure_scope[]", name)
    try:
        found = journal.lookup(compilation.top_scope, name)
    except PuppetError as error:
        raise NeedsRuby(error.message) from None
    if journal.views and (found.__class__ in LISTS or found.__class__ in HASHES):
        return journal.view(found)
    return found


class ClosureScope:
    """``closure_scope`` as a value."""

    __slots__ = ()

    @staticmethod
    def element(name: Value) -> Value:
        """Implement ``scope[name]``."""
        return closure_variable(name)


CLOSURE_SCOPE = ClosureScope()


def scope_variable(value: Value, name: Value) -> Value:
    """Implement ``scope.lookupvar``."""
    if value is not CLOSURE_SCOPE:
        raise unknown("lookupvar", value)
    return closure_variable(name)


def closure_exists(name: Value) -> bool:
    """Implement ``closure_scope.exist?``."""
    if name.__class__ is not str:
        raise unknown("closure_scope.exist?", name)
    return current_call().compilation.top_scope.lookup(name) is not UNSET


CONTAINERS = frozenset({list, dict})


def call_function(name: Value, *arguments: Value) -> Value:
    """Implement ``call_function``: it runs in the top scope."""
    call = current_call()
    compilation, called = call.compilation, text(name)
    values = [to_puppet(item) for item in arguments]
    of_module = getattr(compilation.functions[called], "path", None) is not None
    if of_module and any(item.__class__ in CONTAINERS for item in values):
        raise NeedsRuby(f"an array or hash that '{called}' may change")

    def answer() -> Value:
        with call.attempt.journal.apart():
            return compilation.call_function(compilation.top_scope, called, values)

    try:
        return call.effect(("function", called, values), answer)
    except PuppetError as error:
        raise NeedsRuby(error.message) from None


def log(level: str, value: Value) -> Value:
    """Implement logging methods such as ``Puppet.warning``."""
    shown = text(value)
    call = current_call()
    call.effect(("log", level, shown), lambda: call.compilation.messages.log(level, shown, None))
    return None if level == "debug" else shown


METHODS: dict[str, Callable[..., Value]] = {
    "cached_value": cached_value,
    "cache_has_key": cache_has_key,
    "cache": cache,
    "cache_all": cache_all,
    "not_found": not_found,
    "environment_name": environment_name,
    "module_name": module_name,
    "interpolate": interpolate,
    "lookupvar": scope_variable,
    "cached_file_data": cached_file_text,
}
BLOCK_METHODS: dict[str, Callable[..., Value]] = {
    "explain": explain,
    "cached_file_data": cached_file_data,
}
