"""Compile the subject of a test: facts, data and settings become a request, its result a catalog."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Unpack

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.base.tracebacks import without_frames
from bunraku.engine.compile import compile_resolved, evaluate_code
from bunraku.engine.hooks import NO_HOOKS, Hooks
from bunraku.engine.request import DISK, Request, resolve
from bunraku.facts.facterdb import fact_set
from bunraku.facts.made_up import facts_on_system, made_up_facts
from bunraku.modules.node import trusted_data
from bunraku.project.option_kinds import check_options
from bunraku.puppetdb.site.issues import NO_STORE
from bunraku.runtime.log import LogEntry
from bunraku.workbench.testing.catalog import CatalogUnderTest
from bunraku.workbench.testing.data import (
    FOLDER,
    HIERA_CONFIG,
    STORED,
    HieraData,
    HieraOfTest,
    OtherNodes,
    as_hiera_data,
    world_with,
)
from bunraku.workbench.testing.failures import ExpectedError
from bunraku.workbench.testing.keywords import SubjectKeywords
from bunraku.workbench.testing.match import Match
from bunraku.workbench.testing.project import CodeUnderTest
from bunraku.workbench.testing.stored import asked_contents, compiled_contents
from bunraku.workbench.testing.subject import Subject, call_text, puppet_text
from bunraku.workbench.testing.subject_options import SUBJECT_KEYWORDS
from bunraku.world.protocol import World

NODE = "test.example.com"
"""The name of the node, unless a test gives another one."""
NO_STORE_HINT = "give the test data of other nodes: see the fixture 'puppetdb'"


SUBJECTS = ("class_", "define", "host", "code")
MERGED = ("params", "trusted", "server_facts", "node_parameters", "settings")
"""Options whose hashes are merged over those of the test."""


def facts_of_system(name: str, facterdb: str | None = None) -> dict[str, Any]:
    """Return the facts of an operating system, such as ``debian-12``; PuppetError if it is unknown."""
    return fact_set(facterdb, name).facts()


@record(slots=False)
class SubjectCompiler:
    """Compiles subjects of one test.

    ``defaults`` are options that apply to every call, ``hiera`` and ``nodes`` are the data of the
    test. ``system_facts`` returns the facts of an operating system. ``matches`` collects the results of
    questions, which the plugin explains. ``hooks`` are those of a debugger. ``reuses`` is whether catalogs of
    earlier runs are taken from the cache.
    """

    project: CodeUnderTest
    defaults: Mapping[str, Any]
    hiera: HieraOfTest = field(default_factory=HieraOfTest)
    nodes: OtherNodes = field(default_factory=OtherNodes)
    matches: list[Match] = field(default_factory=list)
    system_facts: Callable[[str], Mapping[str, Any]] = facts_of_system
    world: World = DISK
    hooks: Hooks = field(default=NO_HOOKS, shown=False)
    reuses: bool = True

    def __repr__(self) -> str:
        return f"<compile of {self.project.name or self.project.root}>"

    def __call__(
        self, class_: str | None = None, /, **options: Unpack[SubjectKeywords]
    ) -> CatalogUnderTest:
        """Return the catalog of a class or another subject; raise PuppetError if it does not compile.

        :class:`bunraku.workbench.testing.keywords.SubjectKeywords` lists the keywords. ``class_`` may be given by its name, too.
        """
        __tracebackhide__ = True
        given = self.all_options(class_, options)
        entries: list[LogEntry] = []
        request = self.request(given, subject_of(given))
        found = self.run(
            lambda: compiled_contents(request, entries, self.hooks, reuses=self.reuses), entries
        )
        return CatalogUnderTest(found, request, self.matches, self.project.root)

    def with_value(self, path: str, text: str) -> tuple[CatalogUnderTest, Any]:
        """Return the catalog of a manifest, and the value of its last expression.

        The code is that of ``text``, with the places of the file ``path`` below :data:`FOLDER`: it is not
        a file of the module.
        """
        __tracebackhide__ = True
        entries: list[LogEntry] = []
        file = f"{FOLDER}/{path}"
        sources = {file: text.encode("utf-8", "surrogateescape")}
        request = self.request(self.all_options(None, {}), Subject("file", file), sources)
        resolved = self.run(lambda: resolve(request, entries.append), entries)
        compiled, value = self.run(lambda: compile_resolved(resolved, hooks=self.hooks), entries)
        found = asked_contents(compiled, entries)
        return CatalogUnderTest(found, request, self.matches, self.project.root), value

    def call(self, function: str, /, *arguments: Any, **options: Unpack[SubjectKeywords]) -> Any:
        """Return the value of a function of the Puppet language, called with arguments."""
        __tracebackhide__ = True
        return self.evaluate(call_text(function, arguments), **options)

    def evaluate(self, code: str, /, **options: Unpack[SubjectKeywords]) -> Any:
        """Return the value of the last expression of code."""
        __tracebackhide__ = True
        given = {**self.all_options(None, options), "post": ""}
        request = self.request(given, Subject("code", code))
        return self.run(lambda: evaluate_code(request, ignore, self.hooks))

    def accepts(self, type_: str, value: Any, /, **options: Unpack[SubjectKeywords]) -> bool:
        """Return whether a data type, such as a type alias of the module, accepts a value."""
        __tracebackhide__ = True
        return bool(self.evaluate(f"{puppet_text(value)} =~ {type_}", **options))

    @staticmethod
    def raises(match: str | None = None, *, code: str | None = None) -> ExpectedError:
        """Return a block that must raise a PuppetError whose message has a match of a pattern.

        ``code`` is the code of the error, such as ``INVALID_PARAMETERS``. ``value`` of the result is the
        error. The block raises AssertionError without an error, and for another one.
        """
        return ExpectedError(match, code)

    # -- requests --------------------------------------------------------------------------------

    def all_options(self, class_: str | None, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options of a call over those of the test; TypeError for unknown names."""
        check_options(options, SUBJECT_KEYWORDS)
        given = {
            name: value
            for name, value in {"class_": class_, **options}.items()
            if value is not None
        }
        defaults = self.defaults
        if self.hiera.data is not None:
            defaults = merged_options(defaults, {"hiera": self.hiera.data})
        return merged_options(defaults, given)

    def request(
        self, given: Mapping[str, Any], subject: Subject, sources: Mapping[str, bytes] | None = None
    ) -> Request:
        """Return the request for a subject; ``sources`` are files that only the compile sees."""
        project = self.project
        fields: dict[str, Any] = {**project.fields}
        fields["settings"] = {**fields["settings"], **given.get("settings", {})}
        if "environment" in given:
            fields["settings"]["environment"] = given["environment"]
        if "language" in given:
            fields["language"] = given["language"]
        node = str(given.get("host") or given.get("node") or NODE)
        trusted = given.get("trusted")
        files = {**self.data_files(given, fields), **(sources or {})}
        if subject.kind == "host":
            fields["path"] = project.manifest
        elif subject.kind == "file":
            fields["path"] = subject.name
        else:
            parts = (given.get("pre"), subject.code(), given.get("post"))
            fields["code"] = "\n".join(part for part in parts if part)
        return Request(
            node=node,
            facts=facts_of_subject(
                node, given.get("facts"), given.get("environment"), self.system_facts
            ),
            trusted=None if trusted is None else merged(trusted_data(node), trusted),
            server_facts=given.get("server_facts"),
            node_parameters=given.get("node_parameters", {}),
            cycles=True,
            exports={},
            storedconfigs=STORED if self.nodes else None,
            run_config_version=False,
            adds_versions=True,
            world=world_with(files, self.world),
            **fields,
        )

    def data_files(self, given: Mapping[str, Any], fields: dict[str, Any]) -> dict[str, bytes]:
        """Return the files with data of the test, and add their paths to the fields of the request."""
        files: dict[str, bytes] = self.nodes.contents() if self.nodes else {}
        data: HieraData | None = given.get("hiera")
        if data is None:
            return files
        if data.config is not None:
            fields["hiera_config"] = os.path.join(self.project.root, data.config)
            return files
        fields["hiera_config"] = HIERA_CONFIG
        return {**files, **data.contents()}

    @staticmethod
    def run(action: Callable[[], Any], log: Sequence[LogEntry] = ()) -> Any:
        """Return the result of an action; its error has no frames of bunraku.

        The hint, the Puppet calls and the warnings that came before are notes of the error.
        """
        __tracebackhide__ = True
        try:
            return without_frames(action)
        except PuppetError as error:
            if error.is_a(NO_STORE):
                error.hinted(NO_STORE_HINT)
            for note in notes_of(error, log):
                error.add_note(note)
            raise error.with_traceback(None) from error.__cause__


