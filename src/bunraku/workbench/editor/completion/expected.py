"""What may stand at a cursor, by the tokens before it."""

from __future__ import annotations

from itertools import pairwise

from bunraku.base.lazy_typing import Literal
from bunraku.base.records import record
from bunraku.workbench.editor.completion.before import (
    CLOSERS,
    OPENERS,
    Before,
    TokenBefore,
    open_brackets,
)
from bunraku.workbench.editor.mentions import LOADING, LOOKING_UP, RENDERING, canonical

ExpectedKind = Literal[
    "statement",
    "expression",
    "method",
    "variable",
    "attribute",
    "value",
    "class",
    "data_type",
    "resource_title",
    "fact",
    "key",
    "template",
    "file",
    "file_url",
    "nothing",
]
FILE_URL = "puppet:///modules/"
RESOURCE_BREAKERS = frozenset(
    [
        "class",
        "define",
        "function",
        "plan",
        "node",
        "inherits",
        "case",
        "if",
        "elsif",
        "unless",
        "type",
        "==",
        "!=",
        "<",
        ">",
        "<=",
        ">=",
        "=~",
        "!~",
        "in",
        "and",
        "or",
    ]
)
"""Kinds of tokens that are not before the type of a resource."""
STATEMENT_BREAKERS = frozenset(
    {"{", "}", ";", ")", "->", "~>", "<-", "<~", "@", "@@", "|", "EPP_START", "RENDER_STRING", ""}
)
"""Kinds of tokens after which a statement begins."""


@record(frozen=True)
class Expected:
    """What may stand at a cursor.

    ``owner`` is the type of the resource (``attribute``, ``value``, ``resource_title``), ``name`` the
    attribute whose value is written, ``used`` the attributes that are there, ``path`` the keys before a fact.
    """

    kind: ExpectedKind
    owner: str = ""
    name: str = ""
    used: tuple[str, ...] = ()
    path: tuple[str, ...] = ()


def expected(before: Before) -> Expected:
    """Return what may stand at a cursor."""
    special = in_text(before) if before.quote else in_word(before)
    return special or Expected("nothing" if before.quote else "statement")


def in_word(before: Before) -> Expected | None:
    """Return what may stand outside of strings."""
    if before.word.startswith("$"):
        return Expected("variable")
    if before.kind() == ".":
        return Expected("method")
    if before.kind() == "inherits" or is_loading(before.tokens):
        return Expected("class")
    inside = in_resource(before) or in_parameters(before) or in_reference(before)
    if inside is not None:
        return inside
    if before.word[:1].isupper():
        return Expected("data_type")
    is_start = before.kind() in STATEMENT_BREAKERS or is_new_line(before)
    return Expected("statement" if is_start else "expression")


def is_new_line(before: Before) -> bool:
    """Return whether the word may be the first one of a statement: the token before it ends one."""
    return before.kind() in {
        "NAME",
        "STRING",
        "VARIABLE",
        "NUMBER",
        "]",
        "DQPOST",
        "BOOLEAN",
        "HEREDOC",
    }


def in_text(before: Before) -> Expected | None:
    """Return what may stand in a string."""
    if before.word.startswith(FILE_URL):
        return Expected("file_url")
    fact = in_facts(before)
    if fact is not None:
        return fact
    name = called_function(before.tokens)
    if name in LOADING or is_loading(before.tokens):
        return Expected("class")
    if name in LOOKING_UP:
        return Expected("key")
    if name in RENDERING:
        return Expected("template", name=name)
    if name == "file":
        return Expected("file")
    return in_resource(before) or in_reference(before)


def called_function(tokens: list[TokenBefore]) -> str:
    """Return the name of the function whose first argument is being written; empty without one."""
    for place in open_brackets(tokens):
        is_call = tokens[place].kind in {"(", "WSLPAREN"} and place > 0
        if is_call and tokens[place - 1].kind == "NAME" and place == len(tokens) - 1:
            return canonical(str(tokens[place - 1].value))
        return ""
    return ""


def is_loading(tokens: list[TokenBefore]) -> bool:
    """Return whether the tokens end with ``include`` and classes, each with a comma."""
    place = len(tokens) - 1
    while place > 0 and tokens[place].kind == "," and tokens[place - 1].kind in {"NAME", "STRING"}:
        place -= 2
    if place < 0 or tokens[place].kind != "NAME" or tokens[place].value not in LOADING:
        return False
    return place == 0 or tokens[place - 1].kind in {
        *STATEMENT_BREAKERS,
        "NAME",
        "STRING",
        "]",
        "BOOLEAN",
    }


