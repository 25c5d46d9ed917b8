"""Record what the gem hocon makes of changes of HOCON documents: ``tests/data/hocon_documents.json``.

Needs Ruby and the gem. The documents are those of ``TEXTS`` and ``COUNT`` generated ones. With a seed
as an argument, other documents are generated, and only differences from bunraku are printed.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

from support.hocon_documents import RECORDED, Change, changed  # noqa: E402, the path first

COUNT = 200
NAMES = ("a", "b", "c", '"q.r"', "a.b", "a.b.c", "b.a")
JSON_NAMES = ("a", "b", "c", "q.r")
PATHS = ("a", "b", "c", "d", "a.b", "a.d", "a.b.c", "d.e", "d.e.f", '"q.r"', "a.b.d.e", "a..b", "")
JSON_PLAIN = ("1", "-2.50", "true", "null", '"x"')
PLAIN = (*JSON_PLAIN, "word", "two words", "${?a}", "10s", '"""x\ny"""')
VALUES: tuple[Any, ...] = (
    1,
    1.5,
    True,
    None,
    "text",
    'q"\\\n',
    [],
    {},
    [1, [2]],
    {"z": 1, "y": [2]},
)
VALUE_TEXTS = (
    "1",
    "word",
    "two words",
    "{ x : 1 }",
    "[1,\n 2]",
    "{\n  # one\n  x : 1\n}",
    " 1",
    "",
    "1 #",
)
BRACES = (("{", "}"), ("{ ", " }"), ("{\n", "\n}"), ("{\n", "\n  }"), ("{", "\n}"))
TEXTS = [
    "\n\n# only a comment",
    "a",
    "a :",
    "a : 1,",
    "{ a : 1,\n}",
    "{\n}",
    "{}",
    "{ }",
    "[1]",
    "[",
    "{ a : 1 } x",
    "a : 1 b : 2",
    "a = 1, , b = 2",
    'include "x"\na : 1',
    "include x",
    "a += 1",
    "a { b : 1 } { c : 2 }",
    "a : { b : 1 } { c : 2 }",
    "a : [1, 2,]",
    "a : [,]",
    "a : 1 // x\nb : 2",
    "  a : 1\n  b : 2\n",
    "{\n\ta : 1\n\t}\n",
    "a : 1\r\nb : 2\r\n",
    "a b : 1",
    'a : "\\u0041"',
    'a : "\\x"',
    'a : "x\ny"',
    "a : 1e+5",
    "a : 1+5",
    "a : @",
    "1.5 : 2",
    "true : 1",
    '"" : 1',
    ". : 1",
    "a. : 1",
    "a : $",
    "a.b : 1\na.b : 2\na { b : 3, c : 4 }\n",
    "# before\n{ a : 1 }\n# after\n",
    "a : {\n}\nb : 1",
    "a : {\n  # inside\n}\n",
    "a {\n    b {\n        c : 1\n    }\n}\n",
]
"""Documents with the corners of the language."""


class Maker:
    """Makes random documents."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def one(self, *choices: str) -> str:
        """Return one of some texts."""
        return self.random.choice(choices)

    def key(self, name: str, value: str, *, is_json: bool) -> str:
        """Return a key with its separator."""
        if is_json:
            return json.dumps(name) + self.one(":", " : ", ": ")
        bare = value.startswith("{") and self.random.random() < 0.5
        return name + (self.one("", " ") if bare else self.one(" = ", ":", " : ", " += "))

    def settings(self, depth: int, *, is_json: bool) -> str:
        """Return the settings of an object, with layouts of all kinds between them."""
        names = self.random.sample(JSON_NAMES, 3) if is_json else self.random.choices(NAMES, k=4)
        blanks = self.one("", " ", "    ", "\t")
        comma = "," if is_json else self.one(",", "", "", " ,")
        end = self.one("\n", "\n", "\n\n", " ") if comma else "\n"
        lines = []
        for left in reversed(range(self.random.randint(0, len(names)))):
            value = self.value(depth, is_json=is_json)
            line = blanks + self.key(names[left], value, is_json=is_json) + value
            if left or not (is_json or self.random.random() < 0.7):
                line += comma
            if not is_json and end != " ":
                line += self.one("", "", " # note", " // note", f"\n{blanks}# note")
            lines.append(line)
        return end.join(lines)

    def object(self, depth: int, *, is_json: bool) -> str:
        """Return an object with braces."""
        inside = self.settings(depth, is_json=is_json)
        start, end = self.random.choice(BRACES)
        last = inside.rpartition("\n")[2]
        return start + inside + ("\n" if "#" in last or "//" in last else "") + end

    def value(self, depth: int, *, is_json: bool) -> str:
        """Return the text of a value."""
        kind = self.random.random() if depth else 1.0
        if kind < 0.4:
            return self.object(depth - 1, is_json=is_json)
        if kind < 0.55:
            items = (
                self.value(depth - 1, is_json=is_json) for _ in range(self.random.randint(0, 3))
            )
            return self.one("[{}]", "[ {} ]", "[\n  {}\n]").format(
                self.one(", ", ",\n").join(items)
            )
        return self.one(*(JSON_PLAIN if is_json else PLAIN))

    def document(self, *, is_json: bool) -> str:
        """Return a document."""
        before = "" if is_json else self.one("", "# first\n", "\n", "  ")
        if is_json or self.random.random() < 0.4:
            return before + self.object(3, is_json=is_json) + self.one("", "\n")
        return before + self.settings(3, is_json=False) + self.one("", "\n", "\n\n", " # last\n")


def changes(seed: int, count: int) -> Iterator[Change]:
    """Yield changes of documents."""
    make = Maker(seed)
    documents = [(text, False) for text in TEXTS]
    for _ in range(count):
        is_json = make.random.random() < 0.2
        documents.append((make.document(is_json=is_json), is_json))
    for text, is_json in documents:
        for action, values in (
            ("value", VALUES),
            ("text", VALUE_TEXTS),
            ("remove", [None]),
            ("has", [None]),
        ):
            yield text, is_json, action, make.one(*PATHS), make.random.choice(values)


def answers(rows: list[Change]) -> list[str | None]:
    """Return what the gem makes of changes."""
    driver = str(Path(__file__).with_name("hocon_documents.rb"))
    given = "".join(json.dumps(row) + "\n" for row in rows)
    done = subprocess.run(["ruby", driver], input=given, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def compare(seed: int) -> None:
    """Print the differences of many generated documents."""
    rows = list(changes(seed, 10 * COUNT))
    wrong = 0
    for row, expected in zip(rows, answers(rows), strict=True):
        if changed(*row) != expected:
            wrong += 1
            print(f"{row}\n  the gem: {expected!r}\n  bunraku: {changed(*row)!r}")
    print(f"{len(rows)} changes, {wrong} differences")


def main() -> None:
    """Record the outcomes, or compare those of another seed."""
    if len(sys.argv) > 1:
        compare(int(sys.argv[1]))
        return
    rows = list(changes(1, COUNT))
    lines = (json.dumps([row, answer]) for row, answer in zip(rows, answers(rows), strict=True))
    RECORDED.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