def notes_of(error: PuppetError, log: Sequence[LogEntry]) -> Iterator[str]:
    """Yield what helps to understand an error, beside its message."""
    finding = error.diagnostic
    if finding.hint:
        yield f"hint: {finding.hint}"
    for name, span in finding.stack:
        yield f"called in {name} at {span.place}"
    for entry in log:
        if entry.level in {"warning", "err"}:
            yield f"{entry.level}: {entry.message}"


def ignore(_entry: LogEntry) -> None:
    """Ignore a log entry."""


def subject_of(given: Mapping[str, Any]) -> Subject:
    """Return the subject that options name; TypeError for none, or several.

    >>> subject_of({"define": "ntp::peer", "title": "a"}).code()
    "ntp::peer { 'a': }"
    """
    named = [one for one in SUBJECTS if given.get(one) is not None]
    if len(named) != 1:
        found = " and ".join(named) or "none"
        raise TypeError(f"expected one of a class, define, host or code to compile, got {found}")
    (kind,) = named
    params = given.get("params", {})
    if kind in {"host", "code"} and params:
        raise TypeError(f"params belong to a class or defined type, not to {kind}")
    if (kind == "define") != ("title" in given):
        raise TypeError("a defined type needs a title, and nothing else has one")
    name = "" if kind == "host" else given[kind]
    return Subject(kind.removesuffix("_"), name, given.get("title", ""), params)


