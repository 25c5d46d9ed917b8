"""Programs by chance for hypothesis: every kind of statement and expression, and a world to run them in.

Names come from a small stock, so what is written meets what was defined: a variable is often set, a
class often there, a resource declared twice now and then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from bunraku.functions.registry import function_names

Draw = Callable[[st.SearchStrategy[Any]], Any]

# Excluded: functions that return other values each time or query the machine.
BY_CHANCE = {
    "rand_array_val", "rand_hash_val", "shuffle", "pw_hash", "stdlib::fqdn_rand_string", "uuid",
    "pick_random", "stdlib::pick_random", "time", "generate", "str2saltedsha512", "strftime",
    "str2saltedpbkdf2", "has_interface_with", "fqdn_uuid",
    "assert_private",
    "private",
}  # fmt: skip
FUNCTIONS = sorted(function_names() - BY_CHANCE)

MODULES = {
    "m/manifests/init.pp": "class m($a = 1, Integer $b = 2, Optional[String] $c = undef) inherits m::base {\n"
    "  $x = [$a, $b]\n  notify { 'm': message => \"${c} ${facts['kernel']}\" }\n  include m::other\n}\n",
    "m/manifests/base.pp": "class m::base { $base = 'b' file { '/base': ensure => file } }\n",
    "m/manifests/other.pp": "class m::other { contain m::base m::d { 'o': v => { k => [1, undef] } } }\n",
    "m/manifests/wrong.pp": "class m::wrong { notify { 'w' message => } }\n",
    "m/manifests/d.pp": "define m::d($v = $title, $w = 2) { }\n",
    "m/manifests/e.pp": "define m::e($v = $title) { @notify { $name: message => $v, tag => 't' } }\n",
    "m/functions/f.pp": "function m::f($x, Integer $n = 2, *$r) >> Any { [$x, $n, $r] }\n",
    "m/functions/each.pp": "function m::each($x, &$block) { $x.map |$i| { $block($i) } }\n",
    "m/functions/call.pp": "function m::call($x) { with($x) |$v| { $v } }\n",
    "m/types/t.pp": "type M::T = Variant[Integer, Array[M::T], Hash[String, M::T]]\n",
    "m/types/o.pp": "type M::O = Object[{ attributes => { a => Integer, b => { type => Any, value => 1 } } }]\n",
    "m/templates/t.epp": "<%- | $p = 1 | -%>\np=<%= $p %> <% [1, 2].each |$i| { %><%= $i %>,<% } -%>\n",
    "m/hiera.yaml": "version: 5\nhierarchy:\n- name: own\n  path: common.yaml\n",
    "m/data/common.yaml": "m::b: 7\nlookup_options:\n  m::deep: { merge: deep }\nm::deep: { a: { b: 1 } }\n",
    "m/files/text": "a text\n",
    "stdlib/metadata.json": '{"name": "puppetlabs-stdlib", "version": "9.4.0", "author": "x", "license": "x",'
    ' "summary": "", "source": "", "dependencies": []}',
}  # fmt: skip
DATA = {
    "hiera.yaml": 'version: 5\nhierarchy:\n- name: node\n  path: "%{facts.kernel}.yaml"\n- name: all\n'
    "  path: all.yaml\n",
    "data/Linux.yaml": "m::a: from data\nk1: [1, 2]\nk2: \"%{lookup('k1')}\"\nm::deep: { a: { c: 2 } }\n",
    "data/all.yaml": "k1: [3]\nloop: \"%{lookup('loop')}\"\nclasses: [m, m::other]\n",
}  # fmt: skip
FACTS = {
    "kernel": "Linux",
    "os": {"name": "Debian", "release": {"major": "12"}},
    "n": 3,
    "no": None,
}

VARIABLES = [
    "$a",
    "$b",
    "$c",
    "$d",
    "$x",
    "$title",
    "$name",
    "$facts",
    "$m::x",
    "$::a",
    "$trusted",
    "$1",
    "$0",
]
PLACES = [f"${name}" for name in "cdefghopqrsuvwyzijklx"]
NAMES = [
    "a",
    "b",
    "m",
    "m::base",
    "m::other",
    "m::wrong",
    "k1",
    "d1",
    "x",
    "present",
    "file",
    "notify",
]
CLASSES = ["k1", "k2", "m", "m::base", "m::other", "m::wrong", "nosuch"]
DEFINES = [
    "d1",
    "d2",
    "m::d",
    "m::e",
    "notify",
    "file",
    "exec",
    "package",
    "service",
    "nosuch",
    "class",
]
TITLES = [
    "'a'",
    "'b'",
    "'/a'",
    "['a', 'b']",
    "default",
    "$a",
    "$x",
    "['/x', '/y']",
    "''",
    "1",
    "'m'",
    "undef",
]
ATTRIBUTES = [
    "message", "ensure", "content", "command", "v", "p", "q", "noop", "tag", "require", "before", "notify",
    "subscribe", "alias", "loglevel", "audit", "schedule", "stage", "path", "mode", "owner", "name", "title",
    "provider", "a", "b",
]  # fmt: skip
REFERENCES = [
    "Notify['a']", "Notify['b']", "File['/a']", "D1['a']", "M::D['o']", "Class['m']", "Class['k1']", "Class",
    "Notify['a', 'b']", "Notify[['a']]", "Resource['notify', 'a']", "Resource['notify']", "Nosuch['x']", "Notify",
]  # fmt: skip
TYPES = [
    "Any", "Integer", "String", "Integer[1, 3]", "String[1]", "Array", "Hash", "Undef", "Boolean", "Numeric",
    "Float[1.0]", "Scalar", "ScalarData", "Data", "RichData", "Collection", "Default", "Regexp", "Regexp[/a/]",
    "Pattern[/a/, 'b']", "Enum['a', b]", "Enum[a, true]", "Callable", "Callable[Integer, 1, 2]",
    "Callable[[Integer], String]", "Type", "Type[String]", "CatalogEntry", "Resource", "Class", "M::T", "M::O", "T1",
    "T2", "Nosuch", "Sensitive", "Sensitive[String]", "Timespan", "Timestamp", "SemVer", "SemVerRange", "Binary",
    "Iterable[Integer]", "Iterator", "Tuple[Integer, String]", "Tuple[Integer, 0, 3]", "Struct[{a => Integer}]",
    "Struct[{Optional[a] => String, NotUndef[b] => Any}]", "Init[Integer]", "Init", "NotUndef", "Optional['a']",
    "Runtime['ruby', 'X']", "Object[{}]", "TypeSet[{}]", "URI", "Deferred", "Error", "Target", "TypeAlias",
]  # fmt: skip
WRAPPERS = [
    "Array[%s]", "Hash[String, %s]", "Optional[%s]", "Variant[%s, Integer]", "NotUndef[%s]", "Type[%s]",
    "Array[%s, 1, 2]", "Hash[%s, %s, 0, 2]", "Tuple[%s, %s]", "Struct[{a => %s}]", "Sensitive[%s]", "Iterable[%s]",
    "Callable[%s]", "Callable[[%s], %s]", "Init[%s]", "Iterator[%s]",
]  # fmt: skip
LITERALS = [
    "0", "1", "2", "-1", "3", "7", "017", "0xff", "1.5", "-0.5", "1e3", "1e-7", "true", "false", "undef", "default",
    "'a'", "'b'", "''", "' '", "'12'", "'0x1f'", "'a b c'", "'é'", "'1.2.3'", "'/a/b'", "'x=1'", "'A'", '"\\u{1F600}"',
    "/a/", "/(a)(b)?/", "[]", "{}", "[1, 2, 3]", "['a', 'b']", "{a => 1, 'b' => [2]}", "{1 => 2, 1.0 => 3}",
    "[[1, [2]], {x => undef}]", "{undef => 1, [1] => 2, default => 3}", "present", "m::base", "'m/t.epp'", "'k1'",
    "'%{facts.kernel}'", "'%d %s'", "'1-02:03:04'", "'2020-01-02'", "'[1, 2]'", "'- 1'", "'a,b'", "'*'", "'('",
]  # fmt: skip
EXTREMES = [
    "9223372036854775807",
    "-9223372036854775807",
    "1e308",
    "4611686018427387904",
    "'9' * 30",
]
MADE = [
    "Timespan(%s)", "Timestamp('2020-01-02T03:04:05')", "SemVer('1.2.3')", "SemVerRange('>=1.0')", "Binary('YQ==')",
    "Sensitive(%s)", "URI('http://a/b')", "Deferred('join', [%s])", "M::O(%s)", "M::O({a => 1})", "Error('x')",
    "Integer(%s)", "Float(%s)", "String(%s)", "String(%s, '%%s')", "Array(%s)", "Hash(%s)", "Boolean(%s)", "Regexp(%s)",
    "Numeric(%s)", "Type(%s)", "new(%s, %s)", "Init[Integer](%s)", "Struct[{a => Integer}](%s)", "Array(%s, true)",
    "Timestamp(%s)", "Tuple[Integer, String](%s)",
]  # fmt: skip
BINARY = [
    "+",
    "-",
    "*",
    "/",
    "%",
    "<<",
    ">>",
    "==",
    "!=",
    "<",
    ">",
    "<=",
    ">=",
    "and",
    "or",
    "in",
    "=~",
    "!~",
]
PREFIX = ["!", "- ", "* ", "-"]
ARROWS = ["->", "~>", "<-", "<~"]


class Writer:
    """Writes one program; ``fuel`` is how much more may be written."""

    def __init__(self, draw: Draw, fuel: int) -> None:
        self.draw = draw
        self.fuel = fuel

    def pick(self, options: Any) -> Any:
        """One of some options, the first being the simplest."""
        return self.draw(st.sampled_from(options))

    def number(self, least: int, most: int) -> int:
        """How many."""
        self.fuel -= 1
        return 0 if self.fuel < 0 else int(self.draw(st.integers(least, most)))

    def some(
        self, what: Callable[[int], str], depth: int, between: str = ", ", most: int = 3
    ) -> str:
        """A few of something."""
        return between.join(what(depth + 1) for _ in range(self.number(0, most)))

    # -- expressions -----------------------------------------------------------------------------

    def expression(self, depth: int) -> str:
        """Any expression."""
        self.fuel -= 1
        if depth > 5 or self.fuel < 0:
            return str(self.pick(LITERALS + VARIABLES))
        return str(self.pick(EXPRESSIONS)(self, depth + 1))

    def leaf(self, depth: int) -> str:
        return str(self.pick([*LITERALS, *VARIABLES]))

    def variable(self, depth: int) -> str:
        return str(self.pick(VARIABLES))

    def extreme(self, depth: int) -> str:
        return f"({self.pick(EXTREMES)} {self.pick(BINARY)} {self.pick(LITERALS)})"

    def binary(self, depth: int) -> str:
        return f"({self.expression(depth)} {self.pick(BINARY)} {self.expression(depth)})"

    def prefixed(self, depth: int) -> str:
        return f"({self.pick(PREFIX)}{self.expression(depth)})"

    def array(self, depth: int) -> str:
        return f"[{self.some(self.expression, depth)}]"

    def hash(self, depth: int) -> str:
        return f"{{{self.some(self.entry, depth)}}}"

    def entry(self, depth: int) -> str:
        return f"{self.expression(depth)} => {self.expression(depth)}"

    def access(self, depth: int) -> str:
        return f"{self.variable(depth)}[{self.expression(depth)}{self.pick(['', ', 1', ', -1'])}]"

    def access_of(self, depth: int) -> str:
        return f"({self.expression(depth)})[{self.expression(depth)}]"

    def selector(self, depth: int) -> str:
        options = self.some(self.entry, depth)
        return f"({self.expression(depth)} ? {{ {options}{self.pick([', ' * bool(options) + 'default => 1', ''])} }})"

    def text(self, depth: int) -> str:
        parts = [self.pick(["x", " ", "$a", "${a}", "${facts['kernel']}", "\\n", "\\u00e9", "$", "${x[0]}", "${b.upcase}"])
                 for _ in range(self.number(0, 3))]  # fmt: skip
        return f'"{"".join(parts)}${{{self.expression(depth)}}}"'

    def heredoc(self, depth: int) -> str:
        tag = self.pick(["@(E)", '@("E")', '@("E"/L)', "@(E/t$)", '@("E":json)', "@(E:yaml)"])
        body = self.pick(["x\n", "  $a ${b}\n", "{}\n", "a\\\nb\n", "\t${facts}\n"])
        return f"{tag}\n{body}{self.pick(['', '  ', '  | ', '- '])}E\n"

    def type(self, depth: int) -> str:
        if depth > 4 or self.pick([True, True, False]):
            return str(self.pick(TYPES))
        wrapper = self.pick(WRAPPERS)
        return str(wrapper % tuple(self.type(depth + 1) for _ in range(wrapper.count("%s"))))

    def made(self, depth: int) -> str:
        form = self.pick(MADE)
        count = form.replace("%%", "").count("%s")
        return str(form % tuple(self.expression(depth) for _ in range(count)))

    def reference(self, depth: int) -> str:
        return str(self.pick(REFERENCES))

    def call(self, depth: int) -> str:
        return f"{self.function()}({self.some(self.argument, depth)}){self.block(depth)}"

    def method(self, depth: int) -> str:
        rest = self.some(self.argument, depth, most=2)
        return f"({self.expression(depth)}).{self.function()}({rest}){self.block(depth)}"

    def loop(self, depth: int) -> str:
        name = self.pick(["map", "each", "filter", "reduce", "with", "slice", "tree_each", "group_by", "sort", "any",
                          "all", "reverse_each", "step", "partition", "index", "then", "lest", "max"])  # fmt: skip
        more = self.pick(["", "(1)", "(2)", "({})"])
        return f"({self.expression(depth)}).{name}{more} {self.lambda_(depth)}"

    def function(self) -> str:
        return str(self.pick(["f1", "f2", "m::f", "m::each", "m::call", *FUNCTIONS]))

    def argument(self, depth: int) -> str:
        return self.pick(["", "", "", "*"]) + self.expression(depth)

    def block(self, depth: int) -> str:
        return f" {self.lambda_(depth)}" if self.pick([False, False, True]) else ""

    def lambda_(self, depth: int) -> str:
        parameters = self.pick(
            ["$i", "$i, $j", "", "*$i", "Integer $i", "$i, $j = 1", "$i = 2, *$j", "$a"]
        )
        result = self.pick(["", "", ">> Integer "])
        return (
            f"|{parameters}| {result}{{ {self.some(self.ended, depth, '', 2)}{self.last(depth)} }}"
        )

    def last(self, depth: int) -> str:
        return str(
            self.pick(["$i", "next($i)", "break()", "return(1)"])
            if self.pick([True, False])
            else self.expression(depth)
        )

    def conditional_value(self, depth: int) -> str:
        return f"({self.conditional(depth)})"

    def assignment_value(self, depth: int) -> str:
        return f"({self.assignment(depth)})"

    # -- statements ------------------------------------------------------------------------------

    def statement(self, depth: int) -> str:
        """Any statement that may stand within a block."""
        self.fuel -= 1
        if depth > 4 or self.fuel < 0:
            return f"notice({self.leaf(depth)})"
        return str(self.pick(STATEMENTS)(self, depth + 1))

    def ended(self, depth: int) -> str:
        return self.statement(depth) + ";\n"

    def body(self, depth: int) -> str:
        return "{ " + self.some(self.statement, depth, ";\n", 3) + " }"

    def notice(self, depth: int) -> str:
        return f"notice({self.expression(depth)})"

    def assignment(self, depth: int) -> str:
        place = self.pick([*PLACES, *PLACES, *PLACES, "[$e, $f]", "[$c, [$d, $e]]", "$m::y"])
        return f"{place} = {self.expression(depth)}"

    def conditional(self, depth: int) -> str:
        form = self.pick(["if", "unless", "case", "elsif"])
        test = self.expression(depth)
        if form == "case":
            options = " ".join(
                f"{self.expression(depth)}: {self.body(depth)}" for _ in range(self.number(0, 2))
            )
            return f"case {test} {{ {options} default: {self.body(depth)} }}"
        if form == "elsif":
            return f"if {test} {self.body(depth)} elsif {self.expression(depth)} {self.body(depth)} else {self.body(depth)}"
        return f"{form} {test} {self.body(depth)}{self.pick(['', ' else ' + self.body(depth)])}"

    def resource(self, depth: int) -> str:
        form = self.pick(["", "", "", "@", "@@"])
        title = self.expression(depth) if self.pick([False, False, True]) else self.pick(TITLES)
        bodies = f"{title}: {self.attributes(depth)}"
        if self.pick([False, False, False, True]):
            bodies += f"; default: {self.attributes(depth)}; {self.pick(TITLES)}: {self.attributes(depth)}"
        return f"{form}{self.pick(DEFINES)} {{ {bodies} }}"

    def attributes(self, depth: int) -> str:
        return self.some(self.attribute, depth)

    def attribute(self, depth: int) -> str:
        if self.pick([False] * 7 + [True]):
            return f"* => {self.expression(depth)}"
        value = self.reference(depth) if self.pick([False, True]) else self.expression(depth)
        return f"{self.pick(ATTRIBUTES)} => {value}"

    def class_resource(self, depth: int) -> str:
        return f"class {{ '{self.pick(CLASSES)}': {self.attributes(depth)} }}"

    def defaults(self, depth: int) -> str:
        return (
            f"{self.pick(['Notify', 'File', 'D1', 'M::D', 'Exec'])} {{ {self.attributes(depth)} }}"
        )

    def override(self, depth: int) -> str:
        plus = self.attributes(depth).replace("=>", "+>", self.number(0, 1))
        return f"{self.pick(REFERENCES)} {{ {plus} }}"

    def collector(self, depth: int) -> str:
        left, right = self.pick([("<|", "|>"), ("<<|", "|>>")])
        test = self.pick(
            [
                "",
                "title == 'a'",
                "tag == t",
                "message != 1 and title == $a",
                "(a == 1 or b == 2)",
                "tag == 'm'",
            ]
        )
        change = self.pick(["", "", f" {{ {self.attributes(depth)} }}"])
        return f"{self.pick(['Notify', 'File', 'D1', 'M::E', 'Class', 'Nosuch'])} {left} {test} {right}{change}"

    def relation(self, depth: int) -> str:
        sides = [self.side(depth) for _ in range(1 + self.number(1, 2))]
        return f" {self.pick(ARROWS)} ".join(sides)

    def side(self, depth: int) -> str:
        return str(
            self.pick(
                [Writer.reference, Writer.resource, Writer.collector, Writer.leaf, Writer.array]
            )(self, depth)
        )

    def inclusion(self, depth: int) -> str:
        return f"{self.pick(['include', 'contain', 'require', 'tag', 'realize'])} {self.pick([*CLASSES, '$a', *REFERENCES])}"

    def create(self, depth: int) -> str:
        return f"create_resources({self.pick(DEFINES)!r}, {self.hash(depth)}, {self.hash(depth)})"

    def lookup(self, depth: int) -> str:
        key = self.pick(
            ["k1", "k2", "loop", "m::deep", "m::a", "m::b", "nosuch", "k1.0", "m::deep.a"]
        )
        return f"notice(lookup('{key}'{self.pick(['', ', Any', ', Any, deep', ', Integer, first, 3', ', {default_value => 1}'])}))"

    def template(self, depth: int) -> str:
        text = self.pick(
            [
                f"<%= {self.expression(depth)} %>",
                "<%- |$p| -%><%= $p %>",
                "<% if true { %>x<% } %>",
                "<%",
            ]
        )
        text = text.replace("\\", "\\\\").replace("'", "\\'")
        return f"notice(inline_epp('{text}', {self.hash(depth)}) + epp('m/t.epp', {{p => {self.expression(depth)}}}))"

    def noticed_call(self, depth: int) -> str:
        return f"notice(type({self.pick([Writer.call, Writer.method, Writer.loop])(self, depth)}))"

    def typed(self, depth: int) -> str:
        return f"notice({self.expression(depth)} =~ {self.type(depth)}, {self.type(depth)} {self.pick(BINARY)} {self.type(depth)})"

    def idle(self, depth: int) -> str:
        return f"{self.expression(depth)} {self.collector(depth)}"

    # -- definitions -----------------------------------------------------------------------------

    def definition(self, depth: int) -> str:
        """A definition, which stands at the top."""
        return str(self.pick(DEFINITIONS)(self, depth + 1))

    def parameters(self, depth: int) -> str:
        names = self.pick([[], ["$p"], ["$p", "$q"], ["$a", "$b", "$c"], ["$p", "$q"], ["$p"], []])
        return ", ".join(
            self.pick(["", "", f"{self.type(depth)} "]) + name + self.pick(["", f" = {self.expression(depth)}"])
            for name in names
        )  # fmt: skip

    def class_(self, depth: int) -> str:
        name = self.pick(["k1", "k2", "k1::in"])
        above = self.pick(["", "", f" inherits {self.pick(CLASSES)}"])
        return f"class {name}({self.parameters(depth)}){above} {self.body(depth)}"

    def define(self, depth: int) -> str:
        return f"define {self.pick(['d1', 'd2'])}({self.parameters(depth)}) {self.body(depth)}"

    def function_definition(self, depth: int) -> str:
        result = self.pick(["", "", f" >> {self.type(depth)}"])
        body = f"{{ {self.some(self.ended, depth, '', 2)}{self.expression(depth)} }}"
        return f"function {self.pick(['f1', 'f2'])}({self.pick([self.parameters(depth), '$p, *$r'])}){result} {body}"

    def alias(self, depth: int) -> str:
        return f"type {self.pick(['T1', 'T2'])} = {self.type(depth)}"

    def object_type(self, depth: int) -> str:
        parent = self.pick(["", "parent => M::O, "])
        rest = self.pick(
            [
                "",
                f"constants => {{ c => {self.leaf(depth)} }}",
                "equality => [a]",
                "functions => { g => Callable }",
            ]
        )
        return f"type {self.pick(['T1', 'T2'])} = Object[{{ {parent}attributes => {{ v => {self.type(depth)} }}, {rest} }}]"

    def node(self, depth: int) -> str:
        return f"node {self.pick(['default', 'localhost', '/local/', 'other'])} {self.body(depth)}"

    def program(self) -> str:
        """A whole program, or a single call."""
        if self.pick([False, False, True]):
            return self.noticed_call(2)
        parts = [f"$a = {self.leaf(0)}", f"$b = {self.expression(3)}"]
        parts += [self.definition(0) for _ in range(self.number(0, 3))]
        parts += [self.statement(0) for _ in range(1 + self.number(0, 6))]
        return ";\n".join(parts) + "\n"


W = Writer
EXPRESSIONS = [
    W.leaf, W.variable, W.binary, W.call, W.loop, W.array, W.hash, W.type, W.method, W.access, W.access_of, W.selector,
    W.text, W.heredoc, W.made, W.reference, W.prefixed, W.conditional_value, W.assignment_value, W.extreme, W.call,
    W.method, W.binary, W.call, W.loop, W.method, W.call, W.made,
]  # fmt: skip
STATEMENTS = [
    W.notice, W.assignment, W.conditional, W.resource, W.class_resource, W.defaults, W.override, W.collector,
    W.relation, W.inclusion, W.create, W.lookup, W.template, W.assignment, W.loop, W.noticed_call, W.noticed_call, W.resource,
    W.notice, W.noticed_call, W.resource, W.typed, W.idle,
]  # fmt: skip
DEFINITIONS = [
    W.class_,
    W.define,
    W.function_definition,
    W.class_,
    W.define,
    W.function_definition,
    W.alias,
    W.object_type,
    W.node,
]


STRICT = [
    {"strict": "warning", "strict_variables": False},
    {"strict": "error", "strict_variables": True},
    {"strict": "off", "strict_variables": False},
]


@st.composite
def programs(draw: Draw) -> tuple[str, dict[str, Any]]:
    """A program of up to about a hundred parts, and settings."""
    return Writer(draw, draw(st.integers(5, 60))).program(), draw(st.sampled_from(STRICT))
