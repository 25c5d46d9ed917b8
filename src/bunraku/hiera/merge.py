"""Merge strategies for the values of a key from several places: first, unique, hash, deep.

The deep merge follows Ruby's ``deep_merge`` library in its results, found by differential tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from bunraku.hiera import issues
from bunraku.hiera.explain import Explanation
from bunraku.modules.ruby_text import text
from bunraku.values.keys import as_key
from bunraku.values.missing import MISSING
from bunraku.values.ruby_semantics.collections import flatten

Value = Any
Candidate = TypeVar("Candidate")


class Strategy:
    """The strategy ``first``: the first value that is found, the rest is never read."""

    name = "first"
    __slots__ = ("options",)

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        self.options: Mapping[str, Any] = options or {}

    def lookup(
        self, places: Sequence[Candidate], get: Callable[[Candidate], Value], explain: Explanation
    ) -> Value:
        """Return the value that ``get`` finds in the places, the most important place first."""
        for place in places:
            value = get(place)
            if value is not MISSING:
                return value
        return MISSING


class Merging(Strategy):
    """A strategy that uses the values of all places."""

    __slots__ = ()

    def lookup(
        self, places: Sequence[Candidate], get: Callable[[Candidate], Value], explain: Explanation
    ) -> Value:
        """See :class:`Strategy`."""
        if not places:
            return MISSING
        if len(places) == 1:
            value = get(places[0])
            return value if value is MISSING else self.alone(value)
        merged = MISSING
        with explain.step("merge", self.name, options=self.options):
            for place in places:
                value = get(place)
                if value is not MISSING:
                    merged = self.begin(value) if merged is MISSING else self.merge(merged, value)
            if merged is not MISSING:
                explain.result(merged)
        return merged

    def alone(self, value: Value) -> Value:
        """Return the value if there is only one place to search."""
        return value

    def begin(self, value: Value) -> Value:
        """Return the first value that is found, ready to be merged with others."""
        return value

    def merge(self, first: Value, second: Value) -> Value:
        """Return the merge of two values, the first being the more important."""
        raise issues.UNKNOWN_STRATEGY(name=self.name)


class Unique(Merging):
    """The strategy ``unique``: one flat array without repetitions; hashes are refused."""

    name = "unique"
    __slots__ = ()

    def alone(self, value: Value) -> Value:
        """See :class:`Merging`."""
        return unique(value) if value.__class__ is list else value

    def begin(self, value: Value) -> Value:
        """See :class:`Merging`."""
        return flatten(value) if value.__class__ is list else [value]

    def merge(self, first: Value, second: Value) -> Value:
        """See :class:`Merging`."""
        for value in (first, second):
            if value is None or value.__class__ is dict:
                raise mismatch(self.name, value)
        return unique([*self.begin(first), *self.begin(second)])


class HashMerge(Merging):
    """The strategy ``hash``: the keys of all hashes; of equal keys the first one's value."""

    name = "hash"
    __slots__ = ()

    def merge(self, first: Value, second: Value) -> Value:
        """See :class:`Merging`."""
        for value in (first, second):
            if value.__class__ is not dict or not all(key.__class__ is str for key in value):
                raise mismatch(self.name, value)
        return {**second, **first}


class Deep(Merging):
    """The strategy ``deep``: as ``hash``, but hashes and arrays below are merged too."""

    name = "deep"
    allowed: Mapping[str, type] | None = {
        "strategy": str,
        "knockout_prefix": str,
        "merge_debug": bool,
        "merge_hash_arrays": bool,
        "sort_merged_arrays": bool,
    }
    __slots__ = ("_merger",)

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        super().__init__(options)
        if self.allowed is not None:
            check_options(self.options, self.allowed)
        self._merger = DeepMerge(self.options)

    def merge(self, first: Value, second: Value) -> Value:
        """See :class:`Merging`."""
        return self._merger.merge(first, second)


class UnconstrainedDeep(Deep):
    """Hiera 3's ``deeper``: any option of Ruby's ``deep_merge`` library is allowed."""

    name = "unconstrained_deep"
    allowed = None
    __slots__ = ()


class ReverseDeep(UnconstrainedDeep):
    """Hiera 3's ``deep``: the less important value wins."""

    name = "reverse_deep"
    __slots__ = ()

    def merge(self, first: Value, second: Value) -> Value:
        """See :class:`Merging`."""
        return self._merger.merge(second, first)


