"""A compile that reads the time is used again as long as all that it computed from the time is the same.

Random programs use the time in conditions, arithmetic, texts, variables, parameters, lambdas and functions. The clock
moves. Each program whose answers are all the same must have the same catalog and log as a compile at that time.
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

from bunraku.base.errors import PuppetError
from bunraku.engine.compile import compile_catalog, in_top_scope
from bunraku.engine.dependencies import Checker, Digests, dependencies_of
from bunraku.engine.nodes import as_json
from bunraku.engine.request import Request, fact_table
from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.recording import Recording

PROGRAMS = int(os.environ.get("BUNRAKU_TIMED_PROGRAMS", "300"))
DIGESTS = Digests(b"key")
START = 1_700_000_000
STEPS = (0, 1, 5, 59, 60, 3_599, 3_600, 86_400, 400_000, 40_000_000)
FACTS = {
    "last": START - 86_400,
    "soon": START + 100,
    "text": str(START + 1000),
    "day": "2023-11-14",
    "secret": "not a date",
    "hash": {"a": START, "b": [START + 60]},
    "none": None,
}


def compiled(code: str, now: float):
    """The catalog of a program at a time, its log, its dependencies, and why it cannot be repeated."""
    recording = Recording(DictionaryWorld({}, now))
    request = Request(
        node="a.example.com",
        facts=dict(FACTS),
        code=code,
        world=recording,
        settings={"strict": "warning"},
    )
    log: list[tuple[str, str]] = []
    try:
        catalog = as_json(
            compile_catalog(request, lambda one: log.append((one.level, one.message)))
        )
    except PuppetError as error:
        catalog = f"error: {error}"
    found = dependencies_of(recording, DIGESTS, fact_table(request))
    return (catalog, log), found, recording.unrepeatable


def holds(dependencies, now: float) -> bool:
    return Checker(DictionaryWorld({}, now), DIGESTS).holds(dependencies)


# -- random programs -------------------------------------------------------------------------------


class Programs:
    """Makes random programs. In most, few expressions use the time in ways that no formula has."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.choice = self.random.choice
        self.leaks = self.choice([0.0, 0.0, 0.02, 0.3])
        self.number = 0

    def fresh(self) -> str:
        self.number += 1
        return f"v{self.number}"

    def rarely(self) -> bool:
        return self.random.random() < self.leaks

    def source(self) -> str:
        if self.rarely():
            return "now()"
        return self.choice(
            [
                "time()",
                "Integer(Timestamp().strftime('%s'))",
                "Integer(strftime('%s'))",
                "Integer(strftime(Timestamp.new(), '%s'))",
                "Integer(\"${Timestamp.new.strftime('%s')}\")",
            ]
        )

    def constant(self) -> str:
        return self.choice(
            [
                str(START + self.choice([0, -5, 30, 86_400, 3_000_000])),
                f"$facts['{self.choice(['last', 'soon'])}']",
                "Integer($facts['text'])",
                "$facts['hash']['a']",
                "$hash['b'][0]",
            ]
        )

    def number_of(self, names: list[str], depth: int = 0) -> str:
        """An expression that yields a number, sometimes from the time."""
        if self.rarely():
            return f"abs({self.number_of(names, depth)})"
        forms = [self.source, self.constant]
        if names:
            forms += [lambda: f"${self.choice(names)}"] * 2
        if depth < 3:

            def inner() -> str:
                return self.number_of(names, depth + 1)

            forms += [
                lambda: f"({inner()} {self.choice('+-')} {inner()})",
                lambda: f"{inner()} % {self.choice([7, 3600, 86400])}",
                lambda: f"{inner()} / {self.choice([60, 3600, 86400])}",
                lambda: f"Integer({inner()})",
            ]
        return self.choice(forms)()

    def text_of(self, names: list[str]) -> str:
        if self.rarely():
            return f'"${{{self.number_of(names)}}} x"'
        return self.choice(
            [
                "Timestamp().strftime('%Y')",
                "strftime('%F')",
                "strftime(Timestamp(), '%F %H')",
                f"strftime(Timestamp({self.number_of(names)}), '%m')",
                "$facts['day']",
                "'2023-11-15'",
            ]
        )

    def truth_of(self, names: list[str]) -> str:
        number, text = self.number_of, self.text_of
        compare = self.choice(["<", ">", "<=", ">=", "==", "!="])
        if self.rarely():
            other = f"$facts['secret'] == {text(names)}"
            return self.choice([other, f"{number(names)} in [{number(names)}]"])
        return self.choice(
            [
                lambda: f"{number(names)} {compare} {number(names)}",
                lambda: f"{number(names)} {compare} {number(names)}",
                lambda: f"!({number(names)} {compare} {number(names)})",
                lambda: f"{text(names)} {self.choice(['==', '!='])} {text(names)}",
                lambda: f"{text(names)} =~ /3/",
                lambda: f"{number(names)} > 5 and {number(names)} < {START + 5}",
                lambda: f"Timestamp() > Timestamp({START + 60})",
                lambda: f"Timestamp() - Timestamp({START}) < Timespan({self.choice([30, 90000])})",
            ]
        )()

    def statements(self, names: list[str], depth: int = 0) -> str:
        """Some statements; ``names`` are the variables that hold numbers, to which new ones are added."""
        return "\n".join(self.statement(names, depth) for _ in range(self.random.randint(1, 3)))

    def statement(self, names: list[str], depth: int) -> str:
        title = self.fresh()
        forms = self.leaking(names, title) if self.rarely() else self.usual(names, title, depth)
        return self.choice(forms)()

    def usual(self, names: list[str], title: str, depth: int):
        """Statements that use the time in conditions, and in texts."""

        def block() -> str:
            return self.statements([*names], depth + 1)

        forms = [
            lambda: self.assigned(names),
            lambda: self.assigned(names),
            lambda: f"notify {{ '{title}': message => {self.truth_of(names)} }}",
            lambda: f"notify {{ '{title}': message => {self.text_of(names)} }}",
            lambda: f"notice({self.truth_of(names)})",
            lambda: f'notify {{ "{title} ${{{self.truth_of(names)}}}": }}',
            lambda: f"b {{ '{title}': n => {self.constant()} }}",
            lambda: f"notify {{ '{title}': message => f({self.constant()}) }}",
        ]
        if depth < 2:
            forms += [
                lambda: f"if {self.truth_of(names)} {{\n{block()}\n}}",
                lambda: f"unless {self.truth_of(names)} {{\n{block()}\n}}",
                lambda: (
                    f"case {self.text_of(names)} {{\n/3/: {{ {block()} }}\n"
                    f"default: {{ notify {{ '{title}': }} }} }}"
                ),
                lambda: (
                    f"$s{title} = {self.truth_of(names)} ? {{ true => 1, default => 2 }}\n"
                    f"notify {{ '{title}': message => $s{title} }}"
                ),
                lambda: f"$x{title} = {self.truth_of(names)}\nif $x{title} {{ {block()} }}",
            ]
        return forms

    def leaking(self, names: list[str], title: str):
        """Statements that read variables in other ways."""
        name = self.choice(names or ["hash"])
        return [
            lambda: f"$l{title} = [1, 2].map |$n| {{ $n < {self.number_of(names)} }}",
            lambda: f"$l{title} = [1].map |${name}| {{ ${name} < {self.source()} }}",
            lambda: (
                f"notify {{ 'l{title}': message => [5].map |${name}| {{ ${name} + 1 < {self.source()} }} }}"
            ),
            lambda: f"notify {{ '{title}': message => f({self.number_of(names)}) }}",
            lambda: f"b {{ '{title}': n => {self.number_of(names)} }}",
            lambda: f"notify {{ '{title}': message => String(getvar('{name}') < {START + 50}) }}",
            lambda: (
                f"notify {{ '{title}': message => inline_epp('<%= ${name} > {START + 9} %>') }}"
            ),
            lambda: f"notify {{ '{title}': message => String(${name}) }}",
            lambda: f"notify {{ '{title}': message => [${name}, defined('${name}')] }}",
            lambda: f"notify {{ '{title}': message => pick(getvar('a::first'), 5) < {START} }}",
        ]

    def assigned(self, names: list[str]) -> str:
        name = self.fresh()
        value = self.number_of(names)
        names.append(name)
        return f"${name} = {value}"

    def program(self) -> str:
        names: list[str] = ["first"]
        constant = self.constant
        first, second = (self.number_of([]) if self.rarely() else constant() for _ in range(2))
        return f"""
function f($n) {{ $t = {self.constant()}; if $t > {START} {{ {self.truth_of(["n", "t"])} }} else {{ 5 }} }}
function now() {{ Integer(Timestamp().strftime('%s')) }}
define b($n, $m = {first}) {{ notify {{ "b ${{title}}": message => {self.truth_of(["n", "m"])} }} }}
class a($p = {second}) {{
$first = {self.number_of(["p"])}
{self.statements([*names, "p"])}
{self.statements(names)}
}}
class c inherits a {{ {self.statements(self.choice([["first"], []]))} }}
include a
include c
{self.statements([])}
"""


