"""The kinds of input: the damaged files, and the commands that read them.

A kind is a function that makes a case from a :class:`Maker`: seeds, chance, dialect, with or without
Ruby. A new kind of input is a function here and a list of seeds in :mod:`rigs.fuzzing.seeds`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rigs.fuzzing.cases import NO_RUBY, REPOSITORY, STREAM, Case
from rigs.fuzzing.mutations import document, mutated
from rigs.fuzzing.seeds import seeds
from support.programs import DATA, MODULES

DIALECTS = ("9", "8", "3.8", "3.8-future", "3.0")
BASE = {f"modules/{name}": text.encode() for name, text in MODULES.items()}
OLD = {
    f"modules/{name}": text.encode()
    for name, text in {
        "m/manifests/init.pp": "class m($a = 1, $b = 2, $c = undef) inherits m::base {\n  $x = [$a, $b]\n"
        "  notify { 'm': message => \"${c} ${::kernel}\" }\n  include m::other\n}\n",
        "m/manifests/base.pp": "class m::base { $base = 'b' file { '/base': ensure => file } }\n",
        "m/manifests/other.pp": "class m::other { include m::base m::d { 'o': v => { 'k' => [1, undef] } } }\n",
        "m/manifests/d.pp": "define m::d($v = $title, $w = 2) { }\n",
        "m/manifests/e.pp": "define m::e($v = $title) { @notify { $name: message => $v, tag => 't' } }\n",
        "m/templates/t.erb": "p=<%= @x.inspect %> <% [1, 2].each do |i| %><%= i %>,<% end -%>\n",
        "m/files/text": "a text\n",
    }.items()
}
HIERA = {name: text.encode() for name, text in DATA.items()}
FACTS = json.dumps({
    "kernel": "Linux",
    "os": {"name": "Debian", "family": "Debian", "release": {"major": "12"}},
    "n": 3,
    "list": ["a", "b"],
    "no": None,
}).encode()  # fmt: skip
MODULEPATH = ("--modulepath", "modules")
SOME_FACTS = ("--facts", "facts.json", "--node", "web1.example.com")


@dataclass
class Maker:
    """The material from which a kind makes its cases."""

    chance: random.Random
    dialect: str = "8"
    ruby: bool = False
    installed: bool = False

    def pick(self, *options: str) -> str:
        """Return one of the options."""
        return self.chance.choice(options)

    def language(self) -> tuple[str, ...]:
        """Return the option for the dialect."""
        return () if self.dialect == "8" else ("--language", self.dialect)

    def text(self, kind: str, change: Callable[..., bytes] = mutated) -> bytes:
        """Return a damaged seed of a kind."""
        stock = seeds(kind, installed=self.installed)
        return change(self.chance.choice(stock), stock, self.chance)

    def data(self, kind: str) -> bytes:
        """Return a damaged document of a kind."""
        return self.text(kind, document)

    @property
    def modules(self) -> dict[str, bytes]:
        """Return modules that the dialect can read."""
        return OLD if self.dialect in {"3.8", "3.0"} else BASE

    @property
    def stock(self) -> str:
        """Return the name of the manifests of the dialect."""
        return "manifests" if self.dialect == "8" else "old_manifests"

    def strict(self) -> tuple[str, ...]:
        """Return options of severity: mostly lenient, so programs get farther."""
        if self.chance.randrange(4) == 0:
            return ()
        return ("--strict", self.pick("off", "warning"), "--no-strict-variables")

    def case(self, *arguments: str, **files: bytes) -> Case:
        """Return a case with facts; names of files have ``__`` for ``.`` and ``___`` for ``/``."""
        named = {
            name.replace("___", "/").replace("__", "."): content for name, content in files.items()
        }
        environment = {} if self.ruby else {"BUNRAKU_RUBY": NO_RUBY}
        return Case(arguments, {"facts.json": FACTS, **named}, environment=environment)


def with_files(case: Case, files: dict[str, bytes]) -> Case:
    """Return a case with more files, which do not replace its own."""
    return replace(case, files={**files, **case.files})


def manifests(make: Maker) -> Case:
    """Manifests through all commands that read them."""
    code = make.text("manifests" if make.chance.randrange(4) == 0 else make.stock)
    match make.chance.randrange(10):
        case 0:
            form = make.pick("text", "json", "sarif", "github")
            return make.case(
                "validate", "site.pp", "--format", form, *make.language(), site__pp=code
            )
        case 1:
            stage = make.pick("tokens", "pn", "python", "bytecode")
            return make.case("dump", "--stage", stage, *make.language(), "site.pp", site__pp=code)
        case 2 if make.dialect in {"3.8", "3.0"}:
            form = make.pick("text", "json", "sarif", "html")
            given = ("--from", make.dialect, "--format", form, *SOME_FACTS)
            case = make.case("migrate", "site.pp", *given, *MODULEPATH, site__pp=code)
            return with_files(case, make.modules)
        case 2:
            case = make.case(
                "eval", "--file", "site.pp", *make.strict(), *MODULEPATH, site__pp=code
            )
            return with_files(case, make.modules)
    more = make.chance.choice(
        ((), (), ("--format", "yaml"), ("--format", "text"), ("--with-exported",))
    )
    case = make.case(
        "compile", "site.pp", *more, *MODULEPATH, *SOME_FACTS, *make.language(), *make.strict(),
        "--hiera-config", "hiera.yaml", site__pp=code,
    )  # fmt: skip
    return with_files(case, {**make.modules, **HIERA})


def epp(make: Maker) -> Case:
    """EPP templates."""
    template = make.text("epp")
    if make.chance.randrange(4) == 0:
        return make.case("validate", "t.epp", *make.language(), t__epp=template)
    given = make.pick("", ", { p => 1 }", ", { a => [1, undef], x => 'y' }")
    code = f"$x = [1, {{ a => 'b' }}]\nnotice(epp('m/t.epp'{given}))"
    case = make.case(
        "compile", "-e", code, *MODULEPATH, *make.language(), *make.strict(), *SOME_FACTS
    )
    return with_files(case.with_file("modules/m/templates/t.epp", template), make.modules)


def erb(make: Maker) -> Case:
    """ERB templates, translated or run by Ruby."""
    template = make.text("erb")
    if make.chance.randrange(8) == 0:
        return make.case("validate", "t.erb", *make.language(), t__erb=template)
    code = (
        "$a = ['b', 'a', 3] $b = ['x', undef] $d = [] $e = [undef, 1] $fl = 1.5 $h = { 'k' => [1], 'a' => 'b' }\n"
        "$s = 'text é' $i = 3\nnotice(template('m/x.erb'))"
    )
    case = make.case(
        "compile", "-e", code, *MODULEPATH, *make.language(), *make.strict(), *SOME_FACTS
    )
    return with_files(case.with_file("modules/m/templates/x.erb", template), make.modules)


def ruby_types(make: Maker) -> Case:
    """Resource types that modules define in Ruby."""
    code = make.pick(
        "x { 'a': ensure => present, size => small }",
        "x { 'c': ensure => 'x' } x { 'a:b': size => 'big', flag => true, b => 1 } X['c'] -> X['a:b']",
        "@x { 'a': } X <| size == 1 |> x { 'b': name => 'n', noop => true, size => [1] }",
    )
    case = make.case(
        "compile", "-e", code, *MODULEPATH, *make.language(), *make.strict(), *SOME_FACTS
    )
    path = make.pick(
        "modules/m/lib/puppet/type/x.rb",
        "modules/m/lib/puppet/type/x.rb",
        "modules/n/lib/puppet/type/x.rb",
    )
    return with_files(case.with_file(path, make.text("ruby_types")), make.modules)


def ruby_functions(make: Maker) -> Case:
    """Functions that modules define in Ruby, by both interfaces."""
    values = make.pick(
        "'a', 1",
        "['x', 'y']",
        "{ 'k' => 'v' }, 'b'",
        "",
        "undef, 3.5, [1, [2]]",
        "'12', { a => [] }",
    )
    if make.chance.randrange(2):
        code, path = f"notice(m::f({values}))", "modules/m/lib/puppet/functions/m/f.rb"
        content = make.text("ruby_functions_4")
    else:
        code, path = f"notice(f({values}))", "modules/m/lib/puppet/parser/functions/f.rb"
        content = make.text("ruby_functions_3")
    if make.chance.randrange(12) == 0:
        case = make.case("functions", "m::f" if "m::f" in code else "f", *MODULEPATH)
    else:
        given = (*MODULEPATH, *make.language(), *make.strict(), *SOME_FACTS)
        case = make.case("compile", "-e", code, *given)
    return case.with_file(path, content)


def hiera(make: Maker, configuration: bytes, files: dict[str, bytes]) -> Case:
    """Return a lookup, a check or a compile with Hiera."""
    common = (*MODULEPATH, *SOME_FACTS, *make.language(), *make.strict())
    files = {**make.modules, **HIERA, "hiera.yaml": configuration, **files}
    match make.chance.randrange(6):
        case 0:
            case = make.case("validate", "hiera.yaml", "data", *make.language())
        case 1:
            code = "notice(lookup('k1'), lookup('k2', { default_value => 1 })) include m"
            case = make.case("compile", "-e", code, "--hiera-config", "hiera.yaml", *common)
        case 2:
            code = (
                "notice(hiera('k1', 1)) notice(hiera_hash('m::deep', {})) hiera_include('classes')"
            )
            case = make.case("compile", "-e", code, "--hiera-config", "hiera.yaml", *common)
        case _:
            key = make.pick(
                "k1", "k2", "m::deep", "m::a", "k1.0", "lookup_options", "a", "loop", "x.y.'z'"
            )
            more = make.chance.choice((
                (), ("--explain",), ("--explain", "--render-as", "json"), ("--merge", "deep"),
                ("--merge", "unique"), ("--merge", "hash"), ("--explain-options",), ("--render-as", "s"),
                ("--explain", "--merge", "deep", "--knock-out-prefix=--"), ("--type", "Array[Integer]"),
                ("--default", "x"), ("--compile",), ("--render-as", "yaml"),
            ))  # fmt: skip
            case = make.case("lookup", key, *more, "--hiera-config", "hiera.yaml", *common)
    return with_files(case, files)


def hiera_configuration(make: Maker) -> Case:
    """Configurations of Hiera 3, 4 and 5."""
    configuration = make.data("hiera_configuration")
    if make.chance.randrange(3) == 0:
        case = hiera(make, HIERA["hiera.yaml"], {})
        return case.with_file("modules/m/hiera.yaml", configuration)
    return hiera(make, configuration, {})


def hiera_data(make: Maker) -> Case:
    """Data of Hiera: YAML, JSON, HOCON, eyaml."""
    backend = "yaml_data"
    match make.chance.randrange(5):
        case 0:
            name, content, backend = "all.conf", make.text("hocon"), "hocon_data"
        case 1:
            name, content, backend = "all.json", make.data("json_data"), "json_data"
        case 2:
            name, content, backend = "all.eyaml", make.data("hiera_data"), "eyaml_lookup_key"
        case _:
            name, content = "all.yaml", make.data("hiera_data")
    function = "lookup_key" if backend == "eyaml_lookup_key" else "data_hash"
    keys = (
        "\n  options: { pkcs7_private_key: key.pem, pkcs7_public_key: cert.pem }"
        if function == "lookup_key"
        else ""
    )
    configuration = f"version: 5\nhierarchy:\n- name: a\n  path: Linux.yaml\n- name: b\n  {function}: {backend}\n  path: {name}{keys}\n"
    if backend == "yaml_data" and make.dialect != "8" and make.chance.randrange(2):
        configuration = (
            "---\n:backends: [yaml]\n:yaml:\n  :datadir: data\n:hierarchy: [Linux, all]\n"
        )
    return hiera(make, configuration.encode(), {f"data/{name}": content})


def metadata(make: Maker) -> Case:
    """metadata.json of modules."""
    content = make.data("metadata")
    if make.chance.randrange(2):
        return make.case("validate", "metadata.json", metadata__json=content)
    words = make.chance.choice((
        ("compile", "-e", "include m notice($module_name)", *MODULEPATH, *SOME_FACTS, *make.language()),
        ("validate", "modules"), ("functions", "--explain", "pick", *MODULEPATH), ("config", *MODULEPATH),
    ))  # fmt: skip
    name = make.pick("m", "stdlib")
    return with_files(
        make.case(*words).with_file(f"modules/{name}/metadata.json", content), make.modules
    )


def project_files(make: Maker) -> Case:
    """environment.conf, puppet.conf, bunraku.toml, pyproject.toml, Puppetfile."""
    stock = seeds("project")
    names = (
        "environment.conf",
        "puppet.conf",
        "bunraku.toml",
        "Puppetfile",
        "pyproject.toml",
        "Puppetfile",
    )
    files = {
        name: mutated(stock[index], stock, make.chance)
        if make.chance.randrange(3) == 0
        else stock[index]
        for index, name in enumerate(names)
        if make.chance.randrange(2)
    }
    name = make.pick(*names)
    files[name] = mutated(stock[names.index(name)], stock, make.chance)
    words = make.chance.choice((
        ("config",), ("config", "--format", "json"), ("validate",), ("validate", name),
        ("compile", *SOME_FACTS), ("compile", "-e", "include m", *SOME_FACTS),
        ("compile", "-e", "notice($settings::strict)", "--config", "puppet.conf", *SOME_FACTS),
        ("lookup", "k1", *SOME_FACTS), ("compile", "--environmentpath", "environments", *SOME_FACTS),
    ))  # fmt: skip
    case = with_files(
        make.case(*words), {**files, **make.modules, **HIERA, "manifests/site.pp": b"include m"}
    )
    if make.chance.randrange(3) == 0 and "environment.conf" in files:
        case = case.with_file("environments/production/environment.conf", files["environment.conf"])
    return case


def facts(make: Maker) -> Case:
    """Facts of nodes, trusted data, external facts."""
    content = make.data("facts")
    ending = (
        "json" if content.lstrip().startswith((b"{", b"[")) else make.pick("yaml", "txt", "yaml")
    )
    match make.chance.randrange(4):
        case 0:
            case = make.case(
                "facts", make.pick("show", "role", "os.name", "kernel"), "--external-dir", "facts.d"
            )
            return case.with_file(f"facts.d/a.{ending}", content)
        case 1:
            word = make.pick("--trusted", "--server-facts")
            case = make.case(
                "compile",
                "-e",
                "notice($trusted['extensions'], $server_facts)",
                word,
                f"f.{ending}",
            )
            return case.with_file(f"f.{ending}", content)
        case 2:
            case = make.case(
                "lookup", "m::b", "--facts", f"f.{ending}", *MODULEPATH, *make.language()
            )
            return with_files(case.with_file(f"f.{ending}", content), make.modules)
    code = (
        "notice($facts) notice($kernel, $::osfamily) include m $facts.each |$k, $v| { notice($k) }"
    )
    if make.dialect in {"3.8", "3.0"}:
        code = "notice($kernel, $::osfamily, $facts) include m"
    form = make.pick("json", "yaml", "text")
    given = (
        "--facts",
        f"f.{ending}",
        "--format",
        form,
        *MODULEPATH,
        *make.language(),
        *make.strict(),
    )
    case = make.case("compile", "-e", code, *given)
    return with_files(case.with_file(f"f.{ending}", content), make.modules)


def queries(make: Maker) -> Case:
    """Queries of PuppetDB, as PQL and as arrays."""
    query = make.data("queries") if make.chance.randrange(2) else make.text("queries")
    if query.lstrip().startswith(b"["):
        query = b"parsejson('" + query.replace(b"\\", b"\\\\").replace(b"'", b"\\'") + b"')"
    else:
        query = b"'" + query.replace(b"\\", b"\\\\").replace(b"'", b"\\'") + b"'"
    code = b"notice(puppetdb_query(" + query + b"))"
    case = make.case(
        "compile",
        "site.pp",
        "--storedconfigs",
        "store",
        *MODULEPATH,
        *SOME_FACTS,
        *make.language(),
        site__pp=code,
    )
    store = {f"store/{n}.json": text for n, text in enumerate(seeds("stored"))}
    return with_files(
        case, {**store, "modules/stdlib/metadata.json": BASE["modules/stdlib/metadata.json"]}
    )


def stored_catalogs(make: Maker) -> Case:
    """Catalogs and facts of other nodes."""
    content = make.data("stored")
    code = make.pick(
        "User <<| |>>",
        "define web::site($port) { notify { \"x ${title}\": } } Web::Site <<| tag == 'x' or port == 80 |>> User <<| title == 'b' |>>",
        "M::D <<| |>> File <<| |>> { mode => '0600' }",
        "notice(puppetdb_query('resources[type, title, parameters, tags] { exported = true }'))",
        "notice(puppetdb_query('inventory { facts.os.family = \"RedHat\" }'), puppetdb_query('facts {}'))",
    )
    ending = make.pick("json", "yaml", "json")
    given = (
        *MODULEPATH,
        *SOME_FACTS,
        *make.language(),
        "--format",
        make.pick("json", "text", "yaml"),
    )
    case = make.case("compile", "-e", code, "--storedconfigs", "store", *given)
    return with_files(case.with_file(f"store/a.{ending}", content), make.modules)


def catalogs(make: Maker) -> Case:
    """Catalogs for diff."""
    stock = seeds("catalogs")
    old = make.chance.choice(stock)
    new = document(old, stock, make.chance)
    if make.chance.randrange(4) == 0:
        old = make.data("catalogs")
    if make.chance.randrange(2):
        old, new = new, old
    form = make.pick("text", "json", "html", "markdown")
    more = make.chance.choice(
        (
            (),
            ("--tags",),
            ("--no-edges",),
            ("--ignore", "File[*]::parameters::mode"),
            ("--ignore-attr", "content"),
        )
    )
    if make.chance.randrange(4) == 0:
        return Case(("diff", "a", "b", "--format", form, *more), {"a/n.json": old, "b/n.json": new})
    ending = make.pick("json", "json", "yaml")
    return Case(
        ("diff", "a.json", f"b.{ending}", "--format", form, *more),
        {"a.json": old, f"b.{ending}": new},
    )


def batch_requests(make: Maker) -> Case:
    """Requests of the batch protocol."""
    lines = [one_line(make.data("requests")) for _ in range(make.chance.randint(1, 4))]
    case = make.case(
        "batch", "--debug", "--timeout", "20", *make.chance.choice(((), ("--jobs", "2")))
    )
    case = with_files(case, {**make.modules, "site.pp": b"include m notice(1)"})
    return replace(case, stdin=b"\n".join(lines) + make.chance.choice((b"\n", b"")))


def one_line(content: bytes) -> bytes:
    """Return a document in one line, mostly."""
    return content.replace(b",\n", b", ")


def classifiers(make: Maker) -> Case:
    """Answers of node classifiers: programs and files."""
    content = make.data("classified")
    common = (
        "--node",
        "web1",
        "--facts",
        "facts.json",
        *MODULEPATH,
        *make.language(),
        *make.strict(),
    )
    code = "notice($p, $q, $::environment)"
    match make.chance.randrange(3):
        case 0 | 1 as folder:
            nodes, file = ("nodes", "nodes/web1.yaml") if folder else ("n.yaml", "n.yaml")
            given = ("--node-terminus", "yaml", "--external-nodes", nodes)
            case = make.case("compile", "-e", code, *given, *common).with_file(file, content)
        case _:
            given = ("--node-terminus", "exec", "--external-nodes", "./enc")
            case = make.case(make.pick("compile", "compile", "lookup"), *given, *common)
            if case.arguments[0] == "compile":
                case = replace(case, arguments=(*case.arguments, "-e", code))
            else:
                case = replace(case, arguments=("lookup", "k1", *case.arguments[1:]))
            case = replace(case.with_file("enc", b"#!/bin/sh\ncat answer\n"), programs=("enc",))
            case = case.with_file("answer", content)
    return with_files(case, make.modules)


PATHS = (
    "manifests/site.pp", "manifests/a\tb.pp", "modules/m/manifests/init.pp", "modules/m/manifests/b.pp",
    "hiera.yaml", "data/common.yaml", "environment.conf", "modules/n", "bunraku.toml", ".gitattributes", ".gitmodules",
    "manifests/sub/z.pp", "modules/m/files/\\303\\251", "modules/m/templates/t.epp", "modules/m/lib", "facts/web1.yaml",
    "manifests/\\377.pp", 'manifests/\\"q\\".pp', "data/\\n.yaml", "modules/m/manifests", "manifests",
    "modules/m/functions/f.pp", "modules/m/types/t.pp", "CON", "modules/M/manifests/init.pp", "-x/-y.pp",
)  # fmt: skip
CONTENTS = (
    "include m", "notify { 'a': message => template('m/t.erb') }", "class m { include m::b }", "class m::b { file { '/x': } }",
    "version: 5\nhierarchy:\n- name: a\n  path: common.yaml", "m::p: 1", "modulepath = modules:site\nmanifest = manifests",
    'strict = "off"', "* text eol=crlf\n*.pp filter=none ident export-ignore", '[submodule "n"]\n\tpath = modules/n\n\turl = ../x',
    "<%= $x %>", "type M::T = Integer", "function m::f() { 1 }", "", "notice(epp('m/t.epp', { x => 1 })) include m::b",
)  # fmt: skip
TARGETS = (
    "site.pp", ".", "..", "../..", "../../etc/hostname", "/etc/hostname", "/nonexistent", "manifests", "../manifests/site.pp",
    "b", "a", "modules/m", "/", "../m", "", "x/../../y", "init.pp",
)  # fmt: skip
REVISIONS = (
    "one", "two", "HEAD", "HEAD~1", "one..two", "one...two", "two^", "HEAD^{tree}", "one:manifests", "-x", "--output=x", "",
    "@{upstream}", "HEAD@{1}", "..", "...", "one..", "..two", "refs/heads/one", "0000000", "tag", "one two", ":/c", "^one", "é",
)  # fmt: skip


def stream_of(make: Maker) -> bytes:
    """Return a stream for ``git fast-import``: two commits with odd trees."""
    chance = make.chance
    lines = ["feature done"] if chance.randrange(20) == 0 else []
    for number, branch in enumerate(("one", "two")):
        lines += [
            f"commit refs/heads/{branch}",
            f"mark :{number + 1}",
            f"committer a <a@b> {number + 1} +0000",
        ]
        lines += ["data <<END", "c", "END"]
        if number:
            lines += ["from :1"]
        chosen = ["manifests/site.pp", "modules/m/manifests/init.pp"] if not number else []
        chosen += [chance.choice(PATHS) for _ in range(chance.randint(1, 5))]
        for path in chosen:
            lines += entry_lines(chance, path)
    lines += [
        "reset refs/heads/master",
        f"from :{chance.choice((1, 2))}",
        "",
        "reset refs/tags/tag",
        "from :1",
        "",
    ]
    content = ("\n".join(lines) + "\n").encode()
    return mutated(content, [content], chance) if chance.randrange(6) == 0 else content


def entry_lines(chance: random.Random, path: str) -> list[str]:
    """Return the lines for one entry of a tree: a file, a link, a submodule, or its removal."""
    quoted = f'"{path}"' if not path.isascii() or set(path) & set('\\"\t') else path
    match chance.randrange(12):
        case 0 | 1:
            return [f"M 120000 inline {quoted}", "data <<END", chance.choice(TARGETS), "END"]
        case 2:
            return [f"M 160000 {'ab' * 20} {quoted}"]
        case 3:
            return [f"D {quoted}"]
        case 4:
            mode = "100755"
        case _:
            mode = "100644"
    content = chance.choice(CONTENTS)
    return [f"M {mode} inline {quoted}", "data <<END", content, "END"]


def revisions(make: Maker) -> Case:
    """Revisions of repositories: names, ranges, odd trees."""
    chance = make.chance
    sides = (
        ("one", "two")
        if chance.randrange(3)
        else tuple(chance.choices(REVISIONS, k=chance.randint(1, 2)))
    )
    if chance.randrange(8) == 0:
        sides = tuple(
            mutated(one.encode(), [b"a"], chance).decode("utf-8", "replace").replace("\0", "")
            for one in sides
        )
    given = ("--repository", REPOSITORY, "--jobs", "1", *make.language())
    more = chance.choice(
        ((), ("--facts", "facts.json"), ("--format", "json"), ("--format", "html"))
    )
    case = make.case("diff", *given, "--facts-folder", "facts", *more, "--", *sides)
    return with_files(case.with_file(STREAM, stream_of(make)), {"facts/web1.json": FACTS})


COMMANDS = (
    "compile", "validate", "dump", "eval", "types", "functions", "facts", "lookup", "diff", "migrate", "batch",
    "completion", "config", "version", "help", "--version", "--help", "cache", "nosuch", "",
)  # fmt: skip
ARGUMENTS = (
    "site.pp", "-e", "notice(1)", "--modulepath", "modules", "--facts", "facts.json", "--node", "web1", "--nodes",
    "--facts-folder", "facts", "--match", "*", "--output-folder", "out", "--jobs", "2", "--summary", "json", "--format", "text",
    "yaml", "--with-exported", "--profile", "p.html", "p.json", "--no-cycles", "--log-level", "debug", "-v", "--language", "3.8",
    "--follow", "documents", "--strict", "error", "--tasks", "--strict-variables", "--environment", "production", "--config",
    "puppet.conf", "--environmentpath", "environments", "--basemodulepath", "--hiera-config", "hiera.yaml", "--set", "noop=true",
    "--trusted", "--server-facts", "--node-terminus", "exec", "--external-nodes", "--storedconfigs", "--color", "always",
    "--debug", "--no-project", "--explain", "--merge", "deep", "--type", "Integer", "--default", "k1", "--render-as", "s",
    "--stage", "tokens", "--epp", "--exclude", "**", "--fail-on-warnings", "--from", "3.8", "--fix", "--diff", "--force", "--to", "8",
    "--", "-", "show", "os.name", "--value-only", "--external-dir", "bash", "fish", "zsh", "a.json", "b.json", "--tags",
    "--no-edges", "--ignore", "File[*]", "--ignore-attr", "mode", "--exit-zero", "--repository", ".", "--timeout", "5", "--help",
    "-h", "-x", "--nosuch", "--node=", "--jobs=0", "--jobs=-1", "--jobs=x", "--timeout=nan", "--timeout=inf", "--timeout=-1", "[", "{}",
    "--set", "x", "--set", "=", "missing.pp", "modules", "", "\udcff", "--memory", "1G", "--memory=0", "Integer[1, 3]",
    "nosuch/out", "m", "pick", "clear", "--show-legacy", "--render-as=json", "--format=json", "data", "facts.json", "HEAD",
)  # fmt: skip


def command_lines(make: Maker) -> Case:
    """Words of the command line, in any order."""
    chance = make.chance
    words = [chance.choice(COMMANDS[:13]) if chance.randrange(10) else chance.choice(COMMANDS)]
    for _ in range(chance.randint(0, 8)):
        word = chance.choice(ARGUMENTS)
        if chance.randrange(15) == 0:
            word = mutated(word.encode("utf-8", "surrogateescape"), [b"--x=1"], chance).decode(
                "utf-8", "surrogateescape"
            )
        words.append(word.replace("\0", ""))
    if chance.randrange(20) == 0:
        words.insert(0, chance.choice(("--color", "--debug", "--no-project", "never")))
    if words[0] == "completion" and chance.randrange(2):
        words = ["completion", *words[1:3]]
    case = make.case(*words)
    files = {
        "site.pp": b"include m\nnotify { 'x': }\n", "facts/web1.json": FACTS, "facts/web2.yaml": b"kernel: Linux\n",
        "a.json": seeds("catalogs")[0], "b.json": seeds("catalogs")[0].replace(b"0644", b"0600"), "puppet.conf": b"[main]\nstrict=off\n",
        "environments/production/manifests/site.pp": b"notice('env')",
    }  # fmt: skip
    case = with_files(case, {**make.modules, **HIERA, **files})
    return replace(
        case,
        stdin=chance.choice((b"", b"notice(2)", b'{"id": "1", "code": "notice(1)"}\n', b"\xff{")),
    )


def cache_entries(make: Maker) -> Case:
    """Damaged entries of the cache: a second run has the same result as the first."""
    code = b"include m\n" + make.chance.choice(seeds(make.stock))
    case = make.case(
        "compile", "site.pp", *MODULEPATH, *SOME_FACTS, "--hiera-config", "hiera.yaml", *make.language(), *make.strict(),
        site__pp=code,
    )  # fmt: skip
    case = case.with_file("modules/m/lib/puppet/type/x.rb", make.chance.choice(seeds("ruby_types")))
    case = case.with_file("modules/m/manifests/base.pp", b"class m::base { x { 'a': } }")
    return replace(
        with_files(case, {**make.modules, **HIERA}), damage=make.chance.randrange(1 << 30)
    )


def formats(make: Maker) -> Case:
    """Formats of sprintf, strftime and String.new, regular expressions, numbers, versions."""
    code = make.text("formats").decode("utf-8", "surrogateescape").replace("\0", "")
    if make.dialect == "8":
        return make.case("eval", "--format", make.pick("text", "json"), "-e", code)
    return make.case("compile", *make.language(), *SOME_FACTS, "-e", f"$x = {code}\nnotice($x)")


def odd_files(make: Maker) -> Case:
    """Folders, links, devices and pipes in the places of files, and files in those of folders."""
    kind = make.chance.choice(
        (manifests, epp, hiera_data, facts, stored_catalogs, catalogs, project_files, metadata)
    )
    case = kind(make)
    path = make.chance.choice(sorted(case.files))
    match make.chance.randrange(6):
        case 0:
            case = case.without_file(path)
            return case.with_file(f"{path}/x", b"")
        case 1:
            parent = path.rpartition("/")[0]
            inside = [one for one in case.files if parent and one.startswith(f"{parent}/")]
            for one in inside:
                case = case.without_file(one)
            return case.with_file(parent or path, b"x")
        case 2:
            case = case.without_file(path)
            itself = path.rpartition("/")[2]
            targets = (itself, "/nonexistent", ".", "..", "/dev/null", "/dev/zero", "/dev/full")
            return replace(case, links={path: make.pick(*targets)})
        case 3:
            return case.without_file(path)
        case 4:
            return replace(case.without_file(path), pipes=(path,))
    name = make.pick("\udcff", "a\nb", "x" * 255, " ", "-e", "%s", "{}", "*", "é")
    parent = path.rpartition("/")[0]
    ending = path.rpartition(".")[2]
    new = f"{parent}/{name}.{ending}"[-255:] if parent else f"{name}"
    words = tuple(new if word == path else word for word in case.arguments)
    return replace(case.without_file(path).with_file(new, case.files[path]), arguments=words)


@dataclass(frozen=True)
class Kind:
    """A kind of input, the dialects that it has, whether Ruby may take part, its share of the time."""

    make: Callable[[Maker], Case]
    dialects: Sequence[str] = ("8",)
    ruby: bool = False
    weight: float = 1.0
    fresh: bool = False
    """Each run is in a process of its own: nothing of an earlier one is in memory."""

    @property
    def runs(self) -> list[tuple[str, bool]]:
        """Return the dialects, with and without Ruby."""
        return [
            (one, ruby)
            for one in self.dialects
            for ruby in ((False, True) if self.ruby else (False,))
        ]


KINDS: dict[str, Kind] = {
    "manifests": Kind(manifests, DIALECTS, weight=3),
    "epp": Kind(epp, ("8", "3.8-future")),
    "erb": Kind(erb, DIALECTS, ruby=True),
    "ruby_types": Kind(ruby_types, ("8", "3.8")),
    "ruby_functions": Kind(ruby_functions, ("8", "3.8", "3.0"), ruby=True),
    "hiera_configuration": Kind(hiera_configuration, ("8", "3.8")),
    "hiera_data": Kind(hiera_data, ("8", "3.8"), weight=1.5),
    "metadata": Kind(metadata, weight=0.5),
    "project_files": Kind(project_files, weight=0.7),
    "facts": Kind(facts, DIALECTS),
    "queries": Kind(queries),
    "stored_catalogs": Kind(stored_catalogs),
    "catalogs": Kind(catalogs),
    "batch_requests": Kind(batch_requests),
    "classifiers": Kind(classifiers, ("8", "3.8")),
    "revisions": Kind(revisions, weight=1.5),
    "command_lines": Kind(command_lines),
    "cache_entries": Kind(cache_entries, ("8", "3.8"), fresh=True),
    "formats": Kind(formats, DIALECTS),
    "odd_files": Kind(odd_files, ("8", "3.8")),
}


def case_of(kind: str, dialect: str, ruby: bool, seed: int, number: int, installed: bool) -> Case:
    """Return the input with a number: the same for the same seed."""
    chance = random.Random(f"{seed}:{kind}:{dialect}:{ruby}:{number}")
    return KINDS[kind].make(Maker(chance, dialect, ruby, installed))
