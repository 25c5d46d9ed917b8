"""The checks of Hiera data, and required parameters of classes that data gives or lacks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.engine.request import Request
from bunraku.modules.files import join
from bunraku.workbench.analysis.analyse import analyse
from bunraku.world.dictionary import DictionaryWorld
from support.analysis import analysed_values

HIERA = """version: 5
hierarchy:
  - { name: node, path: "nodes/%{trusted.certname}.yaml" }
  - { name: shared, globs: ["shared/*.yaml", "{a,b}.json"] }
  - { name: common, path: common.yaml }
"""
FILES = {
    "hiera.yaml": HIERA,
    "modules/web/hiera.yaml": "version: 5",
    "modules/web/manifests/init.pp": """class web(
      Integer $port, Array[String] $names = [], Optional[Struct[{a => Integer, Optional[b] => String}]] $at = undef,
      Enum['on', 'off'] $mode = 'on', $any = 1) { }""",
    "modules/app/manifests/init.pp": "class app(String $name_of) { }",
    "manifests/site.pp": "",
}


def analysed(files, settings=None):
    """The findings in the files of an environment, which is on a disk of its own."""
    given = {join("/e", name): text for name, text in {**FILES, **files}.items()}
    world = DictionaryWorld({path: text.encode() for path, text in given.items()})
    parse = dialect_named("8").parse
    programs = [parse(Source(text, path)).program for path, text in given.items() if ".pp" in path]
    request = Request(environment_directory="/e", world=world, settings=settings or {})
    return analysed_values(request, programs, [path for path in given if ".pp" not in path])


def findings(data, **files):
    """The findings in data/common.yaml: code, severity, line, column."""
    found = analysed({"data/common.yaml": data, **files})
    return [(one.code, one.severity, one.line, one.column) for one in found]


def codes(files, settings=None):
    """The codes and severities of the findings in files."""
    return [(one.code, one.severity) for one in analysed(files, settings)]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("web::port: 80", []),
        ("web::port: '80'", [("INVALID_PARAMETERS", "error", 1, 1)]),
        ("web::any: '80'", []),
        ("web::port: ~", []),
        ('web::port: "%{facts.port}"', [("INVALID_PARAMETERS", "error", 1, 1)]),
        ("web::any: [8]\nweb::port: \"%{alias('web::any')}\"", []),
        ("web::names: [a, 1]", [("INVALID_PARAMETERS", "error", 1, 17)]),
        ("web::names: { a: b }", [("INVALID_PARAMETERS", "error", 1, 1)]),
        ("web::mode: yes", [("INVALID_PARAMETERS", "error", 1, 1)]),
        ("web::mode: on", [("INVALID_PARAMETERS", "error", 1, 1)]),
        ("web::mode: 'on'", []),
        ("web::at: { a: 1, b: x }", []),
        ("web::at: { b: x }", [("INVALID_PARAMETERS", "error", 1, 1)]),
        ("web::at: { a: 1, '%{facts.x}': x }", []),
        ("lookup_options: { web::at: { merge: deep } }\nweb::at: { b: x }", []),
        (
            "lookup_options: { '^web::': { merge: hash } }\nweb::at: { a: x }",
            [("INVALID_PARAMETERS", "warning", 2, 12)],
        ),
        ("lookup_options: { web::port: { convert_to: Integer } }\nweb::port: '80'", []),
        ("lookup_options: { web::names: { merge: unique } }\nweb::names: a", []),
        ("\nweb::prot: 80", [("HIERA_UNKNOWN_PARAMETER", "warning", 2, 1)]),
        ("other: 1", [("HIERA_UNUSED_KEY", "warning", 1, 1)]),
        ("wbe::port: 1", []),
        ("web::port:\n  80\nlookup_options:\n  web::prot: {}", [("HIERA_UNUSED_OPTIONS", "warning", 4, 3)]),
        ("lookup_options: { '^web::': { merge: first } }\nweb::port: 1", []),
        ("lookup_options: { web::port: { merge: { strategy: deep } } }\nweb::port: 1", []),
        ("lookup_options: { web::port: 5 }\nweb::port: 1", [("HIERA_LOOKUP_OPTIONS_NO_HASH", "error", 1, 19)]),
        (
            "web::any:\n  - x: \"%{lookup('none')}\"",
            [("HIERA_UNKNOWN_KEY", "warning", 2, 5)],
        ),
        ("web::any: [\"%{lookup('web::port')}\", \"%{scope('x')} %{::facts.os.name} %{} %{literal('%')}\"]\nweb::port: 1", []),
        ('web::any: "%{facts.os.\'a.b\'} %{trusted.extensions.pp_role}"', []),
        ('web::any: "%{facts[os]}"', [("HIERA_BAD_INTERPOLATION", "warning", 1, 1)]),
        ('web::any: "%{scope(\'a b\')}"', [("HIERA_BAD_INTERPOLATION", "warning", 1, 1)]),
        ('web::any: "%{facts.os"', [("HIERA_BAD_INTERPOLATION", "warning", 1, 1)]),
        ('web::any: "${facts.os.family}"', [("HIERA_BAD_INTERPOLATION", "warning", 1, 1)]),
        ("web::any: \"${lookup('a')}\"", [("HIERA_BAD_INTERPOLATION", "warning", 1, 1)]),
        ('web::any: "${HOME} ${facts} ${facts:-x} $facts.os"', []),
    ],
)  # fmt: skip
def test_data(data, expected):
    assert findings(data) == expected


@pytest.mark.parametrize(
    "code",
    [
        "notice(lookup('other'))",
        "notice(lookup('other.a.b', String))",
        "notice(lookup(['a', 'other']))",
        "notice(lookup({ 'name' => 'other', default_value => 1 }))",
        "notice('other'.lookup)",
        "hiera_include('other')",
        "notice(hiera_hash('other', {}))",
        'notice(lookup("ot${x}"))',
        "notice(lookup($key))",
        "$keys.each |$key| { notice($key.lookup) }",
    ],
)
def test_code_that_reads_a_key(code):
    assert codes({"data/common.yaml": "other: 1", "manifests/site.pp": code}) == []
    comment = {"data/common.yaml": "other: 1", "manifests/site.pp": f"# {code}"}
    assert codes(comment) == [("HIERA_UNUSED_KEY", "warning")]


def test_other_readers_of_keys():
    bare = {"manifests/site.pp": "notice(lookup(a::b::c,))", "data/common.yaml": "a::b::c: 1"}
    assert codes(bare) == []
    unused = [("HIERA_UNUSED_KEY", "warning")]
    data = {"data/common.yaml": "other: 1"}
    ruby = "modules/web/lib/puppet/functions/web.rb"
    assert codes({**data, ruby: "call_function('lookup', 'other')"}) == []
    assert codes({**data, ruby: "call_function(:lookup, key)"}) == []
    assert codes({**data, ruby: "call_function('lookup', 'another')"}) == unused
    assert (
        codes({**data, "modules/web/templates/a.erb": "<%= scope().function_hiera(['other']) %>"})
        == []
    )
    assert codes({"data/common.yaml": "other: 1\nweb::any: \"%{alias('other')}\""}) == []
    assert codes({**data, "manifests/site.pp": 'notice(lookup("x::${y}"))'}) == unused


def test_files_of_data():
    unused = [("HIERA_UNUSED_FILE", "warning")]
    assert codes({"data/nodes/a.b.yaml": "web::port: 1", "data/shared/x.yaml": "{}"}) == []
    assert codes({"data/a.json": "{}", "data/README.md": ""}) == []
    assert codes({"data/c.json": "{}"}) == unused
    assert codes({"data/node/a.yaml": "{}"}) == unused
    assert codes({"data/shared/x/y.yaml": "{}"}) == unused
    assert codes({"data/a.json": '{"web::port": "1"}'}) == [("INVALID_PARAMETERS", "error")]


def test_data_of_modules():
    path = "modules/web/data/common.yaml"
    assert codes({path: "web::port: a"}) == [("INVALID_PARAMETERS", "error")]
    assert codes({path: "web::x: 1"}) == [("HIERA_UNKNOWN_PARAMETER", "warning")]
    assert codes({path: "other: 1"}) == []  # the compile warns of it
    # Options of the environment are for the data of modules, too.
    options = "lookup_options: { web::port: { convert_to: Integer } }"
    assert codes({path: "web::port: '1'", "data/common.yaml": options}) == []


def test_keys_of_a_namespace_that_is_not_a_module():
    data = {"data/common.yaml": "site::a: 1\nsite::b: 1"}
    assert codes(data) == []  # perhaps of a module that is not installed here
    code = {"manifests/site.pp": "notice(lookup('site::a'))"}
    assert codes({**code, **data}) == [("HIERA_UNUSED_KEY", "warning")]


def test_computed_keys_may_be_any_key_but_not_of_a_class():
    code = {"manifests/site.pp": "notice(lookup($key))"}
    found = codes({**code, "data/common.yaml": "other: 1\nweb::x: 1\nweb::any: 1"})
    assert found == [("HIERA_UNKNOWN_PARAMETER", "warning")]
    code = {"manifests/site.pp": 'notice(lookup("${class}::x"))'}
    assert codes({**code, "data/common.yaml": "web::x: 1"}) == []


def test_unknown_parameters_have_a_suggestion():
    (found,) = analysed({"data/common.yaml": "web::nmaes: []"})
    assert found.hint == "did you mean 'names'?"
    assert (
        found.message == "Nothing reads the key 'web::nmaes': Class[Web] has no parameter 'nmaes'"
    )


def test_values_have_the_words_of_the_compile():
    (found,) = analysed({"data/common.yaml": "web::port: a"})
    assert found.message == "Class[Web]: parameter 'port' expects an Integer value, got String"


def test_only_checked_files_have_findings():
    given = {join("/e", name): text for name, text in FILES.items()}
    given |= {"/e/data/common.yaml": "other: 1", "/e/data/nodes/a.yaml": "other: 1"}
    world = DictionaryWorld({path: text.encode() for path, text in given.items()})
    request = Request(environment_directory="/e", world=world)
    assert [one.file for one in analyse(request, [], ["/e/data/nodes/a.yaml"])] == [
        "/e/data/nodes/a.yaml"
    ]


# -- required parameters of classes ----------------------------------------------------------------

BACKEND = "version: 5\nhierarchy: [{ name: vault, lookup_key: vault }]"


@pytest.mark.parametrize(
    ("code", "data", "expected"),
    [
        ("class { 'app': }", "{}", ["error"]),
        ("class { 'app': name_of => 'a' }", "{}", []),
        ("class { 'app': * => $x }", "{}", []),
        ("class { default: name_of => 'a'; 'app': }", "{}", []),
        ("class { 'app': }", "app::name_of: a", []),
        ("class { ['app', 'web']: }", "web::port: 1", ["error"]),
        ("include app", "{}", ["warning"]),
        ("['app'].contain", "{}", ["warning"]),
        ("include app", "app::name_of: a", []),
        ("include web", "{}", ["warning"]),
        ("include app\nclass { 'app': name_of => 'a' }", "{}", []),
        ("include app\nclass { 'app': * => $x }", "{}", []),
        ("include app\nclass { 'web': port => 1 }", "{}", ["warning"]),
    ],
)
def test_required_parameters(code, data, expected):
    found = codes({"manifests/site.pp": code, "data/common.yaml": data})
    assert found == [("MISSING_PARAMETER", severity) for severity in expected]


def test_data_for_required_parameters_on_any_node():
    code = {"manifests/site.pp": "class { 'app': }"}
    assert codes({**code, "data/nodes/a.yaml": "app::name_of: a"}) == []
    module = {"modules/app/hiera.yaml": "version: 5"}
    assert codes({**code, **module, "modules/app/data/common.yaml": "app::name_of: a"}) == []


@pytest.mark.parametrize(
    ("files", "settings"),
    [
        ({"hiera.yaml": BACKEND}, {}),
        ({"hiera.yaml": "version: 5\nhierarchy: 1"}, {}),
        ({"data/common.yaml": "a: ["}, {}),
        ({"modules/app/hiera.yaml": BACKEND}, {}),
        ({"/global.yaml": BACKEND}, {"hiera_config": "/global.yaml"}),
    ],
)
def test_required_parameters_are_uncertain_if_some_data_cannot_be_read(files, settings):
    code = {"manifests/site.pp": "class { 'app': }"}
    found = [one for one in codes({**code, **files}, settings) if "FUNCTION" not in one[0]]
    assert found == [("MISSING_PARAMETER", "warning")]


def test_wrong_defaults_that_data_replaces():
    path = "modules/app/manifests/init.pp"
    code = {path: "class app(Integer $x = 'a') { }"}
    assert codes(code) == [("INVALID_PARAMETERS", "error")]
    data = {"data/common.yaml": "app::x: 1"}
    assert codes({**code, **data}) == [("INVALID_PARAMETERS", "warning")]


# -- lookup in code --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "data", "expected"),
    [
        ("lookup('k', Integer)", "k: 1", []),
        ("lookup('k', Integer)", "k: a", ["error"]),
        ("lookup('k.a', Integer)", "k: { a: b }", []),
        ("lookup('k', { value_type => Integer })", "k: a", ["error"]),
        ("lookup('k', Integer, 'hash')", "k: a", []),
        ("lookup('k', Integer, 'first', 'a')", "k: 1", ["warning"]),
        ("lookup('k', Integer, 'first', 'a')", "{}", ["error"]),
        ("lookup('k', Integer, 'first', 2)", "{}", []),
        ("lookup('k', { value_type => Integer, default_value => 'a' })", "{}", ["error"]),
        ("lookup('k', Integer)", "lookup_options: { k: { convert_to: Integer } }\nk: '1'", []),
        ("lookup('k', Optional[Integer])", "k: ~", []),
        ("lookup($k, Integer, 'first', 'a')", "k: 1", ["warning"]),
    ],
)
def test_lookups(call, data, expected):
    found = codes({"manifests/site.pp": f"notice({call})", "data/common.yaml": data})
    assert found == [("TYPE_MISMATCH", severity) for severity in expected]


def test_lookup_of_a_value_that_only_some_nodes_have():
    code = {"manifests/site.pp": "notice(lookup('k', Integer))", "data/common.yaml": "k: 1"}
    (found,) = analysed({**code, "data/nodes/a.yaml": "\nk: a"})
    assert (found.code, found.severity) == ("TYPE_MISMATCH", "warning")
    assert found.message == "the value of 'k' expects an Integer value, got String"
    assert found.hint == "value of 'k' from /e/data/nodes/a.yaml:2"


# -- secrets -----------------------------------------------------------------------------------------

CONTROL = Path(__file__).parents[3] / "examples" / "control"
KEYS = {
    f"/keys/{kind}.pem": (CONTROL / f"keys/demo_{kind}_key.pkcs7.pem").read_text()
    for kind in ("private", "public")
}
WITH_SECRETS = """version: 5
hierarchy:
  - name: secrets
    path: secrets.yaml
    lookup_key: eyaml_lookup_key
    options: { pkcs7_private_key: /keys/private.pem, pkcs7_public_key: /keys/public.pem }
