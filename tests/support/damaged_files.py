"""Files that commands read, each with damaged insides, and the commands that read them."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bunraku.base.records import record
from bunraku.cli.main import main
from support.damage import ODD, places

Value = Any
INTERNAL = ("internal error", "Traceback (most recent call last)")
"""Texts that no damaged file may cause."""
RICH = [
    {"__ptype": "Sensitive"},
    {"__ptype": "Nothing"},
    {"__ptype": 5},
    {"__ptype": "Deferred"},
    {"__ptype": "Timestamp", "__pvalue": 5},
    {"__ptype": "LocalRef", "__pvalue": "$.x"},
    {"__ptype": "Hash", "__pvalue": [1]},
    {"__ptype": "Pcore::ArrayType", "element_type": 5},
]
"""Damaged rich data."""


@record(frozen=True)
class ReadFile:
    """A file below the working directory and a command that reads it.

    ``make`` returns the right content, and may run commands for that; other ``files`` are beside it.
    """

    path: str
    words: tuple[str, ...]
    make: Callable[[], str]
    files: dict[str, str]


def run(words: Sequence[str]) -> tuple[int, str]:
    """Run a command in this process; return its exit code and output."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            code = main(list(words))
        except SystemExit as end:
            code = int(end.code or 0)
    return code, output.getvalue()


def saved_plan() -> str:
    """Return a plan with a secret, a refresh and a class."""
    code = "notify { 'a': message => Sensitive('hidden') } ~> notify { 'b': }"
    run(["plan", "--no-project", "--vardir", "var", "-e", code, "--out", "saved"])
    return Path("saved").read_text("utf-8")


def last_run(name: str) -> Callable[[], str]:
    """Return a maker of a file that a run writes."""

    def make() -> str:
        code = "file { 'FOLDER': ensure => directory, audit => mode }"
        folder = os.path.join(os.getcwd(), "manifests")
        words = ["apply", "--no-project", "--vardir", "var", "-e", code.replace("FOLDER", folder)]
        run(words)
        return Path("var/state", name).read_text("utf-8")

    return make


def measurement() -> str:
    """Return the coverage of a compile."""
    run(["cover", "--nodes", "--no-report", "--", "--facts-folder", "facts"])
    return Path(".bunraku/coverage").read_text("utf-8")


def baseline() -> str:
    """Return a baseline of findings."""
    run(["check", "--write-baseline", "known", "manifests"])
    return Path("known").read_text("utf-8")


def text(content: str) -> Callable[[], str]:
    """Return a maker of a fixed content."""
    return lambda: content


