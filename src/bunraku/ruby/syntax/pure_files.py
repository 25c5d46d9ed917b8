"""Whether Ruby code with all files that it requires only computes (:mod:`bunraku.ruby.syntax.purity`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bunraku.ruby.syntax.grammar import has_reader
from bunraku.ruby.syntax.kept_values import State
from bunraku.ruby.syntax.keyed_facts import reads_facts_by_key
from bunraku.ruby.syntax.purity import (
    Definitions,
    FunctionCode,
    Impurity,
    LibraryCode,
    template_code,
)

Find = Callable[[str], tuple[str, bytes] | None]
"""Returns the path and content of a file by the name or path under which code requires it."""
MOST_FILES = 50
INSTANCE = "instance"
FUNCTION, TEMPLATE, LIBRARY = "function", "template", "library"
CODE = {FUNCTION: FunctionCode, LIBRARY: LibraryCode}


class Judgement(NamedTuple):
    """What code does besides computing; what its files keep in Ruby; whether it only reads keys of the facts; and
    the variables of the environment that it reads.
    """

    impurity: Impurity | None
    state: tuple[State, ...] = ()
    keyed_facts: bool = False
    environment: tuple[str, ...] = ()


UNREAD = Judgement(
    Impurity("has Ruby code, which cannot be read without the package tree-sitter", 1)
)


def judged(kind: str, text: str, path: str, find: Find) -> Judgement:
    """Return what is found in code: the first thing that it does besides computing.

    The kind is that of the file: one of a function, a template, or a file that others require.

    >>> code = "require 'puppet_x/f'; Puppet::Functions.create_function(:f) do def f(a) Own.new.f(a) end end"
    >>> file = b"class Own; def f(a) @@all ||= {}; @@all[a] ||= CODE end end"
    >>> judged(FUNCTION, code, "/f.rb", lambda _: ("/lib/f.rb", file.replace(b"CODE", b"a * 2")))
    Judgement(impurity=None, state=(('class', 'Own', '@@all', None),), keyed_facts=True, environment=())
    >>> judged(FUNCTION, code, "/f.rb", lambda _: ("/lib/f.rb", file.replace(b"CODE", b"rand")))[0]
    Impurity(what='calls rand', line=1, path='/lib/f.rb')
    """
    if not has_reader():
        return UNREAD
    main = template_code(text, path) if kind == TEMPLATE else CODE[kind](text, path)
    if isinstance(main, Impurity):
        return Judgement(main)
    names = Definitions()
    codes = with_required_files(main, names, find)
    for code in codes:
        code.define(names)
    for code in codes:
        found = code.impurity()
        if found is not None:
            return Judgement(found if code is not main else Impurity(found.what, found.line))
    keyed = all(reads_facts_by_key(code.nodes, code.is_keyed) for code in codes)
    environment = tuple(dict.fromkeys([one for code in codes for one in code.environment]))
    return Judgement(None, tuple(kept_by(codes, names)), keyed, environment)


def with_required_files(main: FunctionCode, names: Definitions, find: Find) -> list[FunctionCode]:
    """Return code with the code of all files that it requires, each once."""
    codes, paths = [main], {main.path}
    for code in codes:
        for name in code.required():
            found = find(name)
            if found is None or len(codes) > MOST_FILES:
                continue  # the call that requires it is then refused
            names.files.add(name)
            if found[0] not in paths:
                paths.add(found[0])
                content = found[1].decode("utf-8", "surrogateescape")
                codes.append(LibraryCode(content, found[0]))
    return codes


def kept_by(codes: list[FunctionCode], names: Definitions) -> list[State]:
    """Return what files keep; a variable of a class may be one of the classes that are derived from it, too."""
    found = dict.fromkeys([one for code in codes for one in code.state])
    places = {one[:3] for one in found}
    for kind, _, name, _ in list(found):
        if kind == INSTANCE:
            others = [(kind, owner, name) for owner in names.modules if owner]
            found.update(dict.fromkeys([(*one, None) for one in others if one not in places]))
    return list(found)