def strategy(merge: Strategy | str | Mapping[str, Any] | None) -> Strategy:
    """Return the strategy that a name, or a hash with ``strategy`` and options, selects.

    >>> strategy("hash").merge({"a": 1}, {"a": 2, "b": 3})
    {'a': 1, 'b': 3}
    """
    if merge is None:
        return FIRST
    if isinstance(merge, Strategy):
        return merge
    name: Any = merge
    if not isinstance(merge, str | Mapping):
        raise issues.UNKNOWN_STRATEGY(name=merge)
    if isinstance(merge, Mapping):
        name = merge.get("strategy")
        if name is None:
            raise issues.STRATEGY_MISSING()
    if name.__class__ is not str or name not in STRATEGIES:
        raise issues.UNKNOWN_STRATEGY(name=name)
    if not isinstance(merge, Mapping) or len(merge) == 1:
        return PLAIN[name]
    kind = STRATEGIES[name]
    if not issubclass(kind, Deep):
        check_options(merge, {"strategy": str})
    return kind(merge)


def check_options(options: Mapping[str, Any], allowed: Mapping[str, type]) -> None:
    """Refuse options that a strategy does not have, or of the wrong kind."""
    for name, value in options.items():
        if name not in allowed:
            raise issues.BAD_MERGE_OPTION(name=name, problem="unknown option")
        if value is not None and value.__class__ is not allowed[name]:
            wanted = "true or false" if allowed[name] is bool else "a string"
            raise issues.BAD_MERGE_OPTION(name=name, problem=f"it must be {wanted}")


def mismatch(name: str, value: Value) -> Exception:
    """Return the error of a strategy that was given a value it cannot merge."""
    kinds = {dict: "a hash", list: "an array", str: "a string", type(None): "undef"}
    kind = kinds.get(value.__class__, "a value of this kind")
    return issues.MERGE_MISMATCH(strategy=name, kind=kind)


def unique(values: list[Value]) -> list[Value]:
    """Return the first of equal values; letter case and the kind of number count.

    >>> unique(["a", "A", 1, 1.0, "a"])
    ['a', 'A', 1, 1.0]
    """
    seen: dict[Any, Value] = {}
    for value in values:
        seen.setdefault(as_key(value), value)
    return list(seen.values())