COMPILE = ("compile", "--node", "a", "--modulepath", "modules")
FACTS = ("facts", "--no-project", "--external-dir", "facts.d", "a")
APPLY = ("apply", "--no-project", "--vardir", "var", "--noop")
CATALOG = {
    "name": "a",
    "environment": "production",
    "version": 1,
    "classes": ["m"],
    "resources": [
        {
            "type": "Notify", "title": "a", "tags": ["x"], "file": "/a", "line": 1, "exported": False,
            "parameters": {"message": {"__ptype": "Deferred", "name": "join", "arguments": [["a"]]}},
            "sensitive_parameters": ["message"],
        },
        {"type": "Class", "title": "M", "parameters": {}},
    ],
    "edges": [{"source": "Class[M]", "target": "Notify[a]"}],
}  # fmt: skip
METADATA = {
    "name": "me-m", "version": "1.0.0", "author": "me", "license": "none", "summary": "m", "source": "x",
    "dependencies": [{"name": "me/b", "version_requirement": ">= 1.0.0"}],
    "operatingsystem_support": [{"operatingsystem": "Debian", "operatingsystemrelease": ["12"]}],
    "requirements": [{"name": "puppet", "version_requirement": ">= 7.0.0 < 9.0.0"}],
}  # fmt: skip
HIERA = (
    "version: 5\ndefaults:\n  datadir: data\n  data_hash: yaml_data\nhierarchy:\n"
    "- name: a\n  paths: ['%{facts.os}.yaml', common.yaml]\n- name: b\n  mapped_paths: [l, p, '%{p}.yaml']\n"
)
DATA_KINDS = (
    "version: 5\ndefaults: {datadir: data}\nhierarchy:\n- {name: a, path: a.json, data_hash: json_data}\n"
    "- {name: b, path: a.conf, data_hash: hocon_data}\n"
)
ONCEOVER = (
    "classes: [m]\nnodes: [Debian-12]\nnode_groups:\n  all: [Debian-12]\nclass_groups:\n  all: [m]\n"
    "test_matrix:\n- all:\n    classes: all\n    tests: spec\n"
)
SITE = {
    "manifests/site.pp": "include m\n",
    "modules/m/manifests/init.pp": "class m($p = 1) { if $p { notify { 'a': } } }\n",
    "environment.conf": "modulepath = modules\n",
    "facts/a.json": '{"os": {"family": "Debian"}}\n',
}
FILES: dict[str, ReadFile] = {
    "saved plan": ReadFile("damaged", (*APPLY, "damaged"), saved_plan, {}),
    "catalog": ReadFile(
        "c.json", (*APPLY, "--catalog", "c.json"), text(json.dumps(CATALOG)), {}
    ),
    "compared catalog": ReadFile(
        "c.json", ("diff", "c.json", "d.json"), text(json.dumps(CATALOG)), {"d.json": json.dumps(CATALOG)}
    ),
    "state": ReadFile(
        "var/state/state.yaml", (*APPLY, "-e", "notify { 'a': }"), last_run("state.yaml"), {}
    ),
    "report": ReadFile(
        "var/state/last_run_report.yaml",
        ("report", "--vardir", "var"),
        last_run("last_run_report.yaml"),
        {},
    ),
    "coverage": ReadFile(".bunraku/coverage", ("cover", "report"), measurement, {}),
    "coverage in HTML": ReadFile(".bunraku/coverage", ("cover", "json"), measurement, {}),
    "baseline": ReadFile("known", ("check", "--baseline", "known", "manifests"), baseline, {}),
    "options of lint": ReadFile(
        ".puppet-lint.rc", ("lint", "manifests"), text("--no-140chars-check\n--fail-on-warnings\n"), {}
    ),
    "bunraku.toml": ReadFile(
        "bunraku.toml",
        ("compile", "--node", "a"),
        text('language = "8"\nmodulepath = ["modules"]\n[settings]\nstrict = "warning"\n'),
        {},
    ),
    "environment.conf": ReadFile(
        "environment.conf",
        ("compile", "--node", "a"),
        text("modulepath = modules:$basemodulepath\nmanifest = manifests\n"),
        {},
    ),
    "puppet.conf": ReadFile(
        "puppet.conf",
        ("compile", "--node", "a", "--config", "puppet.conf"),
        text("[main]\nmodulepath = modules\nstrict = error\n"),
        {},
    ),
    "Puppetfile": ReadFile("Puppetfile", ("check", "."), text("mod 'me/b', '1.0.0'\n"), {}),
    "metadata.json": ReadFile(
        "modules/m/metadata.json", ("check", "modules/m"), text(json.dumps(METADATA)), {}
    ),
    "hiera.yaml": ReadFile("hiera.yaml", ("lookup", "m::p", "--node", "a"), text(HIERA), {}),
    "data": ReadFile(
        "data/common.yaml",
        ("lookup", "m::p", "--node", "a", "--explain"),
        text("m::p: {a: [1, '%{facts.os.family}']}\nlookup_options:\n  m::p: {merge: {strategy: deep}}\n"),
        {"hiera.yaml": HIERA},
    ),
    "facts": ReadFile(
        "facts/a.json",
        ("compile", "--node", "a", "--facts", "facts/a.json"),
        text('{"os": {"family": "Debian", "release": {"major": "12"}}, "trusted": {"certname": "a"}}'),
        {},
    ),
    "facts in YAML": ReadFile(
        "facts/b.yaml",
        ("compile", "--node", "a", "--facts", "facts/b.yaml"),
        text("name: a\nvalues:\n  os: {family: Debian}\n  n: 5\n"),
        {},
    ),
    "onceover.yaml": ReadFile(
        "spec/onceover.yaml", ("compile", "--nodes"), text(ONCEOVER), {}
    ),
    "type in Ruby": ReadFile(
        "modules/m/lib/puppet/type/t.rb",
        ("compile", "-e", "t { 'a': b => 1 }", "--node", "a"),
        text('Puppet::Type.newtype(:t) do\n  newparam(:name)\n  newparam(:b) { newvalues(1, "\\u{41}") }\nend\n'),
        {},
    ),
    "catalogs of nodes": ReadFile(
        "stored/a.json",
        ("query", "resources { type = 'Notify' }", "--storedconfigs", "stored"),
        text(json.dumps(CATALOG)),
        {},
    ),
    "data in JSON": ReadFile(
        "data/a.json",
        ("lookup", "m::p", "--node", "a", "--explain"),
        text('{"m::p": {"a": [1, "%{facts.os.family}"]}, "lookup_options": {"m::p": {"merge": "deep"}}}'),
        {"hiera.yaml": DATA_KINDS},
    ),
    "data in HOCON": ReadFile(
        "data/a.conf",
        ("lookup", "m::p", "--node", "a", "--merge", "hash"),
        text('"m::p" { a = [1, ${x}] }\nx = "y"\nx = ${x}z\n'),
        {"hiera.yaml": DATA_KINDS},
    ),
    "data of an environment of Puppet 3": ReadFile(
        "hiera.yaml",
        ("lookup", "m::p", "--node", "a", "--hiera-config", "hiera.yaml"),
        text("---\n:backends: [yaml]\n:hierarchy: [common]\n:yaml: {:datadir: data}\n"),
        {},
    ),
    "classifier": ReadFile(
        "nodes.yaml",
        (*COMPILE, "--node-terminus", "yaml", "--external-nodes", "nodes.yaml"),
        text('{"classes": {"m": {"p": 1}}, "parameters": {"x": [1]}, "environment": "production"}'),
        {},
    ),
    "external facts": ReadFile(
        "facts.d/a.json", FACTS, text('{"a": {"b": [1, null, "x"]}, "os": 1}'), {}
    ),
    "external facts in YAML": ReadFile("facts.d/a.yaml", FACTS, text("a: {b: [1, x]}\n"), {}),
    "external facts in text": ReadFile("facts.d/a.txt", FACTS, text("a=b\nc = d\n"), {}),
    "task": ReadFile(
        "modules/m/tasks/t.json",
        ("validate", "modules/m"),
        text('{"description": "t", "parameters": {"a": {"type": "String[1]", "sensitive": true}}}'),
        {"modules/m/tasks/t.sh": "#!/bin/sh\n"},
    ),
    "function in Ruby": ReadFile(
        "modules/m/lib/puppet/functions/m/f.rb",
        (*COMPILE, "-e", "notice(m::f('a'))"),
        text(
            "Puppet::Functions.create_function(:'m::f') do\n  dispatch :f do\n"
            "    param 'String', :a\n  end\n  def f(a)\n    a + \"\\u{41}\"\n  end\nend\n"
        ),
        {},
    ),
    "function in Puppet": ReadFile(
        "modules/m/functions/f.pp",
        (*COMPILE, "-e", "notice(m::f('a'))"),
        text('function m::f(String $a) >> String {\n  "${a} \\u{41}"\n}\n'),
        {},
    ),
    "type alias": ReadFile(
        "modules/m/types/t.pp",
        (*COMPILE, "-e", "notice('a' =~ M::T)"),
        text("type M::T = Pattern[/\\Aa/, 'b']\n"),
        {},
    ),
    "ERB": ReadFile(
        "modules/m/templates/a.erb",
        (*COMPILE, "-e", "notice(template('m/a.erb'))"),
        text('<% if true -%>\na <%= "\\u{41}" %>\n<% end -%>\n'),
        {},
    ),
    "EPP": ReadFile(
        "modules/m/templates/a.epp",
        (*COMPILE, "-e", "notice(epp('m/a.epp', { 'x' => 1 }))"),
        text('<%- | Integer $x | -%>\n<% if $x { -%>\na <%= "\\u{41}" %>\n<% } -%>\n'),
        {},
    ),
    "manifest": ReadFile(
        "manifests/site.pp",
        (*COMPILE,),
        text("node 'a' { notify { \"a\\u{41}\": message => @(E) }\n  x\n  | E\n}\n"),
        {},
    ),
}  # fmt: skip
"""The files by subject."""


