"""Runs over the resources of :mod:`support.attributes`, with all that they print and write."""

from __future__ import annotations

import json
import re
import stat
import time
import traceback
from contextlib import suppress
from typing import Any

from bunraku.apply.log import Message, console_line
from bunraku.apply.plan import plan_data, plan_of
from bunraku.apply.records import NoRecords
from bunraku.apply.report import Report
from bunraku.apply.report_format import report_yaml, summary_data
from bunraku.apply.run import apply_catalog
from bunraku.apply.state import State, state_text
from bunraku.apply.system_values import SystemValues, values_text
from bunraku.apply.validate import run_without_machine, wrong_values
from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.metaparameters import METAPARAMETER_NAMES
from bunraku.base.records import record
from bunraku.catalog.catalog import Catalog
from bunraku.cli.apply.plan_text import plan_text
from bunraku.engine.deferred import deferred_resolver
from bunraku.engine.request import Request
from bunraku.providers.registry import resource_type
from bunraku.types.builtin import make_deferred
from bunraku.values.sensitive import Sensitive
from support.applying import SETTINGS
from support.attributes import VALUES, Machine, Trial
from support.host import Entry

Value = Any
TOKEN = "S3CR3Ttoken"
OTHERS = stat.S_IROTH
STAGED = "/.bunraku-1.new"
"""The name of a file before it replaces another one; only the machine of the tests gives it its last mode at once."""
WAYS = ((True, 1), (False, 1), (False, 0))
"""Whether a run changes nothing, and the exit code of programs."""
PYTHON = re.compile(r"\b(True|False|None)\b")
"""Python's spelling of values that Ruby writes in lower case, or not at all."""
PYTHONS_WORDS = re.compile(
    r"(?<!Enum)\['|\{'|object has no|unhashable|out of range|not iterable|subscriptable|literal for"
)
"""Words of Python in refusals: arrays, hashes, and reasons of its own errors."""
REFUSED = ({"a": [1]}, [["text"]], [], [{}], 5)
"""Values that most attributes refuse."""
LONGEST = 2.0
"""The processor time in seconds of a run of two resources that is too long."""
STEP = 13
"""One of how many kinds of values an attribute gets in the fast tests."""
SECRETS: list[Value] = [
    Sensitive(TOKEN),
    Sensitive(f"/srv/{TOKEN}"),
    Sensitive(f'/bin/{TOKEN} a "b" {TOKEN}'),
    Sensitive([TOKEN, f"/srv/{TOKEN}"]),
    Sensitive({"a": TOKEN}),
    Sensitive([["/bin/true", TOKEN]]),
    Sensitive(f"a\n{TOKEN}\nb"),
    Sensitive(f"http://user:{TOKEN}@host/x"),
    Sensitive(f"A={TOKEN}"),
    make_deferred("identity", [Sensitive(f"/srv/{TOKEN}")]),
    ["a", Sensitive(TOKEN)],
    {"a": Sensitive(TOKEN)},
    make_deferred("identity", [["a", Sensitive(TOKEN)]]),
]
"""The forms in which attributes get a secret."""


@record(frozen=True)
class Outcome:
    """The report of a run, None if the catalog was refused, and all texts that the run made."""

    report: Report | None
    texts: str
    arguments: str = ""
    """The arguments of all programs that ran."""
    written: tuple[tuple[str, Entry], ...] = ()
    """The paths at which a file was made or replaced, each with the file."""

    def public_files_with(self, text: str) -> set[str]:
        """Return the files with a text that all users can read; other names have what replaces them later."""
        content = text.encode()
        return {
            path
            for path, entry in self.written
            if content in entry.content and entry.mode & OTHERS and not path.endswith(STAGED)
        }


class Memory(NoRecords):
    """Keeps the state of a run, and the values of its properties, as text."""

    def __init__(self) -> None:
        super().__init__()
        self.kept = ""

    def values(self, log: Any) -> SystemValues:
        """Return values that are collected."""
        return SystemValues({}, enabled=True)

    def keep(self, state: State, values: SystemValues, log: Any) -> None:
        """Write what the files of a run would hold."""
        self.kept = state_text(state, 0.0) + values_text(values.fresh)


def outcome(
    catalog: Catalog,
    *,
    code: int = 0,
    noop: bool = False,
    early: bool = False,
    calls: bool = False,
) -> Outcome:
    """Apply a catalog on a machine whose programs end with a code; only PuppetError may be raised.

    Deferred functions return their first argument, unless ``calls`` says that they are called. They
    are called before the run if ``early``.
    """
    messages: list[Message] = []
    memory, machine = Memory(), Machine(code)
    settings = {
        **SETTINGS,
        "noop": noop,
        "show_diff": True,
        "preprocess_deferred": early,
        "ruby_providers": False,
    }
    resolver = deferred_resolver(Request(node="web", facts={}, code=""), lambda entry: None)
    try:
        report = apply_catalog(
            catalog,
            machine,
            settings,
            records=memory,
            destinations=[messages.append],
            level="debug",
            resolve=resolver if calls else resolved,
        )
    except PuppetError as error:
        return Outcome(None, "\n".join([*map(console_line, messages), *map(text_of, error)]))
    plan = plan_of(report)
    again = outcome_of_values(catalog)
    texts = [
        *map(console_line, messages),
        report_yaml(report),
        json.dumps(plan_data(plan)),
        plan_text(plan, lambda _style, text: text),
        json.dumps(summary_data(report, 0.0)),
        memory.kept,
        *again,
    ]
    arguments = "\n".join(str(command.words) for command in machine.ran)
    return Outcome(report, "\n".join(texts), arguments, tuple(machine.written))


