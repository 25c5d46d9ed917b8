"""ERB templates without Ruby compared with Ruby's results, recorded and live."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path
from typing import Any

import pytest
from tests.support.recorded import recorded

from bunraku.ruby.syntax.erb import Unsupported
from bunraku.ruby.translate.compile import compile_template
from bunraku.runtime.state import Scope
from support.debian_modules import MODULES, needs_debian_modules
from support.erb import differences, in_scope, scope_with, without_ruby
from support.erb_templates import VARIABLES, Generator
from support.ruby import needs_ruby

WORDS = ["", "a", "b c", "true", "undef", "127.0.0.1", "é", "x=y", '"q"', "5", "2.4", "present"]


def test_templates_have_the_text_that_ruby_was_seen_to_make() -> None:
    cases = recorded("erb_cases")

    def wrong(scope: Scope) -> list[Any]:
        return [case for case in cases if without_ruby(scope, case[0]) != case[1]]

    assert len(cases) > 500
    assert in_scope(VARIABLES, wrong) == []


@needs_ruby
@pytest.mark.parametrize("language", ["8", "3.8"])
def test_random_templates_have_the_text_that_ruby_makes(language: str) -> None:
    generator = Generator(2026)
    texts = [generator.template() for _ in range(400)]
    found, count = in_scope(VARIABLES, lambda scope: differences(scope, texts), language)
    assert found == []
    assert count > 100


def templates() -> list[str]:
    """The texts of all ERB templates among Debian's modules, each once."""
    found = {}
    for folder, _, names in os.walk(MODULES, followlinks=True):
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith(".erb"):
                found.setdefault(os.path.realpath(path), path)
    return [Path(path).read_text("utf-8", "surrogateescape") for path in sorted(found.values())]


def some_value(chance: random.Random, keys: list[str], depth: int = 0) -> Any:
    """A value such as templates are given."""
    kind = chance.randint(0, 9 if depth < 2 else 6)
    if kind < 4:
        return chance.choice(WORDS)
    if kind < 7:
        return chance.choice([None, True, False, 1, 80])
    if kind < 9:
        return [some_value(chance, keys, depth + 1) for _ in range(chance.randint(0, 2))]
    return {chance.choice(keys): some_value(chance, keys, depth + 1) for _ in range(3)}


@needs_debian_modules
def test_nearly_all_templates_of_debian_need_no_ruby() -> None:
    texts = [text for text in templates() if "<%" in text]
    left = []
    for text in texts:
        try:
            compile_template(text, "/t.erb", old=False)
        except Unsupported as reason:
            left.append(reason)
    assert len(left) < len(texts) / 20


@needs_ruby
@needs_debian_modules
def test_templates_of_debian_have_the_text_that_ruby_makes() -> None:
    found: list[Any] = []
    texts = templates()
    count = 0

    def compare(outer: Scope) -> None:
        nonlocal count
        for text in texts:
            # The values depend on the template alone, not on which other modules are installed.
            chance = random.Random(text.encode("utf-8", "surrogateescape"))
            names = set(re.findall(r"@([a-z]\w*)|lookupvar\(['\"](?:::)?(\w+)", text))
            keys = [*sorted(set(re.findall(r"\[['\"](\w+)['\"]\]", text))), "k"]
            for _ in range(2):
                variables = {one or other: some_value(chance, keys) for one, other in sorted(names)}
                scope = scope_with(outer, {**variables, "_template_scope": None})
                wrong, done = differences(scope, [text])
                found.extend(wrong)
                count += done

    in_scope({}, compare)
    assert found == []
    assert count > len(texts) / 4  # most of the others call methods that a value does not have
