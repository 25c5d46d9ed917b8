"""An environment is kept between compiles of a process; every change of its files is noticed.

Each compile waits first until all files count as old so that their signatures are relied on; ``edit``
makes changes that the file system's clock can tell apart.
"""

from __future__ import annotations

import json
import os
import shutil
import time

import pytest

from bunraku.base.disk_cache import MAGIC, DiskCache
from bunraku.base.errors import PuppetError
from bunraku.catalog.schema.model import ResourceTypeSchema, TitlePattern
from bunraku.compiler.code_names import program_fingerprint
from bunraku.engine import kept
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import DISK, Request, resolve
from bunraku.engine.ruby_types import RubyTypes
from bunraku.hiera import data
from bunraku.modules.files import TABLES, FileTable
from bunraku.ruby.schema import cache as schema_cache
from bunraku.ruby.schema.libraries import Libraries
from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.disk import Disk
from bunraku.world.file_signatures import (
    JUST_NOW,
    is_local,
    is_local_in,
    is_settled,
    mounted_kinds,
    signature_of,
)
from bunraku.world.machine import Machine
from bunraku.world.overlay import Overlay
from support.calls import calls_of


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder with modules and an environment."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "modules").mkdir()
    return tmp_path


def stamps(path):
    status = os.stat(path)
    return status.st_mtime_ns, status.st_ctime_ns


def wait_for_the_clock(site):
    """Wait for the file system's clock so that the next change gets another time."""
    probe = site / "probe"
    probe.touch()
    first = stamps(probe)
    while stamps(probe) == first:
        probe.touch()


def edit(site, path, text):
    """Write a file at another time than all before."""
    wait_for_the_clock(site)
    file = site / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def grow_old():
    """Wait until the changed files have signatures."""
    time.sleep((JUST_NOW + 10_000_000) / 1e9)


def compiled(site, code="include m", *, old=True, **more):
    if old:
        grow_old()
    request = Request(code=code, node="n", **{"modulepath": [str(site / "modules")], **more})
    return compile_catalog(request, lambda entry: None)


def titles(site, code="include m", **more):
    found = compiled(site, code, **more).resources
    return [item.title for item in found if item.type == "Notify"]


def in_environment(site, code="include m"):
    settings = {"environmentpath": str(site / "env"), "environment": "production"}
    return titles(site, code, settings=settings, modulepath=[])


CLASS = "class m {{ notify {{ '{}': }} }}"
INIT = "modules/m/manifests/init.pp"


def test_files_that_stay_are_not_read_again(site):
    edit(site, INIT, "class m { notify { epp('m/a.epp'): } }")
    edit(site, "modules/m/templates/a.epp", "one")
    edit(site, "modules/m/metadata.json", "{}")
    assert titles(site) == ["one"]

    def read():
        paths = [call.arguments["path"] for call in reads]
        return [path for path in paths if path.startswith(str(site))]

    with calls_of(Machine.read) as reads:
        assert titles(site) == ["one"]
        assert read() == []
        edit(site, "modules/m/templates/a.epp", "two")
        assert titles(site) == ["two"]
        assert read() == [str(site / "modules/m/templates/a.epp")]


def test_an_edit_that_keeps_the_size_is_noticed(site):
    edit(site, INIT, CLASS.format("one"))
    assert titles(site) == ["one"]
    edit(site, INIT, CLASS.format("two"))
    assert titles(site) == ["two"]


def test_edits_at_once_are_noticed(site):
    for number in range(20):
        (site / "modules/m/manifests").mkdir(parents=True, exist_ok=True)
        (site / INIT).write_text(CLASS.format(f"{number:02}"), encoding="utf-8")
        assert titles(site, old=False) == [f"{number:02}"]


def test_an_edit_whose_time_is_set_back_is_noticed(site):
    file = edit(site, INIT, CLASS.format("one"))
    assert titles(site) == ["one"]
    status = file.stat()
    wait_for_the_clock(site)
    file.write_text(CLASS.format("two"), encoding="utf-8")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (file.stat().st_mtime_ns, file.stat().st_size) == (status.st_mtime_ns, status.st_size)
    assert titles(site) == ["two"]


def test_a_file_put_in_place_of_another_is_noticed(site):
    file = edit(site, INIT, CLASS.format("one"))
    other = edit(site, "new.pp", CLASS.format("two"))
    os.utime(other, ns=(0, file.stat().st_mtime_ns))
    assert titles(site) == ["one"]
    wait_for_the_clock(site)
    other.replace(file)
    assert titles(site) == ["two"]


