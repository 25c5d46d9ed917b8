"""Hiera: results of Puppet, Ruby's deep_merge and Ruby's HOCON are recorded in tests/data."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from tests.support.recorded import recorded

from bunraku.base.errors import PuppetError
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.formats import yaml
from bunraku.formats.hocon import HoconError, parse_hocon
from bunraku.hiera import issues
from bunraku.hiera.invocation import Invocation
from bunraku.hiera.lookup import LookupEngine
from bunraku.hiera.merge import DeepMerge
from bunraku.hiera.recorder import Recorder
from bunraku.modules.environment import Environment, read_environment
from bunraku.modules.node import Node
from bunraku.types.text.display import display
from bunraku.values.missing import MISSING
from bunraku.world.dictionary import DictionaryWorld
from support.explanations import bare
from support.eyaml_keys import encrypt, key_pair

DATA = Path(__file__).parents[1] / "data"
ROOT = "/D/environments/production"
HIERA = b"version: 5\nhierarchy:\n  - name: c\n    path: c.yaml\n"


def engine_of(case, warnings=None):
    files = {"/D/" + path: text.encode() for path, text in case["files"].items()}
    modules = case.get("modules", {})
    files.update({f"{ROOT}/modules/{path}": text.encode() for path, text in modules.items()})
    files.setdefault(f"{ROOT}/there", b"")
    environment = read_environment("production", ROOT, DictionaryWorld(files), [], {}, None)
    settings = {"hiera_config": "/D/hiera.yaml", "strict": "error", "codedir": "/C"}
    settings.update(case.get("settings", {}))
    warn = warnings.append if warnings is not None else lambda _: None
    return LookupEngine(environment, settings, warn)


def variables_of(case):
    node = Node(case.get("node", "testnode.example.com"), facts=case.get("facts", {}))
    return {**node.top_scope(), **case.get("vars", {})}


def invocation_of(variables, **options):
    def call(name, arguments):
        raise AssertionError(name)

    return Invocation(
        lambda name, default: variables.get(name.removeprefix("::"), default), call, **options
    )


def outcome(engine, variables, key, merge=None, overrides=None, defaults=None):
    engine.busy.clear()
    invocation = invocation_of(variables, overrides=overrides or {}, defaults=defaults or {})
    try:
        return [engine.find(invocation, [key], merge=merge)]
    except PuppetError as error:
        return {"error": error.code, "line": error.diagnostic.line}


def test_lookups_give_what_puppet_gave():
    wrong, count = [], 0
    for case in recorded("hiera_lookups"):
        engine, variables = engine_of(case), variables_of(case)
        for lookup, expected in zip(case["lookups"], case["expected"], strict=True):
            count += 1
            found = outcome(engine, variables, *lookup)
            if isinstance(expected, dict):
                agree = isinstance(found, dict)
                agree = agree and expected["error"] in {None, found["error"]}
                agree = agree and expected["line"] in {None, found["line"]}
            else:
                agree = json.dumps(found) == json.dumps(expected)
            if not agree:
                wrong.append((case["id"], lookup, expected, found))
    assert not wrong
    assert count > 2000


def test_deep_merges_give_what_ruby_gave():
    wrong = []
    for source, target, options, expected in recorded("hiera_merges"):
        before = json.dumps([source, target])
        try:
            found = [DeepMerge(options).merge(source, target)]
        except PuppetError:
            found = None
        if isinstance(expected, dict):
            agree = found is None
        else:
            agree = json.dumps(found) == json.dumps(expected)
        if not agree or json.dumps([source, target]) != before:
            wrong.append((source, target, options, expected, found))
    assert not wrong


@pytest.mark.parametrize(("text", "expected"), json.loads((DATA / "hocon.json").read_text()))
def test_hocon_gives_what_ruby_gave(text, expected):
    if expected is None:
        with pytest.raises(HoconError):
            parse_hocon(text)
    else:
        assert json.dumps([parse_hocon(text)], sort_keys=True) == json.dumps(
            expected, sort_keys=True
        )


def make(files, **settings):
    world = DictionaryWorld({path: bytes(text) for path, text in files.items()})
    environment = Environment("e", ["/m"], world, path="/e")
    return LookupEngine(environment, settings)


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"a: 1\nb: [\n", 3),
        (b"a: 1\nb: 2020-01-01", 2),
        (b"a: 1\n\nb: *nothing", 3),
        (b"a: &x\n  - *x", 2),
        (b"a: !ruby/object:Foo {}", 1),
        (b"a: \xff", None),
    ],
)
def test_broken_yaml_names_file_and_line(data, line):
    engine = make({"/e/hiera.yaml": HIERA, "/e/data/c.yaml": data})
    with pytest.raises(PuppetError) as caught:
        engine.lookup(invocation_of({}), "a")
    assert caught.value.code == "HIERA_UNPARSABLE_DATA"
    assert caught.value.diagnostic.file == "/e/data/c.yaml"
    assert caught.value.diagnostic.line == line


def test_yaml_that_is_nested_too_deeply_is_refused():
    with pytest.raises(yaml.YamlError, match="deep"):
        yaml.load("a: " + "[" * 5000 + "]" * 5000)
    assert yaml.load("a: " + "[" * 200 + "]" * 200)


def test_a_loop_is_told_with_all_names():
    data = b"""a: "%{lookup('b')}"\nb: "%{lookup('a')}"\n"""
    engine = make({"/e/hiera.yaml": HIERA, "/e/data/c.yaml": data})
    with pytest.raises(PuppetError, match="a, b, a"):
        engine.lookup(invocation_of({}), "a")


def test_parameters_without_data_are_missing_and_cheap():
    engine = make({"/e/hiera.yaml": HIERA, "/e/data/c.yaml": b"k::a: 1\nk::n:\n"})
    invocation = invocation_of({})
    assert engine.lookup_parameter(invocation, "k", "a") == 1
    assert engine.lookup_parameter(invocation, "k", "n") is None
    assert engine.lookup_parameter(invocation, "k", "b") is MISSING


def test_parameters_follow_variables_that_change():
    hiera = HIERA.replace(b"c.yaml", b'"%{v}.yaml"')
    files = {"/e/hiera.yaml": hiera, "/e/data/1.yaml": b"k::a: 1", "/e/data/2.yaml": b"k::b: 2"}
    engine = make(files)
    variables = {"v": "1"}
    invocation = invocation_of(variables)
    assert engine.lookup_parameter(invocation, "k", "a") == 1
    assert engine.lookup_parameter(invocation, "k", "b") is MISSING
    variables["v"] = "2"
    assert engine.lookup_parameter(invocation, "k", "a") is MISSING
    assert engine.lookup_parameter(invocation, "k", "b") == 2


def test_data_files_are_read_again_when_they_change():
    files = {"/e/hiera.yaml": HIERA, "/e/data/c.yaml": b"a: 1"}
    environment = Environment("e", [], DictionaryWorld(files), path="/e")
    assert LookupEngine(environment, {}).lookup(invocation_of({}), "a") == 1
    files["/e/data/c.yaml"] = b"a: 2"
    assert LookupEngine(environment, {}).lookup(invocation_of({}), "a") == 2


def test_keys_of_other_modules_are_warned_of():
    files = {
        "/m/m/hiera.yaml": HIERA,
        "/m/m/data/c.yaml": b"m::a: 1\nother: 2\n",
    }
    warnings = []
    environment = Environment("e", ["/m"], DictionaryWorld(files))
    engine = LookupEngine(environment, {}, warnings.append)
    assert engine.lookup(invocation_of({}), "m::a") == 1
    assert [warning.code for warning in warnings] == ["HIERA_FOREIGN_KEYS"]
    assert "other" in warnings[0].message


def test_an_explanation_names_every_source():
    case = {
        "files": {
            "hiera.yaml": "version: 5",
            "data/common.yaml": "x: 1",
            "environments/production/hiera.yaml": "version: 5\nhierarchy: "
            "[{name: n, paths: [none.yaml, '%{f}.yaml']}]",
            "environments/production/data/F.yaml": "lookup_options: {a: {merge: deep}}\n"
            "a: {k: \"%{lookup('x')}\"}",
        }
    }
    explain = Recorder()
    value = engine_of(case).lookup(invocation_of({"f": "F"}, explain=explain), "a.k")
    text = explain.text()
    assert value == "1"
    for part in (
        "/D/hiera.yaml",
        "/D/data/common.yaml",
        f"{ROOT}/hiera.yaml",
        f"{ROOT}/data/none.yaml",
        "Path not found",
        f"{ROOT}/data/F.yaml",
        "%{f}.yaml",
        "strategy deep",
        "lookup_options",
        'Found key: "x" value: 1',
    ):
        assert part in text
    json.dumps(explain.data())


FAILING = {
    "files": {
        "environments/production/hiera.yaml": "version: 5\nhierarchy: [{name: n, path: a.yaml}]",
        "environments/production/data/a.yaml": "bad: \"%{lookup('text.part')}\"\ntext: t\ngood: g\n"
        'ends: "%{facts.os.name.last}"',
    }
}


@pytest.mark.parametrize("bad", ["bad", "text.part", "ends"])
def test_an_error_ends_all_steps_of_an_explanation(bad):
    engine, recorder = engine_of(FAILING), Recorder()
    invocation = invocation_of({"facts": {"os": {"name": "Debian"}}}, explain=recorder)
    with pytest.raises(PuppetError):
        engine.lookup(invocation, bad)
    assert engine_of(FAILING).lookup(invocation, "good") == "g"
    assert [step.name for step in recorder.root.steps if step.kind == "data"] == [bad, "good"]


def test_an_error_is_noted_in_the_step_where_it_occurred():
    recorder = Recorder()
    with pytest.raises(PuppetError) as caught:
        engine_of(FAILING).lookup(invocation_of({}, explain=recorder), "bad")
    recorder.failed(caught.value.message)
    lines = recorder.text().splitlines()
    at = next(index for index, line in enumerate(lines) if caught.value.message in line)
    assert 'Sub key: "part"' in lines[at - 1]


def test_an_error_that_was_caught_is_forgotten():
    recorder = Recorder()
    with recorder.step("data", "outer"):
        with suppress(PuppetError), recorder.step("data", "caught"):
            raise issues.NO_BACKEND(name="x")
        with recorder.step("data", "good"):
            pass
    recorder.failed("the end")
    assert recorder.text().splitlines()[-1] == "the end"


def explained(case, lookup):
    """The result of a lookup and its explanation, in the form of ``puppet lookup``."""
    options_only = bool(lookup.get("explain_options")) and not lookup.get("explain")
    recorder = Recorder(options_only=options_only)
    engine = engine_of(case)
    invocation = invocation_of(variables_of(case), explain=recorder)
    try:
        default = None if options_only else MISSING
        value = engine.find(invocation, lookup["keys"], merge=lookup["merge"], default=default)
        found = {"value": value}
    except PuppetError:
        found = {"error": True}
    return {**found, "tree": bare(recorder.data())}


def disagreements(case):
    """Key, Puppet's result and ours, for each lookup in which they differ."""
    wrong = []
    for lookup, expected in zip(case["lookups"], case["expected"], strict=True):
        found = explained(case, lookup)
        if "tree" not in expected:  # Puppet crashed, and explained nothing
            del found["tree"]
        if json.dumps(found, sort_keys=True) != json.dumps(expected, sort_keys=True):
            wrong.append((case["id"], lookup, expected, found))
    return wrong


