"""Where the fuzzer begins: texts of the tests, the examples, the documents, and of installed modules."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from support.language import read_cases

REPOSITORY = Path(__file__).parents[3]
TESTS = REPOSITORY / "tests"
INSTALLED = Path("/usr/share/puppet/modules")
LONGEST = 5000
"""Bytes of a seed; longer ones slow all inputs down."""
FENCE = re.compile(r"```puppet\n(.*?)```", re.DOTALL)
RISKY = re.compile(
    rb"`|%x|system|exec|fork|spawn|popen|unlink|FileUtils|File\.(write|open|delete|rename)|IO\.|"
    rb"rm |kill|Process|generate|Socket|Net::|Dir\.|require ['\"](?!puppet)|hang"
)
"""Words of seeds that Ruby would run on this machine; such seeds are left out."""


def seeds(kind: str, *, installed: bool = False) -> list[bytes]:
    """Return the seeds of a kind in a fixed order, those of installed modules only on demand."""
    found = list(own_seeds(kind))
    if installed:
        found += installed_seeds(kind)
    return found


@cache
def own_seeds(kind: str) -> tuple[bytes, ...]:
    """Return the seeds of a kind that stand in this repository."""
    texts = {text: None for text in READERS[kind]() if 0 < len(text) <= LONGEST}
    if kind in {"erb", "ruby_functions_4", "ruby_functions_3", "ruby_types"}:
        return tuple(text for text in texts if not RISKY.search(text))
    return tuple(texts)


@cache
def installed_seeds(kind: str) -> tuple[bytes, ...]:
    """Return the seeds of a kind from the modules on this machine."""
    patterns = {
        "manifests": r"/manifests/.*\.pp$",
        "epp": r"\.epp$",
        "erb": r"\.erb$",
        "ruby_types": r"/lib/puppet/type/[^/]+\.rb$",
        "ruby_functions_4": r"/lib/puppet/functions/.*\.rb$",
        "ruby_functions_3": r"/lib/puppet/parser/functions/.*\.rb$",
        "metadata": r"/metadata\.json$",
        "hiera_data": r"/data/.*\.yaml$",
        "hiera_configuration": r"/hiera\.yaml$",
    }
    if kind not in patterns or not INSTALLED.is_dir():
        return ()
    wanted = re.compile(patterns[kind])
    found = []
    for folder, folders, names in os.walk(INSTALLED, followlinks=True):
        folders[:] = sorted(one for one in folders if one not in {"spec", "examples", ".git"})
        for name in sorted(names):
            path = Path(folder, name)
            if wanted.search(str(path)) and path.is_file() and path.stat().st_size <= LONGEST:
                content = path.read_bytes()
                if content and not RISKY.search(content):
                    found.append(renamed(kind, content))
    return tuple(found[:: max(1, len(found) // 400)])


def renamed(kind: str, content: bytes) -> bytes:
    """Return Ruby code under the names that the manifests of the fuzzer use."""
    for one, pattern, name in NAMES:
        if kind == one:
            content = re.sub(pattern, name, content, count=1)
    return content


NAMES = (
    ("ruby_types", rb"newtype\s*\(?\s*:\w+\s*\)?", b"newtype(:x)"),
    ("ruby_functions_4", rb"create_function\(\s*:['\"]?[\w:]+['\"]?", b"create_function(:'m::f'"),
    ("ruby_functions_3", rb"newfunction\(\s*:['\"]?\w+['\"]?", b"newfunction(:f"),
)


def files(pattern: str, *folders: str) -> Iterator[bytes]:
    """Yield the files of the repository's folders."""
    for folder in folders:
        for path in sorted((REPOSITORY / folder).rglob(pattern)):
            if path.is_file():
                yield path.read_bytes()


def data(name: str) -> Any:
    """Return a JSON file of the tests."""
    path = TESTS / "data" / name
    content = path.read_bytes()
    return json.loads(content)


def entries(name: str) -> Iterator[bytes]:
    """Yield the texts of a file in which lines ``==>`` follow them."""
    for part in re.split(r"(?m)^==>.*\n+", (TESTS / "syntax" / name).read_text("utf-8", "replace")):
        yield part.strip("\n").encode("utf-8", "surrogateescape")