def merged_options(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Return options over others: hashes are merged, code is joined, all else is replaced.

    A subject replaces the other one with its title and parameters.

    >>> merged_options({"class_": "a", "params": {"x": 1}}, {"params": {"y": 2}})
    {'class_': 'a', 'params': {'x': 1, 'y': 2}}
    >>> merged_options({"class_": "a", "params": {"x": 1}}, {"code": "include b"})
    {'code': 'include b'}
    """
    if any(above.get(one) is not None for one in SUBJECTS):
        replaced = {*SUBJECTS, "title", "params"}
        below = {name: one for name, one in below.items() if name not in replaced}
    found = {**below, **above}
    for name in MERGED:
        if name in below and name in above:
            found[name] = merged(below[name], above[name])
    for name in ("pre", "post"):
        if below.get(name) and above.get(name):
            found[name] = f"{below[name]}\n{above[name]}"
    if "facts" in below and "facts" in above:
        found["facts"] = [*several(below["facts"]), *several(above["facts"])]
    if "hiera" in above:
        found["hiera"] = as_hiera_data(above["hiera"]).over(below.get("hiera"))
    return found


def several(value: Any) -> list[Any]:
    """Return the items of a list, or one value as a list."""
    return [*value] if isinstance(value, list | tuple) else [value]


def facts_of_subject(
    node: str,
    given: Any,
    environment: str | None,
    system_facts: Callable[[str], Mapping[str, Any]] = facts_of_system,
) -> dict[str, Any]:
    """Return the facts of a node: those that its name implies, those of a fact set, and those of the test.

    Raises PuppetError for an unknown fact set, TypeError for other values.

    >>> facts = facts_of_subject("web1.example.com", {"os": {"family": "Debian"}}, None)
    >>> facts["os"], facts["networking"]["fqdn"]
    ({'family': 'Debian'}, 'web1.example.com')
    """
    found = made_up_facts(node, environment)
    for one in several(given if given is not None else ()):
        if isinstance(one, str):
            found = facts_on_system(node, system_facts(one), environment)
        elif isinstance(one, Mapping):
            found = merged(found, one)
        else:
            kind = type(one).__name__
            raise TypeError(f"facts must be a dict or the name of a fact set, not {kind}")
    return found


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Return a hash over another one, also where both have a hash at a key.

    >>> merged({"os": {"name": "Debian", "family": "Debian"}}, {"os": {"name": "Ubuntu"}})
    {'os': {'name': 'Ubuntu', 'family': 'Debian'}}
    """
    found = {**below}
    for name, value in above.items():
        old = found.get(name)
        both = isinstance(old, Mapping) and isinstance(value, Mapping)
        found[name] = merged(old, value) if both else value  # type: ignore[arg-type]
    return found
