"""The standard library's functions compared with Puppet's results for the same calls."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import stat
from pathlib import Path
from subprocess import CalledProcessError

import pytest
from tests.support.recorded import recorded

import bunraku.functions.stdlib
from bunraku.base.errors import PuppetError
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.functions.declaration import FunctionTable
from bunraku.functions.index import STDLIB
from bunraku.functions.registry import PUPPET_8, stdlib_function
from bunraku.functions.stdlib.crypt import library_crypt, md5_crypt, sha_crypt
from bunraku.functions.stdlib.globbing import find_files
from bunraku.functions.stdlib.history import API_3, era, parse_version
from bunraku.types.ruby_semantics.values import inspect
from bunraku.values.ruby_semantics.numbers import parse_float, parse_integer, to_f, to_i
from bunraku.world.dictionary import TEMPORARY_FILE, DictionaryWorld
from bunraku.world.machine import Machine
from bunraku.world.overlay import Overlay
from support.known_differences import known_differences

DATA = Path(__file__).parents[1] / "data"
FACTS = {
    "os": {"name": "Debian", "release": {"major": "12"}},
    "operatingsystem": "Debian",
    "operatingsystemmajrelease": "12",
    "list": ["a", {"k": "v"}],
    "num": 5,
    "flag": False,
    "a.b": {"c": "d"},
    "interfaces": "lo,eth0",
    "ipaddress": "10.0.0.5",
    "ipaddress_lo": "127.0.0.1",
    "ipaddress_eth0": "10.0.0.5",
    "netmask_eth0": "255.255.255.0",
    "network_eth0": "10.0.0.0",
    "network_lo": "127.0.0.0",
    "fqdn": "n.example.com",
    "networking": {
        "fqdn": "n.example.com",
        "hostname": "n",
        "interfaces": {
            "eth0": {
                "ip": "10.0.0.5",
                "network": "10.0.0.0",
                "mac": "aa:bb",
                "netmask": "255.255.255.0",
            },
            "lo": {"ip": "127.0.0.1", "network": "127.0.0.0"},
        },
    },
}
TYPES = {
    "absolutepath": r"Variant[Pattern[/\A[A-Za-z]:/], Pattern[/\A\//]]",
    "compat::array": "Array",
    "compat::string": "Optional[String]",
    "fqdn": r"Pattern[/\A[a-z0-9]+(\.[a-z0-9]+)*\z/]",
    "dns::zone": r"Pattern[/\A\.\z/]",
    "email": r"Pattern[/\A[^@ ]+@[^@ ]+\z/]",
}


def metadata(name, version="1.0.0"):
    fields = {"name": f"a-{name}", "version": version, "source": "s", "author": "a"}
    fields |= {"license": "l", "summary": "", "dependencies": []}
    return json.dumps(fields).encode()


def library(version):
    """The standard library as a module: its metadata and a few of its types."""
    files = {"/modules/stdlib/metadata.json": metadata("stdlib", version)}
    for name, body in TYPES.items():
        if name.startswith("compat::") and parse_version(version) >= (9, 0, 0):
            continue
        title = "::".join(part.capitalize() for part in name.split("::"))
        path = f"/modules/stdlib/types/{name.replace('::', '/')}.pp"
        files[path] = f"type Stdlib::{title} = {body}\n".encode()
    return files


def run(code, version="8.5.0", files=(), world=None, **settings):
    """The log of a manifest, its catalog, and the error that ends it."""
    entries = []
    request = Request(code=code, node="n.example.com", facts=FACTS, modulepath=["/modules"])
    request.settings = {"strict": "warning", "strict_variables": False, **settings}
    request.world = world or DictionaryWorld({**library(version), **dict(files)}, time=1.5e9)
    try:
        return entries, compile_catalog(request, entries.append), None
    except PuppetError as error:
        return entries, None, error


def notices(code, **more):
    entries, _, error = run(code, **more)
    assert error is None, f"{code}: {error}"
    return [entry.message for entry in entries if entry.level == "notice"]


def failure(code, **more):
    _, _, error = run(code, **more)
    assert error is not None, f"no error: {code}"
    return error


# -- Puppet's results ----------------------------------------------------------------------------
STATEMENTS = {
    "assert_private",
    "deprecation",
    "ensure_packages",
    "ensure_resource",
    "ensure_resources",
    "validate_legacy",
}


RECORDED = {
    (version, name): rows
    for version, file in recorded("functions_stdlib").items()
    for name, rows in file.items()
}
"""(version, function) → rows of arguments and the text of the result, None for an error."""


def known():
    """Calls where we differ, each with the reason; they must differ."""
    return known_differences("functions_stdlib")


def call(name, arguments):
    if name in STATEMENTS or name.startswith("validate_"):
        return f"{name}({arguments})\nnotice('done')"
    return f"notice(String([{name}({arguments})], '%p'))"


def answer(version, name, arguments):
    entries, _, error = run(call(name, arguments), version)
    if error is not None:
        return None
    return [entry.message for entry in entries if entry.level == "notice"][-1]


def key_of(version, name, arguments):
    return json.dumps([version, name, arguments], ensure_ascii=False)


def differences(version, name, rows):
    """Results that differ from the recorded ones; successful calls are tried together first."""
    listed = [row for row in rows if key_of(version, name, row[0]) in known()]
    plain = [row for row in rows if row not in listed]
    joined = [row for row in plain if row[1] is not None and name not in STATEMENTS]
    code = "\n".join(call(name, arguments) for arguments, _ in joined)
    entries, _, error = run(code, version)
    found = [entry.message for entry in entries if entry.level == "notice"]
    if error is not None or found != [text for _, text in joined]:
        joined = []
    for row in rows:
        if row in joined:
            continue
        got = answer(version, name, row[0])
        if (got == row[1]) == (row in listed):
            yield f"{name}({row[0]})\n  expected {row[1]}\n  found    {got}"


@pytest.mark.parametrize(
    ("case", "rows"), RECORDED.items(), ids=[f"{name}-{version}" for version, name in RECORDED]
)
def test_does_what_real_puppet_does(case, rows):
    wrong = list(differences(*case, rows))
    assert not wrong, f"{len(wrong)} of {len(rows)}:\n" + "\n".join(wrong[:20])


def test_known_differences_are_recorded_calls():
    recorded = {key_of(*case, row[0]) for case, rows in RECORDED.items() for row in rows}
    assert set(known()) <= recorded


# -- the table of functions ------------------------------------------------------------------------
def tables():
    for module in pkgutil.iter_modules(bunraku.functions.stdlib.__path__):
        found = importlib.import_module(f"bunraku.functions.stdlib.{module.name}")
        for name, value in vars(found).items():
            if isinstance(value, FunctionTable) and name != "names":
                yield module.name + ("" if name == "function" else f".{name}"), value


def test_every_place_in_the_index_defines_the_function():
    known_tables = dict(tables())
    for name, text in STDLIB.items():
        for entry in text.split("; "):
            assert name in known_tables[entry.split()[2]], f"{name}: {entry}"


def test_every_function_is_in_the_index():
    for place, table in tables():
        for name in table:
            assert name in STDLIB, f"{name} of {place}"


def test_knows_all_names_of_the_history():
    assert sum("9.8.0" not in text.split("-")[0] for text in STDLIB.values()) >= 191


@pytest.mark.parametrize(
    ("version", "count"),
    [("3.2.2", 74), ("4.0.0", 83), ("4.2.2", 95), ("4.12.0", 125), ("4.25.1", 146),
     ("5.2.0", 149), ("6.0.0", 150), ("6.6.0", 154), ("8.6.0", 165), ("9.0.0", 124),
     ("9.7.0", 129)],
)  # fmt: skip
def test_versions_have_their_number_of_functions(version, count):
    found = [name for name in STDLIB if era(name, parse_version(version)) is not None]
    assert len(found) == count


def test_without_the_module_they_are_those_of_the_newest():
    assert notices("notice(stdlib::to_json(1))", world=DictionaryWorld()) == ["1"]
    assert notices("notice(stdlib::to_json(1))", version="9.7.0") == ["1"]
    error = failure("notice(has_key({a => 1}, 'a'))", world=DictionaryWorld())
    assert error.code == "UNKNOWN_FUNCTION"


def test_the_version_decides():
    assert notices("notice(has_key({a => 1}, 'a'))") == ["true"]
    assert failure("has_key({a => 1}, 'a')", version="9.7.0").code == "UNKNOWN_FUNCTION"
    assert failure("stdlib::to_json(1)").code == "UNKNOWN_FUNCTION"
    assert stdlib_function("is_array", (4, 25, 1)) is not stdlib_function(
        "is_array", (4, 25, 1), API_3
    )


def test_core_functions_win():
    assert notices("notice(abs(-1.5), type(1) == type3x(1))") == ["1.5 false"]


# -- examples --------------------------------------------------------------------------------------
FENCE = re.compile(r"```puppet\n(.*?)```", re.DOTALL)


def examples():
    for place, table in tables():
        for name, function in table.items():
            for text in FENCE.findall(function.documentation):
                for line in text.strip().splitlines():
                    yield place, name, line.strip()


def version_of(place, name):
    """A version that finds the function in this place."""
    for entry in STDLIB[name].split("; "):
        span, _, found = entry.split()
        if found == place:
            return span.split("-")[0]
    raise AssertionError(f"{name} in {place}")


CORE = {name for name in STDLIB if PUPPET_8.builtin(name) is not None}
"""Names that the language itself took over: its own functions stand before these."""


def test_examples_are_true():
    wrong = []
    for place, name, line in examples():
        version = version_of(place, name)
        if name in CORE or name == "validate_cmd":
            continue
        if line.startswith("stdlib::") and not name.startswith("stdlib::"):
            continue  # two names have this example; it is run for the new one
        entries, _, error = run(f"notice({line})", version, strict="off")
        messages = [entry.message for entry in entries if entry.level == "notice"]
        if error is not None or messages[-1:] != ["true"]:
            wrong.append(f"{place} {name} {version}: {line}\n  {error or messages}")
    assert not wrong, "\n".join(wrong)


def test_every_function_has_an_example_or_a_newer_name():
    bare = {
        name
        for place, table in tables()
        for name, function in table.items()
        if not FENCE.search(function.documentation) and place.partition(".")[0] != "old"
    }
    told = {name for _, name, _ in examples()}
    assert {name for name in bare if name not in told and f"stdlib::{name}" not in STDLIB} <= {
        "assert_private", "get_module_path", "load_module_metadata", "private", "pry", "stdlib::deferrable_epp", "stdlib::os_version_gte",
        "stdlib::has_interface_with", "stdlib::has_ip_address", "stdlib::has_ip_network",
        "stdlib::seeded_rand", "stdlib::fqdn_rand_string", "stdlib::fqdn_rotate",
        "stdlib::str2resource", "stdlib::time", "stdlib::validate_domain_name",
        "stdlib::validate_email_address", "validate_augeas", "validate_x509_rsa_key_pair",
    }  # fmt: skip


# -- the catalog -----------------------------------------------------------------------------------
def packages(code, **more):
    _, catalog, error = run(code, **more)
    assert error is None, error
    return {r.title: r.parameters for r in catalog.resources if r.type == "Package"}


def test_ensure_packages_declares_once():
    code = """
    ensure_packages('x')
    ensure_packages(['x', 'y'], {ensure => present})
    ensure_packages({'z' => {ensure => '1.0'}, 'w' => {}}, {'provider' => 'gem'})
    """
    assert packages(code) == {
        "x": {"ensure": "installed"},
        "y": {"ensure": "installed"},
        "z": {"ensure": "1.0", "provider": "gem"},
        "w": {"ensure": "installed", "provider": "gem"},
    }


@pytest.mark.parametrize(
    ("version", "state"), [("4.25.1", "present"), ("8.0.0", "installed"), ("9.7.0", "installed")]
)
def test_ensure_packages_names_the_state_as_its_version_does(version, state):
    assert packages("ensure_packages(['x'])", version=version) == {"x": {"ensure": state}}


def test_newer_ensure_packages_accepts_a_package_that_is_present():
    code = "package { 'x': ensure => present } ensure_packages('x')"
    assert packages(code, version="9.7.0") == {"x": {"ensure": "present"}}
    assert "Duplicate declaration" in str(failure(code, version="8.5.0"))


def test_ensure_resource_with_other_parameters_is_a_duplicate():
    code = "ensure_resource('notify', 'x', {message => 'a'}) ensure_resource('notify', 'x', {m})"
    again = code.replace("{m}", "{message => 'a'}")
    assert run(again)[2] is None
    assert failure(code.replace("{m}", "{message => 'b'}")).code in {
        "DUPLICATE_RESOURCE",
        "RUNTIME_ERROR",
        "DUPLICATE_DECLARATION",
    }


def test_getparam_reads_parameters_and_defaults():
    code = """
    Notify { withpath => true }
    define d($a = 1, $b = undef) { }
    notify { 'x': message => 'a' }
    d { 'x': b => 2 }
    notice(getparam(Notify['x'], 'message'), getparam('Notify[x]', 'title'),
      getparam(Notify['x'], 'withpath'), getparam(Notify['y'], 'message'), getparam(D['x'], 'b'))
    """
    assert notices(code) == ["a x true  2"]


def test_defined_with_params_compares_as_ruby_does():
    code = """
    user { 'x': uid => 1, groups => ['a'] }
    notice(defined_with_params(User['x'], {uid => 1.0}), defined_with_params(User['x'], {uid => '1'}),
      defined_with_params('User[x]', {'groups' => 'a'}), defined_with_params(User['x'], {gid => undef}),
      defined_with_params(User, {uid => 1}), defined_with_params(User, {uid => 2}))
    """
    assert notices(code) == ["true false false true true false"]


def test_private_classes_refuse_other_modules():
    files = {
        "/modules/a/manifests/init.pp": b"class a { include b::inner }",
        "/modules/b/manifests/init.pp": b"class b { include b::inner }",
        "/modules/b/manifests/inner.pp": b"class b::inner { assert_private() }",
    }
    assert run("include b", files=files)[2] is None
    assert "Class b::inner is private" in str(failure("include a", files=files))


def test_str2resource_finds_what_exists():
    code = "notify { 'x': } notice(stdlib::str2resource('Notify[x]') == Notify['x'])"
    assert notices(code) == ["true"]
    assert "could not find" in str(failure("stdlib::str2resource('Notify[x]')"))


# -- deprecations ----------------------------------------------------------------------------------
def test_deprecations_follow_strict():
    code = "is_array([]) is_array([])"
    assert "deprecation. is_array" in str(failure(code, strict="error"))
    assert [entry.level for entry in run(code, strict="warning")[0]] == ["warning"]
    assert run(code, strict="off")[0] == []


def test_renamed_functions_only_warn_since_9_2():
    assert "to_json" in str(failure("to_json(1)", version="9.0.0", strict="error"))
    entries, _, error = run("notice(to_json([1]))", version="9.7.0", strict="error")
    assert error is None
    assert [(entry.level, entry.message) for entry in entries][1:] == [("notice", "[1]")]
    assert "stdlib::to_json" in entries[0].message


def test_renamed_merge_passes_its_block_on():
    code = "notice([1, 2].merge |$found, $item| { { $item => $found.length } })"
    assert notices(code, version="9.7.0") == ["{1 => 0, 2 => 1}"]


def test_validate_legacy_says_which_type_is_missed():
    text = str(failure("validate_legacy(Integer, 'validate_integer', 'x')"))
    assert "validate_legacy(validate_integer)" in text
    assert "Integer" in text


# -- files and programs ----------------------------------------------------------------------------
TREE = {
    "/etc/hostname": b"",
    "/etc/hosts": b"",
    "/etc/.hidden": b"",
    "/etc/sub/a.pp": b"",
    "/etc/sub/deep/b.pp": b"",
}


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("/etc/host*", ["/etc/hostname", "/etc/hosts"]),
        ("/etc/host?", ["/etc/hosts"]),
        ("/etc/{sub/*,hosts}", ["/etc/sub/a.pp", "/etc/sub/deep", "/etc/hosts"]),
        ("/etc/**/*.pp", ["/etc/sub/a.pp", "/etc/sub/deep/b.pp"]),
        ("/etc/[a-h]*", ["/etc/hostname", "/etc/hosts"]),
        ("/etc/[!a-h]*", ["/etc/sub"]),
        ("/etc/.h*", ["/etc/.hidden"]),
        ("/etc/*/", ["/etc/sub/"]),
        ("/etc/nothing", []),
        ("relative", []),
    ],
)
def test_glob_finds_as_ruby_does(pattern, found):
    assert find_files(DictionaryWorld(TREE), pattern) == found


def test_loads_data_files():
    files = {
        "/data/a.yaml": b"x: [1, yes]",
        "/data/b.json": b'{"y": null}',
        "/data/alias.yaml": b"a: &a [1]\nb: *a",
        "/data/bad.yaml": b"x: [",
    }
    assert notices("notice(loadyaml('/data/a.yaml'), loadjson('/data/b.json'))", files=files) == [
        "{x => [1, true]} {y => }"
    ]
    assert notices("notice(loadyaml('/data/bad.yaml', 'd'))", files=files) == ["d"]
    assert "YAML" in str(failure("loadyaml('/data/bad.yaml')", files=files))
    assert "alias" in str(failure("loadyaml('/data/alias.yaml')", files=files))
    assert notices("notice(loadyaml('/data/alias.yaml'))", files=files, version="9.7.0") == [
        "{a => [1], b => [1]}"
    ]


def test_a_file_that_is_absent_gives_the_default_and_a_warning():
    entries, _, error = run("notice(loadyaml('/none', {a => 1}))")
    assert error is None
    assert [(e.level, e.message) for e in entries] == [
        ("warning", "Can't load '/none' File does not exist!"),
        ("notice", "{a => 1}"),
    ]


def test_the_network_is_not_used():
    assert "cannot fetch" in str(failure("loadyaml('https://example.com/x', {})"))


def test_knows_modules():
    files = {"/modules/m/metadata.json": metadata("m"), "/modules/n/manifests/init.pp": b""}
    code = "notice(get_module_path('m'), load_module_metadata('m')['name'], load_module_metadata('n', true))"
    assert notices(code, files=files) == ["/modules/m a-m {}"]
    assert "Could not find module x" in str(failure("get_module_path('x')", files=files))
    assert "metadata.json" in str(failure("load_module_metadata('n')", files=files))


def test_time_is_the_worlds():
    assert notices("notice(time(), time('UTC'))") == ["1500000000 1500000000"]


def test_validate_cmd_runs_the_program(tmp_path):
    module = tmp_path / "stdlib"
    module.mkdir()
    (module / "metadata.json").write_bytes(metadata("stdlib", "8.5.0"))
    witness = tmp_path / "witness"
    witness.write_text('#!/bin/sh\ngrep -q "it\'s" "$1" && echo "$1" > "$0.path"\n')
    witness.chmod(witness.stat().st_mode | stat.S_IXUSR)

    def outcome(code):
        request = Request(code=code, modulepath=[str(tmp_path)], world=Machine())
        try:
            compile_catalog(request, lambda _: None)
        except PuppetError as error:
            return str(error)
        return None

    assert outcome(f'validate_cmd("it\'s", "{witness} %")') is None
    assert not Path((tmp_path / "witness.path").read_text().strip()).exists()
    assert "returned 1" in outcome(f'validate_cmd("no", "{witness}")')
    assert "mine" in outcome('validate_cmd("no", "/bin/false", "mine")')


class Recorder(DictionaryWorld):
    """A machine that records the input of programs, and ends them as ``ending`` says."""

    ending: BaseException | None = None

    def run(self, command, directory=None):
        """Note the command and the content of the temporary file."""
        self.seen = command, self.read(TEMPORARY_FILE)
        if self.ending is not None:
            raise self.ending
        return ""


def validated(world, content, command):
    """Call validate_cmd in a world."""
    files = {"/modules/stdlib/metadata.json": metadata("stdlib", "8.5.0")}
    world.files = {**world.files, **files}
    code = f"validate_cmd({content!r}, {command!r})"
    request = Request(code=code, modulepath=["/modules"], world=world)
    return compile_catalog(request, lambda _: None)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("check", f"check {TEMPORARY_FILE}"),
        ("check %", f"check {TEMPORARY_FILE}"),
        ("check % --also %", f"check {TEMPORARY_FILE} --also {TEMPORARY_FILE}"),
        ("check % a%b", f"check {TEMPORARY_FILE} a{TEMPORARY_FILE}b"),
        ("date +%Y", f"date +%Y {TEMPORARY_FILE}"),
        ("check %; true", f"check %; true {TEMPORARY_FILE}"),
    ],
)
def test_validate_cmd_puts_the_path_where_puppet_does(command, expected):
    world = Recorder()
    validated(world, "SECRET", command)
    words, content = world.seen
    assert content == b"SECRET"
    assert words == ["/bin/sh", "-c", f"exec 2>&1\n{expected}"]


@pytest.mark.parametrize(
    ("ending", "reason"),
    [
        (CalledProcessError(3, "x", output=b"line 1: bad\n"), "returned 3: line 1: bad"),
        (CalledProcessError(-9, "x"), "was ended by signal 9: "),
        (FileNotFoundError(2, "No such file or directory"), "No such file or directory"),
    ],
)
def test_validate_cmd_never_shows_the_content(ending, reason):
    world = Recorder()
    world.ending = ending
    with pytest.raises(PuppetError) as caught:
        validated(world, "SECRET", "check %")
    assert reason in str(caught.value)
    assert "SECRET" not in str(caught.value)
    assert TEMPORARY_FILE not in world.files


LOOK = """\
grep -q '^SECRE[T]' "$1" || exit 9
stat -c %a "$1"
cat /proc/[0-9]*/cmdline /proc/self/environ 2> /dev/null | grep -aq 'SECRE[T]' && exit 7
exit 8
"""


def test_validate_cmd_gives_the_content_to_no_other_user(tmp_path, monkeypatch):
    """All users can read the arguments of a process; its children get its environment."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    (tmp_path / "look").write_text(LOOK)
    files = {"/modules/stdlib/metadata.json": metadata("stdlib", "8.5.0")}
    world = Overlay(DictionaryWorld(files), Machine())
    # More than an argument can hold.
    code = f"validate_cmd(sprintf('SECRET%0300000d', 0), '/bin/sh {tmp_path}/look %')"
    with pytest.raises(PuppetError) as caught:
        compile_catalog(Request(code=code, modulepath=["/modules"], world=world), lambda _: None)
    assert "returned 8: 600" in str(caught.value)
    assert len(str(caught.value)) < 1000
    assert [path.name for path in tmp_path.iterdir()] == ["look"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_validate_cmd_leaves_no_file_after_an_interrupt(error, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    found = []

    class Interrupted(Machine):
        def run(self, command, directory=None):
            found.extend(path.read_bytes() for path in tmp_path.rglob("content"))
            raise error

    files = {"/modules/stdlib/metadata.json": metadata("stdlib", "8.5.0")}
    world = Overlay(DictionaryWorld(files), Interrupted())
    request = Request(code="validate_cmd('x', 'y')", modulepath=["/modules"], world=world)
    with pytest.raises((error, PuppetError)):
        compile_catalog(request, lambda _: None)
    assert found == [b"x"]
    assert not list(tmp_path.iterdir())


def test_what_needs_ruby_is_refused():
    assert "Augeas" in str(failure("validate_augeas('x', 'Passwd.lns')"))
    assert "debugger" in str(failure("pry()"))


def test_uriescape_is_gone_with_version_9():
    assert notices("notice(uriescape('a b'))") == ["a%20b"]
    assert "Puppet 8" in str(failure("uriescape('a b')", version="9.7.0"))


def test_sensitive_stays_sensitive_in_the_newest_texts():
    code = "notice(stdlib::to_json({a => Sensitive('x')}))"
    assert notices(code, version="9.8.0") == ["Sensitive [value redacted]"]
    shown = "notice(stdlib::to_yaml({a => Sensitive('x')}).unwrap)"
    assert notices(shown, version="9.8.0") == ["---\na: x\n"]


def test_sort_by():
    code = """
    notice(stdlib::sort_by(['ccc', 'a', 'bb']) |$x| { $x.length })
    notice(stdlib::sort_by('hello') |$x| { $x })
    notice(stdlib::sort_by({'b' => 1, 'a' => 2}) |$k, $v| { $k })
    notice(stdlib::sort_by({'b' => 1, 'a' => 2}) |$pair| { $pair[1] })
    """
    assert notices(code, version="9.7.0") == [
        "[a, bb, ccc]", "ehllo", "{a => 2, b => 1}", "{b => 1, a => 2}"
    ]  # fmt: skip
    mixed = "stdlib::sort_by([1, 'a']) |$x| { $x }"
    assert "cannot be compared" in str(failure(mixed, version="9.7.0"))


def test_yaml_repeats_by_alias():
    code = "with(['x']) |$a| { notice(to_yaml([$a, $a, {b => $a}])) }"
    assert notices(code) == ["---\n- &1\n  - x\n- *1\n- b: *1\n"]


def test_ruby_text_refers_to_what_was_written():
    code = "with(['x']) |$a| { notice(to_ruby([$a, {'k' => $a}])) }"
    text = '[["x"], {"k" => {"__ptype" => "LocalRef", "__pvalue" => "$[0]"}}]'
    assert notices(code) == [text]


# -- Ruby ------------------------------------------------------------------------------------------
def test_numbers_as_ruby_reads_them():
    texts = ["1e3", " 1 ", "1_0", ".5", "1.", "0x1f", "1e", "1__0", "", "-0x1.8p1"]
    assert [parse_float(text) for text in texts] == [
        1000.0, 1.0, 10.0, 0.5, None, 31.0, None, None, None, -3.0
    ]  # fmt: skip
    texts = ["0x1f", "0b11", "010", "0o10", "1_000", " 1 ", "08", "1.5", "", "0d10", "-7"]
    assert [parse_integer(text) for text in texts] == [
        31, 3, 8, 8, 1000, 1, None, None, None, 10, -7
    ]  # fmt: skip
    assert [to_f(text) for text in ["1e3x", "1_000", ".5", "1.", "-", "x"]] == [
        1000.0, 1000.0, 0.5, 1.0, 0.0, 0.0
    ]  # fmt: skip
    assert [to_i(text) for text in [" 12abc", "0x1f", "-", "1__0"]] == [12, 0, 0, 1]


def test_strings_as_ruby_shows_them():
    assert inspect('\0\x1b\x7f\u2028#{a}#$b#c\udcffé"') == (
        r'"\u0000\e\u007F\u2028\#{a}\#$b#c\xFFé\""'
    )


@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 31, 33, 63, 64, 65, 100])
def test_password_hashes_are_those_of_the_c_library(size):
    password = (b"P\xc3\xa4ss" * 30)[:size]
    expected = library_crypt(password, "$1$saltsalt")
    if expected is None:
        assert md5_crypt(b"test", "1") == "$1$1$Bp8CU9Oujr9SSEw53WV6G."
        return
    assert md5_crypt(password, "saltsalt") == expected
    for prefix, name in (("5", "sha256"), ("6", "sha512")):
        setting = f"${prefix}$saltstringsaltst"
        assert sha_crypt(password, "saltstringsaltst", name) == library_crypt(password, setting)