def damages(content: str) -> Iterator[tuple[str, bytes | None]]:
    """Yield damaged forms of a content, each with a name; None stands for a directory."""
    encoded = content.encode("utf-8", "surrogatepass")
    yield "a directory", None
    yield "empty", b""
    yield "not UTF-8", encoded + b"\xff\xfe\n"
    yield "not UTF-8 at the start", b"\xff" + encoded
    yield "a byte order mark", b"\xef\xbb\xbf" + encoded
    yield "UTF-16", content.encode("utf-16", "replace")
    yield "NUL at the end", encoded + b"\0"
    yield "CR", encoded.replace(b"\n", b"\r")
    yield "nothing but brackets", b"[" * 100_000
    yield "nested", b"[" * 5_000 + b"]" * 5_000
    yield "nested hashes", b'{"a":' * 5_000 + b"1" + b"}" * 5_000
    yield "a huge number", b"9" * 50_000
    yield "an open quote", encoded + b"'a"
    yield "an open double quote", encoded + b'"a\\u{110000}'
    yield "an escape of no character", encoded.replace(b"41", b"110000") + b'\n"\\u{110000}\\ud800"'
    for part in range(1, 8):
        cut = len(encoded) * part // 8
        yield f"cut at {cut}", encoded[:cut]
        yield f"NUL at {cut}", encoded[:cut] + b"\0" + encoded[cut:]
        yield f"a sign at {cut}", encoded[:cut] + b"\xc3" + encoded[cut:]
    yield from damaged_values(content)