def documented() -> Iterator[bytes]:
    """Yield the Puppet code of the documents and of the built-in functions."""
    for folder in ("docs", "src/bunraku/functions"):
        for path in sorted((REPOSITORY / folder).rglob("*")):
            if path.suffix in {".md", ".py"}:
                yield from (text.encode() for text in FENCE.findall(path.read_text("utf-8")))


def manifests(old: bool = False) -> Iterator[bytes]:
    """Yield manifests, those of Puppet 3 first or alone."""
    for case in read_cases_of_all():
        if not old or case.language != "8":
            yield case.code.encode("utf-8", "surrogateescape")
    yield from entries("puppet_3_forms.txt")
    yield from files("*.pp", "tests/migrate", "tests/catalogs")
    if not old:
        yield from entries("forms.txt")
        yield from files("*.pp", "tests/reports", "examples", "tests/data")
        yield from documented()
        yield from (one["text"].encode("utf-8", "surrogateescape") for one in crashers())
        snippets = (TESTS / "data" / "functions_core_snippets.txt").read_bytes()
        yield from (b"notice(" + line + b")" for line in snippets.splitlines()[::6])


def crashers() -> list[dict[str, Any]]:
    """Return the earlier finds."""
    found: list[dict[str, Any]] = json.loads((TESTS / "syntax" / "crashers.json").read_text())
    return found


@cache
def read_cases_of_all() -> list[Any]:
    """Return the cases of ``tests/language``."""
    return [case for path in sorted((TESTS / "language").glob("*.pp")) for case in read_cases(path)]


def erb() -> Iterator[bytes]:
    yield from (one[0].encode("utf-8", "surrogateescape") for one in data("erb_cases.json"))
    yield from files("*.erb", "tests/data", "tests/catalogs")
    for text in ERB:
        yield text.encode()


def hiera_files(pattern: str) -> Callable[[], Iterator[bytes]]:
    """Return a reader of the Hiera files of the recorded lookups whose names match."""

    def read() -> Iterator[bytes]:
        for case in (*data("hiera_lookups.json"), *data("hiera_manifests.json")):
            for name, text in case["files"].items():
                if re.search(pattern, name) and isinstance(text, str):
                    yield text.encode("utf-8", "surrogateescape")
        folder = TESTS / "data" / "functions_modules"
        yield from (
            path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and re.search(pattern, str(path))
        )
        yield from (text.encode() for text in EXTRA.get(pattern, ()))

    return read


