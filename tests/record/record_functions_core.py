"""Record Puppet's results for calls of the core functions: ``functions_core.json``.

    python tests/record/record_functions_core.py /work/shared/oracle/puppet7

Each case is a piece of Puppet code. Where Puppet 8 differs from the one that is asked (7.23), the
outcome stands here by hand (``EIGHT``).
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.recorded import write_recorded

SNIPPETS = Path(__file__).parents[1] / "data" / "functions_core_snippets.txt"

VALUES = """
undef | true | false | 0 | 1 | -1 | 3 | -3.7 | 2.5 | 1e20 | '' | 'a' | 'abc' | 'ABC' | 'Hello World'
'10' | '-3' | '3.7' | 'é' | 'ÀÉ ß' | ' a b ' | "a\\nb\\n" | "x\\r\\n" | 'a_b_c' | 'a,b'
[] | [1] | [1, 2, 3] | ['b', 'a', 'C'] | [1, 'a', undef] | [[1], [2, [3]]] | ['a', 'a', 1, 1.0]
[undef, 1] | {} | {a => 1} | {a => 1, b => [2]} | {1 => 2, 'x' => {y => z}} | /a.c/ | default
Integer | Integer[1, 3] | String[1] | Enum[b, a] | Sensitive('s') | File['/a'] | Class['c']
Timestamp(0) | Timespan(90) | SemVer('1.2.3') | SemVerRange('>=1.0.0') | Binary('aGk=')
URI('http://h/p') | [1, 2, 3].reverse_each | Deferred('x', [1])
"""
V = [text.strip() for text in re.split(r" \| |\n", VALUES.strip())]

ONE = [
    "abs",
    "ceiling",
    "floor",
    "round",
    "upcase",
    "downcase",
    "capitalize",
    "camelcase",
    "strip",
    "lstrip",
    "rstrip",
    "chomp",
    "chop",
    "shellquote",
    "md5",
    "sha1",
    "sha256",
    "keys",
    "values",
    "length",
    "size",
    "empty",
    "flatten",
    "join",
    "sort",
    "unique",
    "max",
    "min",
    "type",
    "unwrap",
    "reverse_each",
    "sprintf",
    "fqdn_rand",
]
BLOCKS = {
    "each": "{ notice($x) }",
    "map": "{ [$x] }",
    "filter": "{ $x }",
    "any": "{ $x }",
    "all": "{ $x }",
    "partition": "{ $x }",
    "group_by": "{ $x }",
    "index": "{ $x }",
    "then": "{ [$x] }",
    "with": "{ [$x] }",
    "reverse_each": "{ notice($x) }",
    "unique": "{ 'same' }",
    "unwrap": "{ [$x] }",
    "tree_each": "{ notice($x) }",
}
TWO_BLOCKS = {
    "each": "{ notice($x, $y) }",
    "map": "{ [$x, $y] }",
    "filter": "{ $y }",
    "any": "{ $y }",
    "all": "{ $y }",
    "partition": "{ $y }",
    "group_by": "{ $y }",
    "index": "{ $y }",
    "reduce": "{ [$x, $y] }",
    "sort": "{ -1 }",
    "max": "{ 1 }",
    "min": "{ 1 }",
    "tree_each": "{ notice($x, $y) }",
}
TEXTS = [
    "''",
    "'a'",
    "'abc'",
    "'A'",
    "'aXbXc'",
    "'a.b.c'",
    "'1.2.3'",
    "'a b  c '",
    "',a,,b,,'",
    "'é1É2'",
    "5",
    "undef",
]
PATTERNS = [
    r"''",
    r"'b'",
    r"','",
    r"'.'",
    r"'\.'",
    r"'X|b'",
    r"'(b)'",
    r"'['",
    r"' '",
    r"'\s+'",
    r"/[a-c]/",
    r"/(X)(b)?/",
    r"/^/",
    r"Regexp['X']",
    r"Regexp",
    r"Pattern['b', 'a']",
    r"5",
    r"undef",
    r"['z', /b/]",
]
VERSIONS = [
    "''",
    "1",
    "1.0",
    "1.0.0",
    "1.0.0-1",
    "1.0-rc1",
    "1.0rc1",
    "1.0.0a",
    "2",
    "10",
    "1.10",
    "1.9",
    "01",
    "1.01",
    "1.0_1",
    "1.a",
    "1.A",
    "a",
    "-1",
    "1-",
    "1.2.3~deb",
    "1:2.3",
    "v1",
    "1..2",
    "x.y.z",
    "1.2.3.4.5",
    "2.0.0+build",
    "2.0.0+b",
    "1.0.0.0",
    "99999999999999999999",
]
NUMBERS = [
    "1",
    "2.5",
    "'1'",
    "'10'",
    "'a'",
    "'B'",
    "undef",
    "[1]",
    "Timespan(1)",
    "Timestamp(2)",
    "SemVer('1.0.0')",
    "true",
]
REPLACEMENTS = [r"'X'", r"'[\0]'", r"'\1\2'", r"'\\\\'", "{'a' => '1'}", "''", "5"]


def expressions() -> list[str]:
    """The calls whose value is asked for."""
    found = [f"{name}({value})" for name, value in product(ONE, V)]
    found += [
        f"{name}({value}) |$x| {block}" for (name, block), value in product(BLOCKS.items(), V)
    ]
    found += [
        f"{name}({value}) |$x, $y| {block}"
        for (name, block), value in product(TWO_BLOCKS.items(), V)
    ]
    found += [f"slice({value}, 2)" for value in V] + [f"step({value}, 2)" for value in V]
    found += [f"reduce({value}, 5) |$x, $y| {{ [$x, $y] }}" for value in V]
    found += [f"index({value}, {other})" for value, other in product(V[::3], ["1", "'a'", "[1]"])]
    found += [
        f"dig({value}, {step})" for value, step in product(V[::2], ["0", "'a'", "1, 0", "-1"])
    ]
    found += [
        f"get({v}, '{path}')" for v, path in product(V[25:40], ["0", "a", "b.0", "x.y", "1.0"])
    ]
    for name, pattern in product(("split", "match"), PATTERNS):
        found += [f"{name}({text}, {pattern})" for text in TEXTS]
    for text, pattern, other in product(TEXTS[2:9:2], PATTERNS[1:15:2], REPLACEMENTS):
        found += [
            f"regsubst({text}, {pattern}, {other}, 'G')",
            f"regsubst({text}, {pattern}, {other})",
        ]
    for left, right in product(VERSIONS, VERSIONS):
        found.append(f"versioncmp('{left}', '{right}')")
    for left, right in product(VERSIONS[1::2], VERSIONS[1::2]):
        found.append(f"versioncmp('{left}', '{right}', true)")
    for name, left, right in product(("compare", "max", "min"), NUMBERS, NUMBERS):
        found.append(f"{name}({left}, {right})")
    found += [f"sort([{a}, {b}])" for a, b in product(V[::2], ["1", "'a'", "[1]"])]
    found += [
        f"fqdn_rand({limit}, {seed})"
        for limit, seed in product(
            ["1", "2", "100", "'60'", "4294967297", "9223372036854775807"],
            ["'a'", "1", "1.5", "true", "undef", "['a', [1]]", "{a => 1}", "/x/", "'é'"],
        )
    ]
    found += [f"join({value}, ',')" for value in V]
    found += [f"flatten({a}, {b})" for a, b in product(V[::5], V[1::5])]
    return found


HANDMADE_FACTS = {"networking": {"fqdn": "Host.Example.com"}}


def cases() -> list[str]:
    """All pieces of code: generated ones, and those of the snippets file."""
    found = [f"notice(String({text}, '%p'))" for text in expressions()]
    lines = [line for line in SNIPPETS.read_text().splitlines() if line and line[0] != "#"]
    found += [line[1:] if line[0] == "!" else f"notice(String({line}, '%p'))" for line in lines]
    return list(dict.fromkeys(found))


SECRET = {"n": ["#<Sensitive [value redacted]>"]}
EIGHT = {
    "notice(String(split(Sensitive('a,b'),','), '%p'))": SECRET,
    "notice(String(regsubst(Sensitive('abc'),'b','X'), '%p'))": SECRET,
}

UNSTABLE = re.compile(r"0x0000|%s'\)\)'|\b0xX|env|Puppet::Pops")


def outcome(answer: dict[str, object]) -> dict[str, object] | None:
    """The recorded part of an answer; None if it differs each time or is not a fact about Puppet."""
    notices = [item["message"] for item in answer.get("notices") or []]
    error = answer.get("error")
    if error:
        text = error["message"]
        if "undefined method" in text and "scanf" not in text and "shellquote" not in text:
            return None if "parameter_names" in text or "next" in text else {"n": notices, "e": 1}
        return {"n": notices, "e": 1}
    if any(UNSTABLE.search(text) for text in notices):
        return None
    return {"n": notices}


ERRORS = 7


def sample(rows: list[list[object]]) -> list[list[object]]:
    """All calls that succeed, and of each function some that fail; they cost a compile each."""
    counts: dict[str, int] = {}
    kept = []
    for row in rows:
        code = str(row[0])
        found = re.match(r"notice\(String\((\w+\([^|]*?\)(?: \|.*?\|)?)", code)
        if "e" in row[2] and found:
            name = re.sub(r"\(.*\)", "", found[1])
            counts[name] = counts.get(name, 0) + 1
            if counts[name] > ERRORS and counts[name] % 13:
                continue
        kept.append(row)
    return kept


def main() -> None:
    """Ask, and write the answers."""
    asked = cases()
    requests = "".join(
        json.dumps(
            {
                "id": str(number),
                "code": code,
                "facts": HANDMADE_FACTS if number % 2 else {},
                "settings": {"strict": "error", "strict_variables": True},
            }
        )
        + "\n"
        for number, code in enumerate(asked)
    )
    answers = subprocess.run(
        ["nice", "-n", "5", sys.argv[1]], input=requests, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    rows = []
    for number, (code, line) in enumerate(zip(asked, answers, strict=True)):
        kept = EIGHT.get(code) or outcome(json.loads(line))
        if kept is not None:
            rows.append([code, number % 2, kept])
    rows = sample(rows)
    path = write_recorded("functions_core", rows)
    print(f"{len(rows)} of {len(asked)} cases, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