def test_explanations_are_those_of_puppet():
    cases = recorded("lookup_explanations")
    assert sum(len(case["lookups"]) for case in cases) >= 200
    assert [found for case in cases for found in disagreements(case)] == []


def lookup_key_case(function, options=None):
    level = {"name": "x", "lookup_key": function, **(options or {})}
    return {"/e/hiera.yaml": json.dumps({"version": 5, "hierarchy": [level]}).encode()}


def test_a_function_is_given_key_options_and_context():
    calls = []

    def call(name, arguments):
        key, options, context = arguments
        calls.append((name, key, options))
        if key == "none":
            context.not_found()
        return context.interpolate("%{v}") if key == "a" else {"b": [key]}

    files = lookup_key_case("m::f", {"options": {"o": "%{v}"}})
    engine = make(files)
    invocation = Invocation(lambda name, default: "V" if name == "v" else default, call)
    assert engine.lookup(invocation, "a") == "V"
    assert engine.lookup(invocation, "a") == "V"
    assert engine.lookup(invocation, "h.b.0") == "h"
    assert engine.lookup(invocation, "none") is MISSING
    asked = [key for _, key, _ in calls]
    assert asked.count("a") == 1
    assert ("m::f", "a", {"o": "V"}) in calls


def test_a_function_that_does_not_exist_is_named():
    engine = make(lookup_key_case("m::f"))
    invocation = Invocation(lambda name, default: default, print, has_function=lambda _: False)
    with pytest.raises(PuppetError) as caught:
        engine.lookup(invocation, "a")
    assert caught.value.code == "HIERA_DATA_PROVIDER_FUNCTION_NOT_FOUND"
    assert caught.value.diagnostic.file == "/e/hiera.yaml"