def test_random_programs_have_the_same_catalog_while_what_they_compute_is_the_same():
    seen: Counter[str] = Counter()
    for seed in range(PROGRAMS):
        programs = Programs(seed)
        code = programs.program()
        now = START + programs.random.randint(0, 100_000) + programs.random.random()
        (catalog, log), dependencies, why = compiled(code, now)
        seen["error" if catalog.startswith("error") else "catalog"] += 1
        if dependencies is None:
            seen["unrepeatable"] += 1
            assert "time" in why, (seed, why)
            continue
        for step in STEPS:
            if holds(dependencies, now + step):
                seen["hit"] += step > 1
                assert compiled(code, now + step)[0] == (catalog, log), (seed, step, code)
    assert seen["hit"] > PROGRAMS / 10, seen


CASES = [
    ("if $facts['last'] < time() { notify { 'a': } }", 3600, True),
    ("if $facts['soon'] < time() { notify { 'a': } }", 50, True),
    ("if $facts['soon'] < time() { notify { 'a': } }", 101, False),
    ("notify { strftime('%Y'): }", 3600, True),
    ("notify { strftime('%Y'): }", 40_000_000, False),
    (
        "class a { $t = Integer(strftime('%s')) - 86400 if $soon < $t { notice(1) } } include a",
        86_000,
        True,
    ),
    (
        "class a { $t = Integer(strftime('%s')) - 86400 if $soon < $t { notice(1) } } include a",
        87_000,
        False,
    ),
    ("class a { $t = (time() + 5) } include a", 60, True),
    ("define d($n) { $t = time() if $n < $t { notice(1) } } d { 'x': n => 5 }", 60, True),
    ("class a { $t = Timestamp() if $t > Timestamp(5) { notice(1) } } include a", 60, True),
    ('class a { $t = time() / 86400 notify { "${t}": } } include a', 60, True),
    ('class a { $t = time() / 86400 notify { "${t}": } } include a', 86_400, False),
    ("class a { $t = time() } include a notify { String($a::t): }", 0, None),
    (
        "class a { $t = time() notify { 'a': message => inline_epp('<%= $t %>') } } include a",
        0,
        None,
    ),
    ("class a { $t = time() $x = getvar('t') notice(1) } include a", 0, None),
    ("class a { $t = time() $x = [1].map |$n| { $t < $n } notice($x) } include a", 0, None),
    (
        "class a { $t = time() } class b inherits a { if $t < time() { notice(1) } } include b",
        0,
        None,
    ),
    ("class a { $t = time() } class b inherits a { if $t < 5 { notice(1) } } include b", 0, None),
    ("class a { $t = time() if abs($t) > 5 { notice(1) } } include a", 0, None),
    ("function f() { time() } if f() > 5 { notice(1) }", 0, None),
    ("class a($t = time()) { if $t > 5 { notice(1) } } include a", 0, None),
    (
        "class a { $t = time() if \"${facts['secret']} ${$t / 999999}\" == 'x' { notice(1) } } include a",
        0,
        None,
    ),
    ("notify { String(time()): }", 0, None),
]
"""Code, the seconds that pass, and whether its catalog is used then; None if it is not kept."""


@pytest.mark.parametrize(("code", "step", "expected"), CASES)
def test_what_is_used_again(code, step, expected):
    (catalog, _), dependencies, why = compiled(code, START)
    assert not catalog.startswith("error"), catalog
    assert (None if dependencies is None else holds(dependencies, START + step)) is expected
    assert why is None or why.startswith("it reads the time at <puppet code ")


def test_variables_with_the_time_keep_their_order():
    recording = Recording(DictionaryWorld({}, START))
    code = "class a { $x = 1 $t = time() $y = 2 $u = time() $z = 3 } include a"
    request = Request(node="a.example.com", code=code, world=recording)

    def variables(top):
        scope = top.compilation.class_scopes["a"]
        names = list(scope)
        assert not recording.readings
        return names, len(scope), dict(scope.items()), scope.get("$t"), scope.get("$w", 7)

    names, length, values, one, absent = in_top_scope(request, lambda _: None, variables)
    assert names[-5:] == ["$x", "$t", "$y", "$u", "$z"]
    assert list(values) == names
    assert (length, one, values["$u"], absent) == (len(names), START, START, 7)
    assert dependencies_of(recording, DIGESTS, fact_table(request)) is None
