"""One request of the batch protocol and its answer, as dictionaries that JSON holds.

``docs/protocol.md`` describes the fields.
"""

from __future__ import annotations

import base64
import os
import traceback
from collections.abc import Callable, Iterator, Mapping
from math import isnan
from time import perf_counter
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.source import Source
from bunraku.base.suggestions import suggestion
from bunraku.catalog.compiled import CompiledCatalog, CompiledResource
from bunraku.catalog.issues import VALUE_TOO_DEEP
from bunraku.catalog.wire import resource_to_data
from bunraku.dialects.languages import UnknownDialect, dialect_named
from bunraku.engine.compile import compile_resolved
from bunraku.engine.kept_catalogs import recorded
from bunraku.engine.manifests import COVERAGE
from bunraku.engine.programs import check_program
from bunraku.engine.request import Request, ResolvedRequest, resolve
from bunraku.formats.failure import FormatError
from bunraku.formats.json import encode_line, parse_json
from bunraku.formats.shape import (
    ANYTHING,
    FLAG,
    NULL,
    TEXT,
    Array,
    Choice,
    Either,
    Fields,
    HashOf,
    path_text,
)
from bunraku.jobs.cached_answers import cache_answer, cached_answer, is_cached
from bunraku.jobs.exact_catalog import exact_catalog
from bunraku.limits.issues import OUT_OF_MEMORY, TIMEOUT
from bunraku.limits.limits import Limited, Limits
from bunraku.modules.ruby_text import inspect
from bunraku.project.option_kinds import KINDS
from bunraku.project.request_options import BATCH_FIELDS
from bunraku.runtime.error_texts import detail, puppet_text
from bunraku.runtime.log import LogEntry
from bunraku.syntax.pn import to_pn
from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.machine import Machine
from bunraku.world.overlay import Overlay
from bunraku.world.protocol import World

Answer = dict[str, Any]

DEFAULT_NODE = "testnode.example.com"
DEFAULT_TIMEOUT = 10.0
SHORTEST, LONGEST = 0.001, 86_400.0
"""The limits of a case's time limit in seconds."""
MANIFEST = "/site.pp"
MODULES = "/modules"
LEFT_OUT = {"Stage[main]", "Class[Settings]", "Class[settings]"}
LEVELS = {"error": "err", "warning": "warning", "deprecation": "warning"}
LIMITS = (TIMEOUT, OUT_OF_MEMORY)
RELATIONSHIPS = ("before", "require", "notify", "subscribe")

BYTES = Either((TEXT, Array(TEXT, "an Array of Base64")))
ENCODED = Either((TEXT, Fields({"__bytes": BYTES}, required=("__bytes",))))
"""Text, or the bytes that it is."""
REQUEST = Fields(
    {
        "id": ANYTHING,
        "do": Choice(("compile", "catalog", "cached", "pn")),
        "code": ENCODED,
        "path": TEXT,
        "as_file": FLAG,
        "epp": FLAG,
        **{name: KINDS[option.kind].in_batch for name, option in BATCH_FIELDS.items()},
        "modules": HashOf(ENCODED),
        "module_hiera": HashOf(Either((TEXT, NULL))),
        "exported": FLAG,
        "test": TEXT,
        "key": TEXT,
        "temporary": Array(TEXT),
    },
    expected="a JSON object",
)
"""A request: options of a compile, and fields of the protocol. Its ``id`` is any value.

Fields of later versions of the protocol are ignored; one that is nearly a known field is a mistake.
"""


class BadInput(Exception):
    """A request that does not follow the protocol; ``identity`` is its id, if it has one."""

    def __init__(self, message: str, identity: Any = None) -> None:
        super().__init__(message)
        self.identity = identity


def case_timeout(line: bytes, default: float) -> float:
    """Return the time limit of a case in seconds."""
    if b'"timeout"' not in line:
        return default
    try:
        wanted = float(decode_request(line).get("timeout", default))
    except BadInput:
        return default
    return LONGEST if isnan(wanted) else min(max(wanted, SHORTEST), LONGEST)


