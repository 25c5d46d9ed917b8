"""Random conversions as Puppet source: ``Type(value, …)`` with random formats."""

from __future__ import annotations

from support.type_expressions import Generator, quote

LETTERS = {
    "number": "dxXobBeEfgGaAsp",
    "text": "spCcdut",
    "boolean": "tTyYdxs",
    "undef": "snpdvVu",
    "list": "asp",
    "hash": "hasp",
    "binary": "spbBut",
    "any": "spd",
}
NUMERALS = (
    "0", "12", "-7", "0x1F", "0b101", "0o17", "017", "08", "+5", "- 3", "1.5", "1e3", "-0x1.8", "abc",
    "", "9223372036854775808", "0xG", "1_000", "1.", ".5", "ff", "101", "777", "1e400", "0B11", "0XaB",
)  # fmt: skip
RADIXES = ("2", "8", "10", "16", "default", "7", "'16'")
TIMES = (
    "1", "90.5", "'3 days'", "'1-02:03:04'", "'01:02:03.5'", "'23'", "-90", "{days => 1, hours => 2}",
    "{string => '12:30', format => '%H:%M'}",
)  # fmt: skip
STAMPS = (
    "0", "1.5", "'2020-02-29T12:30:00 UTC'", "'2020-02-29'", "'2020-02-29 12:30:45.123'",
    "'Sat Feb 29 2020'", "{string => '2020', format => '%Y'}", "-1", "1e9",
)  # fmt: skip
SPAN_LETTERS = "DHMSLN"
STAMP_LETTERS = "CYymBbhdejHkIlPpMSLNzZAauwGgVUWsnt%cDFvxXrRT"
VERSIONS = ("1.2.3", "1.2.3-rc.1+b5", "1.2", "v1.2.3", "01.2.3", "1.2.3-", "0.0.0", "1.2.3+a.b")
RANGES = (
    ">=1.0.0 <2.0.0", "1.x", "~1.2", "^0.2.3", "1.2.3 - 2.3", "*", "", ">1.2", "=1.2.3", "1.2.3 || 2",
    "<=1.2.3-rc.1", "x.1", "~> 1.2", ">= 1.2.3",
)  # fmt: skip
URIS = (
    "http://user@h:80/p/q?x=1#f", "mailto:a@b.c", "//h/p", "p/q", "file:///a%20b", "http://h:x/", "", "h h",
)  # fmt: skip
BYTES = ("YWJj", "YWI=", "YWI", "abc", "****", "w6k", "")
TYPE_TEXTS = (
    "Integer[1, 2]",
    "Array[String]",
    "Foo",
    "Integer[",
    "Struct[{a => 1}]",
    "1",
    "Enum[a]",
)


def conversion(generator: Generator) -> str:
    """One call of ``new`` in any of its forms."""
    make = generator.pick(KINDS)
    return make(generator)


def letter_format(generator: Generator, letters: str) -> str:
    """``%`` with flags, width and precision."""
    flags = "".join(generator.pick(" #+-0") for _ in range(generator.pick((0, 0, 0, 1, 2))))
    width = generator.pick(("", "", "", "1", "5", "12"))
    precision = generator.pick(("", "", "", ".0", ".2", ".10"))
    return f"%{flags}{width}{precision}{generator.pick(letters)}"


def container_format(generator: Generator, letters: str) -> str:
    """The format of an array or hash, with its delimiters."""
    flags = generator.pick(("", "", "#", "<", "[", "(", "{", "|", "#(", " "))
    return f"%{flags}{generator.pick(('', '', '3'))}{generator.pick(letters)}"


def format_for(generator: Generator, kind: str) -> str:
    """A format as a string of Puppet."""
    text = (container_format if kind in {"list", "hash"} else letter_format)(
        generator, LETTERS[kind]
    )
    return quote(text)


