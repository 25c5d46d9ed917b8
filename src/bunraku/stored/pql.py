"""PQL, the query language of PuppetDB, translated to its other form: nested arrays."""

from __future__ import annotations

import re
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_json
from bunraku.stored import issues

Query = list[Any]
TOKEN = lazy_pattern(
    r"\s*(?:(?P<text>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')|(?P<number>-?\d+(?:\.\d+)?)"
    r"|(?P<word>[A-Za-z_][\w-]*(?:\.(?:[A-Za-z_0-9][\w-]*\??|\"[^\"]*\"))*\??)"
    r"|(?P<sign>~>|!~|!=|>=|<=|[=~<>!()\[\]{},*]))"
)
OPERATORS = frozenset(["=", "~", "~>", ">", "<", ">=", "<="])
NEGATED = {"!=": "=", "!~": "~"}
FUNCTIONS = frozenset(["count", "avg", "sum", "min", "max"])


def parse_pql(text: str) -> Query:
    """Return a query as nested arrays.

    >>> parse_pql('nodes[certname] { certname ~ "^web" and not deactivated is null limit 2 }')
    ['from', 'nodes', ['extract', ['certname'], ['and', ['~', 'certname', '^web'], ['not', ['null?', 'deactivated', True]]]], ['limit', 2]]
    """
    parser = Parser(text)
    query = parser.entity("from")
    if parser.kind:
        raise parser.wrong("expected the end of the query")
    return query