def test_a_folder_put_in_place_of_another_is_noticed(site):
    edit(site, INIT, CLASS.format("one"))
    edit(site, "other/manifests/init.pp", CLASS.format("two"))
    edit(site, "other/functions/f.pp", "function m::f() { 'f' }")
    assert titles(site) == ["one"]
    wait_for_the_clock(site)
    (site / "modules/m").rename(site / "before")
    (site / "other").rename(site / "modules/m")
    assert titles(site) == ["two"]
    assert titles(site, "notify { m::f(): }") == ["f"]
    wait_for_the_clock(site)
    shutil.rmtree(site / "modules/m")
    (site / "before").rename(site / "modules/m")
    assert titles(site) == ["one"]


def test_a_link_that_points_elsewhere_is_noticed(site):
    edit(site, "v1/manifests/init.pp", CLASS.format("one"))
    edit(site, "v2/manifests/init.pp", CLASS.format("two"))
    edit(site, "v2/manifests/more.pp", "class m::more { notify { 'more': } }")
    (site / "modules/m").symlink_to(site / "v1")
    assert titles(site) == ["one"]
    with pytest.raises(PuppetError):
        titles(site, "include m::more")
    (site / "link").symlink_to(site / "v2")
    (site / "link").replace(site / "modules/m")
    assert titles(site) == ["two"]
    assert titles(site, "include m::more") == ["more"]


def test_a_file_behind_a_link_is_noticed(site):
    for name in ("one", "two"):
        edit(site, f"{name}.pp", CLASS.format(name))
    (site / "modules/m/manifests").mkdir(parents=True)
    (site / INIT).symlink_to(site / "one.pp")
    assert titles(site) == ["one"]
    (site / "link").symlink_to(site / "two.pp")
    (site / "link").replace(site / INIT)
    assert titles(site) == ["two"]
    edit(site, "two.pp", CLASS.format("2nd"))
    assert titles(site) == ["2nd"]


def test_a_file_that_goes_and_comes_is_noticed(site):
    edit(site, INIT, CLASS.format("one"))
    file = edit(site, "modules/m/manifests/a.pp", "class m::a { notify { 'a': } }")
    assert titles(site, "include m::a") == ["a"]
    wait_for_the_clock(site)
    file.unlink()
    with pytest.raises(PuppetError):
        titles(site, "include m::a")
    wait_for_the_clock(site)
    edit(site, "modules/m/manifests/a.pp", "class m::a { notify { 'b': } }")
    assert titles(site, "include m::a") == ["b"]


def test_a_module_that_comes_before_another_is_noticed(site):
    (site / "first").mkdir()
    path = [str(site / "first"), str(site / "modules")]
    edit(site, INIT, CLASS.format("one"))
    edit(site, "modules/m/lib/puppet/type/thing.rb", "Puppet::Type.newtype(:thing) { newparam :a }")
    assert titles(site, modulepath=path) == ["one"]
    edit(site, "first/m/manifests/init.pp", CLASS.format("two"))
    assert titles(site, modulepath=path) == ["two"]
    with pytest.raises(PuppetError):
        titles(site, "thing { 'x': }", modulepath=path)


def test_metadata_that_breaks_and_heals_is_noticed(site):
    (site / "first").mkdir()
    path = [str(site / "first"), str(site / "modules")]
    edit(site, INIT, CLASS.format("one"))
    edit(site, "first/m/manifests/init.pp", CLASS.format("two"))
    edit(site, "first/m/metadata.json", "{}")
    assert titles(site, modulepath=path) == ["two"]
    edit(site, "first/m/metadata.json", "{")
    warned = []
    for _ in range(2):
        grow_old()
        request = Request(code="include m", node="n", modulepath=path)
        found = compile_catalog(request, warned.append)
        assert found.find("Notify", "one")
    assert len(warned) == 2
    assert warned[0].message == warned[1].message
    edit(site, "first/m/metadata.json", "{}")
    assert titles(site, modulepath=path) == ["two"]


