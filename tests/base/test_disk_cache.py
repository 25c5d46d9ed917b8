"""The cache on disk: private, found when right, ignored when not, safe under many writers, bounded."""

from __future__ import annotations

import ast
import errno
import fcntl
import multiprocessing
import os
import stat
import subprocess
import sys
import threading
import time
from binascii import crc32
from contextlib import suppress
from pathlib import Path

import pytest

import bunraku
from bunraku.base import cache_size, disk_cache, open_cache, private_folder
from bunraku.base.cache_size import Contents
from bunraku.base.disk_cache import MIB, DiskCache, cache_folder, forget_folders
from bunraku.base.private_folder import NotPrivate, open_private
from bunraku.base.source import Source
from bunraku.compiler.code import to_code
from bunraku.compiler.code_names import cache_key, unit_name
from bunraku.compiler.rules import DEFAULTS
from bunraku.compiler.secrets import holds_secret
from bunraku.engine import kept
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.jobs.cache import in_folder
from bunraku.ruby.secrets import holds_secret as ruby_holds_secret
from bunraku.syntax.parser.parser import parse
from support.calls import calls_of

KEY = cache_key(b"$x = 1", "/a.pp", "8", "1.0")
SRC = Path(bunraku.__file__).parent
IS_ROOT = os.geteuid() == 0
needs_root = pytest.mark.skipif(not IS_ROOT, reason="only root can give files to another user")
NOBODY = 65534


def code_of(text="$x = 1"):
    source = Source(text, "/a.pp", on_disk=True)
    return to_code(source, parse(source).program, DEFAULTS)


@pytest.fixture(autouse=True)
def _new_process():
    """Drop the state that another process does not have: opened and refused folders."""
    forget_folders()
    yield
    forget_folders()


@pytest.fixture
def cache(tmp_path):
    return DiskCache(tmp_path / "bunraku")


def file_of(cache, key=KEY):
    return Path(cache.folder) / "code" / f"{key}.code"


def names_in(cache):
    return sorted(os.listdir(Path(cache.folder) / "code"))


def mode_of(path):
    return stat.S_IMODE(os.stat(path).st_mode)


@pytest.fixture
def umask():
    before = os.umask(0o022)
    yield os.umask
    os.umask(before)


# -- entries ---------------------------------------------------------------------------------------


def test_code_comes_back(cache):
    assert cache.read(KEY) is None
    cache.write(KEY, code_of())
    assert cache.read(KEY) == code_of()
    assert cache.read(KEY).co_filename == "/a.pp"


def test_data_come_back(cache):
    assert cache.read_data(KEY) is None
    cache.write_data(KEY, ("a", {"b": [1, None]}))
    assert cache.read_data(KEY) == ("a", {"b": [1, None]})
    assert cache.read(KEY) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data[:20],
        lambda data: b"other" + data,
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: os.urandom(len(data)),
    ],
)
def test_a_corrupt_entry_is_none(cache, change):
    cache.write(KEY, code_of())
    path = file_of(cache)
    path.write_bytes(change(path.read_bytes()))
    assert cache.read(KEY) is None
    cache.write(KEY, code_of())
    assert cache.read(KEY) == code_of()


def test_a_foreign_value_is_none(cache):
    cache.write(KEY, code_of())
    cache.write(KEY, 1)
    assert cache.read(KEY) is None


def test_an_entry_under_another_name_is_none(cache):
    cache.write(KEY, code_of("$x = 2"))
    other = cache_key(b"$x = 2", "/a.pp", "8", "1.0")
    file_of(cache).rename(file_of(cache, other))
    assert cache.read(other) is None


