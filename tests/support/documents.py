"""Everything that bunraku reads: a valid sample of each kind, and its reader.

A reader takes bytes and returns, or raises PuppetError or UsageError. Any other exception is a defect
of bunraku. What can be used afterwards is used and written in all formats, so data which were
let in cannot fail later.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from bunraku.api.compile import Catalog
from bunraku.api.compile import compile as compile_code
from bunraku.base.encoding import encode
from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.source import Source
from bunraku.catalog.compare import compare
from bunraku.catalog.document import read_catalog
from bunraku.catalog.text import catalog_text
from bunraku.checks import kinds
from bunraku.checks.run import check_file
from bunraku.cli.diff.text import FORMATS as DIFF_FORMATS
from bunraku.cli.options.lookups import FORMATS as LOOKUP_FORMATS
from bunraku.cli.output.output import Paint
from bunraku.cli.report.findings import text_report
from bunraku.engine.lookup import Question, look_up
from bunraku.engine.request import Request
from bunraku.facts.documents import facts_in
from bunraku.facts.external import external_facts
from bunraku.formats.json import json_text
from bunraku.formats.yaml_writer import yaml_text
from bunraku.jobs.batch import answer
from bunraku.jobs.comparison import Comparison, NodeComparison
from bunraku.modules.ini import parse_sections
from bunraku.project.config_file import read_config_file
from bunraku.project.puppetfile import read_puppetfile
from bunraku.puppetdb.queries.reading import read_any_query
from bunraku.puppetdb.site.documents import Documents
from bunraku.puppetdb.site.files import FileData, read_files
from bunraku.world.dictionary import DictionaryWorld
from support.mutate import Mutant, json_mutants, text_mutants, written, yaml_mutants
from support.resource_types import read_resource_types

PAINT = Paint(enabled=False)


class Kind(NamedTuple):
    """A kind of input: a valid sample, its format, and its reader."""

    sample: Any
    format: str
    read: Callable[[bytes], None]

    def content(self) -> bytes:
        """Return the sample as bytes."""
        return self.sample.encode() if self.format == "text" else written(self.sample)

    def mutants(self) -> Iterator[Mutant]:
        """Yield the damaged copies of the sample."""
        if self.format == "text":
            yield from text_mutants(self.sample)
        else:
            yield from {"json": json_mutants, "yaml": yaml_mutants}[self.format](self.sample)


def text_of(content: bytes) -> str:
    """Return bytes as bunraku takes text."""
    return content.decode("utf-8", "surrogateescape")


def compiled(code: str, files: dict[str, bytes] | None = None, **more: Any) -> None:
    """Compile code and write the catalog in all formats."""
    settings = {"environmentpath": "/e", **more.pop("settings", {})}
    laid_out = {"/e/production/manifests/site.pp": b"", **(files or {})}
    catalog = compile_code(code, world=DictionaryWorld(laid_out), settings=settings, **more)
    data = catalog.to_data()
    for text in (json_text(data, indent=True), yaml_text(data), catalog_text(data, str)):
        encode(text)


def checked(kind: str, name: str, content: bytes) -> None:
    """Check a file as ``validate`` does, and print the findings."""
    findings = check_file(Source(text_of(content), name, on_disk=True), kind)
    encode(text_report(findings, PAINT))


# -- catalogs ----------------------------------------------------------------------------------------

RESOURCE = {
    "type": "File",
    "title": "/etc/motd",
    "tags": ["file", "motd"],
    "file": "/site.pp",
    "line": 3,
    "exported": True,
    "kind": "compilable_type",
    "parameters": {
        "content": "hello",
        "require": ["Class[A]"],
        "owner": {"__ptype": "Sensitive", "__pvalue": "x"},
        "mode": {"__ptype": "Timestamp", "__pvalue": "2020-01-01T00:00:00.000000000 UTC"},
    },
    "sensitive_parameters": ["content"],
}
CATALOG = {
    "tags": ["settings"],
    "name": "web1",
    "version": 1,
    "code_id": None,
    "catalog_uuid": "u",
    "catalog_format": 2,
    "environment": "production",
    "resources": [RESOURCE, {"type": "Class", "title": "A"}],
    "edges": [{"source": "Class[A]", "target": "File[/etc/motd]"}],
    "classes": ["a"],
}
PUPPETDB_EDGE = {
    "source": {"type": "Class", "title": "A"},
    "target": {"type": "File", "title": "/etc/motd"},
    "relationship": "contains",
}


def use_catalog(catalog: Catalog) -> None:
    """Ask a catalog for everything that it has."""
    for resource in catalog:
        catalog.find(resource.type, resource.title)
        catalog.relationships_of(resource)
        catalog.container_of(resource)
        repr(resource.parameters)
    str((catalog.name, catalog.environment, catalog.version, catalog.classes, catalog.tags))
    encode(catalog.to_json())
    data = catalog.to_data()
    encode(yaml_text(data))
    encode(catalog_text(data, str))


def read_a_catalog(content: bytes) -> None:
    """Read a catalog as the Python interface does."""
    use_catalog(Catalog.from_json(content, path="catalog.json"))


def diff_a_catalog(name: str, content: bytes) -> None:
    """Compare a catalog with a good one and print the report in all formats."""
    found = read_catalog(content, name)
    for pair in ((CATALOG, found), (found, CATALOG)):
        node = NodeComparison(str(found.get("name")), compare(*pair, tags=True))
        report = Comparison("a", "b", [node])
        for write in DIFF_FORMATS.values():
            encode(write(report, PAINT))


# -- stored data -------------------------------------------------------------------------------------

QUERIES = (
    'resources { type = "File" and parameters.content ~ "h" }',
    "facts { name = 'os' }",
    'inventory { facts.os.family = "Debian" }',
    "nodes { } ",
    "fact_contents { value > 1 }",
    "resources[type, count()] { group by type }",
)


def use_store(name: str, content: bytes) -> None:
    """Read stored data, collect exported resources and answer queries from it."""
    world = DictionaryWorld({f"/s/{name}": content})
    data = read_files("/s", world)
    for text in QUERIES:
        data.query(read_any_query(text))
    for node in data.nodes():
        encode(node)
    compiled("class a { } include a File <<| |>>", {f"/s/{name}": content}, storedconfigs="/s")


def some_data() -> FileData:
    """Return the data of a node."""
    documents = Documents()
    documents.add(CATALOG, "")
    documents.add({"name": "web1", "values": {"os": {"family": "Debian"}, "up": 10}}, "")
    return FileData(documents)


def use_pql(content: bytes) -> None:
    """Answer a query."""
    encode(json_text(some_data().query(read_any_query(text_of(content)))))


def use_ast_query(content: bytes) -> None:
    """Answer a query in the form of arrays, as manifests give it."""
    text = text_of(content)
    if text.lstrip().startswith("["):
        encode(json_text(some_data().query(read_any_query(text))))


# -- nodes -------------------------------------------------------------------------------------------


def use_facts(name: str, content: bytes) -> None:
    """Read facts and compile with them."""
    facts = facts_in(content, name)
    compiled('notice($facts) notify { "${facts}": message => $facts }', facts=facts)


def use_trusted(content: bytes) -> None:
    """Read trusted data and the server's facts, and compile with them."""
    facts = facts_in(content, "trusted.json")
    compiled("notify { 'a': message => [$trusted, $server_facts] }", trusted=facts)
    compiled("notify { 'a': message => [$trusted, $server_facts] }", server_facts=facts)


