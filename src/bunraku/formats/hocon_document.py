"""HOCON texts as documents: settings change, comments, blanks and order stay.

New settings are laid out as by the Ruby library ``hocon``, which the module for Puppet uses. The Python
libraries for HOCON (pyhocon and others) drop the comments when they read a text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from bunraku.base.records import record
from bunraku.formats.hocon import HoconError, parse_hocon
from bunraku.formats.hocon_tokens import (
    BARE,
    BLANK,
    COMMENT,
    END,
    LINE,
    MARK,
    NUMBER,
    REFERENCE,
    STRING,
    Token,
    tokens_of,
)
from bunraku.values.numbers import number_text

Value = Any
Result = TypeVar("Result")
OBJECT, ARRAY, JOINED, PLAIN, INCLUDE = "object", "array", "joined", "plain", "include"
AN_ARRAY = "the document is an array, not an object"
KINDS_OF_INCLUDE = ("file(", "url(", "classpath(")
SEPARATORS, JSON_SEPARATORS = (":", "=", "+="), (":",)
JSON_WORDS = ("true", "false", "null")
NOT_ALONE = "the value must be one value without blanks, line ends and comments around it"


# -- the tree --------------------------------------------------------------------------------------


@record(frozen=True)
class Piece:
    """Text outside of settings: blanks, the end of a line, a comment, a comma, a brace, a separator."""

    kind: str
    text: str


@record(frozen=True)
class HoconKey:
    """A path to a setting: its names, and the texts of them, which may have quotes."""

    names: tuple[str, ...]
    texts: tuple[str, ...]

    @property
    def text(self) -> str:
        """The path as it is written."""
        return ".".join(self.texts)

    def first(self) -> HoconKey:
        """Return the path of the first name."""
        return HoconKey(self.names[:1], self.texts[:1])

    def below(self, count: int) -> HoconKey:
        """Return the path without the first names."""
        return HoconKey(self.names[count:], self.texts[count:])

    def quoted(self) -> HoconKey:
        """Return the path with quotes around all names, as in JSON."""
        texts = (one if one.startswith('"') else f'"{one}"' for one in self.texts)
        return HoconKey(self.names, tuple(texts))


@record(frozen=True)
class HoconGroup:
    """An object, an array, several parts of one value, a plain value or an include: what it consists of."""

    kind: str
    children: tuple[Node, ...]

    @property
    def text(self) -> str:
        """The text of the value."""
        return "".join(child.text for child in self.children)

    @property
    def is_complex(self) -> bool:
        """Whether the value can have several lines that are indented together."""
        return self.kind in (OBJECT, ARRAY, JOINED)

    def indented(self, blank: Piece) -> HoconGroup:
        """Return the value with a blank after each end of a line."""
        children: list[Node] = []
        for child in self.children:
            children.append(indented_child(child, blank))
            if isinstance(child, Piece) and child.kind == LINE:
                children.append(blank)
        return HoconGroup(self.kind, tuple(children))


@record(frozen=True)
class Setting:
    """A key and its value, with what is before, between and after them."""

    children: tuple[Node, ...]

    @property
    def text(self) -> str:
        """The text of the setting."""
        return "".join(child.text for child in self.children)

    @property
    def key(self) -> HoconKey:
        """The key."""
        return next(child for child in self.children if isinstance(child, HoconKey))

    @property
    def value(self) -> HoconGroup:
        """The value."""
        return next(child for child in self.children if isinstance(child, HoconGroup))

    def with_value(self, value: HoconGroup) -> Setting:
        """Return the setting with another value."""
        children = (value if isinstance(child, HoconGroup) else child for child in self.children)
        return Setting(tuple(children))


Node = Piece | HoconKey | HoconGroup | Setting


def indented_child(child: Node, blank: Piece) -> Node:
    """Return a child of a value with a blank after each end of a line in it."""
    if isinstance(child, Setting) and child.value.is_complex:
        return child.with_value(child.value.indented(blank))
    if isinstance(child, HoconGroup) and child.is_complex:
        return child.indented(blank)
    return child


OPEN, CLOSE, COMMA, COLON = (Piece(MARK, mark) for mark in "{},:")
NEW_LINE, SPACE = Piece(LINE, "\n"), Piece(BLANK, " ")
"""The pieces that new settings need."""


# -- reading ---------------------------------------------------------------------------------------


class DocumentParser:
    """Reads tokens into a tree."""

    def __init__(self, text: str, *, json: bool) -> None:
        self.tokens = tokens_of(text, comments=not json)
        self.position = 0
        self.json = json

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.position]

    def error(self, problem: str) -> HoconError:
        """Return an error at the next token."""
        return HoconError(problem, self.token.line)

    def at(self, *marks: str) -> bool:
        """Return whether the next token is one of some marks."""
        return self.token.kind == MARK and self.token.text in marks

    def take(self) -> Piece:
        """Return the next token as a piece, and go on."""
        token = self.token
        self.position += 1
        return Piece(token.kind, token.text)

    def take_blanks(self, children: list[Node]) -> None:
        """Add blanks, ends of lines and comments."""
        while self.token.kind in (BLANK, LINE, COMMENT):
            children.append(self.take())

    def separated(self, children: list[Node]) -> bool:
        """Add what separates two settings or two values; return whether it does.

        A comma does; outside of JSON, the end of a line does, too.
        """
        has_line = False
        while self.token.kind in (BLANK, LINE, COMMENT):
            has_line = has_line or self.token.kind == LINE
            children.append(self.take())
        if self.at(","):
            children.append(self.take())
            return True
        return has_line and not self.json

    # -- values ------------------------------------------------------------------------------------

    def value_ahead(self) -> bool:
        """Return whether a value begins here."""
        return self.token.is_simple or self.at("{", "[")

    def one_value(self) -> HoconGroup:
        """Read a value, or a part of one."""
        if self.at("{"):
            return self.object(braces=True)
        if self.at("["):
            return self.array()
        if self.json and self.token.kind in (BARE, REFERENCE) and self.token.text not in JSON_WORDS:
            raise self.error(f"{self.token.shown()} is not a JSON value")
        return HoconGroup(PLAIN, (self.take(),))

    def value(self, children: list[Node]) -> HoconGroup | None:
        """Add what is before a value and return it; None if there is none. Outside of JSON it may have parts."""
        self.take_blanks(children)
        if not self.value_ahead():
            return None
        if self.json:
            return self.one_value()
        parts: list[Node] = []
        ends: list[tuple[int, int]] = []
        while self.value_ahead() or (parts and self.token.kind == BLANK):
            if self.token.kind == BLANK:
                parts.append(self.take())
                continue
            parts.append(self.one_value())
            ends.append((len(parts), self.position))
        count, self.position = ends[-1]
        first = parts[0]
        if len(ends) == 1 and isinstance(first, HoconGroup):
            return first
        return HoconGroup(JOINED, tuple(parts[:count]))

    def array(self) -> HoconGroup:
        """Read an array."""
        children: list[Node] = [self.take()]
        has_comma = False
        while True:
            value = self.value(children)
            if value is None:
                if not self.at("]") or (self.json and has_comma):
                    raise self.error(f"expected a value or ], not {self.token.shown()}")
                children.append(self.take())
                return HoconGroup(ARRAY, tuple(children))
            children.append(value)
            has_comma = self.separated(children)
            if not has_comma and not self.at("]"):
                raise self.error(f"expected a comma or ], not {self.token.shown()}")

    def object(self, *, braces: bool) -> HoconGroup:
        """Read the settings of an object, up to ``}`` or the end of the text."""
        children: list[Node] = [self.take()] if braces else []
        names: set[str] = set()
        has_comma = False
        while True:
            self.take_blanks(children)
            if braces and self.at("}"):
                if self.json and has_comma:
                    raise self.error("expected a setting after the comma, not '}'")
                children.append(self.take())
                return HoconGroup(OBJECT, tuple(children))
            if not braces and self.token.kind == END:
                return HoconGroup(OBJECT, tuple(children))
            if self.token.kind == BARE and self.token.text == "include" and not self.json:
                children.append(self.include())
            else:
                children.append(self.setting(names))
            has_comma = self.separated(children)
            ends = self.at("}") if braces else self.token.kind == END
            if not has_comma and not ends:
                raise self.error(f"expected a comma or }}, not {self.token.shown()}")

    # -- settings ----------------------------------------------------------------------------------

    def setting(self, names: set[str]) -> Setting:
        """Read a setting; ``names`` are those before it in the same object."""
        key = self.key()
        if self.json and key.names[0] in names:
            raise self.error(f"the setting {key.text} is there twice")
        names.add(key.names[0])
        children: list[Node] = [key]
        self.take_blanks(children)
        if self.at("{") and not self.json:
            return Setting((*children, self.object(braces=True)))
        if not self.at(*(JSON_SEPARATORS if self.json else SEPARATORS)):
            raise self.error(f"the key {key.text} may not be followed by {self.token.shown()}")
        children.append(self.take())
        value = self.value(children)
        if value is None:
            raise self.error(f"expected a value, not {self.token.shown()}")
        return Setting((*children, value))

    def key(self) -> HoconKey:
        """Read a key."""
        kinds = (STRING,) if self.json else (STRING, NUMBER, BARE)
        start = self.position
        while self.token.kind in kinds or (self.token.kind == BLANK and self.position > start):
            self.position += 1
            if self.json:
                break
        while self.position > start and self.tokens[self.position - 1].kind == BLANK:
            self.position -= 1
        if self.position == start:
            raise self.error(f"expected a setting or }}, not {self.token.shown()}")
        return hocon_key(self.tokens[start : self.position])

    def include(self) -> HoconGroup:
        """Read an ``include``."""
        children: list[Node] = [self.take()]
        self.take_blanks(children)
        is_call = self.token.kind == BARE and self.token.text in KINDS_OF_INCLUDE
        if is_call:
            children.append(self.take())
            self.take_blanks(children)
        if self.token.kind != STRING:
            raise self.error(f"expected the name of a file in quotes, not {self.token.shown()}")
        children.append(self.take())
        if is_call:
            self.take_blanks(children)
            if self.token.text != ")":
                raise self.error(f"expected ), not {self.token.shown()}")
            children.append(self.take())
        return HoconGroup(INCLUDE, tuple(children))

    # -- texts -------------------------------------------------------------------------------------

    def document(self) -> HoconDocument:
        """Read the whole text."""
        children: list[Node] = []
        self.take_blanks(children)
        if self.at("["):
            raise self.error(AN_ARRAY)
        if self.at("{"):
            root = self.object(braces=True)
            after: list[Node] = []
            self.take_blanks(after)
            if self.token.kind != END:
                raise self.error(f"unexpected {self.token.shown()} after the object")
            return HoconDocument(tuple(children), root, tuple(after), json=self.json)
        if self.json:
            raise self.error(f"expected an object, not {self.token.shown()}")
        settings = self.object(braces=False)
        root = HoconGroup(OBJECT, (*children, *settings.children))
        return HoconDocument((), root, (), json=False)

    def single_value(self) -> HoconGroup:
        """Read a text that is one value."""
        before: list[Node] = []
        value = self.value(before)
        if value is None or before or self.token.kind != END:
            raise self.error(NOT_ALONE)
        return value


def hocon_key(tokens: Iterable[Token]) -> HoconKey:
    """Return the key that tokens are; dots outside of quotes separate its names."""
    names, texts, may_be_empty = [""], [""], False
    for token in tokens:
        if token.kind == STRING:
            names[-1] += unquoted(token.text)
            texts[-1] += token.text
            may_be_empty = True
            continue
        first, *others = token.text.split(".")
        names[-1] += first
        texts[-1] += first
        for one in others:
            check_key_part(names[-1], token, may_be_empty=may_be_empty)
            names.append(one)
            texts.append(one)
            may_be_empty = False
    check_key_part(names[-1], token, may_be_empty=may_be_empty)
    return HoconKey(tuple(names), tuple(texts))


def check_key_part(name: str, token: Token, *, may_be_empty: bool) -> None:
    """Raise HoconError for an empty name without quotes."""
    if not name and not may_be_empty:
        raise HoconError("a key begins or ends with a dot, or has two dots together", token.line)


def unquoted(text: str) -> str:
    """Return the value of a string with its quotes."""
    value: str = parse_hocon(f"value = {text}")["value"]
    return value


# -- documents -------------------------------------------------------------------------------------


@record(frozen=True)
class HoconDocument:
    """A text with its settings: the object, and what is before and after its braces.

    >>> document = read_document("a : { b : 1 } # one", json=False)
    >>> document.with_value("a.b", "2").text, document.without("a").text
    ('a : { b : 2 } # one', '# one')
    """

    before: tuple[Node, ...]
    root: HoconGroup
    after: tuple[Node, ...]
    json: bool

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(one.text for one in (*self.before, self.root, *self.after))

    def has(self, path: str) -> bool:
        """Return whether a setting, or one below it, is written in the text."""
        return has_setting(self.root, read_path(path).names)

    def with_value(self, path: str, value: str) -> HoconDocument:
        """Return the document with a setting whose value is a HOCON text."""
        key = read_path(path)
        new = guarded(DocumentParser(value, json=self.json).single_value)
        root = replaced_setting(self.root, key.names, new, json=self.json)
        if not has_setting(root, key.names):
            root = added_setting(root, key.quoted() if self.json else key, new, json=self.json)
        return HoconDocument(self.before, root, self.after, self.json)

    def without(self, path: str) -> HoconDocument:
        """Return the document without a setting and without those below it."""
        root = replaced_setting(self.root, read_path(path).names, None, json=self.json)
        return HoconDocument(self.before, root, self.after, self.json)


def read_document(text: str, *, json: bool) -> HoconDocument:
    """Return the document of a text, HOCON or strict JSON; HoconError if it is none."""
    return guarded(DocumentParser(text, json=json).document)


def read_path(text: str) -> HoconKey:
    """Return the path that a text means; HoconError for a text that is none."""
    parser = DocumentParser(text.strip(), json=False)
    key = parser.key()
    if parser.token.kind != END:
        raise HoconError(f"unexpected {parser.token.shown()} in the path {text!r}")
    return key


def guarded(read: Callable[[], Result]) -> Result:
    """Return the result of a parser; HoconError for a text that nests too deeply."""
    try:
        return read()
    except RecursionError:
        raise HoconError("it is nested too deeply") from None


# -- changing --------------------------------------------------------------------------------------


def begins_with(names: tuple[str, ...], start: tuple[str, ...]) -> bool:
    """Return whether a path begins with another one."""
    return names[: len(start)] == start


def has_setting(group: HoconGroup, names: tuple[str, ...]) -> bool:
    """Return whether an object has a setting, or one below it."""
    for one in group.children:
        if not isinstance(one, Setting):
            continue
        key = one.key.names
        if begins_with(key, names):
            return True
        if begins_with(names, key) and one.value.kind == OBJECT:
            if has_setting(one.value, names[len(key) :]):
                return True
    return False


def replaced_setting(
    group: HoconGroup, names: tuple[str, ...], new: HoconGroup | None, *, json: bool
) -> HoconGroup:
    """Return an object in which the last setting of a path has a new value; None removes it.

    Earlier settings of the path, and those below it, are removed: they would have no effect.
    """
    children = list(group.children)
    is_followed = False
    left = new
    for index in reversed(range(len(children))):
        one = children[index]
        if not isinstance(one, Setting):
            if json and not is_followed and one == COMMA:
                del children[index]
            continue
        key = one.key.names
        if begins_with(key, names) and (key != names or left is None):
            remove_setting(children, index)
            continue
        is_followed = True
        if key == names and left is not None:
            children[index] = one.with_value(aligned(left, children, index))
            left = None
        elif begins_with(names, key) and one.value.kind == OBJECT:
            inner = replaced_setting(one.value, names[len(key) :], left, json=json)
            children[index] = one.with_value(inner)
    return HoconGroup(OBJECT, tuple(children))


def remove_setting(children: list[Node], index: int) -> None:
    """Remove a setting with the blanks and commas after it."""
    del children[index]
    while index < len(children):
        after = children[index]
        if not isinstance(after, Piece) or not (after.kind == BLANK or after == COMMA):
            return
        del children[index]


def aligned(value: HoconGroup, children: Sequence[Node], index: int) -> HoconGroup:
    """Return the new value of a setting, indented as the setting is."""
    before = children[index - 1] if index > 1 else None
    if value.is_complex and isinstance(before, Piece) and before.kind == BLANK:
        return value.indented(before)
    return value


def added_setting(group: HoconGroup, key: HoconKey, value: HoconGroup, *, json: bool) -> HoconGroup:
    """Return an object with a new setting: in an object of its path, or as the last setting."""
    children = list(group.children)
    for index in reversed(range(len(children))):
        one = children[index]
        if isinstance(one, Setting) and one.value.kind == OBJECT:
            above = one.key.names
            if len(above) < len(key.names) and begins_with(key.names, above):
                inner = added_setting(one.value, key.below(len(above)), value, json=json)
                children[index] = one.with_value(inner)
                return HoconGroup(OBJECT, tuple(children))
    lead = leading_pieces(group)
    on_same_line = not lead or lead[0].kind != LINE
    setting = new_setting(lead, key, value, json=json)
    has_braces = bool(children) and children[0] == OPEN
    if json or on_same_line:
        add_comma(children)
    if has_braces:
        place = place_before_brace(children, on_same_line=on_same_line)
    else:
        place = len(children) - (children[-1:] == [NEW_LINE])
    children.insert(place, setting)
    return HoconGroup(OBJECT, tuple(children))


def new_setting(lead: Sequence[Piece], key: HoconKey, value: HoconGroup, *, json: bool) -> Setting:
    """Return a setting with the pieces that come before it; further names of its path are objects."""
    if value.is_complex and lead:
        value = value.indented(lead[-1])
    if len(key.names) > 1:
        inside = (OPEN, *(lead or (NEW_LINE,)), CLOSE)
        value = added_setting(HoconGroup(OBJECT, inside), key.below(1), value, json=json)
    return Setting((*lead, key.first(), COLON, SPACE, value))


def leading_pieces(group: HoconGroup) -> list[Piece]:
    """Return what comes before a new setting: as before the first one on its own line."""
    children = group.children
    if not children:
        return []
    ends = (
        index for index, one in enumerate(children) if isinstance(one, Piece) and one.kind == LINE
    )
    start = next(ends, None)
    if start is None:
        return [SPACE]
    for one, after in zip(children[start + 1 :], children[start + 2 :], strict=False):
        if isinstance(one, Piece) and one.kind == BLANK and is_entry(after):
            return [NEW_LINE, one]
    if children[-1] != CLOSE:
        return [NEW_LINE]
    last = children[-2]
    indentation = last.text if isinstance(last, Piece) and last.kind == BLANK else ""
    return [NEW_LINE, Piece(BLANK, f"{indentation}  ")]


def is_entry(node: Node) -> bool:
    """Return whether a child of an object is a setting or an include."""
    return isinstance(node, Setting) or (isinstance(node, HoconGroup) and node.kind == INCLUDE)


def add_comma(children: list[Node]) -> None:
    """Add a comma after the last setting that has none."""
    for index in reversed(range(len(children))):
        if isinstance(children[index], Setting) and children[index + 1 : index + 2] != [COMMA]:
            children.insert(index + 1, COMMA)
            return


def place_before_brace(children: Sequence[Node], *, on_same_line: bool) -> int:
    """Return the place of a new last setting: before the blanks and the end of line that precede the brace."""
    brace = len(children) - 1
    before = children[brace - 1]
    if not isinstance(before, Piece):
        return brace
    if before.kind == LINE:
        return brace - 1
    if before.kind != BLANK:
        return brace
    if on_same_line:
        return brace - 1
    earlier = children[brace - 2]
    return brace - 2 if isinstance(earlier, Piece) and earlier.kind == LINE else brace


# -- values ----------------------------------------------------------------------------------------

ESCAPES = str.maketrans(
    {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\b": "\\b", "\f": "\\f", "\r": "\\r", "\t": "\\t"}
)
INDENTATION = "    "
WORDS: Mapping[bool | None, str] = {None: "null", True: "true", False: "false"}


def hocon_text(value: Value, depth: int = 0) -> str:
    r"""Return the HOCON text of a value, on several lines with its keys sorted; HoconError if it has none.

    >>> hocon_text({"b": [1, "two"], "10": None, "9": {}})
    '{\n    "9": {},\n    "10": null,\n    "b": [\n        1,\n        "two"\n    ]\n}'
    """
    if value is None or isinstance(value, bool):
        return WORDS[value]
    if isinstance(value, int | float):
        return number_text(value)
    if isinstance(value, str):
        return string_text(value)
    if isinstance(value, list):
        return on_lines("[", [hocon_text(one, depth + 1) for one in value], "]", depth)
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        entries = (
            f"{string_text(key)}: {hocon_text(value[key], depth + 1)}"
            for key in sorted(value, key=key_order)
        )
        return on_lines("{", list(entries), "}", depth)
    raise HoconError(f"HOCON has no value for {value!r}")


def on_lines(start: str, items: Sequence[str], end: str, depth: int) -> str:
    """Return an array or an object with each item on its own line."""
    if not items:
        return start + end
    inner = "\n" + INDENTATION * (depth + 1)
    return f"{start}{inner}{f',{inner}'.join(items)}\n{INDENTATION * depth}{end}"


def key_order(key: str) -> tuple[bool, int, str]:
    """Return the sort key of a key: numbers come first, in their order."""
    is_number = key.isascii() and key.isdigit()
    return (not is_number, int(key) if is_number else 0, key)


def string_text(value: str) -> str:
    """Return a string in quotes; HoconError for control characters, for which the library has no form."""
    text = value.translate(ESCAPES)
    if any(letter < " " or "\x7f" <= letter <= "\x9f" for letter in text):
        raise HoconError("the value has a control character")
    return f'"{text}"'