def test_a_folder_that_cannot_be_used_is_as_good_as_none(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    cache = DiskCache(blocked / "bunraku")
    cache.write(KEY, code_of())
    assert cache.read(KEY) is None
    assert cache.warning() is None


def test_everything_counts_in_the_key():
    keys = {
        KEY,
        cache_key(b"$x = 2", "/a.pp", "8", "1.0"),
        cache_key(b"$x = 1", "/b.pp", "8", "1.0"),
        cache_key(b"$x = 1", "/a.pp", "3.8", "1.0"),
        cache_key(b"$x = 1", "/a.pp", "8", "1.1"),
    }
    assert len(keys) == 5


def test_many_writers(cache):
    codes = [code_of(f"$x = {number}") for number in range(4)]
    seen = set()

    def work(code):
        for _ in range(50):
            cache.write(KEY, code)
            found = cache.read(KEY)
            seen.add(found is None or found in codes)

    threads = [threading.Thread(target=work, args=(code,)) for code in codes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {True}
    assert names_in(cache) == [file_of(cache).name, "usage"]


def test_a_changed_manifest_is_compiled_again(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "site.pp"
    for text in ("one", "two", "one"):
        path.write_text(f"notify {{ '{text}': }}\n")
        kept.forget()
        catalog = compile_catalog(Request(path=str(path)), lambda entry: None)
        assert catalog.find("Notify", text)
    assert len(list((tmp_path / "cache").rglob("*.code"))) == 2


def test_text_without_a_file_has_a_name_of_its_own():
    first, second = Source("$x = 1"), Source("$x = 2")
    assert unit_name(first) != unit_name(second)
    assert unit_name(first) == unit_name(Source("$x = 1"))
    assert unit_name(Source("$x = 1", "/a.pp", on_disk=True)) == "/a.pp"


# -- where -----------------------------------------------------------------------------------------


def test_the_folder_is_that_of_the_user(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == f"{tmp_path}/bunraku"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == f"{tmp_path}/.cache/bunraku"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == f"{tmp_path}/.cache/bunraku"


@pytest.mark.parametrize("home", ["relative", "~"])
def test_without_a_home_there_is_no_cache_and_no_warning(monkeypatch, home):
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", home)
    cache = DiskCache()
    cache.write(KEY, code_of())
    assert (cache.folder, cache.read(KEY), cache.warning()) == (None, None, None)


def test_the_environment_switches_the_cache_off(monkeypatch, cache, tmp_path):
    cache.write(KEY, code_of())
    monkeypatch.setenv("BUNRAKU_NO_CACHE", "1")
    off = DiskCache(tmp_path / "bunraku")
    other = cache_key(b"$x = 2", "/a.pp", "8", "1.0")
    off.write(other, code_of())
    assert (off.read(KEY), off.warning()) == (None, None)
    assert other not in str(names_in(cache))


# -- modes and owners ------------------------------------------------------------------------------


@pytest.mark.parametrize("mask", [0, 0o077, 0o277, 0o777])
def test_folders_and_files_are_private_whatever_the_umask(tmp_path, umask, mask):
    cache = DiskCache(tmp_path / "new" / "folder" / "bunraku")
    umask(mask)
    cache.write(KEY, code_of())
    assert cache.read(KEY) == code_of()
    umask(0o022)
    made = [tmp_path / "new", *(tmp_path / "new").rglob("*")]
    folders = [mode_of(path) for path in made if path.is_dir()]
    files = {path.name: mode_of(path) for path in made if path.is_file()}
    assert folders == [0o700] * 4
    assert files[file_of(cache).name] == 0o600
    assert files["usage"] & 0o177 == 0


def test_an_old_folder_that_others_could_only_read_becomes_private(cache):
    cache.write(KEY, code_of())
    for path in (file_of(cache).parent, Path(cache.folder)):
        path.chmod(0o755)
    forget_folders()
    assert cache.read(KEY) == code_of()
    assert cache.warning() is None
    assert mode_of(cache.folder) == mode_of(file_of(cache).parent) == 0o700


@pytest.mark.parametrize("mode", [0o702, 0o720, 0o770, 0o777, 0o1777])
@pytest.mark.parametrize("part", [".", "code"])
def test_a_folder_that_others_can_write_to_is_not_used(cache, part, mode):
    cache.write(KEY, code_of())
    folder = Path(cache.folder) / part
    folder.chmod(mode)
    forget_folders()
    assert cache.read(KEY) is None
    cache.write_data(KEY, "x")
    assert f"{KEY}.data" not in names_in(cache)
    reason = f"{os.path.normpath(folder)} is writable by other users (mode {mode:04o})"
    assert [cache.warning(), cache.warning()] == [reason, None]
    assert mode_of(folder) == mode


@pytest.mark.parametrize("mode", [0o702, 0o720, 0o777])
def test_a_folder_above_that_others_can_write_to_prevents_the_use(tmp_path, mode):
    above = tmp_path / "above"
    cache = DiskCache(above / "inner" / "bunraku")
    cache.write(KEY, code_of())
    above.chmod(mode)
    forget_folders()
    assert cache.read(KEY) is None
    assert cache.warning() == f"{above} is writable by other users (mode {mode:04o})"


def test_a_sticky_folder_above_may_hold_the_cache_of_this_user(tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    cache = DiskCache(shared / "bunraku")
    cache.write(KEY, code_of())
    assert cache.read(KEY) == code_of()


def test_links_are_followed_and_what_they_lead_through_is_checked(tmp_path):
    for name in ("real", "real/deep"):
        (tmp_path / name).mkdir(mode=0o700)
    (tmp_path / "link").symlink_to("real/./deep/../deep")
    (tmp_path / "chain").symlink_to(tmp_path / "link")
    cache = DiskCache(tmp_path / "chain" / "bunraku")
    cache.write(KEY, code_of())
    assert cache.read(KEY) == code_of()
    assert (tmp_path / "real/deep/bunraku/code").is_dir()
    (tmp_path / "real").chmod(0o777)
    forget_folders()
    assert cache.read(KEY) is None
    assert cache.warning() == f"{tmp_path}/real is writable by other users (mode 0777)"


def test_links_that_lead_nowhere_end(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    cache = DiskCache(tmp_path / "a" / "bunraku")
    cache.write(KEY, code_of())
    assert (cache.read(KEY), cache.warning()) == (None, None)


def test_the_inner_folder_is_not_reached_through_a_link(tmp_path):
    cache = DiskCache(tmp_path / "bunraku")
    (tmp_path / "other").mkdir(mode=0o700)
    Path(cache.folder).mkdir(mode=0o700)
    (Path(cache.folder) / "code").symlink_to(tmp_path / "other")
    cache.write(KEY, code_of())
    assert os.listdir(tmp_path / "other") == []
    with pytest.raises(OSError, match="symbolic links"):
        in_folder(cache, cache_size.clear)


@needs_root
@pytest.mark.parametrize("part", ["home", "home/bunraku", "home/bunraku/code"])
def test_a_folder_of_another_user_is_not_used(tmp_path, part):
    cache = DiskCache(tmp_path / "home" / "bunraku")
    cache.write(KEY, code_of())
    os.chown(tmp_path / part, NOBODY, NOBODY)
    forget_folders()
    assert cache.read(KEY) is None
    name = private_folder.user_name(NOBODY)
    assert cache.warning() == f"{tmp_path / part} belongs to {name}, not to root"


@needs_root
def test_a_link_of_another_user_in_a_shared_folder_is_not_followed(tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    (tmp_path / "mine").mkdir(mode=0o700)
    (shared / "link").symlink_to(tmp_path / "mine")
    cache = DiskCache(shared / "link" / "bunraku")
    cache.write(KEY, code_of())
    assert cache.read(KEY) == code_of()
    os.chown(shared / "link", NOBODY, NOBODY, follow_symlinks=False)
    forget_folders()
    assert cache.read(KEY) is None
    assert str(cache.warning()).startswith(f"{shared}/link belongs to ")


def as_link(path):
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


def as_second_name(path):
    os.link(path, path.with_name("elsewhere"))


def as_writable(path):
    path.chmod(0o620)


def as_fifo(path):
    path.unlink()
    os.mkfifo(path, 0o600)


def as_folder(path):
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("change", [as_link, as_second_name, as_writable, as_fifo, as_folder])
def test_an_entry_that_another_user_may_have_made_is_not_read(cache, change):
    cache.write(KEY, code_of())
    change(file_of(cache))
    assert cache.read(KEY) is None


@needs_root
def test_an_entry_of_another_user_is_not_read(cache):
    cache.write(KEY, code_of())
    os.chown(file_of(cache), NOBODY, NOBODY)
    assert cache.read(KEY) is None
    cache.write(KEY, code_of())
    assert cache.read(KEY) == code_of()


def test_a_folder_that_appears_meanwhile_is_checked_too(tmp_path, monkeypatch):
    really = os.mkdir

    def slower(name, mode, *, dir_fd):
        if name == "bunraku":
            really(name, 0o700, dir_fd=dir_fd)
            os.chmod(tmp_path / name, 0o777)
        really(name, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "mkdir", slower)
    with pytest.raises(NotPrivate, match="is writable by other users"):
        open_private(str(tmp_path / "bunraku"), "code", create=True)


def test_no_descriptor_stays_open_after_a_refusal(tmp_path):
    cache = DiskCache(tmp_path / "bunraku")
    cache.write(KEY, code_of())
    forget_folders()
    before = len(os.listdir("/proc/self/fd"))
    Path(cache.folder).chmod(0o777)
    for _ in range(3):
        forget_folders()
        cache.read(KEY)
    with pytest.raises(OSError, match="No such file"):
        open_private(str(tmp_path / "none"), "code", create=False)
    assert len(os.listdir("/proc/self/fd")) == before


def test_folders_are_checked_once_for_many_entries(cache):
    cache.write(KEY, code_of())
    forget_folders()
    with calls_of(open_private) as walks:
        for _ in range(10):
            assert DiskCache(cache.folder).read(KEY) == code_of()
    assert len(walks) == 1


def test_a_process_that_closes_all_files_goes_on(cache, tmp_path):
    cache.write(KEY, code_of())
    (folder,) = disk_cache.OPEN.values()
    number = folder.handle
    with open(tmp_path / "other", "w") as other:
        os.dup2(other.fileno(), number)  # the folder's descriptor is that of another file now
        assert cache.read(KEY) == code_of()
        del folder
        assert os.fstat(number).st_ino == os.fstat(other.fileno()).st_ino
        os.close(number)


def test_the_end_of_the_process_is_silent(tmp_path):
    program = (
        "import sys; from bunraku.base import disk_cache\n"
        "cache = disk_cache.DiskCache(sys.argv[1]); cache.write('a', compile('1', 'a', 'exec'))\n"
        # So Python empties this module, name by name in their order, before OPEN is released.
        "sys.kept = disk_cache\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "bunraku")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""


# -- only marshal, only here -----------------------------------------------------------------------


def test_nothing_else_reads_code_or_objects_from_bytes():
    readers = {"marshal", "pickle", "shelve", "dill", "cloudpickle", "_pickle"}
    remote = {"multiprocessing.connection", "multiprocessing.managers"}
    wrong = []
    for path in SRC.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        suspicious = any(name.rpartition(".")[2] in text for name in readers | remote)
        for node in ast.walk(ast.parse(text)) if suspicious else ():
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or "", *(f"{node.module}.{one.name}" for one in node.names)]
            elif isinstance(node, ast.Constant):  # import_module("pickle")
                names = [node.value]
            wrong += [(path.name, name) for name in names if name in readers | remote]
    # Workers are forks of the process that reads their answers (bunraku.world.workers), or those of
    # the executor that the user chose (bunraku.engine.remote).
    remote_files = [(f"{name}.py", "pickle") for name in ("process", "sender", "worker")]
    assert sorted(wrong) == [("disk_cache.py", "marshal"), ("parallel.py", "pickle"), *remote_files]


# -- secrets ---------------------------------------------------------------------------------------

SECRETS = [
    "Sensitive('TOPSECRET')",
    "SENSITIVE('TOPSECRET')",
    "::Sensitive('TOPSECRET')",
    'Sensitive("TOPSECRET${facts}")',
    "Sensitive(topsecret)",
    "Sensitive(@(END))\n  TOPSECRET\n  | END",
    "Sensitive.new('TOPSECRET')",
    "Sensitive[String].new('TOPSECRET')",
    "Sensitive[String]('TOPSECRET')",
    "Optional[Sensitive]('TOPSECRET')",
    "new(Sensitive, 'TOPSECRET')",
    "call('new', Sensitive, 'TOPSECRET')",
    "'TOPSECRET'.convert_to(Sensitive)",
    "convert_to('TOPSECRET', Sensitive)",
    "Deferred('new', [Sensitive, 'TOPSECRET'])",
    "Type('Sensitive').new('TOPSECRET')",
    "Sensitive({ 'a' => ['TOPSECRET'] })",
    "Sensitive(String(123456789))",
    "$p = 'TOPSECRET'\n$q = \"${p}\"\nSensitive($q)",
    "$h = { 'a' => 'TOPSECRET' }\nSensitive($h)",
    "[$a, $b] = ['TOPSECRET', 1]\nSensitive($a)",
    "'TOPSECRET'.then |$x| { Sensitive($x) }",
    "['TOPSECRET'].map |$x| { $x.convert_to(Sensitive) }",
    "type Hidden = Sensitive[String]\n$x = Hidden('TOPSECRET')",
    "$x = Other::Hidden.new('TOPSECRET')",
    "$x = Other::Hidden /* a comment */ ('TOPSECRET')",
    "$x = Other::Hidden[String]\t('TOPSECRET')",
    "$t = Sensitive\n$t.new('TOPSECRET')",
    "class a(String $p = 'TOPSECRET') { $x = Sensitive($p) }",
    "class a(Sensitive[String] $p = 'TOPSECRET') { }",
    "class a(Optional[Sensitive[String]] $p = 'TOPSECRET') { }",
    "class a { $p = 'TOPSECRET' }\nclass b { $x = Sensitive($a::p) }",
    "define d { file { $title: content => Sensitive('TOPSECRET') } }",
    "function f() { Sensitive('TOPSECRET') }",
    "if true { user { 'a': password => Sensitive('TOPSECRET') } }",
    "node 'n' { notify { 'a': message => Sensitive('TOPSECRET') } }",
]
HARMLESS = [
    "$x = 'text'",
    "class a(Sensitive[String] $p) { file { '/a': content => $p } }",
    "class a(String $p) { $x = Sensitive($p) }",
    'class a(String $p) { $x = Sensitive("${p}") }',
    "class a(Variant[String, Sensitive[String]] $p = 'none') { }",
    "$x = Sensitive($facts)",
    "$x = Sensitive(unwrap($secret))",
    "$y = 'text'\n$x = Sensitive($facts)",
    "if $x =~ Sensitive { notice('text') }",
    "$x = Integer('5') + '7'.convert_to(Integer)",
    "notice(defined(Class['a']), File['/a'])",
    "$x = Timestamp.new('2020-01-01')",
]


@pytest.mark.parametrize("text", SECRETS)
def test_literal_text_of_sensitive_values_is_found(text):
    assert holds_secret(parse(Source(text)).program)


@pytest.mark.parametrize("text", HARMLESS)
def test_code_without_literal_secrets_is_kept(text):
    assert not holds_secret(parse(Source(text)).program)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Puppet::Pops::Types::PSensitiveType::Sensitive.new('x')", True),
        ('Sensitive.new "x#{y}"', True),
        ("Sensitive.new(%w[a b])", True),
        ("Sensitive.new(<<~END)\n  x\nEND", True),
        ("Sensitive::new(\n  f(x),\n  'y'\n)", True),
        ("y = 'x'\nSensitive.new(y)", True),
        ("y ||= f('x')\nSensitive.new(y)", True),
        ("y << 'x'\nSensitive.new(y)", True),
        ("Sensitive.new(value)\nputs 'x'", False),
        ("y = value.unwrap\nSensitive.new(y)", False),
        ("value.is_a?(PSensitiveType::Sensitive) ? 'x' : 'y'", False),
        ("Sensitive.new(unclosed", False),
    ],
)
def test_literal_text_of_sensitive_values_is_found_in_ruby(text, expected):
    assert ruby_holds_secret(text) is expected


def files_below(folder):
    return [path for path in Path(folder).rglob("*") if path.is_file()]


def test_a_manifest_with_a_secret_does_not_reach_the_disk(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "site.pp"
    for text in ("notify { 'a': message => Sensitive('TOPSECRET') }", "notify { 'kept': }"):
        path.write_text(text)
        compile_catalog(Request(path=str(path)), lambda entry: None)
    contents = b"".join(file.read_bytes() for file in files_below(tmp_path / "cache"))
    assert b"kept" in contents
    assert b"TOPSECRET" not in contents


def test_ruby_code_with_a_secret_does_not_reach_the_disk(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    functions = tmp_path / "modules/m/lib/puppet/functions/m"
    functions.mkdir(parents=True)
    (functions.parents[3] / "templates").mkdir()
    head = "Puppet::Functions.create_function(:'m::{}') do\n  def {}\n"
    sensitive = "Puppet::Pops::Types::PSensitiveType::Sensitive"
    (functions / "a.rb").write_text(
        f"{head.format('a', 'a')}    {sensitive}.new('TOPSECRET')\n  end\nend\n"
    )
    (functions / "b.rb").write_text(f"{head.format('b', 'b')}    'kept'\n  end\nend\n")
    template = f"<%# %><% x = false && {sensitive}.new('TOPSECRET') %>kept"
    (functions.parents[3] / "templates/t.erb").write_text(template)
    for code in ("m::a()", "m::b()", "template('m/t.erb')"):
        request = Request(code=f"$x = {code}", modulepath=[str(tmp_path / "modules")])
        with suppress(bunraku.PuppetError):  # without Ruby: the code was translated before
            compile_catalog(request, lambda entry: None)
    contents = b"".join(file.read_bytes() for file in files_below(tmp_path / "cache"))
    assert b"kept" in contents
    assert b"TOPSECRET" not in contents


# -- the limit -------------------------------------------------------------------------------------


def key_of(number):
    return f"{number:040x}"


def fill(cache, numbers, size=4000):
    for number in numbers:
        cache.write_data(key_of(number), bytes(size))


def use(cache, number, when):
    os.utime(Path(cache.folder) / "code" / f"{key_of(number)}.data", (when, when - 5))


@pytest.fixture
def small(monkeypatch, tmp_path):
    """A cache of at most one MiB: 256 entries of a block."""
    monkeypatch.setenv("BUNRAKU_CACHE_LIMIT", "1")
    return DiskCache(tmp_path / "bunraku")


def test_the_entries_that_were_not_used_for_the_longest_give_way(small):
    fill(small, range(200))
    now = time.time()
    for number in range(200):
        use(small, number, now - 1000 + number)
    use(small, 0, now)
    fill(small, range(200, 257))
    left = {name for name in names_in(small) if name != "usage"}
    assert in_folder(small, cache_size.contents) == Contents(192, 192 * 4096)
    assert f"{key_of(0)}.data" in left
    assert left >= {f"{key_of(number)}.data" for number in range(200, 257)}
    assert f"{key_of(1)}.data" not in left


def test_entries_are_not_counted_each_time_that_one_is_written(small):
    fill(small, [0])
    with calls_of(cache_size.trim) as counts:
        fill(small, range(1, 256))
        assert len(counts) == 0
        fill(small, [256])
        assert len(counts) == 1
        fill(small, range(257, 300))
        assert len(counts) == 1


def test_entries_are_counted_once_a_day(small, monkeypatch):
    fill(small, range(3))
    usage = Path(small.folder) / "code" / "usage"
    assert int(usage.read_text().split()[0]) == (3 * 4096)
    (Path(small.folder) / "code" / f"{key_of(0)}.data").unlink()
    for bad in ("", "x y", "9" * 30):
        usage.write_text(bad)
        fill(small, [1])
        assert int(usage.read_text().split()[0]) == (2 * 4096)
    usage.write_text(f"0 {int(time.time()) - 90_000}\n")
    fill(small, [1])
    assert int(usage.read_text().split()[0]) == (2 * 4096)


def test_a_process_that_keeps_the_sum_does_not_stop_others(small, monkeypatch):
    fill(small, [0])
    waits = []
    monkeypatch.setattr(time, "sleep", waits.append)
    usage = Path(small.folder) / "code" / "usage"
    with open(usage, "rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        fill(small, range(1, 20))
    assert len(waits) == len(open_cache.PAUSES)
    assert sum(waits) < 1
    fill(small, [20])
    assert int(usage.read_text().split()[0]) == 21 * 4096


def test_the_limit_is_kept_without_locks(small, monkeypatch):
    def flock(file, how):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    fill(small, range(257))
    assert in_folder(small, cache_size.contents).bytes <= MIB


def test_temporary_files_of_killed_processes_are_removed_when_they_are_old(cache):
    cache.write(KEY, code_of())
    folder = file_of(cache).parent
    (folder / ".new-old").write_text("half")
    (folder / ".new-now").write_text("half")
    os.utime(folder / ".new-old", (0, time.time() - 4000))
    (folder / "usage").unlink()
    cache.write(KEY, code_of())
    assert names_in(cache) == [".new-now", file_of(cache).name, "usage"]


def test_entries_of_earlier_versions_are_removed(cache):
    cache.write(KEY, code_of())
    folder = file_of(cache).parent
    for name in ("0a", "0b", "other"):
        (folder / name).mkdir()
        (folder / name / f"{'0' * 38}.code").write_text("old")
    (folder / "0b" / "note").write_text("kept")
    (folder / "usage").unlink()
    cache.write(KEY, code_of())
    assert not (folder / "0a").exists()
    assert os.listdir(folder / "0b") == ["note"]
    assert len(os.listdir(folder / "other")) == 1


def write_many(folder, start):
    cache = DiskCache(folder)
    fill(cache, range(start, start + 80))
    assert all(cache.read_data(key_of(number)) in (None, bytes(4000)) for number in range(320))


def test_processes_that_write_at_once_keep_the_limit(small):
    context = multiprocessing.get_context("spawn")
    workers = [
        context.Process(target=write_many, args=(small.folder, start))
        for start in (0, 80, 160, 240)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 4
    fill(small, [600])
    assert in_folder(small, cache_size.contents).bytes <= MIB
    assert not [name for name in names_in(small) if name.startswith(".new-")]


@pytest.mark.parametrize("text", ["x", "0", "-1", "1.5", "1" * 20, "½"])
def test_a_wrong_limit_is_a_reason_not_to_use_the_cache(monkeypatch, cache, text):
    monkeypatch.setenv("BUNRAKU_CACHE_LIMIT", text)
    cache.write(KEY, code_of())
    assert cache.read(KEY) is None
    expected = f"BUNRAKU_CACHE_LIMIT must be a number of MiB of at least 1, not {text!r}"
    assert [cache.warning(), cache.warning()] == [expected, None]


# -- clearing --------------------------------------------------------------------------------------


def test_clearing_removes_entries_and_nothing_else(cache, tmp_path):
    cache.write(KEY, code_of())
    cache.write_data(KEY, "x")
    folder = file_of(cache).parent
    (folder / ".new-0").write_text("half")
    (folder / "note").write_text("kept")
    (tmp_path / "target").write_text("kept")
    (folder / f"{'0' * 40}.code").symlink_to(tmp_path / "target")
    (folder / "0a").mkdir()
    (folder / "0b").symlink_to(tmp_path)
    assert in_folder(cache, cache_size.clear) == Contents(2, 2 * 4096, 2)
    assert names_in(cache) == sorted([f"{'0' * 40}.code", "0b", "note"])
    assert (tmp_path / "target").read_text() == "kept"
    assert in_folder(cache, cache_size.contents).entries == 0


def test_the_checksum_of_an_entry_begins_with_its_name():
    assert disk_cache.head_of("a", b"b")[-4:] == crc32(b"ab").to_bytes(4, "little")