def eyaml_files(private, certificate, data):
    from cryptography.hazmat.primitives.serialization import Encoding

    options = {"pkcs7_private_key": "/k/private.pem", "pkcs7_public_key": "/k/public.pem"}
    files = lookup_key_case("eyaml_lookup_key", {"path": "s.eyaml", "options": options})
    files["/k/private.pem"] = private
    files["/k/public.pem"] = certificate.public_bytes(Encoding.PEM)
    files["/e/data/s.eyaml"] = json.dumps(data).encode()
    return files


def test_encrypted_values_are_opened():
    private, certificate = key_pair()
    data = {
        "plain": "%{v}",
        "secret": encrypt(certificate, "pass wörd"),
        "inside": {"list": ["x" + encrypt(certificate, "1") + "y", 5]},
    }
    engine = make(eyaml_files(private, certificate, data))
    invocation = invocation_of({"v": "V"})
    assert engine.lookup(invocation, "plain") == "V"
    assert engine.lookup(invocation, "secret") == "pass wörd"
    assert engine.lookup(invocation, "inside.list") == ["x1y", 5]


def test_a_wrong_key_is_told_and_nothing_secret():
    private, _ = key_pair()
    _, certificate = key_pair()
    secret = encrypt(certificate, "pass word")
    engine = make(eyaml_files(private, certificate, {"secret": secret}))
    with pytest.raises(PuppetError) as caught:
        engine.lookup(invocation_of({}), "secret")
    assert caught.value.code == "HIERA_DECRYPTION_FAILED"
    assert "the private key does not belong to the certificate" in str(caught.value)
    assert caught.value.diagnostic.file == "/e/data/s.eyaml"
    assert "pass word" not in str(caught.value)
    assert secret[10:40] not in str(caught.value)
    assert "PRIVATE" not in str(caught.value)