def format_map(generator: Generator, depth: int = 2) -> str:
    """``{Type => format, …}``, with nested options for containers."""
    entries = []
    for name, kind in generator.random.sample(MAPPED, generator.random.randint(1, 3)):
        text = format_for(generator, kind)
        if depth and kind in {"list", "hash"} and not generator.chance(3):
            options = [f"format => {text}"]
            if generator.chance(2):
                options.append(f"separator => {generator.pick(SEPARATORS)}")
            if kind == "hash" and generator.chance(2):
                options.append(f"separator2 => {generator.pick(SEPARATORS)}")
            if generator.chance(2):
                options.append(f"string_formats => {format_map(generator, depth - 1)}")
            text = f"{{{', '.join(options)}}}"
        entries.append(f"{name} => {text}")
    return f"{{{', '.join(entries)}}}"


SEPARATORS = ("';'", "' - '", "', '", "''", "'=>'")
MAPPED = (
    ("Integer", "number"), ("Float", "number"), ("Numeric", "number"), ("String", "text"),
    ("Boolean", "boolean"), ("Undef", "undef"), ("Array", "list"), ("Hash", "hash"), ("Any", "any"),
    ("Binary", "binary"), ("Collection", "list"), ("String[2]", "text"), ("Integer[0, 5]", "number"),
    ("Array[Integer]", "list"), ("Type", "any"), ("Regexp", "any"), ("Default", "undef"),
)  # fmt: skip


def as_string(generator: Generator) -> str:
    """``String(value, format)``."""
    kind = generator.pick(tuple(LETTERS))
    values = {
        "number": lambda: generator.pick([generator.integer, generator.float])().value(),
        "text": generator.word,
        "boolean": lambda: generator.pick(["true", "false"]),
        "undef": lambda: generator.pick(["undef", "default"]),
        "list": lambda: generator.array(2).value(),
        "hash": lambda: generator.hash(2).value(),
        "binary": generator.binary().value,
        "any": generator.value,
    }
    return f"String({values[kind]()}, {format_for(generator, kind)})"


def as_mapped_string(generator: Generator) -> str:
    """``String(value, {Type => format})``."""
    value = generator.pick([generator.array, generator.hash, generator.struct])(3).value()
    return f"String({value}, {format_map(generator)})"


def as_number(generator: Generator) -> str:
    """Integer, Float and Numeric with radix and absolute value."""
    name = generator.pick(
        ["Integer", "Integer", "Float", "Numeric", "Integer[0, 20]", "Float[0.0]"]
    )
    value = quote(generator.pick(NUMERALS)) if not generator.chance(3) else generator.value(1)
    extra = ""
    if name.startswith("Integer") and generator.chance(2):
        extra = f", {generator.pick(RADIXES)}"
    if generator.chance(4):
        extra += generator.pick([", true", ", false"])
    if generator.chance(6):
        return f"{name}({{from => {value}}})"
    return f"{name}({value}{extra})"


def as_scalar(generator: Generator) -> str:
    """Boolean, Regexp, Sensitive, Type, Undef and those that have no ``new``."""
    value = generator.value(1)
    return generator.pick(
        [
            f"Boolean({quote(generator.pick(('Yes', 'n', 'TRUE', 'false', 'y', 'no', 'x', '')))})",
            f"Boolean({value})",
            f"Regexp({quote(generator.pick(('a', '[b', 'a.b', '')))}{generator.pick(['', ', true'])})",
            f"Sensitive({value}).unwrap",
            f"Type({quote(generator.pick(TYPE_TEXTS))})",
            f"{generator.pick(['Optional', 'NotUndef', 'Init'])}[Integer]({value})",
            f"Init[{generator.pick(['Integer, 16', 'String, quote', 'Array, true'])}]({value})".replace(
                "quote", "'%p'"
            ),
            f"Enum['a', 'b']({value})",
            f"{generator.type(1)}.new({value})",
        ]
    )


def as_collection(generator: Generator) -> str:
    """Array, Hash (also as trees), Tuple and Struct."""
    value = generator.pick(
        [generator.value(2), generator.array(2).value(), generator.hash(2).value(), "3", "'ab'"]
    )
    tree = "[[[0], {}], [[0, 'a'], 1], [[0, 'b'], [2]]]"
    pairs = "[[a, 1], [b, 2]]"
    return generator.pick(
        [
            f"Array({value}{generator.pick(['', ', true', ', false'])})",
            f"Hash({generator.pick([value, pairs, '[a, 1, b, 2]', '[a, 1, b]'])})",
            f"Hash({generator.pick([tree, pairs, value])}, {generator.pick(['tree', 'hash_tree'])})",
            f"{generator.array(1).text}({value})",
            f"{generator.hash(1).text}({generator.pick([value, pairs])})",
            f"{generator.tuple(1).text}({value})",
            f"{generator.struct(1).text}({generator.pick([value, pairs])})",
        ]
    )