"""
SECRETS = (CONTROL / "data/roles/database.yaml").read_text()
SECRET = "".join(re.search(r"ENC\[[^]]*\]", SECRETS)[0].split())


def secrets(value, **keys):
    """The findings in a file with a secret, which the keys open or not."""
    given = {"hiera.yaml": WITH_SECRETS, "data/secrets.yaml": f"web::any: {{ a: '{value}' }}"}
    return analysed({**given, **keys})


def test_secrets_that_are_opened():
    assert secrets(SECRET, **KEYS) == []


def test_secrets_that_are_not_opened():
    broken = SECRET[:-60] + SECRET[-40:]
    (found,) = secrets(broken, **KEYS)
    assert (found.code, found.line, found.column) == ("HIERA_DECRYPTION_FAILED", 1, 13)
    assert found.message.startswith("Cannot decrypt the value of 'web::any'")
    assert broken[12:40] not in found.message
    (found,) = secrets("ENC[GPG,abcd]", **KEYS)
    assert "GPG is not supported" in found.message


def test_without_keys_secrets_are_not_checked():
    assert secrets("ENC[PKCS7,abcd]") == []
    assert secrets("ENC[PKCS7,abcd]", **{"/keys/public.pem": KEYS["/keys/public.pem"]}) == []


def test_functions_of_levels_are_there():
    def level(function, **files):
        text = f"version: 5\nhierarchy:\n  - {{ name: a, path: common.yaml, {function} }}\n"
        found = analysed({"hiera.yaml": text, "data/common.yaml": "{}", **files})
        return [
            (one.code, one.severity, one.line, one.hint) for one in found if "FUNCTION" in one.code
        ]

    code = "HIERA_DATA_PROVIDER_FUNCTION_NOT_FOUND"
    assert level("data_hash: yaml_data") == []
    assert level("lookup_key: eyaml_lookup_key, options: { gpg_gnupghome: /a }") == []
    ((found, severity, line, hint),) = level("data_hash: yaml_dat")
    assert (found, severity, line) == (code, "error", 3)
    assert hint == "did you mean 'yaml_data'?"
    assert level("lookup_key: hiera_hsh")[0][3] is None  # hiera_hash is no backend
    puppetfile = {"Puppetfile": "mod 'a/hiera_http', '1.0.0'\n"}
    ((_, _, _, hint),) = level("lookup_key: hiera_http", **puppetfile)
    assert hint == "the module 'hiera_http' of the Puppetfile is not installed"
    assert [one[0] for one in level("lookup_key: 'web::find'")] == [code]
    assert level("lookup_key: 'absent::find'") == []  # its module is not here
    assert (
        level(
            "data_hash: web::d", **{"modules/web/functions/d.pp": "function web::d($a, $b) { {} }"}
        )
        == []
    )


def test_a_defined_type_with_the_name_of_a_module_of_the_puppetfile_is_not_unknown():
    code = "class web::more { concat { '/x': } concatt { '/y': } }"
    files = {"modules/web/manifests/more.pp": code, "Puppetfile": "mod 'puppetlabs/concat'\n"}
    assert [one[0] for one in findings("web::port: 1\n", **files) if "TYPE" in one[0]] == [
        "UNKNOWN_RESOURCE_TYPE"
    ]


def test_keys_of_modules_of_the_puppetfile_are_not_unused():
    puppetfile = {"Puppetfile": "mod 'puppetlabs/apt', '9.0.0'\n"}
    code = "class web::more { notice($apt::proxy, $other::proxy) }"
    files = {"modules/web/manifests/more.pp": code, **puppetfile}
    assert [one for one in findings("apt::proxy: a\n", **files) if one[0].startswith("HIERA")] == []
    assert findings("other: 1\n", **puppetfile) == []  # code of the module may read it
    assert ("HIERA_UNUSED_KEY", "warning", 1, 1) in findings("other: 1\n")