class DeepMerge:
    """The deep merge with its options; neither value is changed."""

    __slots__ = (
        "extend_arrays",
        "hash_arrays",
        "keep_unmergeable",
        "knockout",
        "prefix",
        "replace_arrays",
        "sort",
        "split",
    )

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.prefix: str | None = options.get("knockout_prefix")
        self.hash_arrays = bool(options.get("merge_hash_arrays"))
        self.sort = bool(options.get("sort_merged_arrays"))
        self.keep_unmergeable = bool(options.get("preserve_unmergeables"))
        self.replace_arrays = bool(options.get("overwrite_arrays"))
        self.extend_arrays = bool(options.get("extend_existing_arrays"))
        self.split: str | None = options.get("unpack_arrays") or None
        if self.prefix == "":
            raise issues.BAD_MERGE_OPTION(name="knockout_prefix", problem="it must not be empty")
        if self.prefix is not None and self.keep_unmergeable:
            problem = "it cannot be combined with preserve_unmergeables"
            raise issues.BAD_MERGE_OPTION(name="knockout_prefix", problem=problem)
        self.knockout: re.Pattern[str] | None = None
        if self.prefix is not None:
            try:
                self.knockout = re.compile(f"^{self.prefix}", re.MULTILINE)
            except re.error as error:
                raise issues.BAD_MERGE_OPTION(name="knockout_prefix", problem=error) from None

    def merge(self, source: Value, target: Value) -> Value:
        """Return the source merged over the target."""
        if source is None:
            return target
        if target is None or target is False:
            return target if self.keep_unmergeable else source
        if source.__class__ is dict:
            return self.merge_hash(source, target)
        if source.__class__ is list:
            return self.merge_array(source, target)
        if target.__class__ is list and self.extend_arrays:
            return [*target, source]
        return self.replace(source, target)

    def merge_hash(self, source: dict[Any, Value], target: Value) -> Value:
        """Return a hash merged over anything."""
        if target.__class__ is not dict:
            if not source:
                return target
            if target.__class__ is list and self.extend_arrays:
                return [*target, *[source] * len(source)]
            if self.keep_unmergeable:
                return target
            # The first key turns the target into the source, which the others then are merged with.
            first = next(iter(source))
            return {
                key: value if key == first else self.clean(value, alias=True)
                for key, value in source.items()
            }
        merged = dict(target)
        for key, value in source.items():
            below = merged.get(key)
            if below is None or below is False:
                merged[key] = self.clean(value, alias=False)
            else:
                merged[key] = self.merge(value, below)
        return merged

    def clean(self, value: Value, *, alias: bool) -> Value:
        """Return a value that meets nothing: it is merged with itself, so knock-outs vanish.

        Ruby merges it with the very same object (``alias``) or with a shallow copy; an array that
        is emptied by a bare prefix shows the difference.
        """
        if value.__class__ is dict:
            return {key: self.clean(item, alias=True) for key, item in value.items()}
        if value.__class__ is list:
            if alias and self.prefix is not None and not self.replace_arrays:
                value = [] if self.prefix in value else self.knock_out_of_itself(value)
                return self.combine(value, value)
            return self.merge_array(value, value)
        return self.merge(value, value)

    def merge_array(self, source: list[Value], target: Value) -> Value:
        """Return an array merged over anything."""
        if self.replace_arrays:
            return source
        if self.split is not None:
            source = self.join_and_split(source)
            if target.__class__ is list:
                target = self.join_and_split(target)
        if self.prefix is not None and self.prefix in source:
            target = [] if target.__class__ is list else {} if target.__class__ is dict else None
            source = [item for item in source if item != self.prefix]
        if target.__class__ is not list:
            return self.replace(source, target)
        if self.knockout is not None:
            source, target = self.knock_out(source, target)
        return self.combine(source, target)

    def combine(self, source: list[Value], target: list[Value]) -> list[Value]:
        """Return two arrays as one."""
        if self.hash_arrays and all(item.__class__ is dict for item in (*source, *target)):
            merged = [
                self.merge(source[at] if at < len(source) else {}, item)
                for at, item in enumerate(target)
            ]
            merged.extend(source[len(target) :])
        else:
            merged = unique([*target, *source])
        return sort(merged) if self.sort else merged

    def knock_out(
        self, source: list[Value], target: list[Value]
    ) -> tuple[list[Value], list[Value]]:
        """Return both arrays without the knock-outs of the source and the elements that they remove."""
        kept: list[Value] = []
        gone: set[Any] = set()
        for item in source:
            bare = self.bare(item)
            if bare is item or bare == item:
                kept.append(item)
            else:
                gone.update((bare, item))
        if gone:
            target = [item for item in target if item.__class__ is not str or item not in gone]
        return kept, target

    def knock_out_of_itself(self, values: list[Value]) -> list[Value]:
        """Return the items left by Ruby's ``delete_if`` if its block deletes from the same array.

        Deleting moves the rest up under the running index, so a neighbour is lost too.
        """
        values, read, written = list(values), 0, 0
        while read < len(values):
            item = values[read]
            bare = self.bare(item)
            read += 1
            if bare != item:
                values = [
                    one for one in values if one.__class__ is not str or one not in {bare, item}
                ]
                continue
            values[written : written + 1] = [item]
            written += 1
        return values[:written] + values[read:] if written < min(read, len(values)) else values

    def bare(self, item: Value) -> Value:
        """Return a string without the knock-out prefix."""
        if self.knockout is None or item.__class__ is not str:
            return item
        return self.knockout.sub("", item)

    def replace(self, source: Value, target: Value) -> Value:
        """Return a value that cannot be merged: it replaces the other, or knocks it out."""
        if self.keep_unmergeable:
            return target
        if self.knockout is None:
            return source
        if source.__class__ is str:
            return source if self.bare(source) == source else ""
        if source.__class__ is list:
            return [
                item
                for item in source
                if item.__class__ is not str or not self.knockout.search(item)
            ]
        return source

    def join_and_split(self, values: list[Value]) -> list[Value]:
        """Return the array joined to a string and split again (``unpack_arrays``)."""
        mark = self.split or ""
        pieces = mark.join(map(text, flatten(values))).split(mark)
        while pieces and pieces[-1] == "":
            pieces.pop()
        return list(pieces)


def sort(values: list[Value]) -> list[Value]:
    """Return the values in order; they must be comparable with one another."""
    if len(values) < 2:
        return values
    kinds = {KINDS.get(value.__class__, "values of other kinds") for value in values}
    if len(kinds) == 1 and kinds <= {"strings", "numbers", "arrays"}:
        try:
            return sorted(values)
        except TypeError:
            kinds = {"arrays of different things"}
    raise issues.UNSORTABLE(kinds=" and ".join(sorted(kinds)))


KINDS = {
    str: "strings",
    int: "numbers",
    float: "numbers",
    bool: "Booleans",
    list: "arrays",
    dict: "hashes",
    type(None): "undef",
}
FIRST = Strategy()
STRATEGIES: dict[str, type[Strategy]] = {
    kind.name: kind for kind in (Strategy, Unique, HashMerge, Deep, UnconstrainedDeep, ReverseDeep)
}
STRATEGIES["default"] = Strategy
PLAIN = {name: kind() for name, kind in STRATEGIES.items()}
