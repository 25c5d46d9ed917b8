"""Random types, and values that nearly fit them, as Puppet source.

All is drawn from a ``random.Random``, so a seed names a run; ``hypothesis.strategies.randoms``
gives one that Hypothesis can shrink.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

ALIASES = """\
type T::Number = Variant[Integer, Float]
type T::Tree = Variant[Integer, Array[T::Tree]]
type T::Nested = Hash[String, Variant[T::Nested, Integer]]
type T::Port = Integer[1, 65535]
type T::Name = Pattern[/\\A[a-z]+\\z/]
type T::Point = Object[{attributes => {x => Integer, y => {type => Integer, value => 0}}}]
type T::Point3 = Object[{parent => T::Point, attributes => {z => {type => Integer, value => 0}}}]
type T::Box = Object[{type_parameters => {of => Type}, attributes => {of => Type, item => Any}}]
"""
WORDS = (
    "",
    "a",
    "b",
    "bc",
    "abc",
    "A",
    "é",
    "a b",
    "it's",
    "x\\ny",
    "80",
    "true",
    "1.2.3",
    "http://h/p",
)
KEYS = ("a", "b", "c", "key")
PATTERNS = ("a", "^b", "\\\\A[a-z]+\\\\z".replace("\\\\", "\\"), "[0-9]", "b/c".replace("/", "."))
NUMBERS = (-9, -1, 0, 1, 2, 3, 5, 9, 80, 65536)
FLOATS = ("-1.5", "0.0", "0.5", "1.0", "2.5", "3.25", "1e20")
SPANS = ("0", "1", "90", "3600", "'1-02:03:04'", "0.5")
STAMPS = ("0", "1", "'2020-01-01T00:00:00'", "1500000000.25")
VERSIONS = ("1.0.0", "1.2.3", "2.0.0", "1.2.3-rc.1", "0.1.0")
RANGES = (">=1.0.0", "1.x", "<2.0.0", "~1.2.3", "1.0.0 - 2.0.0", "^1.2")
URIS = ("http://h/p", "https://h:8080/p?q#f", "file:///a", "mailto:a@b")
RESOURCES = ("File", "User", "Notify")


def quote(text: str) -> str:
    """A word as a Puppet string."""
    if "\\n" in text or "'" in text:
        return f'"{text}"'
    return f"'{text}'"


@dataclass(slots=True)
class Shape:
    """A type's text, and the means to make values of it and types within it."""

    text: str
    value: Callable[[], str]
    narrow: Callable[[], str]


