"""Questions about the functions of a module: calls of its own tests, and calls generated from signatures."""

from __future__ import annotations

import json
import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bunraku.syntax import nodes
from bunraku.values.sensitive import Sensitive
from bunraku.workbench.testing.subject import puppet_text
from rigs.modules.questions import Question, Subject, definitions, type_of
from rigs.sites.uses import plain
from rigs.sites.values import Impossible, is_sensitive

SPECS = Path(__file__).with_name("spec_calls.rb")
NEW = re.compile(
    r"\bnewfunction\s*\(?\s*(?::'?|['\"])([\w:]+)['\"]?([^\n]*(?:\n[^\n]*){0,8}?)(?:do\b|\{)"
)
ARITY = re.compile(r":?arity['\"]?\s*(?:=>|:)\s*(-?\d+)")
RVALUE = re.compile(r":?type['\"]?\s*(?:=>|:)\s*:rvalue")
CREATE = re.compile(r"create_function\s*\(?\s*:?['\"]?([\w:]+)")
DISPATCH = re.compile(r"^\s*dispatch\b.*?^\s*end\b", re.MULTILINE | re.DOTALL)
PARAMETER = re.compile(
    r"\b((?:optional_|required_)?(?:repeated_)?param|(?:optional_|required_)?block_param)\b\s*\(?\s*(['\"]?)(.*?)\2\s*(?:,|$)",
    re.MULTILINE,
)
GENERATED = 16
SEED = 36
# Values of all kinds, for parameters without a type.
POOL: tuple[Any, ...] = (
    "text",
    "",
    "5",
    "a,b",
    "10.0.0.1",
    "10.0.0.0/8",
    "/etc/hosts",
    "web.example.org",
    "http://example.org:80/a?b=c",
    "true",
    "Ünï",
    "1.2.3",
    0,
    3,
    -1,
    1.5,
    True,
    False,
    None,
    [],
    ["b", "a", "a"],
    [1, 2, 3],
    [["a", 1], ["b", [2]]],
    {},
    {"a": 1, "b": "c"},
    {"a": {"b": ["c", None]}},
    Sensitive("secret"),
)
# Functions whose work reaches beyond the compile.
OUTSIDE = frozenset({"generate"})


@dataclass(frozen=True)
class Parameter:
    """A parameter of a function: its type, None for any; whether it may be missing or repeated."""

    type: nodes.Expression | None
    optional: bool = False
    repeated: bool = False


@dataclass(frozen=True)
class Function:
    """A function of a module: its signatures, and whether it is a statement without a value."""

    name: str
    signatures: tuple[tuple[Parameter, ...], ...]
    is_statement: bool = False
    takes_block: bool = False


def functions(subject: Subject) -> Iterator[Question]:
    """Yield the calls of all functions of a module."""
    known = {one.name: one for one in listed(subject)}
    for number, (name, arguments) in enumerate(recorded(subject.module.folder)):
        if plain(name) in known:
            code = call(known[plain(name)], arguments)
            yield subject.question("function", f"{name} of the tests, {number}", code)
    for name, function in sorted(known.items()):
        for number, arguments in enumerate(calls(subject, function)):
            yield subject.question("function", f"{name} {number}", call(function, arguments))


def listed(subject: Subject) -> Iterator[Function]:
    """Yield the functions in the files of a module."""
    folder = subject.module.folder
    for path in sorted((folder / "lib/puppet/parser/functions").rglob("*.rb")):
        yield from of_puppet_3(path.read_text("utf-8", "replace"))
    for path in sorted((folder / "lib/puppet/functions").rglob("*.rb")):
        yield from of_puppet_4(path.read_text("utf-8", "replace"))
    for one in definitions(folder / "functions"):
        if isinstance(one, nodes.FunctionDefinition):
            parameters = [
                Parameter(p.type, p.value is not None, p.captures_rest) for p in one.parameters
            ]
            yield Function(plain(one.name), (tuple(parameters),))