def test_a_key_that_is_not_rsa_is_refused():
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    _, certificate = key_pair()
    private = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    engine = make(eyaml_files(private, certificate, {"secret": encrypt(certificate, "pass")}))
    with pytest.raises(PuppetError, match="the private key is not an RSA key") as caught:
        engine.lookup(invocation_of({}), "secret")
    assert caught.value.code == "HIERA_DECRYPTION_FAILED"


def test_convert_to_makes_what_it_names():
    data = b"""
lookup_options:
  a: {convert_to: Integer}
  b: {convert_to: [Array, true]}
  c: {convert_to: 'Inte['}
a: '5'
b: x
c: 1
"""
    engine = make({"/e/hiera.yaml": HIERA, "/e/data/c.yaml": data})
    calls = []

    def call(name, arguments):
        calls.append((name, display(arguments[0]), *arguments[1:]))
        return "made"

    invocation = Invocation(lambda name, default: default, call)
    assert engine.lookup(invocation, "a") == "made"
    assert engine.lookup(invocation, "b") == "made"
    assert calls == [("new", "Integer", "5"), ("new", "Array", "x", True)]
    with pytest.raises(PuppetError) as caught:
        engine.lookup(invocation, "c")
    assert caught.value.code == "HIERA_CONVERT_TYPE"


@pytest.mark.parametrize(
    "case",
    json.loads((DATA / "hiera_manifests.json").read_text()),
    ids=lambda case: case["id"],
)
def test_manifests_see_the_data_that_puppet_sees(case):
    files = {path: text.encode() for path, text in case["files"].items()}
    files.setdefault(f"{case['root']}/environments/production/there", b"")
    settings = {
        "environmentpath": f"{case['root']}/environments",
        "hiera_config": f"{case['root']}/hiera.yaml",
        **case["settings"],
    }
    request = Request(
        code=case["code"],
        node="testnode.example.com",
        settings=settings,
        world=DictionaryWorld(files),
    )
    log = []
    if case["expected"] is None:
        with pytest.raises(PuppetError):
            compile_catalog(request, log.append)
    else:
        compile_catalog(request, log.append)
        notices = [entry.message for entry in log if entry.level == "notice" and entry.scope]
        assert notices == case["expected"]