class Generator:
    """Draws shapes, values and types."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def pick(self, items):
        """One of them."""
        return self.random.choice(items)

    def chance(self, one_in: int) -> bool:
        """True once in so many times."""
        return self.random.randrange(one_in) == 0

    # -- random choices ---------------------------------------------------------------------------

    def shape(self, depth: int = 3) -> Shape:
        """A type with its values."""
        if depth <= 0 or self.chance(3):
            return getattr(self, self.pick(LEAVES))()
        return getattr(self, self.pick(CONTAINERS))(depth - 1)

    def type(self, depth: int = 3) -> str:
        """A type's text."""
        return self.shape(depth).text

    def value(self, depth: int = 3) -> str:
        """Any value."""
        return self.shape(depth).value()

    def near(self, shape: Shape) -> str:
        """Mostly a value of the shape, sometimes any."""
        return self.value(1) if self.chance(8) else shape.value()

    def within(self, shape: Shape) -> str:
        """Mostly a type within the shape, sometimes any."""
        return self.type(1) if self.chance(8) else shape.narrow()

    # -- leaves ----------------------------------------------------------------------------------

    def plain(self) -> Shape:
        """An abstract type: any leaf is tried for it."""
        name = self.pick(ABSTRACT)
        return Shape(name, lambda: self.concrete().value(), lambda: self.concrete().text)

    def concrete(self) -> Shape:
        """A type that has values of its own."""
        name = self.pick(CONCRETE)
        return getattr(self, name)(0) if name in CONTAINERS else getattr(self, name)()

    def undef(self) -> Shape:
        return Shape("Undef", lambda: "undef", lambda: "Undef")

    def default(self) -> Shape:
        return Shape("Default", lambda: "default", lambda: "Default")

    def boolean(self) -> Shape:
        text = self.pick(["Boolean", "Boolean[true]", "Boolean[false]"])
        return Shape(
            text, lambda: self.pick(["true", "false"]), lambda: self.pick(["Boolean[true]", text])
        )

    def limits(self, items, key=lambda item: item) -> str:
        """Two limits as parameters; ``default`` stands for none."""
        low, high = sorted([self.pick(items), self.pick(items)], key=key)
        first = "default" if self.chance(5) else str(low)
        return first if self.chance(4) else f"{first}, {'default' if self.chance(5) else high}"

    def integer(self) -> Shape:
        def text() -> str:
            return "Integer" if self.chance(4) else f"Integer[{self.limits(NUMBERS)}]"

        return Shape(text(), lambda: str(self.pick(NUMBERS)), text)

    def float(self) -> Shape:
        def text() -> str:
            return "Float" if self.chance(4) else f"Float[{self.limits(FLOATS, float)}]"

        return Shape(text(), lambda: self.pick(FLOATS), text)

    def string(self) -> Shape:
        def text() -> str:
            return "String" if self.chance(3) else f"String[{self.size()}]"

        return Shape(text(), self.word, lambda: self.enum().text if self.chance(2) else text())

    def word(self) -> str:
        """A string."""
        return quote(self.pick(WORDS))

    def enum(self) -> Shape:
        words = [self.pick(WORDS) for _ in range(self.random.randint(1, 4))]
        flag = ", true" if self.chance(5) else ""
        text = f"Enum[{', '.join(map(quote, words))}{flag}]"
        return Shape(
            text,
            lambda: quote(self.pick([*words, self.pick(words).upper()])),
            lambda: f"Enum[{quote(self.pick(words))}]",
        )

    def pattern(self) -> Shape:
        some = [self.pick(PATTERNS) for _ in range(self.random.randint(1, 2))]
        return Shape(
            f"Pattern[{', '.join(f'/{one}/' for one in some)}]",
            self.word,
            lambda: self.pick([f"Pattern[/{some[0]}/]", self.enum().text]),
        )

    def regexp(self) -> Shape:
        def text() -> str:
            return self.pick(["Regexp", f"Regexp[/{self.pick(PATTERNS)}/]"])

        return Shape(text(), lambda: f"/{self.pick(PATTERNS)}/", text)

    def binary(self) -> Shape:
        return Shape(
            "Binary", lambda: self.pick(["Binary('YWJj')", "Binary('')"]), lambda: "Binary"
        )

    def time(self) -> Shape:
        name, items = self.pick([("Timespan", SPANS), ("Timestamp", STAMPS)])

        def text() -> str:
            if self.chance(3):
                return name
            limits = [self.pick(["0", "90", "default"]), self.pick(["3600", "9e9", "default"])]
            return f"{name}[{', '.join(limits).replace('9e9', '2000000000')}]"

        return Shape(text(), lambda: f"{name}({self.pick(items)})", text)

    def version(self) -> Shape:
        def text() -> str:
            return self.pick(["SemVer", f"SemVer['{self.pick(RANGES)}']"])

        return Shape(text(), lambda: f"SemVer('{self.pick(VERSIONS)}')", text)

    def version_range(self) -> Shape:
        return Shape(
            "SemVerRange", lambda: f"SemVerRange('{self.pick(RANGES)}')", lambda: "SemVerRange"
        )

    def uri(self) -> Shape:
        def text() -> str:
            return self.pick(
                [
                    "URI",
                    f"URI['{self.pick(URIS)}']",
                    "URI[{scheme => 'http'}]",
                    "URI[{port => 8080}]",
                ]
            )

        return Shape(text(), lambda: f"URI('{self.pick(URIS)}')", text)

    def resource(self) -> Shape:
        def text() -> str:
            name = self.pick(RESOURCES)
            return self.pick(
                ["CatalogEntry", "Resource", name, f"{name}['/a']", f"Resource['{name}']",
                 "Class", "Class['a']", "Class['b']", "Resource['t::made']"]
            )  # fmt: skip

        return Shape(text(), text, text)

    def collection(self) -> Shape:
        def text() -> str:
            return "Collection" if self.chance(3) else f"Collection[{self.size()}]"

        return Shape(
            text(),
            lambda: self.pick([self.array(1), self.hash(1)]).value(),
            lambda: self.array(1).text,
        )

    def alias(self) -> Shape:
        name, values = self.pick(NAMED)
        return Shape(name, lambda: self.pick(values), lambda: self.pick(NAMED)[0])

    def error(self) -> Shape:
        def text() -> str:
            return self.pick(["Error", "Error['k']", "Error['k', 'c']", "Error[/k/]", "Deferred"])

        values = ("Error('m')", "Error('m', 'k')", "Error('m', 'k', {}, 'c')", "Deferred('f', [1])")
        return Shape(text(), lambda: self.pick(values), text)

    def runtime(self) -> Shape:
        def text() -> str:
            return self.pick(["Runtime", "Runtime['ruby', 'String']", "Runtime['ruby', 'Symbol']"])

        return Shape(text(), lambda: self.value(0), text)

    # -- types of types --------------------------------------------------------------------------

    def size(self) -> str:
        """Limits of a length."""
        return self.limits((0, 1, 2, 3, 4))

    def sizes(self) -> str:
        """Two limits of a length, for types that take nothing else then."""
        low, high = sorted([self.pick((0, 1, 2, 3, 4)), self.pick((0, 1, 2, 3, 4))])
        return f"{low}, {high}"

    def tail(self) -> str:
        """An optional size after other parameters."""
        return f", {self.size()}" if self.chance(3) else ""

    def many(self, shape: Shape) -> list[str]:
        """Some values near a shape."""
        return [self.near(shape) for _ in range(self.random.choice((0, 1, 1, 2, 2, 3)))]

    def array(self, depth: int) -> Shape:
        element = self.shape(depth)
        return Shape(
            self.pick(
                ["Array", f"Array[{self.sizes()}]"] + 5 * [f"Array[{element.text}{self.tail()}]"]
            ),
            lambda: f"[{', '.join(self.many(element))}]",
            lambda: self.pick(
                [f"Array[{self.within(element)}{self.tail()}]", f"Tuple[{self.within(element)}]"]
            ),
        )

    def hash(self, depth: int) -> Shape:
        key = self.shape(0) if self.chance(2) else self.string()
        item = self.shape(depth)

        def entries() -> str:
            found = {self.near(key): one for one in self.many(item)}
            return ", ".join(f"{name} => {one}" for name, one in found.items())

        return Shape(
            self.pick(
                ["Hash", f"Hash[{self.sizes()}]"]
                + 5 * [f"Hash[{key.text}, {item.text}{self.tail()}]"]
            ),
            lambda: f"{{{entries()}}}",
            lambda: f"Hash[{self.within(key)}, {self.within(item)}{self.tail()}]",
        )

    def tuple(self, depth: int) -> Shape:
        slots = [self.shape(depth) for _ in range(self.random.randint(1, 3))]

        def text(name: Callable[[Shape], str]) -> str:
            return f"Tuple[{', '.join(map(name, slots))}{self.tail()}]"

        return Shape(
            text(lambda slot: slot.text),
            lambda: f"[{', '.join(self.near(slot) for slot in slots)}]",
            lambda: text(self.within),
        )

    def struct(self, depth: int) -> Shape:
        names = self.random.sample(KEYS, self.random.randint(1, 3))
        slots = [
            (name, self.pick(["{}", "Optional[{}]", "NotUndef[{}]"]), self.shape(depth))
            for name in names
        ]

        def text(name: Callable[[Shape], str]) -> str:
            inner = (f"{key.format(repr(one))} => {name(slot)}" for one, key, slot in slots)
            return f"Struct[{{{', '.join(inner)}}}]"

        def value() -> str:
            some = (
                f"{name} => {self.near(slot)}"
                for name, key, slot in slots
                if not self.chance(2 if key.startswith("Opt") else 9)
            )
            return f"{{{', '.join(some)}}}"

        return Shape(
            text(lambda slot: slot.text),
            value,
            lambda: text(self.within),
        )

    def variant(self, depth: int) -> Shape:
        options = [self.shape(depth) for _ in range(self.random.randint(1, 3))]
        return Shape(
            f"Variant[{', '.join(one.text for one in options)}]",
            lambda: self.pick(options).value(),
            lambda: self.pick(options).narrow(),
        )

    def wrapped(self, depth: int) -> Shape:
        inner = self.shape(depth)
        name = self.pick(["Optional", "Optional", "NotUndef"])
        return Shape(
            f"{name}[{inner.text}]",
            lambda: "undef" if self.chance(4) else inner.value(),
            lambda: self.pick([f"{name}[{inner.narrow()}]", inner.narrow()]),
        )

    def sensitive(self, depth: int) -> Shape:
        inner = self.shape(depth)
        return Shape(
            self.pick(["Sensitive", f"Sensitive[{inner.text}]"]),
            lambda: f"Sensitive({self.near(inner)})",
            lambda: f"Sensitive[{self.within(inner)}]",
        )

    def type_type(self, depth: int) -> Shape:
        inner = self.shape(depth)
        return Shape(
            self.pick(["Type", f"Type[{inner.text}]"]),
            inner.narrow,
            lambda: f"Type[{self.within(inner)}]",
        )

    def iterable(self, depth: int) -> Shape:
        inner = self.shape(depth)
        name = self.pick(["Iterable", "Iterator"])
        return Shape(
            self.pick([name, f"{name}[{inner.text}]"]),
            lambda: self.pick(
                [f"[{self.near(inner)}]", f"[{self.near(inner)}].reverse_each", "3", "'abc'",
                 "Integer[1, 3]", "Enum['a', 'b']", "[1, 2].step(2)", f"{{a => {self.near(inner)}}}"]
            ),
            lambda: self.pick([f"{name}[{self.within(inner)}]", self.array(depth).text]),
        )  # fmt: skip

    def callable(self, depth: int) -> Shape:
        def text() -> str:
            parameters = [self.type(depth) for _ in range(self.random.randint(0, 2))]
            if not parameters:
                return self.pick(["Callable", "Callable[0, 0]", "Callable[[0, 0], Integer]"])
            inner = ", ".join(parameters)
            if self.chance(3):
                inner += f", {self.pick(['0, 1', '1', '1, 3', '2, default'])}"
            if self.chance(4):
                inner += self.pick([", Callable", ", Optional[Callable]", ", Callable[Integer]"])
            return (
                f"Callable[[{inner}], {self.type(0)}]" if self.chance(4) else f"Callable[{inner}]"
            )

        return Shape(text(), lambda: self.value(0), text)

    def init(self, depth: int) -> Shape:
        inner = self.pick([self.integer, self.string, self.float, self.boolean, self.binary])()
        return Shape(f"Init[{inner.text}]", lambda: self.value(1), lambda: inner.text)