def test_data_that_change_are_noticed(site):
    edit(site, INIT, "class m(String $text, Hash $more = {}) { notify { $text: } }")
    edit(site, "modules/m/hiera.yaml", "version: 5\nhierarchy: [{name: a, path: a.yaml}]\n")
    edit(site, "modules/m/data/a.yaml", "m::text: one\n")
    assert titles(site) == ["one"]
    edit(site, "modules/m/data/a.yaml", "m::text: two\n")
    assert titles(site) == ["two"]
    edit(site, "modules/m/hiera.yaml", "version: 5\nhierarchy: [{name: a, path: b.yaml}]\n")
    with pytest.raises(PuppetError):
        titles(site)
    edit(site, "modules/m/data/b.yaml", "m::text: new\n")
    assert titles(site) == ["new"]


def test_a_template_that_changes_is_noticed(site):
    edit(site, INIT, "class m { notify { epp('m/a.epp'): } }")
    for text in ("one", "two"):
        edit(site, "modules/m/templates/a.epp", text)
        assert titles(site) == [text]


def test_the_configuration_of_an_environment_that_changes_is_noticed(site):
    edit(site, "env/production/modules/m/manifests/init.pp", CLASS.format("one"))
    edit(site, "env/production/others/m/manifests/init.pp", CLASS.format("two"))
    edit(site, "env/production/manifests/site.pp", "notify { 'site': }")
    assert in_environment(site) == ["one"]
    edit(site, "env/production/environment.conf", "modulepath = others\n")
    assert in_environment(site) == ["two"]
    wait_for_the_clock(site)
    (site / "env/production/environment.conf").unlink()
    assert in_environment(site) == ["one"]
    assert in_environment(site, None) == ["site"]
    edit(site, "env/production/manifests/a.pp", "notify { 'a': }")
    assert in_environment(site, None) == ["a", "site"]


def test_a_file_that_a_program_writes_in_the_compile_is_read(site):
    edit(site, "out", "before")
    path = site / "out"
    code = (
        f"notify {{ file('{path}'): }} "
        f"generate('/bin/sh', '-c', 'sleep 0.02; printf after > {path}; sleep 0.12') "
        f"notify {{ file('{path}'): }}"
    )
    assert titles(site, code) == ["before", "after"]


def test_resources_that_others_export_are_read_again(site):
    stored = {"type": "Notify", "certname": "o", "exported": True, "tags": []}
    for old in (True, False):
        for text in ("one", "two"):
            file = edit(site, "store.json", json.dumps([{**stored, "title": text}]))
            assert titles(site, "Notify <<||>>", old=old, storedconfigs=str(file)) == [text]


def test_what_is_laid_over_files_stays_in_its_compile(site):
    path = str(edit(site, INIT, CLASS.format("one")))
    assert titles(site) == ["one"]
    for name in ("two", "new"):
        world = Overlay(DictionaryWorld({path: CLASS.format(name).encode()}), Machine())
        assert titles(site, world=world) == [name]
    assert titles(site) == ["one"]


# -- signatures --------------------------------------------------------------------------------------


def test_a_file_changed_just_now_has_no_signature(tmp_path):
    file = tmp_path / "a"

    def after_a_change():
        file.write_text("x")
        return signature_of(str(file))

    assert None in (after_a_change() for _ in range(100))  # a busy machine may stop in between
    grow_old()
    assert signature_of(str(file)) is not None
    future = time.time_ns() + 3_600_000_000_000
    os.utime(file, ns=(future, future))
    assert signature_of(str(file)) is None
    assert signature_of(f"{tmp_path}/b") is None
    assert signature_of("a\0b") is None


def test_whole_seconds_are_waited_for_longer():
    second = 1_000_000_000
    ages = (0, 50_000_000, 99_999_999, 150_000_000, -5)
    assert [is_settled(7, 5, age) for age in ages] == [False, False, False, True, False]
    assert not is_settled(7 * second, 7 * second, second)
    assert is_settled(7 * second, 7 * second, 3 * second)
    assert is_settled(7 * second, 7 * second + 5, second)


def test_times_of_servers_and_programs_are_not_relied_on(tmp_path):
    lines = "1 0 {} / / rw - {} none rw\n2 1 0:77 / /mnt/a rw shared:1 - xfs /dev/b rw\n"
    device = os.stat(tmp_path).st_dev
    name = f"{os.major(device)}:{os.minor(device)}"
    table = tmp_path / "mounts"
    for kind, known in (("ext4", True), ("nfs4", False), ("fuse.sshfs", False), ("proc", False)):
        table.write_text(lines.format(name, kind))
        assert is_local_in(str(table), device, str(tmp_path)) is known
    assert is_local_in(str(tmp_path / "none"), device, str(tmp_path))
    assert mounted_kinds(lines.format("8:1", "ext4"))["/mnt/a"] == "xfs"