def use_external(name: str, content: bytes) -> None:
    """Read a file of facts.d."""
    found: list[Diagnostic] = []
    facts = external_facts(DictionaryWorld({f"/d/{name}": content}), ["/d"], found.append)
    encode(yaml_text(facts) + json_text(facts) + text_report(found, PAINT))


def use_classifier(content: bytes) -> None:
    """Compile a node that a classifier's answer describes."""
    settings = {"node_terminus": "yaml", "external_nodes": "/n.yaml"}
    compiled("class a($x = 1) { } class b { }", {"/n.yaml": content}, settings=settings)


def use_batch(content: bytes) -> None:
    """Answer a request of the batch protocol; a crash is a defect."""
    found = json.loads(answer(content.replace(b"\n", b" ")))
    assert found["status"] != "crash", found["error"]["message"]


# -- environments and modules ------------------------------------------------------------------------


def use_metadata(content: bytes) -> None:
    """Check metadata and compile with the module."""
    checked(kinds.METADATA, "metadata.json", content)
    files = {
        "/e/production/modules/m/metadata.json": content,
        "/e/production/modules/m/manifests/init.pp": b"class m { }",
    }
    compiled("include m notice(load_module_metadata('m'))", files)


def looked_up(files: dict[str, bytes], **settings: Any) -> None:
    """Look keys up, with and without an explanation, and print the answers in all formats."""
    files = {"/e/production/manifests/site.pp": b"", **files}
    for keys, merge in ((["k"], None), (["k"], "hash"), (["k"], "unique"), (["m::k"], "deep")):
        for explain in (False, True):
            request = Request(
                code="",
                node="web1",
                facts={"os": {"family": "Debian"}},
                settings={"environmentpath": "/e", **settings},
                world=DictionaryWorld(files),
            )
            found = look_up(request, Question(keys, merge=merge, explain=explain), lambda _: None)
            for write in LOOKUP_FORMATS.values():
                if found.explanation is not None:
                    encode(write(found.explanation.data()))
                if found.error is None:
                    encode(write(found.value))
            if found.explanation is not None:
                encode(found.explanation.text())
            if found.error is not None:
                encode(text_report(found.error, PAINT))