ERB = (
    "<% if @kernel == 'Linux' -%>\nx=<%= @n + 1 %>\n<% end -%>\n",
    "<%= scope['facts']['os']['name'] %> <%= scope.lookupvar('::kernel') %>\n",
    "<% @list.each do |i| -%>\n<%= i %>\n<% end -%>\n<%# comment %><%% literal %%>\n",
    "<%= scope.call_function('sprintf', ['%d', 3]) %><%= scope.function_template(['m/t.erb']) %>",
    "<% h = { 'a' => 1, :b => [1, 2] } -%><%= h.map { |k, v| \"#{k}=#{v}\" }.sort.join(',') %>",
    "<%= @title.gsub(/[aeiou]/) { |m| m.upcase } rescue 'x' %><%= '%05.2f' % 3.14159 %>",
)
CONFIGURATIONS = (
    (
        "version: 5\ndefaults:\n  datadir: data\n  data_hash: yaml_data\nhierarchy:\n- name: a\n"
        '  path: "%{facts.kernel}.yaml"\n- name: b\n  paths: [a.yaml, b.json]\n- name: c\n'
        "  glob: '*.yaml'\n- name: d\n  mapped_paths: [list, i, '%{i}.yaml']\n"
    ),
    (
        "version: 5\nhierarchy:\n- name: e\n  lookup_key: eyaml_lookup_key\n  path: s.eyaml\n  options:\n"
        "    pkcs7_private_key: key.pem\n    pkcs7_public_key: cert.pem\n- name: h\n  data_hash: hocon_data\n"
        "  path: c.conf\n- name: j\n  data_hash: json_data\n  path: b.json\n  datadir: data\n"
    ),
    (
        "version: 5\nhierarchy:\n- name: f\n  data_dig: m::dig\n  uri: http://x/%{kernel}\n"
        "- name: g\n  lookup_key: m::f\n  options: { a: 1 }\ndefault_hierarchy:\n- name: z\n  path: z.yaml\n"
    ),
    (
        "version: 4\ndatadir: data\nhierarchy:\n- name: a\n  backend: yaml\n  path: common\n- backend: json\n"
        "  name: b\n  paths: [x, y]\n"
    ),
    (
        "---\n:backends:\n  - yaml\n  - json\n:yaml:\n  :datadir: data\n:json:\n  :datadir: data\n:hierarchy:\n"
        "  - '%{::kernel}'\n  - common\n:merge_behavior: deeper\n:deep_merge_options:\n  :knockout_prefix: '--'\n"
        ":logger: console\n"
    ),
    ":backends: [yaml, eyaml]\n:hierarchy: common\n:yaml: {:datadir: 'data/%{environment}'}\n",
)
DATA_FILES = (
    (
        "k1: [1, 2]\nk2: \"%{lookup('k1')}\"\nlookup_options:\n  k1: { merge: unique }\n  '^k': { convert_to:"
        " Integer }\nm::a: \"%{facts.os.name} %{alias('k1')}\"\nm::b: 3\nclasses: [m]\n"
    ),
    (
        "m::deep: &d { a: { b: 1 }, c: [x, y] }\nother: { <<: *d, e: 2001-01-01, f: 1_000, g: 0o17, h: ~ }\n"
        "k1: \"%{literal('%')}{x} %{hiera(\"k2\")} %{scope('kernel')}\"\nk2: |\n  text\n  of lines\n"
    ),
    (
        "k1: ENC[PKCS7,MIIBeQYJKoZIhvcNAQcDoIIBajCCAWYCAQAxggEhMIIBHQIBADAFMAACAQE=]\nk2: >\n  ENC[PKCS7,\n"
        "  Zm9v]\nm::a: 'x ENC[GPG,hQIMA] y ENC[x'\n"
    ),
)
EXTRA = {r"hiera\.yaml$": CONFIGURATIONS, r"data/.*\.e?yaml$": DATA_FILES}
HOCON = (
    'k1 = [1, 2]\nk2 { a = ${k1}, b += 3 }\nm.a : "x"${?nope} y\ninclude "other.conf"\n# c\n',
    '{"k1": """a\nb""", k2: 10 seconds, m { a: null, "b.c": true } }\nk1 = ${k2}${k2}\n',
)
METADATA = (
    (
        '{"name": "a-m", "version": "1.2.3", "author": "a", "license": "Apache-2.0", "summary": "s", "source":'
        ' "https://x/y", "dependencies": [{"name": "puppetlabs/stdlib", "version_requirement": ">= 4.0.0 < 10.0.0"}],'
        ' "requirements": [{"name": "puppet", "version_requirement": ">= 7.0.0 < 9.0.0"}],'
        ' "operatingsystem_support": [{"operatingsystem": "Debian", "operatingsystemrelease": ["11", "12"]}],'
        ' "tags": ["x"], "data_provider": null}'
    ),
    (
        '{"name": "puppetlabs-stdlib", "version": "9.4.0", "author": "x", "license": "x", "summary": "",'
        ' "source": "", "dependencies": []}'
    ),
)
PROJECT_FILES = (
    (
        "modulepath = site:modules:$basemodulepath\nmanifest = manifests/site.pp\nconfig_version = /bin/true\n"
        "environment_timeout = unlimited\n# c\n"
    ),
    (
        "[main]\nstrict = warning\nhiera_config = $confdir/hiera.yaml\nenvironmentpath = $codedir/environments\n"
        "[server]\nbasemodulepath = /x:$codedir/modules\nparser = future\n[agent]\nnoop = true\n"
    ),
    (
        'strict = "warning"\nlanguage = "8"\nmodulepath = ["modules", "site"]\nmanifest = "manifests"\njobs = 1\n'
        'exclude = ["vendor/**"]\nhiera_config = "hiera.yaml"\n[settings]\nnoop = true\n'
    ),
    (
        "forge 'https://forgeapi.puppet.com'\nmoduledir 'vendor'\nmod 'puppetlabs/stdlib', '9.0.0'\n"
        "mod 'm',\n  :git => 'https://x/y.git',\n  :ref => 'main'\nmod('apache')\n"
    ),
    (
        '[tool.bunraku]\nfacts = "facts.json"\nhiera_config = "hiera.yaml"\nenvironment = "x"\ntasks = false\n'
        "[tool.bunraku.settings]\nnoop = false\n"
    ),
    "mod 'a-b', local: true\nmod \"c/d\", :latest\n#mod 'e'\nmoduledir \"modules\"\n",
)
FACTS = (
    (
        '{"kernel": "Linux", "os": {"name": "Debian", "family": "Debian", "release": {"major": "12", "full":'
        ' "12.5"}}, "networking": {"ip": "10.0.0.1", "interfaces": {"eth0": {"ip": "10.0.0.1", "mac":'
        ' "00:11:22:33:44:55"}}}, "n": 3, "list": [1, null, "x"], "processors": {"count": 4}}'
    ),
    (
        '{"name": "web1", "values": {"kernel": "Linux", "memorysize_mb": "1024.50", "is_virtual": true,'
        ' "trusted": {"a": 1}, "clientcert": "web1"}, "timestamp": "2024-01-01", "expiration": null}'
    ),
    (
        "--- !ruby/object:Puppet::Node::Facts\nname: web1\nvalues:\n  kernel: Linux\n  os: {name: Debian}\n"
        "  uptime_days: 12\n  :symbol: x\n  when: 2024-01-01 10:00:00\ntimestamp: 2024-01-01\n"
    ),
    "role=web\n# comment\nrack = 7\nos.name=X\n=\n a=b=c\n",
    (
        "authenticated: remote\ncertname: web1.example.com\nextensions: {pp_role: web}\nhostname: web1\n"
        "domain: example.com\nexternal: {}\n"
    ),
    "osfamily: Debian\nlsbdistcodename: bookworm\ninterfaces: eth0,lo\nipaddress_eth0: 10.0.0.1\n",
)
QUERIES = (
    'inventory[certname] { facts.os.family = "RedHat" and facts.up < 5 }',
    'resources[certname, title] { type = "User" and exported = true or not tag = "x" }',
    "resources[type, count()] { group by type order by count desc limit 2 offset 1 }",
    'facts[certname, value] { name = "os" and certname in nodes[certname] { deactivated is null } }',
    'fact-contents { path ~> ["os", ".*"] and value ~ "^a\\"b" }',
    'inventory { resources { type = "Class" and title = "Nginx" } }',
    "resources[title] { (type, title) in resources[type, title] { parameters.uid >= 5.5 } }",
    (
        '["from", "nodes", ["extract", ["certname", ["function", "count"]], ["~", "certname", "^web"],'
        ' ["group_by", "certname"]], ["limit", 1], ["order_by", [["certname", "desc"]]]]'
    ),
    (
        '["from", "resources", ["and", ["=", ["parameter", "uid"], 5], ["in", ["type", "title"], ["extract",'
        ' ["type", "title"], ["select_resources", ["=", "exported", true]]]]]]'
    ),
    (
        '["from", "facts", ["or", ["null?", "value", false], ["not", [">", "value", 3]],'
        ' ["subquery", "nodes", ["=", "certname", "web1"]], ["array", [1]]]]'
    ),
    'nodes[] { facts."k.x"."a.b"[0] = 1 }',
)
CLASSIFIED = (
    "classes:\n  m: {a: 1, b: 2}\n  m::other:\nparameters: {p: 1, q: [x]}\nenvironment: production\n",
    "---\nclasses: [m, m::base]\nenvironment: test\n",
    ":classes: m\n:parameters:\n  :x: !ruby/sym y\n",
    '{"classes": {"m": null}, "parameters": {"deep": {"a": [1, {"b": null}]}}, "name": "web1"}',
)
REQUESTS = (
    (
        '{"id": "1", "code": "notice(1 + 2) notify { \'a\': message => $x }", "settings": {"strict": "off",'
        ' "strict_variables": false}, "facts": {"kernel": "Linux"}}'
    ),
    (
        '{"id": "2", "code": "include m", "modules": {"m/manifests/init.pp": "class m($p) { notice($p) }",'
        ' "hiera.yaml": "version: 5", "data/common.yaml": "m::p: 1"}, "node_classes": {"m": {"p": 3}}}'
    ),
    '{"id": "3", "do": "pn", "code": "<%= 1 %>", "epp": true, "language": "3.8", "follow": "documents"}',
    (
        '{"id": "4", "path": "site.pp", "modulepath": ["modules"], "node": "web1", "trusted": {"certname": "x"},'
        ' "server_facts": {"serverversion": "8"}, "timeout": 3, "as_file": true, "language": "3.0"}'
    ),
    '{"id": "5", "code": {"__bytes": "bm90aWNlKDEp"}, "facts": {"f": {"__float": "NaN"}}}',
)
STORED = (
    '{"certname": "n", "facts": {"data": [{"name": "os", "value": {"a": 1}}]}, "environment": "production"}',
    (
        '[{"certname": "n", "type": "User", "title": "b", "exported": true, "tags": ["x"], "parameters":'
        ' {"uid": 1, "groups": ["a"], "require": "File[/a]"}, "line": 3, "file": "/a.pp"}]'
    ),
    (
        '{"document_type": "Catalog", "data": {"name": "n", "resources": [{"type": "M::D", "title": "t",'
        ' "exported": true, "parameters": {"v": {"__ptype": "Sensitive", "__pvalue": "x"}}}], "edges":'
        ' [{"source": "Stage[main]", "target": "Class[Main]"}]}}'
    ),
    '{"name": "web1", "values": {"os": {"family": "RedHat"}, "up": 3}}',
)
CATALOG = {
    "tags": ["settings", "web1"],
    "name": "web1",
    "version": 1,
    "environment": "production",
    "resources": [
        {"type": "Stage", "title": "main", "tags": ["stage"], "exported": False},
        {"type": "Class", "title": "M", "tags": ["class", "m"], "line": 3, "file": "/s.pp"},
        {
            "type": "File",
            "title": "/a",
            "tags": ["file"],
            "exported": False,
            "parameters": {
                "ensure": "file",
                "content": "a\nb\n",
                "mode": "0644",
                "n": [1, 2.5, None],
            },
            "sensitive_parameters": ["content"],
        },
        {
            "type": "Notify",
            "title": "x",
            "parameters": {
                "message": {"__ptype": "Regexp", "__pvalue": "a.b"},
                "require": "File[/a]",
            },
        },
    ],
    "edges": [
        {"source": "Stage[main]", "target": "Class[M]"},
        {"source": "Class[M]", "target": "File[/a]"},
        {"source": "Class[M]", "target": "Notify[x]"},
    ],
    "classes": ["settings", "m"],
}
RUBY_TYPES = (
    (
        "Puppet::Type.newtype(:x) do\n  @doc = 'd'\n  ensurable\n  newparam(:name, :namevar => true) do\n"
        "    desc 'n'\n    validate do |v|\n      raise ArgumentError, 'bad' unless v =~ /^\\w+$/\n    end\n"
        "    munge { |v| v.to_s.downcase }\n  end\n  newproperty(:size, :array_matching => :all) do\n"
        "    newvalues(:small, /^b/, :present)\n    aliasvalue(:big, :present)\n    defaultto :small\n  end\n"
        "  newparam(:flag, :boolean => true, :parent => Puppet::Parameter::Boolean)\n  feature :f, 'x'\n"
        "  autorequire(:file) { ['/a'] }\n  validate { fail('no') if self[:size].nil? }\nend\n"
    ),
    (
        "Puppet::Type.newtype(:x) do\n  def self.title_patterns\n    [[/^(.+):(.+)$/m, [[:name, lambda { |x| x }],"
        " [:size]]], [/(.*)/m, [[:name]]]]\n  end\n  newparam(:name) { isnamevar }\n  newparam(:size) do\n"
        "    isnamevar\n    defaultto { 'x' }\n  end\n  [:a, 'b'].each do |p|\n    newproperty(p) do\n"
        '      desc "the #{p}"\n    end\n  end\nend\n'
    ),
    (
        "require 'puppet/resource_api'\nPuppet::ResourceApi.register_type(\n  name: 'x',\n  docs: 'd',\n"
        "  features: ['simple_get_filter'],\n  title_patterns: [{ pattern: %r{^(?<name>.*)$}, desc: 'x' }],\n"
        "  attributes: {\n    name: { type: 'String', behaviour: :namevar },\n    ensure: { type:"
        " 'Enum[present, absent]', default: 'present' },\n    size: { type: 'Optional[Integer[0, 3]]' },\n  },\n)\n"
    ),
)
FUNCTIONS_4 = (
    (
        "Puppet::Functions.create_function(:'m::f') do\n  dispatch :one do\n    param 'String', :a\n"
        "    optional_param 'Integer', :b\n    return_type 'Any'\n  end\n  dispatch :two do\n"
        "    repeated_param 'Any', :r\n    optional_block_param 'Callable', :blk\n  end\n"
        "  def one(a, b = 1)\n    h = { 'k' => a, :s => b }\n    h.map { |k, v| [k.to_s, v] }.to_h.merge({ 'x' => a[0, 2] })\n"
        "  end\n  def two(*r)\n    return r.flatten.compact.sort_by { |i| i.to_s } if r.size > 1\n"
        "    block_given? ? yield(r) : r.first\n  end\nend\n"
    ),
    (
        "Puppet::Functions.create_function(:'m::f') do\n  local_types do\n    type 'L = Variant[String, Integer]'\n"
        "  end\n  dispatch :f do\n    scope_param\n    param 'L', :x\n  end\n  def f(scope, x)\n"
        "    case x\n    when /^(\\d+)$/ then $1.to_i\n    when Integer then x + 1\n    else\n"
        "      call_function('upcase', x.to_s) rescue raise(Puppet::ParseError, \"bad #{x}\")\n    end\n  end\nend\n"
    ),
    (
        "Puppet::Functions.create_function(:'m::f', Puppet::Functions::InternalFunction) do\n"
        "  def f(*args)\n    out = []\n    args.each_with_index do |a, i|\n      next if a.nil?\n"
        "      out << \"#{i}:#{a}\".center(9, '*').tr('a-c', 'x') unless i == 7\n    end\n"
        "    out.join(', ').split(/,\\s*/).uniq.each_slice(2).to_a\n  end\n  def m(x) = f(x)\nend\n"
    ),
)
FUNCTIONS_3 = (
    (
        "module Puppet::Parser::Functions\n  newfunction(:f, :type => :rvalue, :arity => -1, :doc => 'd') do |args|\n"
        "    raise(Puppet::ParseError, 'few') if args.size < 1\n    x = args[0]\n"
        "    x = lookupvar('kernel') if x.nil? or x == :undef\n"
        "    function_notice([x.to_s])\n    x.is_a?(Hash) ? x.keys.sort : [x, args.length].inspect\n  end\nend\n"
    ),
    (
        "Puppet::Parser::Functions::newfunction(:f, :type => :rvalue) do |vals|\n"
        "  a, b = vals\n  result = {}\n  a.each { |k, v| result[k] = b.nil? ? v : v.to_s + b } if a.respond_to?(:each)\n"
        "  begin\n    Integer(b)\n  rescue ArgumentError, TypeError => e\n    result['e'] = e.class.name\n  end\n"
        "  result.to_a.flatten(1).reverse\nend\n"
    ),
)
FORMATS = (
    "sprintf('%-5.2f|%+x|%#o|%s|%<a>d|%{a}|%%', 3.14)",
    "strftime(Timestamp(0), '%Y-%m-%dT%H:%M:%S.%3N %z %-d %^a %j %%')",
    "String(Timespan(90061), '%D-%H:%M:%S.%-L')",
    "'aXb1' =~ /(?<n>[[:alpha:]]+)\\h(?=\\d)|(?i:x)?\\z/",
    "regsubst('abc', '(.)(b)', '<\\2\\1\\0>', 'GI')",
    "scanf('12 ab', '%d %2s%c')",
    "String([1, { a => 2.5 }], { Array => { format => '%#(a', separator => ';', string_formats => { Integer => '%#x' } } })",
    "versioncmp('1.10', '1.9') + Integer('0x1f', 16) + Float('1e3')",
    "SemVer('1.2.3-rc1+b') =~ SemVerRange('>=1.0.0 <2.0.0 || ~3.1')",
    "Binary('YQ==', '%B') =~ Binary",
    "new(Timestamp, '2016-10-04 12:00', '%Y-%m-%d %H:%M', 'CET')",
    "split('a,b;c', '[,;]') + 'x'.match(/(x)|y/)",
    "URI('http://u@h:8/p?q#f')['host']",
    "Regexp('a+b') =~ Type[Regexp]",
)