def time_format(generator: Generator, letters: str) -> str:
    """A format of several conversions."""
    parts = (
        f"%{generator.pick(('', '', '', '-', '_', '0', '3', '-5', '^', '#'))}{generator.pick(letters)}"
        for _ in range(generator.random.randint(1, 3))
    )
    return quote(generator.pick((":", " ", "-", "")).join(parts))


def as_time(generator: Generator) -> str:
    """Timespan and Timestamp, made and printed."""
    span = f"Timespan({generator.pick(TIMES)})"
    stamp = f"Timestamp({generator.pick(STAMPS)})"
    numbers = ", ".join(
        str(generator.pick((0, 1, 2, 30, 500))) for _ in range(generator.random.randint(4, 7))
    )
    text = quote(generator.pick(("1-02:03", "12:30:05", "90", "5 6", "0.25", "7:08")))
    return generator.pick(
        [
            span,
            stamp,
            f"Timespan({numbers})",
            f"strftime({span}, {time_format(generator, SPAN_LETTERS)})",
            f"strftime({stamp}, {time_format(generator, STAMP_LETTERS)})",
            f"Timespan({text}, {time_format(generator, SPAN_LETTERS)})",
            f"Timespan({text}, ['%D-%H:%M', '%M:%S', '%S'])",
            (
                f"Timestamp({quote(generator.pick(('2020-02-29', '29/2/20 5pm', '1 Mar 2020')))}, "
                f"{quote(generator.pick(('%F', '%Y-%m-%d', '%d/%m/%y %I%p', '%e %b %Y')))})"
            ),
            f"{generator.pick(['Integer', 'Float', 'Numeric'])}({generator.pick([span, stamp])})",
        ]
    )


def as_other(generator: Generator) -> str:
    """Binary, SemVer, SemVerRange, URI, objects."""
    text = quote(generator.pick(BYTES))
    version = generator.pick(VERSIONS)
    return generator.pick(
        [
            f"Binary({text}{generator.pick(['', ', %B', ', %b', ', %u', ', %s', ', %r', ', %x'])})".replace(
                ", %", ", '%"
            ).replace("B)", "B')").replace("b)", "b')").replace("u)", "u')").replace("s)", "s')")
            .replace("r)", "r')").replace("x)", "x')"),
            f"Binary([{', '.join(str(generator.pick((0, 65, 255, 256))) for _ in range(3))}])",
            f"Binary({{value => {text}, format => '%{generator.pick('Bbus')}'}})",
            f"SemVer('{version}')",
            f"SemVer(1, {generator.pick(('2', '-1'))}, 3{generator.pick(('', ', rc', ', rc, b1'))})",
            f"SemVer({{major => 1, minor => 2, patch => {generator.pick(('3', 'x'))}}})",
            f"SemVerRange({quote(generator.pick(RANGES))})",
            (
                f"SemVerRange(SemVer('1.0.0'), {generator.pick(('SemVer(1,2,3)', 'default', 'SemVer(0,1,0)'))}"
                f"{generator.pick(('', ', true'))})"
            ),
            f"URI({quote(generator.pick(URIS))})",
            f"URI({{scheme => http, host => h, port => {generator.pick(('80', 'undef', 'x'))}, path => '/p'}})",
            f"Error({generator.pick(['m', 'm, k', '{msg => m}', '1', ''])})",
            f"Deferred({generator.pick(['f', 'f, [1]', 'f, 1', '{name => f}'])})",
        ]
    )  # fmt: skip


KINDS = (as_string, as_string, as_mapped_string, as_number, as_number, as_scalar, as_collection,
         as_time, as_other)  # fmt: skip