def use_hiera_config(content: bytes) -> None:
    """Check a hiera.yaml and look up with it in each layer."""
    checked(kinds.HIERA, "hiera.yaml", content)
    data = b"k: {a: [1]}\nm::k: 2\n"
    for place, settings in (
        ("/e/production", {}),
        ("/g", {"hiera_config": "/g/hiera.yaml"}),
        ("/e/production/modules/m", {}),
    ):
        files = {
            f"{place}/hiera.yaml": content,
            f"{place}/data/common.yaml": data,
            "/e/production/modules/m/manifests/init.pp": b"class m { }",
        }
        looked_up(files, **settings)


def use_hiera_data(name: str, function: str, content: bytes) -> None:
    """Look keys up in a data file."""
    kind = {"yaml": kinds.HIERA_YAML, "json": kinds.HIERA_JSON, "conf": kinds.HIERA_HOCON}
    checked(kind[name.rpartition(".")[2]], name, content)
    config = f"version: 5\nhierarchy: [{{name: a, path: {name}, data_hash: {function}}}]\n"
    looked_up({"/e/production/hiera.yaml": config.encode(), f"/e/production/data/{name}": content})


def use_config_file(name: str, content: bytes) -> None:
    """Read a configuration file of bunraku."""
    checked(kinds.BUNRAKU, f"/c/{name}", content)
    read_config_file(f"/c/{name}", content)


def use_environment_conf(content: bytes) -> None:
    """Compile in an environment with this configuration."""
    checked(kinds.ENVIRONMENT_CONF, "environment.conf", content)
    compiled("notice($settings::manifest)", {"/e/production/environment.conf": content})


def use_puppet_conf(content: bytes) -> None:
    """Read the settings of Puppet."""
    checked(kinds.PUPPET_CONF, "puppet.conf", content)
    parse_sections(text_of(content))


def use_puppetfile(content: bytes) -> None:
    """List the modules of a Puppetfile."""
    read_puppetfile("/c", DictionaryWorld({"/c/Puppetfile": content}))