def test_what_the_kernel_tells_is_read_each_time():
    path = "/proc/sys/kernel/hostname"
    assert not is_local(os.stat(path).st_dev, path)
    grow_old()
    assert signature_of(path) is None


def test_a_disk_does_not_keep_too_much(tmp_path):
    disk = Disk(most_bytes=25, largest=10)
    for name, size in (("a", 10), ("b", 10), ("large", 11), ("c", 10)):
        (tmp_path / name).write_bytes(os.urandom(size))
    grow_old()
    read = {name: disk.read(f"{tmp_path}/{name}") for name in ("a", "b", "large")}
    assert disk.read(f"{tmp_path}/a") is read["a"]
    assert disk.read(f"{tmp_path}/large") is not read["large"]
    disk.read(f"{tmp_path}/c")
    assert disk.read(f"{tmp_path}/a") is read["a"]
    assert disk.read(f"{tmp_path}/b") == read["b"]
    assert disk.read(f"{tmp_path}/b") is not read["b"]  # it was not asked for the longest


# -- data ----------------------------------------------------------------------------------------------


def test_data_that_a_compile_changes_are_whole_in_the_next(site):
    edit(site, INIT, "class m($h) { notify { 'x': message => $h } }")
    edit(site, "modules/m/hiera.yaml", "version: 5\nhierarchy: [{name: a, path: a.yaml}]\n")
    edit(site, "modules/m/data/a.yaml", "m::h: {a: [1, {b: 2}]}\n")
    for _ in range(2):
        message = compiled(site).find("Notify", "x").parameters["message"]
        assert message == {"a": [1, {"b": 2}]}
        message["a"][1]["b"] = 3  # as code of Puppet 3 may, or who gets the catalog
        message["c"] = 4


def test_data_of_many_nodes_do_not_pile_up(site):
    edit(site, INIT, "class m($text) { notify { $text: } }")
    levels = "[{name: a, glob: '%{facts.n}/*.yaml'}, {name: b, path: common.yaml}]"
    edit(site, "modules/m/hiera.yaml", f"version: 5\nhierarchy: {levels}\n")
    edit(site, "modules/m/data/common.yaml", "m::text: t")
    folder = site / "modules/m/data"
    for node, count in (("first", data.MOST_FILES - 10), ("last", 30)):
        (folder / node).mkdir()
        for number in range(count):
            (folder / node / f"{number:04}.yaml").write_text("{}")
        assert titles(site, facts={"n": node}) == ["t"]
    (table,) = (one for one in TABLES.values() if f"{site}/modules" in one._names)
    kept = {path.removeprefix(f"{folder}/") for path, _ in table.lasting["data files"]}
    assert len(kept) == data.MOST_FILES
    assert {"common.yaml", *(f"last/{number:04}.yaml" for number in range(30))} < kept
    assert "first/0000.yaml" not in kept


def test_data_are_parsed_once_and_complained_of_each_time(site):
    edit(site, INIT, "class m($text) { notify { $text: } }")
    edit(site, "modules/m/hiera.yaml", "version: 5\nhierarchy: [{name: a, path: a.yaml}]\n")
    edit(site, "modules/m/data/a.yaml", "m::text: one\nother: two\n")
    with calls_of(data.PARSERS["yaml_data"]) as parsed:
        for _ in range(2):
            grow_old()
            log = []
            request = Request(code="include m", node="n", modulepath=[str(site / "modules")])
            compile_catalog(request, log.append)
            assert [entry.code for entry in log] == ["HIERA_FOREIGN_KEYS"]
    paths = [call.arguments["path"] for call in parsed]
    assert paths == [str(site / "modules/m/data/a.yaml")]


# -- resource types on disk ------------------------------------------------------------------------------

THING = "require 'm/more'\nPuppet::Type.newtype(:thing) do\n  newparam(:name)\n  M.add(self)\nend\n"
MORE = "module M\n  def self.add(type)\n    type.newparam(:{})\n  end\nend\n"


