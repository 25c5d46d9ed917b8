"""Calls of the executable ``puppet``, in a directory with a site, and what they print."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

from bunraku.base.records import record

RECORDED = Path(__file__).parents[1] / "cli/puppet/recorded_calls.json"
MASKS = (
    (re.compile(r"in \d+\.\d\d seconds"), "in N seconds"),
    (re.compile(r'("(?:catalog_uuid|transaction_uuid)":\s*")[0-9a-f-]{36}"'), r'\1UUID"'),
    (re.compile(r'("version":\s*)\d{9,}'), r"\1TIME"),
    (re.compile(r"/tmp/diff[\w-]+"), "TEMPORARY"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( ?[+-]\d\d:?\d\d)?"), "TIME"),
)
"""What differs between two runs: durations, identifiers and times."""
PLACE = "{PLACE}"
MODULE = {
    "name": "example-site",
    "version": "1.2.0",
    "author": "example",
    "license": "Apache-2.0",
    "summary": "A site.",
    "source": "https://example.com/site",
    "project_page": "https://example.com",
}
FILES = {
    "conf/puppet.conf": """\
[main]
environmentpath = {PLACE}/environments
basemodulepath = {PLACE}/shared
certname = web1.example.com
node_name_value = web1.example.com
runinterval = 5m
strict = error
strict_variables = true
color = false
[server]
runinterval = 7
[agent]
# a comment
noop = true
""",
    "conf/puppetdb.conf": "[main]\nserver_urls = http://127.0.0.1:1\n",
    "conf/hiera.yaml": "version: 5\nhierarchy: []\n",
    "environments/production/hiera.yaml": """\
version: 5
defaults:
  datadir: data
  data_hash: yaml_data
hierarchy:
  - name: node
    path: nodes/%{trusted.certname}.yaml
  - name: family
    path: families/%{facts.os.family}.yaml
  - name: common
    path: common.yaml
""",
    "environments/production/data/common.yaml": """\
lookup_options:
  site::packages: {merge: unique}
  site::deep: {merge: {strategy: deep, knockout_prefix: '--'}}
site::greeting: hello
site::packages: [vim, git]
site::deep: {a: {b: 1, list: [z, a]}}
site::hashes: [{a: 1}]
site::number: 7
site::user: "%{facts.os.name} user"
""",
    "environments/production/data/nodes/web1.example.com.yaml": """\
site::greeting: hello web1
site::packages: [nginx, vim]
site::deep: {a: {c: 2, list: ['--z', b]}}
site::hashes: [{b: 2}]
""",
    "environments/production/manifests/site.pp": """\
node default {
  include site
}
""",
    "environments/production/modules/site/metadata.json": json.dumps(
        {
            **MODULE,
            "dependencies": [
                {"name": "puppetlabs/stdlib", "version_requirement": ">= 4.0.0 < 9.0.0"},
                {"name": "example/missing", "version_requirement": ">= 1.0.0"},
                {"name": "example/old", "version_requirement": ">= 2.0.0 < 3.0.0"},
            ],
        }
    ),
    "environments/production/modules/site/manifests/init.pp": """\
class site(String $greeting = 'none') {
  file { '/etc/site':
    ensure  => file,
    content => "${greeting} ${facts['os']['family']}",
  }
  notify { 'done': require => File['/etc/site'] }
}
""",
    "environments/production/modules/site/templates/page.epp": """\
<%- | String $name, Integer $count = 1 | -%>
Hello <%= $name %>, <%= $count %>
""",
    "environments/production/modules/bare/manifests/init.pp": "class bare { }\n",
    "shared/stdlib/metadata.json": json.dumps(
        {**MODULE, "name": "puppetlabs-stdlib", "version": "8.5.0", "dependencies": []}
    ),
    "shared/old/metadata.json": json.dumps(
        {**MODULE, "name": "example-old", "version": "1.0.0", "dependencies": []}
    ),
    "var/yaml/facts/web1.example.com.yaml": """\
--- !ruby/object:Puppet::Node::Facts
name: web1.example.com
values:
  os:
    family: Debian
    name: Debian
  networking:
    fqdn: web1.example.com