def formats() -> Iterator[bytes]:
    """Yield expressions with formats, patterns and times."""
    yield from (text.encode() for text in FORMATS)
    for text, values, _ in data("sprintf_cases.json")[::40]:
        quoted = text.replace("\\", "\\\\").replace("'", "\\'")
        shown = ", ".join(json.dumps(one).replace("null", "undef") for one in values)
        yield f"sprintf('{quoted}', {shown})".encode()
    for row in data("regexp_cases.json")[::40]:
        escaped = row[0].replace("/", "\\/")
        yield f"'aab1' =~ /{escaped}/".encode()
    for row in data("strftime_cases.json")[::40]:
        quoted = row[2].replace("\\", "\\\\").replace("'", "\\'")
        yield f"strftime({row[0]}({row[1]!r}), '{quoted}')".encode()


def literal(*texts: str) -> Callable[[], Iterator[bytes]]:
    """Return a reader of texts."""
    return lambda: (text.encode() for text in texts)


def stored() -> Iterator[bytes]:
    yield from (text.encode() for text in STORED)
    yield from (json.dumps(one).encode() for one in data("exported.json")["store"])
    yield json.dumps(CATALOG).encode()


def catalogs() -> Iterator[bytes]:
    yield json.dumps(CATALOG, indent=1).encode()
    yield json.dumps({"data": CATALOG, "document_type": "Catalog"}).encode()
    for content in files("catalog.json", "tests/catalogs"):
        catalog = json.loads(content)
        catalog["edges"] = [
            {"source": one[0], "target": one[1]} if isinstance(one, list) else one
            for one in catalog.get("edges", [])
        ]
        yield json.dumps(
            {"name": "n", "environment": "production", "version": 1, **catalog}
        ).encode()