def outcome_of_values(catalog: Catalog) -> list[str]:
    """Return the wrong values that are found without a machine."""
    return [text_of(one) for one in wrong_values(catalog)]


def leaks(type_: str, *, every: bool) -> list[str]:
    """Return the attributes of a type whose secret is in a text, each with the first line.

    Names are public: Puppet does not accept secret titles. With ``every``, each attribute gets all
    forms of a secret, otherwise one of them.
    """
    kind = resource_type(type_, run_without_machine())
    assert kind is not None
    names = dict.fromkeys([*kind.by_name, "provider", "noop", "loglevel", "schedule", "audit"])
    found = []
    for number, name in enumerate(names):
        if name in ("name", kind.namevar):
            continue
        forms = list(SECRETS) if every else [SECRETS[number % len(SECRETS)]]
        for form in forms:
            for code in (0, 1) if every else (1,):
                texts = outcome(Trial(type_, name, "secret").catalog(form), code=code).texts
                lines = [line for line in texts.splitlines() if TOKEN in line]
                found += [f"{type_}.{name}: {line.strip()}" for line in lines[:1]]
    return found


def python_spellings(type_: str) -> list[str]:
    """Return the attributes of a type whose values are written as Python spells them, each with the text."""
    kind = resource_type(type_, run_without_machine())
    assert kind is not None
    found = []
    for name in kind.by_name:
        for value in (True, [False, 1.5, None]):
            machine, messages = Machine(1), list[Message]()
            with suppress(PuppetError):
                apply_catalog(
                    Trial(type_, name, "boolean").catalog(value),
                    machine,
                    {**SETTINGS, "show_diff": True, "ruby_providers": False},
                    records=Memory(),
                    destinations=[messages.append],
                    level="debug",
                )
            texts = [
                *map(console_line, messages),
                *(str(command.content) + " ".join(command.words) for command in machine.ran),
                *(str(entry.content) for entry in machine.entries.values()),
                str(machine.nodes.calls),
            ]
            wrong = [text for text in texts if PYTHON.search(text)]
            found += [f"{type_}.{name}: {text}" for text in wrong[:1]]
    return found


def words_of_python(type_: str) -> list[str]:
    """Return the attributes of a type whose refusals have words of Python, each with the refusal."""
    kind = resource_type(type_, run_without_machine())
    assert kind is not None
    trials = [Trial(type_, name, "any") for name in [*kind.by_name, "provider"]]
    return [
        f"{type_}.{trial.attribute}: {text}"
        for trial in trials
        for value in REFUSED
        for text in refusals(trial.catalog(value))
        if PYTHONS_WORDS.search(text) or PYTHON.search(text)
    ]


def refusals(catalog: Catalog) -> list[str]:
    """Return the texts with which a catalog is refused."""
    try:
        return [text_of(one) for one in wrong_values(catalog)]
    except PuppetError as error:
        return [text_of(one) for one in error]


def text_of(finding: Diagnostic) -> str:
    """Return the text of an error."""
    return f"{finding.message} {finding.hint or ''}"


def resolved(value: Value) -> Value:
    """Return the results of deferred calls, each of which returns its argument."""
    if isinstance(value, list):
        return [resolved(item) for item in value]
    if isinstance(value, Sensitive):
        return Sensitive(resolved(value.value))
    if isinstance(value, dict):
        if value.get("__ptype") == "Deferred":
            return value["arguments"][0]
        return {key: resolved(item) for key, item in value.items()}
    return value


def crashes(type_: str, *, every: bool) -> list[str]:
    """Return the attributes of a type and the kinds of values that end a run, each with the error.

    A value is refused before the run, as in Puppet, or fails its resource at most: the resource
    after it is applied. With ``every``, each attribute gets all kinds of values.
    """
    kind = resource_type(type_, run_without_machine())
    assert kind is not None
    names = dict.fromkeys([*kind.by_name, "provider", *sorted(METAPARAMETER_NAMES)])
    kinds = list(VALUES)
    found = []
    for number, name in enumerate(names):
        chosen = kinds if every else kinds[number % STEP :: STEP]
        for one in chosen:
            for noop, code in WAYS if every else (WAYS[number % len(WAYS)],):
                trial = Trial(type_, name, one)
                reason = crash_of(trial.catalog(VALUES[one]), noop=noop, code=code)
                if reason is not None:
                    found.append(f"{type_}.{name}, {one}: {reason}")
    return found


def crash_of(catalog: Catalog, *, noop: bool, code: int = 1) -> str | None:
    """Return how a run ended that should have gone on, or that it took too long; None if it did not."""
    began = time.process_time()
    try:
        report = outcome(catalog, code=code, noop=noop).report
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {error} ({place.filename}:{place.lineno})"
    last = None if report is None else report.statuses.get("Notify[afterwards]")
    if report is not None and (last is None or last.failed or last.skipped):
        return "the resource after it was not applied"
    took = time.process_time() - began
    return f"took {took:.0f} s" if took > LONGEST else None