@pytest.mark.parametrize(
    ("language", "warned"), [("3.0", False), ("3.8", False), ("3.8-future", False), ("8", True)]
)
def test_version_3_is_deprecated_today_only(language, warned):
    files = {
        "/D/hiera.yaml": b"---\n:backends: yaml\n:hierarchy: a\n:yaml:\n  :datadir: /D\n",
        "/D/a.yaml": b"key: found\n",
    }
    entries = []
    request = Request(
        code="notice(hiera('key'))",
        world=DictionaryWorld(files),
        hiera_config="/D/hiera.yaml",
        language=language,
        settings={"strict": "warning"},
    )
    compile_catalog(request, entries.append)
    messages = [entry.message for entry in entries]
    assert "found" in messages
    assert any("uses version 3" in message for message in messages) == warned


def test_one_warning_for_all_old_configurations(tmp_path):
    """Puppet warns of the first file only."""
    for name in ("m", "n"):
        folder = tmp_path / name
        (folder / "manifests").mkdir(parents=True)
        (folder / "hiera.yaml").write_text("version: 4\n", encoding="utf-8")
        text = f"class {name}($p = 1) {{ }}"
        (folder / "manifests/init.pp").write_text(text, encoding="utf-8")
    entries = []
    request = Request(
        code="include m include n", modulepath=[str(tmp_path)], settings={"strict": "warning"}
    )
    compile_catalog(request, entries.append)
    old = [entry.message for entry in entries if "uses version 4" in entry.message]
    assert [message.partition(" ")[0] for message in old] == [str(tmp_path / "m/hiera.yaml")]


def test_a_key_that_is_missing_is_told_with_the_function():
    with pytest.raises(PuppetError, match=r"^hiera_hash\(\) did not find a value for 'key'"):
        compile_catalog(Request(code="$x = hiera_hash('key')", language="3.8"), lambda _: None)


def test_a_dangling_link_is_a_file_that_is_not_there(tmp_path):
    (tmp_path / "hiera.yaml").write_text(
        "version: 5\nhierarchy: [{name: all, paths: [private.yaml, common.yaml]}]\n",
        encoding="utf-8",
    )
    (tmp_path / "data").mkdir()
    (tmp_path / "data/private.yaml").symlink_to("/nowhere/private.yaml")
    (tmp_path / "data/common.yaml").write_text("a: 1\n", encoding="utf-8")
    request = Request(code="notice(lookup('a'))", hiera_config=str(tmp_path / "hiera.yaml"))
    logged: list[str] = []
    compile_catalog(request, lambda entry: logged.append(entry.message))
    assert logged == ["1"]


PROVIDERS = [
    ("hiera", {"data/common.yaml": "y: common"}, "common"),
    ("'hiera'", {"data/common.yaml": "y: common"}, "common"),
    ("function", {"lib/bunraku/functions/environment/data.py": ""}, "function"),
    ("none", {"data/common.yaml": "y: common"}, "nothing"),
    ("none", {"hiera.yaml": "version: 5", "data/common.yaml": "y: common"}, "common"),
    ("function", {"hiera.yaml": "version: 5", "data/common.yaml": "y: common"}, "common"),
    ("function", {"hiera.yaml": "version: 4"}, "function"),
    ("none", {"hiera.yaml": "version: 4", "data/common.yaml": "y: common"}, "nothing"),
]


@pytest.mark.parametrize(("provider", "files", "expected"), PROVIDERS)
def test_environment_conf_names_the_provider_of_data(provider, files, expected):
    log = []
    compile_catalog(provided(provider, files), log.append)
    assert [entry.message for entry in log if entry.level == "notice"] == [expected]
    warned = [entry.message for entry in log if "environment_data_provider" in entry.message]
    assert len(warned) == 1
    assert ("Ignoring" in warned[0]) == (files.get("hiera.yaml") == "version: 5")


def test_an_unknown_provider_of_data_is_an_error():
    with pytest.raises(PuppetError, match="Unknown data provider 'sample'") as caught:
        compile_catalog(provided("sample", {}), lambda _: None)
    assert caught.value.code == "HIERA_UNKNOWN_DATA_PROVIDER"


def test_a_data_function_that_is_missing_is_an_error():
    request = provided("function", {})
    request.code = "notice(lookup('y'))"
    with pytest.raises(PuppetError) as caught:
        compile_catalog(request, lambda _: None)
    assert caught.value.code == "HIERA_DATA_PROVIDER_FUNCTION_NOT_FOUND"


def provided(provider, files):
    function = "function environment::data() { { y => function } }"
    files = {f"/e/x/{path}": text.encode() for path, text in files.items()}
    files["/e/x/environment.conf"] = f"environment_data_provider={provider}\n".encode()
    return Request(
        code=f"{function} notice(lookup('y', {{ default_value => nothing }}))",
        node="n",
        settings={"environmentpath": "/e", "environment": "x"},
        world=DictionaryWorld(files),
    )