LEAVES = (
    ["plain"] * 4 + ["integer"] * 4 + ["string"] * 4 + ["enum"] * 3 + ["float"] * 2 + ["boolean"] * 2
    + ["pattern"] * 2 + ["undef", "default", "regexp", "binary", "time", "version", "version_range"]
    + ["uri", "resource", "resource", "collection", "alias", "alias", "error", "runtime"]
)  # fmt: skip
CONTAINERS = (
    ["array"] * 5 + ["hash"] * 4 + ["tuple"] * 3 + ["struct"] * 5 + ["variant"] * 4 + ["wrapped"] * 4
    + ["sensitive", "type_type", "iterable", "callable", "init"]
)  # fmt: skip
CONCRETE = [name for name in LEAVES if name != "plain"] + ["array", "hash", "struct", "tuple"]
ABSTRACT = (
    "Any", "Scalar", "ScalarData", "Numeric", "Data", "RichData", "NotUndef", "Optional", "Variant",
    "Struct", "Tuple", "Enum", "Pattern", "Collection", "Iterable", "Type", "Object", "Init", "Callable",
)  # fmt: skip
NAMED = (
    ("T::Number", ("1", "0.5", "'a'")),
    ("T::Tree", ("1", "[1, [2, []]]", "[1, ['a']]", "[]")),
    ("T::Nested", ("{a => 1}", "{a => {b => {c => 1}}}", "{a => {b => 'x'}}", "{}")),
    ("T::Port", ("80", "0", "65536")),
    ("T::Name", ("'abc'", "'A'")),
    ("T::Point", ("T::Point(1)", "T::Point(1, 2)", "T::Point3(1, 2, 3)")),
    ("T::Point3", ("T::Point3(1)", "T::Point3({x => 1, z => 3})")),
    ("T::Box[Integer]", ("T::Box(Integer, 1)", "T::Box(String, 'a')")),
    ("T::Box", ("T::Box(Integer, 1)", "T::Point(5)")),
)