@pytest.fixture
def things(site):
    """A module with a resource type; asked, it tells the parameters and whether Ruby was read."""
    edit(site, "modules/m/lib/puppet/type/thing.rb", THING)
    edit(site, "modules/m/lib/m/more.rb", MORE.format("size"))

    def ask(*, again=True):
        if again:  # as a new process
            kept.forget()
        grow_old()
        request = Request(code="", node="n", modulepath=[str(site / "modules")])
        resource_types = RubyTypes(resolve(request, lambda entry: None))
        path = site / "modules/m/lib/puppet/type/thing.rb"
        with calls_of(schema_cache.types_in) as read:
            found = resource_types.read(DISK.read(str(path)), str(path)).schemas["thing"]
        return (*found.parameters, *found.providers), bool(read)

    return ask


def test_a_resource_type_is_read_once_for_all_processes(things):
    found, read = things()
    assert (found, read) == (("name", "size"), True)
    assert things() == (found, False)
    assert things(again=False) == (found, False)


def test_a_resource_type_on_disk_is_read_again_when_what_it_requires_changes(site, things):
    things()
    edit(site, "modules/m/lib/m/more.rb", MORE.format("mass"))
    assert things() == (("name", "mass"), True)
    edit(site, "modules/m/lib/m/more.rb", MORE.format("size"))
    wait_for_the_clock(site)
    (site / "modules/m/lib/m/more.rb").unlink()
    found, read = things()
    assert (found, read) == (("name",), True)
    edit(site, "modules/a/lib/m/more.rb", MORE.format("other"))
    assert things() == (("name", "other"), True)


def test_a_resource_type_on_disk_is_read_again_when_a_provider_comes_and_goes(site, things):
    before, _ = things()
    text = "Puppet::Type.type(:thing).provide(:big) { }\n"
    edit(site, "modules/m/lib/puppet/provider/thing/big.rb", text)
    assert things() == ((*before, "provider", "big"), True)
    edit(site, "modules/b/lib/puppet/provider/thing/low.rb", text.replace("big", "low"))
    assert things() == ((*before, "provider", "big", "low"), True)
    edit(site, "modules/b/lib/puppet/provider/thing/low.rb", text.replace("big", "lot"))
    assert things() == ((*before, "provider", "big", "lot"), True)
    wait_for_the_clock(site)
    shutil.rmtree(site / "modules/m/lib/puppet/provider")
    assert things() == ((*before, "provider", "lot"), True)
    assert things() == ((*before, "provider", "lot"), False)


def test_broken_entries_are_passed_over(site, things):
    found, _ = things()
    # The others have the fingerprints of the program.
    (entry,) = [path for path in (site / "cache").rglob("*.data") if b"thing" in path.read_bytes()]
    good = entry.read_bytes()
    for bad in (b"", good[:60], good[:-1] + b"x", MAGIC):
        entry.write_bytes(bad)
        assert things() == (found, True)
        assert entry.read_bytes() == good


def test_entries_of_another_reader_are_passed_over(tmp_path):
    disk = DiskCache(tmp_path)
    content = b"Puppet::Type.newtype(:thing) { newparam(:name) }"
    with calls_of(schema_cache.types_in) as read:
        for reader in ("one", "two", "one", "two", schema_cache.reader_fingerprint()):
            libraries = Libraries(FileTable(DISK), [])
            schema_cache.kept_types(content, "thing.rb", libraries, disk, reader)
        schema_cache.resource_types(content, "thing.rb", Libraries(FileTable(DISK), []), disk)
    own = program_fingerprint(("compiler", "ruby", "catalog"))
    assert own in schema_cache.reader_fingerprint()
    assert len(read) == len(list(tmp_path.rglob("*.data"))) == 3


def test_a_schema_comes_back_from_the_disk_whole(tmp_path):
    patterns = (TitlePattern("(.*)", "m", ("a",), ("b",)), TitlePattern("x", "", ()))
    schema = ResourceTypeSchema(
        "t",
        ("a",),
        ("b",),
        ("a",),
        patterns,
        False,
        False,
        ("f",),
        ("p",),
        "device",
        "o",
        "f.rb",
        3,
    )
    cache = DiskCache(tmp_path)
    cache.write_data("key", schema_cache.to_fields(schema))
    found = schema_cache.from_fields(cache.read_data("key"))
    assert found == schema
    assert found.attributes == schema.attributes
    assert ResourceTypeSchema.__match_args__ == schema_cache.FIELDS
