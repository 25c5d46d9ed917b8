"""Read PQL, the text form of queries, into their JSON form.

One function reads one rule of the published grammar. A rule that cannot go on notes what it
expected where; the error shows the place that the reader got to and all that could stand there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from bunraku.base.errors import PuppetError
from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.queries.syntax import MOST_LEVELS
from bunraku.puppetdb.query_failure import bad_query

ENTITIES = (
    "events",
    "edges",
    "inventory",
    "fact_contents",
    "fact_paths",
    "factsets",
    "environments",
    "nodes",
    "resources",
    "package_inventory",
    "packages",
    "catalogs",
    "reports",
    "facts",
)
STRUCTURED = ("parameters", "trusted", "facts")
FUNCTIONS = ("count", "avg", "sum", "min", "max", "to_string")
OPERATORS = ("is not null", "is null", "in", "!~", "!=", "=", ">=", ">", "<=", "<", "~>", "~")
SHOWN_OPERATORS = ("is not null", "is null", "in", "!~", "!=", "=", ">", "<", "<=", ">=", "~>", "~")
CLAUSES = ("order by", "offset", "limit", "group by")

SPACE = re.compile(r"\s+")
FIELD = re.compile(r"[a-zA-Z0-9_]+\??")
QUOTED_PART = re.compile(r'".*?"(?=\.|\s)')
MATCH_PART = re.compile(r"match\(.*?\)")
PLAIN_PART = re.compile(r'[^\s.",\[\]!<=>~]+(\[\d+\])?')
DIGITS = re.compile(r"[0-9]+")
DIRECTION = re.compile("asc|desc")
FRACTION = re.compile(r"\.[0-9]+(?:[eE][+-]?[0-9]+)?")
DOUBLE_QUOTED = re.compile(r'(?:[^"\\]|\\.)*', re.DOTALL)
SINGLE_QUOTED = re.compile(r"(?:[^'\\]|\\.)*", re.DOTALL)
FIELD_SHOWN = '#"[a-zA-Z0-9_]+\\??"'
SPACE_SHOWN = '#"\\s+"'
DIGITS_SHOWN = '#"[0-9]+"'
END_SHOWN = f"{SPACE_SHOWN} (followed by end-of-string):end-of-string"


class Failed(Exception):
    """The rule does not apply here."""


def parse_pql(text: str) -> list[Json]:
    """Return the query ``["from", …]`` of a PQL text; PuppetError with line and column.

    >>> parse_pql("nodes[certname] { certname ~ 'web' limit 1 }")
    ['from', 'nodes', ['extract', ['certname'], ['~', 'certname', 'web']], ['limit', 1]]
    """
    reader = PqlParser(text)
    try:
        reader.space()
        query = reader.query()
        reader.end()
    except Failed:
        raise reader.failure() from None
    return query


class PqlParser:
    """A position in a PQL text, and the expectations at the furthest one."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.furthest = 0
        self.expected: list[str] = []
        self.level = 0

    # -- pieces of text ------------------------------------------------------------------------------

    def fail(self, *expected: str) -> Failed:
        """Note an expectation at this position; return the exception of a rule that does not apply."""
        if self.position > self.furthest:
            self.furthest, self.expected = self.position, []
        if self.position == self.furthest:
            self.expected += [one for one in expected if one not in self.expected]
        return Failed()

    def failure(self) -> PuppetError:
        """Return the error of the whole text."""
        before = self.text[: self.furthest]
        line = before.count("\n") + 1
        column = self.furthest - (before.rfind("\n") + 1) + 1
        shown = self.text.split("\n")[line - 1]
        # As in PuppetDB, one expected character follows its heading at once.
        single = len(self.expected) == 1 and self.expected != [END_SHOWN]
        heading = "Expected:" if single else "Expected one of:\n"
        expected = "\n".join(sorted(self.expected, key=SPACE_SHOWN.__eq__))
        return bad_query(
            f"PQL parse error at line {line}, column {column}:\n\n"
            f"{shown}\n{' ' * (column - 1)}^\n\n{heading}\n{expected}\n"
        )

    def sees(self, literal: str) -> bool:
        """Read a literal if it is here."""
        if not self.text.startswith(literal, self.position):
            return False
        self.position += len(literal)
        return True

    def take(self, *literals: str) -> str:
        """Read one of some literals."""
        for literal in literals:
            if self.sees(literal):
                return literal
        raise self.fail(*literals)

    def take_pattern(self, pattern: re.Pattern[str], shown: str) -> str:
        """Read the text that matches a pattern."""
        found = pattern.match(self.text, self.position)
        if found is None:
            raise self.fail(shown)
        self.position = found.end()
        return found[0]

    def space(self) -> bool:
        """Read white space if there is some."""
        found = SPACE.match(self.text, self.position)
        if found is None:
            self.fail(SPACE_SHOWN)
            return False
        self.position = found.end()
        return True

    def need_space(self) -> None:
        """Read white space."""
        self.take_pattern(SPACE, SPACE_SHOWN)

    def end(self) -> None:
        """Check that nothing but white space follows."""
        if self.text[self.position :].strip():
            self.expected = []
            raise self.fail(END_SHOWN)

    def attempt(self, *rules: Callable[[], Json]) -> Json:
        """Return the result of the first rule that applies."""
        start = self.position, self.level
        for rule in rules:
            try:
                return rule()
            except Failed:
                self.position, self.level = start
        raise Failed

    def optional(self, rule: Callable[[], Json]) -> list[Json]:
        """Return the result of a rule in a list, which is empty if the rule does not apply."""
        start = self.position, self.level
        try:
            return [rule()]
        except Failed:
            self.position, self.level = start
            return []

    # -- queries -------------------------------------------------------------------------------------

    def query(self) -> list[Json]:
        """``entity [fields] { condition paging }``."""
        entity = self.entity()
        self.space()
        fields = self.optional(self.projection)
        self.space()
        content, paging = self.where()
        if fields:
            content = [["extract", fields[0], *content]]
        return ["from", entity, *content, *paging]

    def entity(self) -> str:
        """The name of an entity; the longest that fits."""
        if self.text.startswith("factsets", self.position):
            return self.take("factsets")
        return self.take(*ENTITIES)

    def projection(self) -> Json:
        """``[field, function(field), …]``."""
        self.take("[")
        self.space()
        fields = self.optional(self.fields)
        self.space()
        self.take("]")
        return fields[0] if fields else []

    def fields(self) -> Json:
        """Fields and functions with commas between them."""
        return list(self.separated(self.field_or_function))

    def separated(self, rule: Callable[[], Json]) -> Iterator[Json]:
        """Yield the result of a rule, again after each comma."""
        yield rule()
        while True:
            start = self.position
            self.space()
            if not self.sees(","):
                self.fail(",")
                self.position = start
                return
            self.space()
            yield rule()

    def field_or_function(self) -> Json:
        """A field, or a function with arguments in parentheses."""
        return self.attempt(self.function, self.field)

    def function(self) -> Json:
        """``name(field, 'text', …)``."""
        name = self.take(*FUNCTIONS)
        self.space()
        self.take("(")
        self.space()
        arguments = self.optional(self.arguments)
        self.space()
        self.take(")")
        found = arguments[0] if arguments else []
        return ["function", name, *(found if isinstance(found, list) else [])]

    def arguments(self) -> Json:
        """A field or a text, then texts."""
        first = self.attempt(self.field, self.string)
        start = self.position
        self.space()
        if not self.sees(","):
            self.position = start
            return [first]
        self.space()
        return [first, *self.separated(self.string)]

    def where(self) -> tuple[list[Json], list[Json]]:
        """``{ condition group or paging }``: the condition and groups, and the paging."""
        self.enter()
        self.take("{")
        self.space()
        content = self.optional(self.condition_or_clause)
        self.space()
        groups = self.optional(self.groups)
        paging = [] if groups else list(self.paging())
        self.space()
        self.take("}")
        self.level -= 1
        return [*content, *groups], paging

    def enter(self) -> None:
        """Note one more level of nesting."""
        self.level += 1
        if self.level > MOST_LEVELS:
            raise bad_query(f"The query is nested more than {MOST_LEVELS} levels deep")

    def condition_or_clause(self) -> Json:
        """A condition; a clause here is left to the rules that follow."""
        self.fail("}", *CLAUSES)
        return self.disjunction()

    def groups(self) -> Json:
        """``group by field, …``."""
        self.take("group by")
        self.need_space()
        fields = self.fields()
        return ["group_by", *(fields if isinstance(fields, list) else [])]

    def paging(self) -> Iterator[Json]:
        """Yield the clauses ``limit``, ``offset`` and ``order by``, in any order."""
        while found := self.optional(self.paging_clause):
            yield found[0]
            self.space()

    def paging_clause(self) -> Json:
        """One clause of paging."""
        name = self.take("limit", "offset", "order by")
        self.need_space()
        if name == "order by":
            return ["order_by", list(self.separated(self.order))]
        return [name, self.integer()]

    def order(self) -> Json:
        """``field asc``."""
        if DIRECTION.match(self.text, self.position):
            raise self.fail("desc", "asc", *STRUCTURED, FIELD_SHOWN)
        self.fail("desc", "asc")
        field = self.field()
        start = self.position
        if self.space():
            for direction in ("asc", "desc"):
                if self.sees(direction):
                    return [field, direction]
        self.position = start
        return field

    # -- conditions ----------------------------------------------------------------------------------

    def disjunction(self) -> Json:
        """Conditions with ``or`` between them."""
        return self.chain("or", self.conjunction)

    def conjunction(self) -> Json:
        """Conditions with ``and`` between them."""
        return self.chain("and", self.negation)

    def chain(self, word: str, rule: Callable[[], Json]) -> Json:
        """Return the conditions of a rule with a word between them as one, without nesting."""
        found = [rule()]
        while self.optional(lambda: self.connective(word)):
            found.append(rule())
        if len(found) == 1:
            return found[0]
        items: list[Json] = []
        for one in found:
            items += one[1:] if isinstance(one, list) and one[0] == word else [one]
        return [word, *items]

    def connective(self, word: str) -> Json:
        """Read a word between spaces."""
        self.need_space()
        self.take(word)
        self.need_space()
        return word

    def negation(self) -> Json:
        """``!`` before a condition, or a condition."""
        if not self.sees("!"):
            return self.condition()
        self.space()
        self.enter()
        inner = self.negation()
        self.level -= 1
        return ["not", inner]

    def condition(self) -> Json:
        """A group, a subquery, or a comparison."""
        if self.sees("("):
            return self.group()
        self.fail(*ENTITIES, *STRUCTURED, FIELD_SHOWN, "[", "(", "!")
        return self.attempt(self.subquery, self.several_in, self.comparison)

    def group(self) -> Json:
        """A condition in parentheses."""
        self.enter()
        self.space()
        inner = self.disjunction()
        self.space()
        self.take(")")
        self.level -= 1
        return inner

    def subquery(self) -> Json:
        """``entity { condition }``."""
        entity = self.entity()
        self.space()
        content, paging = self.where()
        if paging or len(content) > 1:
            raise bad_query("A subquery without fields cannot be grouped, sorted or limited")
        return ["subquery", entity, *content]

    def several_in(self) -> Json:
        """``[field, …] in query``."""
        fields = self.projection()
        self.space()
        self.take("in")
        self.space()
        return ["in", fields, self.right_of_in()]

    def comparison(self) -> Json:
        """``field operator value``."""
        field = self.field()
        self.space()
        operator = self.operator()
        if operator in {"is null", "is not null"}:
            return ["null?", field, operator == "is null"]
        self.space()
        value = self.value_of(operator)
        if operator in {"!=", "!~"}:
            return ["not", [operator[1:], field, value]]
        return [operator, field, value]

    def operator(self) -> str:
        """One of the operators; the longest that fits."""
        for operator in OPERATORS:
            if self.sees(operator):
                return operator
        raise self.fail(*SHOWN_OPERATORS)

    def value_of(self, operator: str) -> Json:
        """Return the right side of an operator."""
        if operator == "~":
            return self.string()
        if operator == "~>":
            return self.listed(self.string)
        if operator == "in":
            return self.right_of_in()
        if operator in {"=", "!=", "!~"}:
            return self.literal()
        return self.attempt(self.number, self.string)

    def right_of_in(self) -> Json:
        """A query, or a list of values."""
        if self.text.startswith("[", self.position):
            return ["array", self.listed(self.literal)]
        return self.attempt(self.query)

    # -- fields and values ---------------------------------------------------------------------------

    def field(self) -> Json:
        """The name of a field, with dots for parts of structured ones."""
        for name in STRUCTURED:
            if self.text.startswith(f"{name}.", self.position):
                self.position += len(name)
                return name + "".join(self.field_parts())
        self.fail(*STRUCTURED)
        return self.take_pattern(FIELD, FIELD_SHOWN)

    def field_parts(self) -> Iterator[str]:
        """Yield each dot with the part after it."""
        while self.sees("."):
            for pattern in (QUOTED_PART, MATCH_PART, PLAIN_PART):
                found = pattern.match(self.text, self.position)
                if found:
                    break
            else:
                raise self.fail("a part of a field")
            self.position = found.end()
            yield f".{found[0]}"

    def literal(self) -> Json:
        """A value: text, number, Boolean or array."""
        if self.text.startswith("[", self.position):
            return self.listed(self.literal)
        self.fail("[")
        return self.attempt(self.boolean, self.number, self.string)

    def boolean(self) -> Json:
        """``true`` or ``false``."""
        return self.take("false", "true") == "true"

    def listed(self, rule: Callable[[], Json]) -> Json:
        """Values in brackets; at least one."""
        self.enter()
        self.take("[")
        self.space()
        found = list(self.separated(rule))
        self.space()
        self.take("]")
        self.level -= 1
        return found

    def number(self) -> Json:
        """A whole number, or one with a fraction."""
        start = self.position
        value = self.integer()
        fraction = FRACTION.match(self.text, self.position)
        if fraction is None:
            return value
        self.position = fraction.end()
        return float(self.text[start : self.position])

    def integer(self) -> Json:
        """A whole number of 64 bits."""
        start = self.position
        if not self.sees("-"):
            self.fail(DIGITS_SHOWN, "-")
        digits = self.take_pattern(DIGITS, DIGITS_SHOWN)
        if len(digits) > 18 and not -(1 << 63) <= int(digits[:20]) < 1 << 63:
            raise bad_query(f"The number {digits} is out of range")
        return int(self.text[start : self.position])

    def string(self) -> Json:
        """A text in single or double quotes."""
        if self.sees("'"):
            content = self.take_pattern(SINGLE_QUOTED, "'")
            self.take("'")
            return content.replace("\\'", "'")
        if not self.sees('"'):
            raise self.fail("'", '"')
        content = self.take_pattern(DOUBLE_QUOTED, '"')
        self.take('"')
        return unescaped(content)


def unescaped(content: str) -> str:
    """Return the value of a text in double quotes; the escapes are those of JSON."""
    try:
        value = json.loads(f'"{content}"', strict=False)
    except ValueError as error:
        raise bad_query(f'Invalid text "{content}": {error}') from None
    return str(value)