def decode_request(line: bytes) -> dict[str, Any]:
    """Return the request on a line; raise ``BadInput`` if it is invalid."""
    try:
        case = parse_json(line)
    except FormatError as error:
        where = f" (column {error.column})" if error.column else ""
        raise BadInput(f"not valid JSON: {error.problem}{where}") from error
    wrong = REQUEST.mismatch(case)
    if wrong is not None:
        message = f"{wrong} ({wrong.hint})" if wrong.hint else str(wrong)
        raise BadInput(message, case.get("id") if isinstance(case, dict) else None)
    for name in case.keys() - REQUEST.known.keys():
        if near := suggestion(name, REQUEST.known):
            raise BadInput(f"unknown field '{name}'{near}", case.get("id"))
    return {name: value for name, value in case.items() if value is not None}


def answer(line: bytes, *, limits: Limits | None = None, debug: bool = False) -> bytes:
    """Return the output line for an input line; exceptions become answers."""
    case: dict[str, Any] = {}
    found: Answer | str
    started = perf_counter()
    try:
        case = decode_request(line)
        with Limited(limits):
            found = perform(case)
    except BadInput as error:
        case = case or {"id": error.identity}
        found = failure("bad_input", str(error))
    except PuppetError as error:  # a limit that was reached outside of Puppet code
        found = {**failure("eval_error", error.message), **describe_error(error)}
    except Exception as error:
        if debug:
            traceback.print_exc()
        found = failure("crash", f"{type(error).__name__}: {error}"[:2000])
    head = {"id": case.get("id"), "ms": round((perf_counter() - started) * 1000, 2)}
    if isinstance(found, str):
        return encode_line(head)[:-2] + b"," + found.removeprefix("{").encode()
    return encoded({**head, **found})


def encoded(found: Answer) -> bytes:
    """Return the line of an answer; a value nested too deeply is reported as a crash."""
    try:
        return encode_line(found)
    except RecursionError:
        short = {"id": None, "ms": found.get("ms"), **failure("crash", "nested too deep for JSON")}
        return encode_line(
            {**short, "id": found.get("id") if isinstance(found.get("id"), str) else None}
        )


def failed_answer(line: bytes, status: str, message: str) -> bytes:
    """Return the answer for a worker that ended without one."""
    try:
        identity = decode_request(line).get("id")
    except BadInput as error:
        identity = error.identity
    return encoded({"id": identity, "ms": None, **failure(status, message)})


def failure(status: str, message: str) -> Answer:
    """Return the answer for a case without a result."""
    return {
        "status": status,
        "notices": [],
        "logs": [],
        "error": {"message": message, "line": None, "pos": None},
        "resources": [],
        "virtual": [],
        "edges": [],
        "relationships": [],
        "classes": [],
    }


def perform(case: Mapping[str, Any]) -> Answer | str:
    """Execute a request. The answer is a line where it was made before."""
    try:
        dialect_named(case.get("language"), case.get("follow", "puppet"))
    except UnknownDialect as error:
        raise BadInput(str(error)) from error
    folder = os.environ.get(COVERAGE)
    if folder:
        from bunraku.engine.coverage import recorder_in

        recorder_in(folder).test = case.get("test")
    return ACTIONS[case.get("do", "compile")](case)


def text_of(case: Mapping[str, Any], name: str) -> str | None:
    """Return a text field, which may be encoded as bytes."""
    value = case.get(name)
    if value is None or isinstance(value, str):
        return value
    return as_bytes(value, name).decode("utf-8", "surrogateescape")


def as_bytes(value: Any, name: str) -> bytes:
    """Return the bytes of text or of ``{"__bytes": base64}``."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape")
    match value:
        case {"__bytes": [str(encoded)]} | {"__bytes": str(encoded)}:
            try:
                return base64.b64decode(encoded, validate=True)
            except ValueError as error:
                raise BadInput(f"{name}: not valid Base64: {error}") from error
    raise BadInput(f"{name}.__bytes: expected one text in Base64")


def request_of(case: Mapping[str, Any]) -> Request:
    """Return the compile request of a case."""
    code, path = text_of(case, "code"), case.get("path")
    if path is not None:
        code = None
    elif code is None:
        code = ""
    settings = dict(case.get("settings", {}))
    hiera_config = settings.pop("hiera_config", None)
    modulepath = list(case.get("modulepath", []))
    world: World = Machine()
    if "modules" in case:
        files = laid_out(case["modules"])
        world = Overlay(DictionaryWorld(files), world)
        modulepath.insert(0, MODULES)
        if hiera_config is None and "/hiera.yaml" in files:
            hiera_config = "/hiera.yaml"
    return Request(
        code=code,
        path=path,
        as_file=MANIFEST if case.get("as_file") else None,
        node=case.get("node", DEFAULT_NODE),
        facts=case.get("facts", {}),
        trusted=case.get("trusted"),
        server_facts=case.get("server_facts"),
        node_classes=case.get("node_classes"),
        node_parameters=case.get("node_parameters", {}),
        module_hiera=case.get("module_hiera", {}),
        keeps_null_facts=case.get("do") == "catalog",
        settings=settings,
        modulepath=modulepath,
        language=case.get("language", "8"),
        follow=case.get("follow", "puppet"),
        hiera_config=hiera_config,
        cycles=False,  # as real Puppet, which looks for them when it applies
        world=world,
    )


def laid_out(modules: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the files of a case: modules, ``hiera.yaml`` and ``data``."""
    files = {}
    for name, text in modules.items():
        beside = name == "hiera.yaml" or name.startswith("data/")
        files[f"/{name}" if beside else f"{MODULES}/{name}"] = as_bytes(
            text, path_text(("modules", name))
        )
    return files