def hocon() -> Iterator[bytes]:
    yield from (row[0].encode() for row in data("hocon.json"))
    yield from (text.encode() for text in HOCON)


def ruby(part: str, *more: str) -> Callable[[], Iterator[bytes]]:
    """Return a reader of Ruby files below a folder of that name."""

    def read() -> Iterator[bytes]:
        yield from (text.encode() for text in more)
        kind = "ruby_functions_3" if "parser" in part else "ruby_functions_4"
        for path in sorted((TESTS / "data").rglob("*.rb")):
            if part in str(path):
                yield renamed(kind, path.read_bytes())

    return read


READERS: dict[str, Callable[[], Iterator[bytes]]] = {
    "manifests": manifests,
    "old_manifests": lambda: manifests(old=True),
    "epp": lambda: iter([*entries("templates.txt"), *files("*.epp", "tests", "examples")]),
    "erb": erb,
    "ruby_types": literal(*RUBY_TYPES),
    "ruby_functions_4": ruby("lib/puppet/functions/", *FUNCTIONS_4),
    "ruby_functions_3": ruby("parser/functions/", *FUNCTIONS_3),
    "hiera_configuration": hiera_files(r"hiera\.yaml$"),
    "hiera_data": hiera_files(r"data/.*\.e?yaml$"),
    "json_data": hiera_files(r"\.json$"),
    "hocon": hocon,
    "metadata": literal(*METADATA),
    "project": literal(*PROJECT_FILES),
    "facts": literal(*FACTS),
    "queries": literal(*QUERIES),
    "stored": stored,
    "catalogs": catalogs,
    "requests": literal(*REQUESTS),
    "classified": literal(*CLASSIFIED),
    "formats": formats,
}