def in_facts(before: Before) -> Expected | None:
    """Return the keys before the one that is being written behind ``$facts``."""
    tokens = before.tokens
    path: list[str] = []
    while len(tokens) >= 2 and tokens[-1].kind == "[":
        if tokens[-2].kind == "VARIABLE":
            if str(tokens[-2].value).removeprefix("::") == "facts":
                return Expected("fact", path=tuple(reversed(path)))
            return None
        if len(tokens) < 4 or tokens[-2].kind != "]" or tokens[-3].kind != "STRING":
            return None
        path.append(str(tokens[-3].value))
        tokens = tokens[:-3]
    return None


# -- resources ---------------------------------------------------------------------------------------


def in_resource(before: Before) -> Expected | None:
    """Return what may stand in the braces of a resource, of defaults, of an override or a collector."""
    tokens = before.tokens
    for place in open_brackets(tokens):
        if tokens[place].kind in {"(", "WSLPAREN"}:
            return None
        if tokens[place].kind in {"{", "SELBRACE"}:
            owner, has_title = type_before(tokens, place)
            if owner is None:
                return None
            return in_body(tokens[place + 1 :], owner, before, has_title=has_title)
    return None


def type_before(tokens: list[TokenBefore], place: int) -> tuple[str | None, bool]:
    """Return the type of the resources whose brace opens at a place, and whether titles stand in it."""
    last = tokens[place - 1] if place > 0 else None
    if last is None:
        return None, False
    if last.kind in {"NAME", "class"}:
        around = tokens[place - 2].kind if place > 1 else ""
        return (None if around in RESOURCE_BREAKERS else canonical(str(last.value))), True
    if last.kind == "CLASSREF":
        around = tokens[place - 2].kind if place > 1 else ""
        return (None if around in RESOURCE_BREAKERS else canonical(str(last.value))), False
    opener = {"]": {"[", "LISTSTART"}, "|>": {"<|"}, "|>>": {"<<|"}}.get(last.kind)
    if opener is None:
        return None, False
    depth = 0
    for index in range(place - 1, 0, -1):
        depth += (tokens[index].kind == last.kind) - (tokens[index].kind in opener)
        if depth == 0:
            name = tokens[index - 1]
            return (canonical(str(name.value)) if name.kind == "CLASSREF" else None), False
    return None, False


def in_body(
    tokens: list[TokenBefore], owner: str, before: Before, *, has_title: bool
) -> Expected | None:
    """Return what may stand in the body of a resource, by the tokens since its brace."""
    parts = outermost(tokens)
    cut = max((index for index, one in enumerate(parts) if one.kind == ";"), default=-1)
    parts = parts[cut + 1 :]
    if has_title:
        colon = next((index for index, one in enumerate(parts) if one.kind == ":"), None)
        if colon is None:
            return Expected("class") if owner == "class" else Expected("nothing")
        if owner == "class":
            owner = f"class {canonical(str(parts[0].value))}" if parts[0].kind != ":" else ""
        parts = parts[colon + 1 :]
    used = tuple(str(one.value) for one, arrow in pairwise(parts) if arrow.kind in {"=>", "+>"})
    if not parts or parts[-1].kind == ",":
        return None if before.quote else Expected("attribute", owner, used=used)
    if parts[-1].kind in {"=>", "+>"} and len(tokens) and tokens[-1] is parts[-1]:
        return Expected("value", owner, used[-1])
    inner = next(iter(open_brackets(tokens)), None)
    if used and inner is not None and tokens[inner].kind in {"[", "LISTSTART"}:
        if inner == 0 or tokens[inner - 1].kind in {"=>", "+>"}:
            return Expected("value", owner, used[-1])
    return None


def outermost(tokens: list[TokenBefore]) -> list[TokenBefore]:
    """Return the tokens outside of inner brackets."""
    found: list[TokenBefore] = []
    depth = 0
    for one in tokens:
        depth -= one.kind in CLOSERS
        if depth == 0 and one.kind not in CLOSERS and one.kind not in OPENERS:
            found.append(one)
        depth += one.kind in OPENERS
    return found


# -- types -------------------------------------------------------------------------------------------


def in_parameters(before: Before) -> Expected | None:
    """Return that a type may stand in the parameters of a definition, before a variable."""
    tokens = before.tokens
    for place in open_brackets(tokens):
        if tokens[place].kind not in {"(", "WSLPAREN"} or place < 2:
            return None
        if tokens[place - 2].kind not in {"class", "define", "function", "plan"}:
            return None
        last = tokens[-1]
        is_start = last is tokens[place] or last.kind == ","
        return Expected("data_type") if is_start else None
    return None


def in_reference(before: Before) -> Expected | None:
    """Return what may stand in the brackets of a type."""
    tokens = before.tokens
    for place in open_brackets(tokens):
        is_bracket = tokens[place].kind in {"[", "LISTSTART"} and place > 0
        if not is_bracket or tokens[place - 1].kind != "CLASSREF":
            return None
        name = canonical(str(tokens[place - 1].value))
        if name == "class":
            return Expected("class")
        return Expected("resource_title", name)
    return None