def test_a_backend_in_ruby_is_an_error_without_files_of_its_own():
    config = b"---\n:backends: [yaml, mine]\n:hierarchy: [common]\n"
    request = Request(
        code="notice(lookup('y', { default_value => 'nothing' }))",
        hiera_config="/hiera.yaml",
        world=DictionaryWorld({"/hiera.yaml": config}),
        settings={"strict": "warning"},
    )
    with pytest.raises(PuppetError, match="'mine' is a Hiera 3 backend written in Ruby"):
        compile_catalog(request, lambda _: None)


def test_the_global_configuration_in_an_environment_is_not_read_twice():
    files = {
        "/e/p/hiera.yaml": b"---\n:backends: yaml\n:hierarchy: a\n:yaml:\n  :datadir: /e/p\n",
        "/e/p/a.yaml": b"key: found\n",
    }
    entries = []
    request = Request(
        code="notice(lookup('key'))",
        world=DictionaryWorld(files),
        hiera_config="/e/p/hiera.yaml",
        settings={"environmentpath": "/e", "environment": "p", "strict": "error"},
    )
    compile_catalog(request, entries.append)
    assert "found" in [entry.message for entry in entries]


def test_a_backend_that_is_listed_twice_is_an_error_of_its_second_line():
    config = b"---\n:backends:\n  - json\n  - yaml\n  - json\n"
    world = DictionaryWorld({"/hiera.yaml": config})
    request = Request(code="notice(lookup('y'))", hiera_config="/hiera.yaml", world=world)
    with pytest.raises(PuppetError, match="'json' is listed twice, first in line 3") as caught:
        compile_catalog(request, lambda _: None)
    assert caught.value.diagnostic.place.where[:2] == ("/hiera.yaml", 5)


@pytest.mark.parametrize(
    ("environment", "found"),
    [
        ({}, ["xy", "xy", "xglobaly"]),
        ({"/e/p/hiera.yaml": b"version: 5"}, ["xmody", "xmody", "xglobaly"]),
    ],
)
def test_version_3_data_look_up_keys_in_global_data_alone(environment, found):
    """Puppet 7.23 and OpenVox 8.28: modules are asked only where the environment has a hiera.yaml."""
    files = {
        "/D/hiera.yaml": b"---\n:backends: yaml\n:hierarchy: a\n:yaml:\n  :datadir: /D\n",
        "/D/a.yaml": b"a: \"x%{hiera('m::k')}y\"\nb: \"x%{lookup('m::k')}y\"\n"
        b"c: \"x%{lookup('g')}y\"\ng: global\n",
        "/e/p/modules/m/hiera.yaml": b"version: 5\nhierarchy:\n  - name: c\n    path: c.yaml\n",
        "/e/p/modules/m/data/c.yaml": b"m::k: mod\n",
        **environment,
    }
    entries = []
    request = Request(
        code="['a', 'b', 'c'].each |$key| { notice(lookup($key)) }",
        world=DictionaryWorld(files),
        hiera_config="/D/hiera.yaml",
        settings={"environmentpath": "/e", "environment": "p"},
    )
    compile_catalog(request, entries.append)
    assert [entry.message for entry in entries if entry.level == "notice"] == found


def test_a_relative_directory_of_version_3_is_in_the_working_directory(tmp_path, monkeypatch):
    (tmp_path / "spec" / "data").mkdir(parents=True)
    configuration = tmp_path / "spec" / "hiera.yaml"
    configuration.write_text(
        "---\n:backends: yaml\n:hierarchy: [all]\n:yaml:\n  :datadir: spec/data\n"
    )
    (tmp_path / "spec" / "data" / "all.yaml").write_text("key: here\n")
    request = Request(code="notify { lookup('key'): }", hiera_config=str(configuration))
    monkeypatch.chdir(tmp_path)
    assert "Notify[here]" in [
        one.reference for one in compile_catalog(request, [].append).resources
    ]
    beside = tmp_path / "spec" / "spec" / "data"
    beside.mkdir(parents=True)
    (beside / "all.yaml").write_text("key: beside\n")
    monkeypatch.chdir("/")
    assert "Notify[beside]" in [
        one.reference for one in compile_catalog(request, [].append).resources
    ]
