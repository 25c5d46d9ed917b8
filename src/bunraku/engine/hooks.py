"""Hooks for tools such as ``bunraku migrate``, which are called during a compile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.base.source import Source
from bunraku.modules.node import Node
from bunraku.runtime.state import Compilation, Scope
from bunraku.syntax.nodes import Program

Value = Any


@record(frozen=True)
class Instrumentation:
    """Code that is compiled in another way than usual; none of it is kept after the compile.

    ``helpers`` are the globals of the code. ``change`` is called with each source and its checked
    program, and returns the program to compile instead.
    """

    helpers: dict[str, Any]
    change: Callable[[Source, Program], Program]


@record(frozen=True)
class Hooks:
    """The hooks of one compile; None is a hook that does nothing.

    ``source_loaded`` is called with each manifest and template that the compile uses, before it is
    parsed. ``top_variables`` is called with the node and the variables of top scope, and returns the
    variables to use instead. ``unknown_variable`` is called with the name of each variable that is
    read and not set. ``template_rendered`` is called with the scope, file and text of each ERB
    template. ``hits`` is called with each source, and returns what records its probes
    (:mod:`bunraku.compiler.probes`): the code of all sources then has probes. ``begun`` is called with
    the state of the compile before any code runs, ``failed`` with the error that ends the compile,
    whose traceback still has the frames. ``ended`` is called after everything.
    """

    source_loaded: Callable[[Source], None] | None = None
    top_variables: Callable[[Node, dict[str, Value]], dict[str, Value]] | None = None
    unknown_variable: Callable[[str], None] | None = None
    template_rendered: Callable[[Scope, str | None, str], None] | None = None
    instrumentation: Instrumentation | None = None
    hits: Callable[[Source], dict[int, bool]] | None = None
    begun: Callable[[Compilation], None] | None = None
    failed: Callable[[PuppetError], None] | None = None
    ended: Callable[[], None] | None = None


NO_HOOKS = Hooks()