def answer_compile(case: Mapping[str, Any]) -> Answer:
    """Return the answer to ``do: compile``."""
    entries: list[LogEntry] = []
    found = failure("ok", "")
    found["error"] = None
    resolved = None
    try:
        request = request_of(case)
        resolved = resolve(request, entries.append)
        catalog, _value = compile_resolved(resolved)
        found.update(describe(catalog, request.as_file))
    except PuppetError as error:
        found.update(describe_printed(error, resolved))
    except RecursionError:
        found.update(describe_printed(VALUE_TOO_DEEP(), resolved))
    found["notices"], logs = split_log(entries)
    found["logs"] = logs + found["logs"]
    return found


def describe(catalog: CompiledCatalog, manifest: str | None) -> Answer:
    """Return the parts of an answer that describe a catalog."""
    found: Answer = {"virtual": [described(item, manifest) for item in catalog.exported_only]}
    resources: list[Answer] = []
    relationships: list[list[str]] = []
    for resource in catalog.resources:
        if resource.reference in LEFT_OUT or is_bare_main(resource):
            continue
        data = described(resource, manifest)
        resources.append(data)
        relationships += relations(resource.reference, data["parameters"])
    found.update(resources=resources, relationships=relationships)
    found["edges"] = [
        [container, member]
        for container, member in catalog.edges
        if container != "Stage[main]" and member not in LEFT_OUT
    ]
    found["classes"] = [name for name in catalog.classes if name != "settings"]
    return found


def is_bare_main(resource: CompiledResource) -> bool:
    """Return whether a resource is the main class without parameters or markers."""
    return resource.reference in {"Class[main]", "Class[Main]"} and not (
        set(resource.parameters) - {"name"}
    )


def described(resource: CompiledResource, manifest: str | None) -> Answer:
    """Return a resource in the form of the protocol; lines refer to the manifest only."""
    data = resource_to_data(resource)
    found: Answer = {
        "type": data["type"],
        "title": data["title"],
        "parameters": data.get("parameters", {}),
        "tags": sorted(data.get("tags", [])),
        "exported": data.get("exported", False),
        "line": data.get("line"),
    }
    if data.get("file") and data["file"] != manifest:
        found["file"] = data["file"]
    for name in ("kind", "sensitive_parameters"):
        if data.get(name):
            found[name] = data[name]
    return found


def relations(reference: str, parameters: Mapping[str, Any]) -> Iterator[list[str]]:
    """Yield the relationships that a resource's metaparameters state: first, then, by which."""
    for name in RELATIONSHIPS:
        for other in flat_references(parameters.get(name)):
            other = other if isinstance(other, str) else inspect(other)
            pair = [reference, other] if name in {"before", "notify"} else [other, reference]
            yield [*pair, name]


def flat_references(value: Any) -> Iterator[Any]:
    """Yield the references in a value of a relationship metaparameter."""
    if isinstance(value, list):
        for item in value:
            yield from flat_references(item)
    elif value is not None:
        yield value


