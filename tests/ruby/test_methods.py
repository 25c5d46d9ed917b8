"""Methods that run in Python answer what Ruby answers, and only for objects that have them.

Each method gets objects of all kinds and arguments of all kinds. Python may leave a call to Ruby; then nothing is
compared.
"""

from __future__ import annotations

import copy
import inspect
import itertools
import json
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.ruby.values import collections, objects
from bunraku.ruby.values.objects import Array, Hash, NeedsRuby, Raised, symbol
from support.ruby import needs_ruby

METHODS = collections.METHODS
OBJECTS: dict[str, Any] = {
    '"abc"': "abc",
    '"a,b c"': "a,b c",
    '""': "",
    '"12"': "12",
    ":sym": symbol("sym"),
    "5": 5,
    "0": 0,
    "-3": -3,
    "1.5": 1.5,
    "-2.0": -2.0,
    "nil": None,
    "true": True,
    "false": False,
    "[]": Array([]),
    '[1, "a", nil]': Array([1, "a", None]),
    '["b", "a"]': Array(["b", "a"]),
    "[[1, 2], [3]]": Array([Array([1, 2]), Array([3])]),
    "[3, 1.5]": Array([3, 1.5]),
    "{}": Hash({}),
    '{"a" => 1, "b" => nil}': Hash({"a": 1, "b": None}),
    "{1 => [2]}": Hash({1: Array([2])}),
}
"""Objects by their text in Ruby."""
FEW = ('"abc"', ":sym", "5", "0", "-3", "nil", '["b", "a"]', '{"a" => 1, "b" => nil}')
"""The arguments of calls with two."""
ASK = """require 'json'
STDIN.each_line do |line|
  name, receiver, arguments = JSON.parse(line)
  puts(begin
    eval(receiver).public_send(name, *arguments.map { |one| eval(one) }).inspect
  rescue StandardError => e
    e.class.ancestors.take_while { |one| one != StandardError }.join(' ')
  end)
end
"""


def calls() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield the calls: the name of a method, a receiver and arguments."""
    arguments = [(), *((one,) for one in OBJECTS), *itertools.product(FEW, repeat=2)]
    for name, method in METHODS.items():
        fitting = [given for given in arguments if takes(method, 1 + len(given))]
        yield from ((name, *one) for one in itertools.product(OBJECTS, fitting))


def takes(method: Callable[..., Any], count: int) -> bool:
    """Return whether a method takes a number of arguments, with its receiver."""
    try:
        inspect.signature(method).bind(*range(count))
    except TypeError:
        return False
    return True


def result(name: str, receiver: str, given: tuple[str, ...]) -> str | Raised | None:
    """Return the text of Python's answer, or its exception; None if Ruby has to answer."""
    try:
        values = [copy.deepcopy(OBJECTS[one]) for one in (receiver, *given)]
        return objects.inspect(METHODS[name](*values))
    except Raised as raised:
        return raised
    except (NeedsRuby, PuppetError):
        return None


@needs_ruby
def test_methods_answer_as_in_ruby() -> None:
    asked = [(call, result(*call)) for call in calls()]
    answered = [(call, found) for call, found in asked if found is not None]
    lines = "".join(json.dumps(call) + "\n" for call, _ in answered)
    done = subprocess.run(
        ["ruby", "-e", ASK], input=lines, capture_output=True, text=True, check=True
    )
    answers = done.stdout.splitlines()
    wrong = [
        (call, found, theirs)
        for (call, found), theirs in zip(answered, answers, strict=True)
        if not (found == theirs if isinstance(found, str) else found.fits(*theirs.split()))
    ]
    assert wrong == []
    assert len(answered) > 5000