def of_puppet_3(text: str) -> Iterator[Function]:
    """Yield the functions that a file of ``parser/functions`` defines."""
    for name, options in NEW.findall(text):
        arity = ARITY.search(options)
        count = int(arity[1]) if arity else -1
        least = count if count >= 0 else -count - 1
        parameters = [Parameter(None)] * least
        if count < 0:
            parameters.append(Parameter(None, optional=True, repeated=True))
        yield Function(plain(name), (tuple(parameters),), not RVALUE.search(options))


def of_puppet_4(text: str) -> Iterator[Function]:
    """Yield the function that a file of ``puppet/functions`` defines."""
    name = CREATE.search(text)
    if not name:
        return
    found = [PARAMETER.findall(one) for one in DISPATCH.findall(text)]
    signatures = [
        tuple(
            Parameter(type_of(kind), word.startswith("optional"), "repeated" in word)
            for word, _, kind in parameters
            if "block" not in word
        )
        for parameters in found
    ]
    block = any(word == "block_param" for parameters in found for word, _, _ in parameters)
    untyped = (Parameter(None), Parameter(None, optional=True, repeated=True))
    yield Function(plain(name[1]), tuple(signatures) or (untyped,), takes_block=block)


def recorded(folder: Path) -> list[tuple[str, list[Any]]]:
    """Return the calls with literal arguments in the tests of a module's functions."""
    files = sorted(str(path) for path in (folder / "spec/functions").rglob("*_spec.rb"))
    if not files:
        return []
    command = ["ruby", "--disable=gems", str(SPECS), *files]
    done = subprocess.run(command, capture_output=True, check=True)
    return [(name, arguments) for name, arguments in json.loads(done.stdout)]


def calls(subject: Subject, function: Function) -> Iterator[list[Any]]:
    """Yield lists of arguments: for each signature, and of random values; the same ones in each run."""
    chance = random.Random(f"{SEED + subject.inventor.seed} {function.name}")
    for signature in function.signatures:
        for number in range(GENERATED // len(function.signatures) + 1):
            found = fitting(subject, function, signature, number, chance)
            if found is not None:
                yield found
    for count in (0, 1, 2, 3, 4):
        yield [chance.choice(POOL) for _ in range(count)]


def fitting(
    subject: Subject,
    function: Function,
    signature: Sequence[Parameter],
    number: int,
    chance: random.Random,
) -> list[Any] | None:
    """Return arguments that a signature accepts; None if a type has no generated values."""
    found = []
    for index, parameter in enumerate(signature):
        if parameter.optional and number % 2 and not parameter.repeated:
            break
        times = number % 3 if parameter.repeated else 1
        if parameter.repeated and not parameter.optional:
            times = max(times, 1)
        for again in range(times):
            if parameter.type is None:
                found.append(chance.choice(POOL))
                continue
            try:
                key = f"{function.name}::{index}-{number}-{again}"
                value = subject.inventor.value(parameter.type, key)
            except Impossible:
                return None
            found.append(Sensitive(value) if is_sensitive(parameter.type) else value)
    return found


def call(function: Function, arguments: Sequence[Any]) -> str:
    """Return the manifest of a call, with the value and what happened to the arguments in a resource."""
    lines = [f"$a{number} = {puppet_text(value)}" for number, value in enumerate(arguments)]
    names = ", ".join(f"$a{number}" for number in range(len(arguments)))
    block = " |*$x| { $x }" if function.takes_block else ""
    expression = f"{function.name}({names}){block}"
    lines.append("define corpus_of_functions($value, $arguments) { }")
    lines.append(expression if function.is_statement else f"$value = {expression}")
    value = "undef" if function.is_statement else "$value"
    lines.append(
        f"corpus_of_functions {{ 'call': value => [{value}, type({value}, detailed)], arguments => [{names}] }}"
    )
    return "\n".join(lines)