def use_module_file(name: str, content: bytes) -> None:
    """Compile with a file of a module that autoloading finds."""
    files = {f"/e/production/modules/m/{name}": content}
    code = {"types": "notice(1 =~ M::T)", "functions": "notice(m::f(1))", "plans": "notice(1)"}
    compiled(code[name.partition("/")[0]], files)


def use_resource_type(content: bytes) -> None:
    """Read the resource types that a Ruby file defines, and declare one."""
    for schema in read_resource_types(text_of(content), "/m/lib/puppet/type/thing.rb"):
        repr(schema)
    files = {"/e/production/modules/m/lib/puppet/type/thing.rb": content}
    compiled("thing { 'a': size => 1 }", files)


def name_of(function: Callable[..., None], *given: Any) -> Callable[[bytes], None]:
    """Return a reader with its first arguments given."""
    return lambda content: function(*given, content)


BATCH = {
    "id": "1",
    "do": "compile",
    "code": "notice($facts['os']) notify { 'a': }",
    "as_file": True,
    "language": "8",
    "facts": {"os": {"family": "Debian"}},
    "node": "n",
    "settings": {"strict": "error", "tasks": False},
    "modulepath": ["/none"],
    "modules": {"m/manifests/init.pp": "class m { }", "hiera.yaml": "version: 5\n"},
    "trusted": {"certname": "n"},
    "server_facts": {"serverversion": "8"},
    "node_classes": {"m": {}},
    "timeout": 5,
}
METADATA = {
    "name": "puppetlabs-m",
    "version": "1.2.3",
    "author": "a",
    "license": "x",
    "source": "s",
    "summary": "s",
    "dependencies": [{"name": "puppetlabs/stdlib", "version_requirement": ">= 4.0.0 < 10.0.0"}],
    "requirements": [{"name": "puppet", "version_requirement": ">= 7.0.0"}],
    "operatingsystem_support": [{"operatingsystem": "Debian", "operatingsystemrelease": ["12"]}],
    "tags": ["a"],
    "data_provider": "hiera",
}
HIERA_5 = {
    "version": 5,
    "defaults": {"datadir": "data", "data_hash": "yaml_data", "options": {"a": 1}},
    "hierarchy": [
        {"name": "nodes", "glob": "%{trusted.certname}/*.yaml"},
        {"name": "mapped", "mapped_paths": ["os", "x", "%{x}.yaml"]},
        {"name": "common", "paths": ["common.yaml"], "datadir": "data", "options": {"b": "c"}},
    ],
    "plan_hierarchy": [{"name": "p", "path": "common.yaml"}],
}
HIERA_4 = {
    "version": 4,
    "datadir": "data",
    "hierarchy": [{"name": "common", "backend": "yaml", "paths": ["common"], "datadir": "data"}],
}
HIERA_3 = {
    ":backends": ["yaml", "eyaml", "mine"],
    ":hierarchy": ["%{::osfamily}", "common"],
    ":yaml": {":datadir": "/g/data", "extension": "yaml"},
    ":eyaml": {":datadir": "/g/data", ":pkcs7_private_key": "/k"},
    ":merge_behavior": "deeper",
    ":deep_merge_options": {":knockout_prefix": "--"},
    ":logger": "console",
}
HIERA_DATA = {
    "lookup_options": {
        "k": {"merge": {"strategy": "deep", "knockout_prefix": "--"}, "convert_to": ["Hash"]},
        "^m::": {"merge": "first"},
    },
    "k": {"a": ["%{facts.os.family}", "%{lookup('m::k')}"], "b": "%{alias('m::k')}"},
    "m::k": {"x": 1.5, "y": None},
}
TYPE = """\
require 'puppet/parameter/boolean'
Puppet::Type.newtype(:thing) do
  @doc = "A thing"
  SIZES = %w[small big].map { |one| one.to_sym } + [:huge]
  ensurable do
    defaultvalues
  end
  newparam(:name, namevar: true) { desc "name" }
  newproperty(:size, array_matching: :all) do
    newvalues(*SIZES, /^\\d+$/)
    munge { |value| Integer(value) }
  end
  [:owner, :group].each_with_index { |one, at| newproperty(one) { desc File.join("a", one.to_s) } }
  { mode: "x", "path" => 1 }.each_pair do |key, value|
    newparam(key.to_s.downcase.tr("-", "_").to_sym)
  end
  newparam(:force, boolean: true, parent: Puppet::Parameter::Boolean)
  feature :fast, "goes fast", methods: [:run]
  def self.title_patterns
    [[/\\A(.*)\\z/m, [[:name, lambda { |x| x }]]], [Regexp.new("a" + Regexp.escape("b")), [[:name]]]]
  end
  autorequire(:file) { [self[:path], File.expand_path("a", "/b"), File.dirname("c")] }
  validate { raise Puppet::Error, "no" if self[:size].nil? }
end
Puppet::ResourceApi.register_type(
  name: 'other', attributes: { id: { type: 'String', behaviour: :namevar } }, features: ['remote_resource'],
  title_patterns: [{ pattern: %r{^(?<id>.*)$}, desc: 'x' }]
)
"""
KINDS: dict[str, Kind] = {
    "catalog": Kind(CATALOG, "json", read_a_catalog),
    "catalog for diff": Kind(CATALOG, "json", name_of(diff_a_catalog, "c.json")),
    "catalog in YAML": Kind(CATALOG, "yaml", name_of(diff_a_catalog, "c.yaml")),
    "wrapped catalog": Kind(
        {"document_type": "Catalog", "data": {**CATALOG, "edges": [PUPPETDB_EDGE]}},
        "json",
        name_of(diff_a_catalog, "c.json"),
    ),
    "stored catalog": Kind(CATALOG, "json", name_of(use_store, "web1.json")),
    "stored catalog in YAML": Kind(CATALOG, "yaml", name_of(use_store, "web1.yaml")),
    "wrapped stored catalog": Kind(
        {"document_type": "Catalog", "data": CATALOG}, "json", name_of(use_store, "web1.json")
    ),
    "stored resources": Kind(
        [{**RESOURCE, "certname": "web1", "environment": "production"}],
        "json",
        name_of(use_store, "x.json"),
    ),
    "catalog of PuppetDB": Kind(
        {"certname": "web1", "resources": {"data": [RESOURCE], "href": "x"}},
        "json",
        name_of(use_store, "x.json"),
    ),
    "stored facts": Kind(
        {"name": "web1", "values": {"os": {"family": "Debian"}, "up": 10}, "environment": "x"},
        "yaml",
        name_of(use_store, "web1.yaml"),
    ),
    "facts of PuppetDB": Kind(
        [
            {"certname": "web1", "name": "os", "value": {"family": "Debian"}},
            {"certname": "web2", "facts": {"data": [{"name": "up", "value": 1}]}},
        ],
        "json",
        name_of(use_store, "x.json"),
    ),
    "facts": Kind(
        {"os": {"family": "Debian"}, "up": 10, "list": [1, {"a": None}]},
        "json",
        name_of(use_facts, "n.json"),
    ),
    "facts in YAML": Kind(
        {"name": "n", "values": {"os": {"family": "Debian"}, "up": 10}},
        "yaml",
        name_of(use_facts, "n.yaml"),
    ),
    "trusted data": Kind(
        {"certname": "n", "extensions": {"a": "b"}, "authenticated": "remote"}, "json", use_trusted
    ),
    "external facts": Kind({"role": "web", "a": [1]}, "yaml", name_of(use_external, "a.yaml")),
    "external facts in JSON": Kind(
        {"role": "web", "a": [1]}, "json", name_of(use_external, "a.json")
    ),
    "external facts in text": Kind("role=web\nrack=7\n", "text", name_of(use_external, "a.txt")),
    "classifier": Kind(
        {
            "classes": {"a": {"x": [1]}, "b": None},
            "parameters": {"p": {"q": 1}},
            "environment": "production",
        },
        "yaml",
        use_classifier,
    ),
    "classifier with a list": Kind({"classes": ["a", "b"]}, "yaml", use_classifier),
    "batch request": Kind(BATCH, "json", use_batch),
    "metadata": Kind(METADATA, "json", use_metadata),
    "hiera.yaml 5": Kind(HIERA_5, "yaml", use_hiera_config),
    "hiera.yaml 4": Kind(HIERA_4, "yaml", use_hiera_config),
    "hiera.yaml 3": Kind(HIERA_3, "yaml", use_hiera_config),
    "data in YAML": Kind(HIERA_DATA, "yaml", name_of(use_hiera_data, "a.yaml", "yaml_data")),
    "data in JSON": Kind(HIERA_DATA, "json", name_of(use_hiera_data, "a.json", "json_data")),
    "data in HOCON": Kind(
        'lookup_options { k { merge = deep } }\nk = {a = [1, "x"], b = ${m}}\n"m::k" : 1.5\nm = true\n',
        "text",
        name_of(use_hiera_data, "a.conf", "hocon_data"),
    ),
    "bunraku.toml": Kind(
        'strict = "off"\nmodulepath = ["a", "b"]\njobs = 2\n[settings]\nserverport = 8141\n',
        "text",
        name_of(use_config_file, "bunraku.toml"),
    ),
    "pyproject.toml": Kind(
        '[tool.bunraku]\nstrict = "off"\nexclude = ["a/*"]\n[tool.bunraku.settings]\nnoop = true\n',
        "text",
        name_of(use_config_file, "pyproject.toml"),
    ),
    "environment.conf": Kind(
        "modulepath = site:$basemodulepath\nmanifest = manifests\nenvironment_timeout = 3m\n",
        "text",
        use_environment_conf,
    ),
    "puppet.conf": Kind(
        "# main\n[main]\nserver = 'x' {owner = root}\n[agent]\nnoop = true\n",
        "text",
        use_puppet_conf,
    ),
    "Puppetfile": Kind(
        "forge 'https://x'\nmoduledir 'm'\nmod 'puppetlabs/stdlib', '9.0.0'\nmod 'a', git: 'x'\n",
        "text",
        use_puppetfile,
    ),
    "type alias of a module": Kind(
        "type M::T = Struct[{a => Integer[1, 2], Optional[b] => Enum['x']}]\n",
        "text",
        name_of(use_module_file, "types/t.pp"),
    ),
    "function of a module": Kind(
        "function m::f(Integer $x = 1, *$y) >> Integer {\n  $x + 1\n}\n",
        "text",
        name_of(use_module_file, "functions/f.pp"),
    ),
    "plan of a module": Kind(
        "plan m::p(TargetSpec $nodes) {\n  return run_command('x', $nodes)\n}\n",
        "text",
        name_of(use_module_file, "plans/p.pp"),
    ),
    "resource type in Ruby": Kind(TYPE, "text", use_resource_type),
    "PQL": Kind(
        'resources[type, title, count()] { type = "File" and !(line > 1.5) and '
        "certname in nodes[certname] { facts_environment is null } group by type, title }",
        "text",
        use_pql,
    ),
    "query in arrays": Kind(
        [
            "from",
            "resources",
            [
                "extract",
                ["type", ["function", "count"]],
                ["and", ["=", "type", "File"], ["in", "certname", ["array", ["web1"]]]],
                ["group_by", "type"],
            ],
            ["order_by", [["type", "desc"]]],
            ["limit", 2],
        ],
        "json",
        use_ast_query,
    ),
}


def problem_of(kind: Kind, content: bytes) -> str | None:
    """Return the error in reading a content: an exception of another class."""
    from bunraku.base.usage import UsageError

    try:
        kind.read(content)
    except (PuppetError, UsageError) as error:
        str(error)
        encode(text_report(error, PAINT) if isinstance(error, PuppetError) else str(error))
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:300]
    return None