class Parser:
    """A place in a text of PQL; ``kind`` and ``value`` are of the token there."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = self.next = 0
        self.kind = self.value = ""
        self.advance()

    def advance(self) -> str:
        """Go to the next token; the text of the one before."""
        before = self.value
        self.at = self.next
        if not self.text[self.at :].strip():
            self.kind = self.value = ""
            return before
        found = TOKEN.match(self.text, self.at)
        if found is None:
            raise self.wrong("expected a word, a value or an operator")
        self.kind, self.next = found.lastgroup or "", found.end()
        self.value = found[self.kind]
        return before

    def wrong(self, reason: str) -> PuppetError:
        """Return the error for the current token."""
        return issues.QUERY_SYNTAX(rest=self.text[self.at :].strip()[:40], reason=reason)

    def skip(self, value: str) -> bool:
        """Return whether the current token is this sign or word; skip it if so."""
        if self.kind in ("sign", "word") and self.value == value:
            self.advance()
            return True
        return False

    def expect(self, value: str) -> None:
        """Pass a required sign or word."""
        if not self.skip(value):
            raise self.wrong(f"expected '{value}'")

    def word(self) -> str:
        """Pass a name."""
        if self.kind != "word":
            raise self.wrong("expected a name")
        return self.advance()

    # -- the grammar -----------------------------------------------------------------------------

    def entity(self, head: str) -> Query:
        """Parse ``entity[fields] { filter, group by, order by, limit, offset }``."""
        name = self.word()
        columns = self.projection() if self.skip("[") else None
        self.expect("{")
        condition = None
        if not (self.kind == "sign" and self.value == "}") and not self.paging_begins():
            condition = self.either()
        grouping: list[Query] = []
        paging: list[Query] = []
        while not self.skip("}"):
            self.skip(",")
            clause = self.clause()
            (grouping if clause[0] == "group_by" else paging).append(clause)
        inner = [condition] if condition is not None else []
        if columns is not None:
            inner = [["extract", columns, *inner, *grouping]]
        elif grouping:
            raise self.wrong("'group by' requires fields in brackets")
        return [head, name.replace("-", "_"), *inner, *paging]

    def projection(self) -> list[Any]:
        """Return the fields in brackets."""
        columns: list[Any] = []
        while not self.skip("]"):
            name = self.word()
            if name in FUNCTIONS and self.skip("("):
                arguments = [] if self.value == ")" else [self.word()]
                self.expect(")")
                columns.append(["function", name, *arguments])
            else:
                columns.append(name)
            self.skip(",")
        return columns

    def paging_begins(self) -> bool:
        """Return whether a clause other than a condition begins here."""
        rest = self.text[self.next :].lstrip()
        if self.kind != "word":
            return False
        if self.value in ("limit", "offset"):
            return rest[:1].isdigit()
        return self.value in ("order", "group") and re.match(r"by\b", rest) is not None

    def clause(self) -> Query:
        """Parse ``group by``, ``order by``, ``limit`` or ``offset``."""
        if self.skip("limit"):
            return ["limit", self.count()]
        if self.skip("offset"):
            return ["offset", self.count()]
        if self.skip("group"):
            self.expect("by")
            fields = [self.word()]
            while self.skip(","):
                fields.append(self.word())
            return ["group_by", *fields]
        if self.skip("order"):
            self.expect("by")
            return ["order_by", self.orders()]
        raise self.wrong("expected 'and', 'or', 'order by', 'group by', 'limit', 'offset' or '}'")

    def orders(self) -> list[Any]:
        """Fields to sort by, with their direction."""
        found: list[Any] = []
        while True:
            name = self.word()
            if self.value in ("asc", "desc"):
                found.append([name, self.advance()])
            else:
                found.append(name)
            rest = self.text[self.next :].lstrip()
            if self.value != "," or re.match(r"(?:limit|offset)\s+\d", rest):
                return found
            self.advance()

    def count(self) -> int:
        """Return a whole number."""
        if self.kind != "number" or not self.value.isdigit():
            raise self.wrong("expected a whole number")
        return self.whole()

    def whole(self) -> int:
        """Pass a whole number."""
        try:
            found = int(self.value)
        except ValueError:
            raise self.wrong("a number has too many digits") from None
        self.advance()
        return found

    def either(self) -> Query:
        """Conditions joined by ``or``."""
        terms = [self.both()]
        while self.skip("or"):
            terms.append(self.both())
        return terms[0] if len(terms) == 1 else ["or", *terms]

    def both(self) -> Query:
        """Conditions joined by ``and``."""
        terms = [self.single()]
        while self.skip("and"):
            terms.append(self.single())
        return terms[0] if len(terms) == 1 else ["and", *terms]

    def single(self) -> Query:
        """Return one condition."""
        if self.skip("!") or self.skip("not"):
            return ["not", self.single()]
        if self.kind == "sign" and self.value == "(":
            fields = re.match(
                r"\(\s*[\w.]+(?:\s*,\s*[\w.]+)+\s*\)\s*in\b", self.text[self.at :].lstrip()
            )
            self.advance()
            if fields is None:
                inner = self.either()
                self.expect(")")
                return inner
            names = [self.word()]
            while self.skip(","):
                names.append(self.word())
            self.expect(")")
            self.expect("in")
            return ["in", names, self.set_of_values()]
        if self.kind == "word" and re.match(r"\s*[\[{]", self.text[self.next :]):
            return self.entity("subquery")
        return self.comparison(self.word())

    def comparison(self, field: str) -> Query:
        """Return a field, an operator, and the operand."""
        if self.skip("is"):
            wanted = not self.skip("not")
            self.expect("null")
            return ["null?", field, wanted]
        if self.skip("in"):
            return ["in", field, self.set_of_values()]
        if self.kind != "sign" or (self.value not in OPERATORS and self.value not in NEGATED):
            raise self.wrong("expected an operator")
        operator = self.advance()
        if operator in NEGATED:
            return ["not", [NEGATED[operator], field, self.literal()]]
        return [operator, field, self.literal()]

    def set_of_values(self) -> Query:
        """Return a list of values, or a query."""
        if self.kind == "sign" and self.value == "[":
            return ["array", self.literal()]
        return self.entity("from")

    def literal(self) -> Any:
        """Return a value: text, a number, true, false, null, or a list of values."""
        if self.skip("["):
            found = []
            while not self.skip("]"):
                found.append(self.literal())
                self.skip(",")
            return found
        if self.kind == "text":
            return text_value(self.advance())
        if self.kind == "number":
            return float(self.advance()) if "." in self.value else self.whole()
        for word, value in (("true", True), ("false", False), ("null", None)):
            if self.skip(word):
                return value
        raise self.wrong("expected a value")


def text_value(token: str) -> str:
    """Return the text in quotes; unknown escapes are literal text."""
    if token[0] == '"':
        try:
            return str(parse_json(token))
        except FormatError:
            pass
    return re.sub(r"\\([\"'])", r"\1", token[1:-1])