""",
    "var/client_yaml/facts/web2.example.com.yaml": """\
--- !ruby/object:Puppet::Node::Facts
name: web2.example.com
values:
  os:
    name: Fedora
""",
    "facts.yaml": "os:\n  family: RedHat\n  name: Rocky\n",
    "facts.json": '{"os": {"family": "RedHat", "name": "Alma"}}\n',
    "facts.txt": "os=RedHat\n",
    "list.yaml": "- 1\n",
    "enc": """\
#!/bin/sh
echo "---
classes: {bare: {}}
parameters: {tier: gold}
environment: production"
""",
    "enc_fails": "#!/bin/sh\necho sorry >&2\nexit 3\n",
    "good.pp": "notice(1)\n",
    "warning.pp": "notice(1) warning('w')\n",
    "tree.pp": """\
# a comment
class web(Integer $port = 80, String *$names) inherits base {
  $list = [1, 'two', 3.5, undef, default, true]
  $hash = { 'a' => $list[0], b => /x+/ }
  file { "/srv/${port}":
    ensure => directory,
    mode   => '0644';
  }
  if $port > 79 and !($port in [80, 443]) { notice("high ${port}") }
  elsif $port == 1 { fail('low') } else { include web::tls }
  unless $x { }
  case $facts['os']['family'] { 'Debian', /deb/: { } default: { } }
  $y = $port ? { 80 => 'http', default => 'other' }
  File <| title == 'x' |> { mode => '0600' }
  Service['a'] -> Package['b'] ~> Exec['c']
  [1, 2].each |$i, $v = 2| { notice($i + $v * -1) }
}
define web::site($root) { }
node 'a', /b/ { }
function web::double(Integer $n) >> Integer { $n * 2 }
type Web::Port = Integer[1, 65535]
File { mode => '0644' }
@user { 'u': }
@@host { 'h': ip => '192.0.2.1' }
""",
    "chain.pp": "notify { 'a': } -> notify { 'b': }\n$x = \"é\\n${1 + 2}\"\n",
    "syntax.pp": "class a {\n  file { '/a': ensure => }\n}\n",
    "several.pp": "1 = 2\n3 = 4\n",
    "unused.pp": "1\n$x = 2\n",
    "unterminated.pp": "notice('a\n",
    "fails.pp": "fail('stop')\n",
    "unknown.pp": "include nix\n",
    "unset.pp": "notice($nix)\n",
    "cycle.pp": "notify { 'a': require => Notify['b'] } notify { 'b': require => Notify['a'] }\n",
    "type.pp": "class c(Integer $x) { } class { 'c': x => 'a' }\n",
    "duplicate.pp": "notify { 'a': }\nnotify { 'a': }\n",
    "exported.pp": "@@notify { 'e': }\nNotify <<| |>>\n",
    "tier.pp": 'notify { "tier ${tier}": }\n',
    "a.epp": "a <%= $x %>\n",
    "bad.epp": "<% if %>\n",
    "kept.txt": "one\ntwo\n",
    "changed.txt": "one\n2\n",
}
"""The site, and right and wrong inputs."""


@record(frozen=True)
class Call:
    """A command line and its standard input."""

    line: str
    stdin: str = ""

    def name(self) -> str:
        """Return the call as a name for tests."""
        return self.line + (f" < {self.stdin!r}" if self.stdin else "")


def called(*lines: str) -> tuple[Call, ...]:
    """Return calls without standard input."""
    return tuple(Call(line) for line in lines)


CALLS = (
    *called(
        "parser validate good.pp",
        "parser validate good.pp tree.pp",
        "parser validate syntax.pp",
        "parser validate several.pp",
        "parser validate unterminated.pp",
        "parser validate unused.pp",
        "parser validate nix.pp",
        "parser validate nix.pp good.pp nix2.pp",
        "parser validate good.pp syntax.pp several.pp",
        "parser validate --render-as json several.pp",
        "parser validate --render-as json good.pp",
        "parser validate --render-as s good.pp",
        "parser validate --nosuch good.pp",
        "parser validate --color=ansi several.pp",
        "parser validate environments",
        "parser nosuch",
        "parser",
        "nosuch",
    ),
    Call("parser validate", "notice(1)\n"),
    Call("parser validate", "notice(\n"),
    Call("parser validate", "1 = 2\n3 = 4\n"),
    *called(
        "parser dump good.pp",
        "parser dump tree.pp",
        "parser dump chain.pp good.pp",
        "parser dump -e '1 + 2'",
        "parser dump --format pn tree.pp",
        "parser dump --format pn --pretty tree.pp",
        "parser dump --format pn chain.pp",
        "parser dump --format pn --pretty chain.pp",
        "parser dump --format json chain.pp",
        "parser dump --format json --pretty chain.pp",
        "parser dump --format nosuch good.pp",
        "parser dump --pretty good.pp",
        "parser dump syntax.pp",
        "parser dump --validate several.pp",
        "parser dump nix.pp",
    ),
    Call("parser dump", "$x = 1\n"),
    Call("parser dump --format pn", "$x = [1, {a => 2}]\n"),
    *called(
        "epp validate a.epp",
        "epp validate bad.epp",
        "epp validate site/page.epp",
        "epp validate nix.epp",
        "epp validate bad.epp bad.epp --continue_on_error",
        "epp render a.epp --values '{x => 1}'",
        "epp render site/page.epp --values '{name => web}'",
        "epp render site/page.epp",
        "epp render -e '<%= 1 + 2 %>'",
        "epp render a.epp a.epp --values '{x => 1}'",
        "epp dump a.epp",
        "epp dump --format pn --pretty a.epp",
        "epp dump --format json a.epp",
        "epp dump -e 'b <%= 1 %>'",
    ),
    Call("epp validate", "<% if %>\n"),
    Call("epp render", "<%= 3 %>\n"),
    *called(
        "catalog compile web1.example.com --facts_terminus=yaml",
        "catalog compile web1.example.com --facts_terminus=yaml --render-as=json",
        "catalog compile web1.example.com --facts_terminus=yaml --render-as=pson",
        "catalog compile web1.example.com --facts_terminus=yaml --render-as=rich_data_json",
        "catalog compile web1.example.com --facts_terminus=yaml --render-as=nosuch",
        "catalog find web1.example.com --facts_terminus=yaml --render-as=json",
        "catalog compile web1.example.com --facts_terminus=yaml --manifest warning.pp",
        "catalog compile web1.example.com --facts_terminus=yaml --manifest fails.pp",
        "catalog compile web1.example.com --facts_terminus=yaml --manifest unknown.pp",
        "catalog compile web1.example.com --facts_terminus=yaml --manifest unset.pp",
        "catalog compile web1.example.com --facts_terminus=yaml --manifest type.pp",
        "catalog compile web1.example.com --facts_terminus=yaml --manifest duplicate.pp",
        "catalog compile web1.example.com --facts_terminus=yaml --manifest syntax.pp",
        "catalog compile web1.example.com --facts_terminus=yaml --environment nosuch",
        "catalog compile other.example.com --facts_terminus=yaml --manifest good.pp --render-as json",
        "catalog compile web1.example.com --facts_terminus=yaml --manifest tier.pp --node_terminus exec --external_nodes {PLACE}/enc --render-as json",
        "catalog compile web1.example.com --facts_terminus=yaml --manifest tier.pp --node_terminus exec --external_nodes {PLACE}/enc_fails",
        "catalog compile web1.example.com --facts_terminus=yaml --manifest tier.pp --node_terminus exec",
        "catalog compile web1.example.com --facts_terminus=yaml --storeconfigs --storeconfigs_backend puppetdb",
        "catalog compile web1.example.com --facts_terminus=nosuch",
        "catalog compile web1.example.com --facts_terminus=yaml --manifest exported.pp --render-as json",
        "catalog compile web1.example.com --nosuch",
        "config print runinterval",
        "config print runinterval --section server",
        "config print --section agent noop runinterval",
        "config print nosuch",
        "config print runinterval noop nosuch",
        "config print runinterval noop --render-as json",
        "config print --section nosuch runinterval",
        "config set noop false --section agent",
        "config print noop --section agent",
        "config set splay true",
        "config set server puppet.example.com --section agent",
        "config set runinterval",
        "config set nosuch 1",
        "config delete noop --section agent",
        "config delete splay --section agent",
        "config print splay server --section agent",
        "config delete nosuch",
        "config delete",
        "config nosuch",
        "module list",
        "module list --tree",
        "module list --modulepath shared",
        "module list --modulepath nosuch",
        "module list --modulepath shared --render-as json",
        "module list --modulepath shared --render-as yaml",
        "module list --nosuch",
        "module",
        "lookup site::greeting",
        "lookup site::packages",
        "lookup site::packages --merge first",
        "lookup site::deep",
        "lookup site::deep --render-as json",
        "lookup site::deep --render-as s",
        "lookup site::deep --merge deep --sort-merged-arrays",
        "lookup site::deep --merge deep --knock-out-prefix=--",
        "lookup site::hashes --merge deep --merge-hash-arrays",
        "lookup site::number --type Integer",
        "lookup site::number --type String",
        "lookup nosuch",
        "lookup nosuch --default text",
        "lookup nosuch site::number",
        "lookup site::user --facts facts.yaml",
        "lookup site::user --facts facts.json --node other.example.com",
        "lookup site::user --facts facts.txt",
        "lookup site::user --facts list.yaml",
        "lookup site::user --facts nix.yaml",
        "lookup site::user --node web2.example.com",
        "lookup site::greeting --node other.example.com --default none",
        "lookup site::greeting --explain",
        "lookup site::packages --explain",
        "lookup site::packages --explain-options",
        "lookup nosuch --explain",
        "lookup site::packages --explain --render-as yaml",
        "lookup site::greeting --compile",
        "lookup site::greeting --environment nosuch",
        "lookup site::greeting --hiera_config conf/hiera.yaml --environmentpath nosuch",
        "lookup site::greeting --merge nosuch",
        "lookup site::greeting --knock-out-prefix x",
        "lookup site::greeting --render-as nosuch",
        "lookup --nosuch site::greeting",
        "lookup",
        "facts show os.nosuch",
        "facts show kernel",
        "facts show --value-only kernel",
        "facts show kernel --render-as yaml",
        "facts find web1.example.com --terminus yaml",
        "facts find web1.example.com --terminus yaml --render-as yaml",
        "facts find web1.example.com --terminus yaml --render-as json",
        "facts find web2.example.com --terminus yaml",
        "facts find web2.example.com --terminus yaml --render-as json",
        "facts find nosuch.example.com --terminus yaml",
        "facts info",
        "facts nosuch",
        "filebucket backup kept.txt --local",
        "filebucket backup kept.txt changed.txt --bucket {PLACE}/bucket",
        "filebucket list --bucket {PLACE}/bucket",
        "filebucket get {SUM} --bucket {PLACE}/bucket",
        "filebucket diff {SUM} changed.txt --bucket {PLACE}/bucket",
        "filebucket restore {PLACE}/back.txt {SUM} --bucket {PLACE}/bucket",
        "filebucket get 0000000000000000000000000000000000000000000000000000000000000000 --bucket {PLACE}/bucket",
        "filebucket backup nix.txt --local",
        "filebucket nosuch --local",
        "filebucket --local",
        "describe --list",
        "describe notify",
        "describe notify --short",
        "describe notify --short --meta",
        "describe service --providers --short",
        "describe nosuch",
        "describe",
        "help",
        "help parser",
        "help parser validate",
        "help nosuch",
        "help parser nosuch",
        "--version",
        "-V",
        "",
    ),
)
"""The calls, one after the other in one directory."""
SUM = "c3f9c8c283a2b1f2f1896f27a01cbe3cddc0c9d93f752e4639035a0f5b36f6e8"


WORDED = ("help", "describe", "filebucket --local")
"""The beginnings of calls that print pages of text: only their exit codes are recorded."""


@record(frozen=True)
class Outcome:
    """The result of a call: its exit code, and its output without what changes."""

    exit: int
    stdout: str
    stderr: str

    def data(self) -> dict[str, Any]:
        """Return the outcome as JSON data."""
        return {"exit": self.exit, "stdout": self.stdout, "stderr": self.stderr}


def prepare(directory: Path) -> None:
    """Write the files that the calls read."""
    for name, text in FILES.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace(PLACE, str(directory)), "utf-8")
    for name in ("enc", "enc_fails"):
        (directory / name).chmod(0o755)


def words(call: Call, directory: Path) -> list[str]:
    """Return the words of a call: its own, and the directories of the site."""
    own = shlex.split(call.line.replace(PLACE, str(directory)).replace("{SUM}", SUM))
    if not own or own[0] in {"help", "--version", "-V"}:
        return own
    return [*own, f"--confdir={directory}/conf", f"--vardir={directory}/var"]


def outcome(call: Call, code: int, stdout: str, stderr: str, directory: Path) -> Outcome:
    """Return the result of a call; of pages of text only what follows them remains."""
    if not call.line or call.line.startswith(WORDED):
        stdout = ""
    return Outcome(code, masked(stdout, directory), masked(stderr, directory))


def masked(text: str, directory: Path) -> str:
    """Return a text without what differs between runs."""
    lines = text.replace(str(directory), PLACE).splitlines(keepends=True)
    text = "".join(line for line in lines if "Error: Facter: " not in line)
    for pattern, mask in MASKS:
        text = pattern.sub(mask, text)
    return text


def recorded() -> dict[str, Outcome]:
    """Return the outcomes of Puppet 7.23, by the name of the call."""
    found = json.loads(RECORDED.read_text("utf-8"))
    return {name: Outcome(**data) for name, data in found.items()}


# -- what differs -----------------------------------------------------------------------------------

WORDS = "messages about code are in words of bunraku, at the same places"
MESSAGES = "messages name more, or other, places"
REFUSED = "exit code 2 says that the command line, not the code, is the reason"
SETTING = "a mistyped setting is an error"
OLD = "the deprecated form of syntax trees is not supported"
BUG = "this Puppet fails to write patterns and ranges in its own notation"
EMPTY = "empty arrays are on one line"
OBJECTS = "the data of the JSON form, not Ruby's objects"
SYMBOLS = "keys are text, not Ruby's symbols"
NAMES = "a difference names what is compared, not temporary files"
TRACE = "Puppet ends with a trace of its Ruby code"
EXPLAINED = "explanations name modules without data, and missing keys, in words of bunraku"
VERSION = "the version is that of the language"
TERMINUS = "this Puppet has no terminus for PuppetDB; bunraku cannot reach it"
KNOWN: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        TERMINUS,
        ("stderr",),
        (
            "catalog compile web1.example.com --facts_terminus=yaml --storeconfigs --storeconfigs_backend puppetdb",
        ),
    ),
    (
        WORDS,
        ("words",),
        (
            "parser validate good.pp tree.pp",
            "parser validate syntax.pp",
            "parser validate several.pp",
            "parser validate unterminated.pp",
            "parser validate unused.pp",
            "parser validate good.pp syntax.pp several.pp",
            "parser validate --render-as json several.pp",
            "parser validate --color=ansi several.pp",
            "parser validate < '1 = 2\\n3 = 4\\n'",
            "epp render site/page.epp",
            "catalog compile web1.example.com --facts_terminus=yaml --manifest tier.pp --node_terminus exec --external_nodes {PLACE}/enc_fails",
            "catalog compile web1.example.com --facts_terminus=yaml --manifest tier.pp --node_terminus exec",
            "lookup site::number --type String",
        ),
    ),
    (
        MESSAGES,
        ("stderr",),
        (
            "parser validate < 'notice(\\n'",
            "epp validate bad.epp",
            "epp validate bad.epp bad.epp --continue_on_error",
            "epp validate < '<% if %>\\n'",
            "lookup site::user --facts list.yaml",
        ),
    ),
    (
        REFUSED,
        ("exit", "stderr"),
        (
            "catalog compile web1.example.com --facts_terminus=nosuch",
            "lookup site::greeting --merge nosuch",
            "lookup site::greeting --knock-out-prefix x",
            "filebucket nosuch --local",
            "filebucket --local",
            "describe nosuch",
            "help nosuch",
            "help parser nosuch",
        ),
    ),
    (
        REFUSED,
        ("exit", "stderr", "stdout"),
        (
            "nosuch",
            "parser dump --format nosuch good.pp",
        ),
    ),
    (
        REFUSED,
        ("exit", "words"),
        (
            "parser validate --nosuch good.pp",
            "parser nosuch",
            "parser",
            "catalog compile web1.example.com --facts_terminus=yaml --render-as=nosuch",
            "catalog compile web1.example.com --nosuch",
            "config nosuch",
            "module list --nosuch",
            "module",
            "lookup site::user --facts facts.txt",
            "lookup site::user --facts nix.yaml",
            "lookup site::greeting --render-as nosuch",
            "lookup --nosuch site::greeting",
            "lookup",
        ),
    ),
    (
        BUG,
        ("exit", "stderr", "stdout"),
        (
            "parser dump --format pn tree.pp",
            "parser dump --format pn --pretty tree.pp",
        ),
    ),
    (
        EMPTY,
        ("stdout",),
        ("parser dump --format json --pretty chain.pp",),
    ),
    (
        EXPLAINED,
        ("stdout",),
        (
            "lookup site::greeting --explain",
            "lookup site::packages --explain",
            "lookup site::packages --explain-options",
            "lookup nosuch --explain",
        ),
    ),
    (
        NAMES,
        ("stdout",),
        ("filebucket diff {SUM} changed.txt --bucket {PLACE}/bucket",),
    ),
    (
        OBJECTS,
        ("stdout",),
        ("module list --modulepath shared --render-as yaml",),
    ),
    (
        OLD,
        ("exit", "stderr", "stdout"),
        (
            "parser dump good.pp",
            "parser dump tree.pp",
            "parser dump chain.pp good.pp",
            "parser dump -e '1 + 2'",
            "parser dump --pretty good.pp",
            "parser dump syntax.pp",
            "parser dump --validate several.pp",
            "parser dump nix.pp",
            "parser dump < '$x = 1\\n'",
            "epp dump a.epp",
            "epp dump -e 'b <%= 1 %>'",
        ),
    ),
    (
        SETTING,
        ("exit", "stderr"),
        ("config set nosuch 1",),
    ),
    (
        SETTING,
        ("exit", "stderr", "stdout"),
        (
            "config print nosuch",
            "config print runinterval noop nosuch",
        ),
    ),
    (
        SETTING,
        ("stderr", "stdout"),
        ("config delete nosuch",),
    ),
    (
        SYMBOLS,
        ("stdout",),
        ("lookup site::packages --explain --render-as yaml",),
    ),
    (
        TRACE,
        ("stderr",),
        (
            "catalog compile web1.example.com --facts_terminus=yaml --environment nosuch",
            "lookup site::greeting --environment nosuch",
        ),
    ),
    (
        VERSION,
        ("stdout",),
        (
            "--version",
            "-V",
        ),
    ),
)
"""Why outcomes differ, which parts of them, and for which calls.

``words`` is standard error with other words: it has as many lines, which name the same places.
"""
PLACES = re.compile(r"\((?:file|line): [^()]*\)")


def known_difference(call: Call) -> set[str]:
    """Return the parts of the outcome of a call that differ for a known reason."""
    return {part for _, parts, names in KNOWN if call.name() in names for part in parts}


def differences(ours: Outcome, theirs: Outcome) -> set[str]:
    """Return the parts of two outcomes that differ."""
    mine, other = ours.data(), theirs.data()
    found = {part for part in other if mine[part] != other[part]}
    if "stderr" in found and shape(ours.stderr) == shape(theirs.stderr):
        found = found - {"stderr"} | {"words"}
    return found


def shape(text: str) -> list[list[str]]:
    """Return the places that each line of a text names."""
    return [PLACES.findall(line) for line in text.splitlines()]
