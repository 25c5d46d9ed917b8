"""The context of a lookup: the scope, the functions it can call, and the explanation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bunraku.hiera.explain import SILENT, Explanation
from bunraku.hiera.keys import Segment
from bunraku.types.base import Type
from bunraku.types.parse import parse_type

Value = Any
NO_VALUES: Mapping[str, Value] = {}


class Invocation:
    """One lookup's surroundings.

    ``scope_lookup(name, default)`` reads a variable by its name without ``$``;
    ``call_function(name, arguments)`` calls a function of Puppet; ``has_function(name)`` returns
    whether it exists; ``parse_type(text)`` includes the types of modules. ``overrides`` and
    ``defaults`` come before and after all data. ``global_only`` leaves out environment and modules;
    ``old_call`` marks the ``hiera*`` functions, ``old_paths`` the paths that they put before a
    version 3 hierarchy. ``upcoming`` has the keys that are looked up after this one in any case.
    ``before_reading(name, segments)`` is called before a variable of the scope is read.
    """

    __slots__ = (
        "before_reading",
        "call_function",
        "calling_class",
        "defaults",
        "explain",
        "global_only",
        "has_function",
        "local",
        "old_call",
        "old_paths",
        "old_scope",
        "overrides",
        "parse_type",
        "scope_lookup",
        "upcoming",
    )

    def __init__(  # noqa: PLR0913 (given by name)
        self,
        scope_lookup: Callable[[str, Value], Value],
        call_function: Callable[[str, Sequence[Value]], Value],
        *,
        has_function: Callable[[str], bool] = lambda _: True,
        calling_class: Callable[[], str | None] = lambda: None,
        explain: Explanation = SILENT,
        overrides: Mapping[str, Value] = NO_VALUES,
        defaults: Mapping[str, Value] = NO_VALUES,
        global_only: bool = False,
        old_call: bool = False,
        old_paths: Sequence[str] = (),
        parse_type: Callable[[str], Type] = parse_type,
        before_reading: Callable[[str, Sequence[Segment]], None] | None = None,
    ) -> None:
        self.scope_lookup = scope_lookup
        self.call_function = call_function
        self.has_function = has_function
        self.calling_class = calling_class
        self.explain = explain
        self.overrides = overrides
        self.defaults = defaults
        self.global_only = global_only
        self.old_call = old_call
        self.old_paths = old_paths
        self.old_scope = False
        self.upcoming: Sequence[str] = ()
        self.local: Mapping[str, Value] = NO_VALUES
        self.parse_type = parse_type
        self.before_reading = before_reading

    def variable(self, name: str, missing: Value, segments: Sequence[Segment] = ()) -> Value:
        """Return a variable's value; the caller uses only the part at the segments.

        With version 3 data an empty string counts as missing.
        """
        if name in self.local:
            return self.local[name]
        if self.before_reading is not None:
            self.before_reading(name, segments)
        if not self.old_scope:
            return self.scope_lookup(name, missing)
        if name in {"calling_class", "calling_class_path"}:
            found: Value = self.calling_class()
            if found is not None and name == "calling_class_path":
                found = found.replace("::", "/")
        elif name == "calling_module":
            found = self.scope_lookup("module_name", None)
        else:
            found = self.scope_lookup(name, missing)
        return None if found is not missing and found == "" else found