def damaged_values(content: str) -> Iterator[tuple[str, bytes]]:
    """Yield JSON with each of its parts missing, or replaced by each odd value."""
    try:
        data = json.loads(content)
    except ValueError:
        return
    for value in ODD:
        yield f"all is {value!r:.20}", encoded(value)
    for place in list(places(data)):
        yield f"without {place}", encoded(changed(data, place, None, drop=True))
        for value in [*ODD, *RICH]:
            yield f"{place} is {value!r:.20}", encoded(changed(data, place, value))


def encoded(value: Value) -> bytes:
    """Return a value as JSON in one line, as saved plans are."""
    return json.dumps(value, separators=(",", ":")).encode()


def changed(data: Value, place: Sequence[Any], value: Value, *, drop: bool = False) -> Value:
    """Return a copy of data with another value at a place, or without it."""
    data = copy.deepcopy(data)
    *way, last = place
    parent = data
    for step in way:
        parent = parent[step]
    if drop:
        del parent[last]
    else:
        parent[last] = value
    return data


def finds(name: str, folder: Path, start: int, *, inputs: int | None = None) -> list[str]:
    """Return the damages of a file that cause an internal error.

    All are tried, or ``inputs`` of them at equal distances.
    """
    shutil.rmtree(folder, ignore_errors=True)
    file = FILES[name]
    for path, content in {**SITE, **file.files}.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content, "utf-8")
    found = []
    with contextlib.chdir(folder):
        place = Path(file.path)
        place.parent.mkdir(parents=True, exist_ok=True)
        content = file.make()
        every = list(damages(content))
        step = 1 if inputs is None else max(1, len(every) // inputs)
        for what, damaged in every[start % step :: step]:
            put(place, damaged)
            code, output = run(file.words)
            if code not in range(7) or any(one in output for one in INTERNAL):
                found.append(f"{name}, {what}: {code} {output[-300:]}")
    return found


def put(place: Path, content: bytes | None) -> None:
    """Write a content to a path, or make a directory there."""
    if place.is_dir():
        shutil.rmtree(place)
    if content is None:
        place.unlink(missing_ok=True)
        place.mkdir()
    else:
        place.write_bytes(content)