def syntax_tree(case: Mapping[str, Any]) -> Answer:
    """Return the answer to ``do: pn``."""
    path = case.get("path")
    world = Machine()
    try:
        text = (
            text_of(case, "code")
            if path is None
            else world.read(path).decode("utf-8", "surrogateescape")
        )
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror or error}") from error
    epp = case.get("epp", False) or str(path or "").endswith(".epp")
    dialect = dialect_named(case.get("language"), case.get("follow", "puppet"))
    source = Source(text or "", path or "", on_disk=path is not None, is_template=epp)
    checked = check_program(source, dialect, case.get("settings", {}))
    failure = checked.error("parse")
    found: Answer = {"status": "ok", "pn": None, "logs": [], "error": None}
    if failure is not None:
        found.update(describe_error(failure))
    else:
        found["pn"] = to_pn(checked.program)
    warnings = [one for one in checked.findings if one.severity in {"warning", "deprecation"}]
    found["logs"] = [finding_entry(one) for one in warnings] + found["logs"]
    return found


def whole_catalog(case: Mapping[str, Any]) -> Answer:
    """Return the answer to ``do: catalog``: exact values, and errors as Puppet prints them."""
    entries: list[LogEntry] = []
    found: Answer = {"status": "ok", "error": None, "catalog": None, "notices": [], "logs": []}
    resolved = catalog = recording = None
    try:
        request = request_of(case)
        if is_cached(case):
            request, recording = recorded(request)
        resolved = resolve(request, entries.append)
        catalog, _value = compile_resolved(resolved)
        found["catalog"] = exact_catalog(catalog, exported=case.get("exported", False))
    except PuppetError as error:
        found.update(describe_printed(error, resolved))
        recording = None if error.is_a(*LIMITS) else recording
    except RecursionError:
        found.update(describe_printed(VALUE_TOO_DEEP(), resolved))
        recording = None
    found["notices"], found["logs"] = split_log(entries)
    if recording is not None:
        cache_answer(case, recording, catalog, found)
    return found


def cached_catalog(case: Mapping[str, Any]) -> Answer | str:
    """Return the answer to ``do: cached``: the line of an earlier one to ``do: catalog``, if it is still true."""
    key = case.get("key")
    if key is None:
        raise BadInput("do: cached needs a key")
    return cached_answer(key) or failure("absent", "the cache has no answer for this key")


def describe_printed(error: PuppetError, resolved: ResolvedRequest | None) -> Answer:
    """Return the parts of an answer that describe an error, with the text that Puppet prints."""
    found = describe_error(error)
    found["error"]["text"] = printed_text(error, resolved)
    return found


ACTIONS: dict[str, Callable[[Mapping[str, Any]], Answer | str]] = {
    "compile": answer_compile,
    "catalog": whole_catalog,
    "cached": cached_catalog,
    "pn": syntax_tree,
}


def printed_text(error: PuppetError, resolved: ResolvedRequest | None) -> str:
    """Return the text that Puppet prints for an error; without a resolved request, its message."""
    if resolved is None:
        return error.message
    return puppet_text(error, resolved.environment.name, resolved.request.node)


def describe_error(error: PuppetError) -> Answer:
    """Status, the first error, and all of them in the log where there are several."""
    file, line, column = error.diagnostic.puppet_place.where
    described = {"message": detail(error.diagnostic), "line": line, "pos": column}
    if file:
        described["file"] = file
    if error.puppet_code:
        described["issue_code"] = error.puppet_code
    status = "parse_error" if error.phase == "parse" else "eval_error"
    return {
        "status": "timeout" if error.is_a(TIMEOUT) else status,
        "error": described,
        "logs": [finding_entry(one) for one in error] if error.others else [],
    }


def finding_entry(finding: Diagnostic) -> Answer:
    """Return a finding of the parser or the checker as an entry of ``logs``."""
    file, line, column = finding.puppet_place.where
    return log_entry(LogEntry(LEVELS[finding.severity], finding.message, None, file, line, column))


def log_entry(entry: LogEntry) -> Answer:
    """Return an entry of ``logs`` without unknown fields."""
    found: Answer = {"level": entry.level, "message": entry.message}
    rest = {"scope": entry.scope, "line": entry.line, "pos": entry.column, "file": entry.file}
    found.update((name, value) for name, value in rest.items() if value)
    return found


def split_log(entries: list[LogEntry]) -> tuple[list[Answer], list[Answer]]:
    """Return the logged messages of level info and above."""
    notices, logs = [], []
    for entry in entries:
        if entry.level == "notice" and entry.scope is not None:
            notices.append({"scope": entry.scope, "message": entry.message})
        elif entry.level != "debug":
            logs.append(log_entry(entry))
    return notices, logs
