"""Caches between compiles, in memory and on disk, never return outdated content."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bunraku.base.disk_cache import DiskCache
from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.compiler import code_names as code_module
from bunraku.engine import kept
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request, resolve
from bunraku.engine.ruby_types import RubyTypes
from bunraku.modules.files import MOST_TABLES, TABLES, FileTable, shared_table
from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.machine import Machine
from support.files import largest_file

MACHINE = Machine()


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder with a manifest and modules, and a code cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "modules").mkdir()
    return tmp_path


def write(site, path, text):
    file = site / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def titles(site, code="include m", **more):
    request = Request(code=code, node="n", modulepath=[str(site / "modules")], **more)
    catalog = compile_catalog(request, lambda entry: None)
    return [item.title for item in catalog.resources if item.type == "Notify"]


def entries(site):
    return sorted(path.name for path in (site / "cache").rglob("*.code"))


# -- the code cache --------------------------------------------------------------------------------


def test_an_edited_class_is_read_again_though_its_size_and_time_stay(site):
    file = write(site, "modules/m/manifests/init.pp", "class m { notify { 'one': } }")
    assert titles(site) == ["one"]
    status = file.stat()
    write(site, "modules/m/manifests/init.pp", "class m { notify { 'two': } }")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert titles(site) == ["two"]


def test_a_renamed_file_brings_its_own_path(site, monkeypatch):
    first = write(site, "a.pp", "notify { 'x': }")
    compile_catalog(Request(path=str(first)), lambda entry: None)
    second = first.rename(site / "b.pp")
    kept.forget()
    catalog = compile_catalog(Request(path=str(second)), lambda entry: None)
    assert catalog.find("Notify", "x").file == str(second)


def test_a_touched_file_is_found_again(site, monkeypatch):
    file = write(site, "modules/m/manifests/init.pp", "class m { notify { 'one': } }")
    assert titles(site) == ["one"]
    known = entries(site)
    os.utime(file)
    kept.forget()
    assert titles(site) == ["one"]
    assert entries(site) == known


def test_dialects_do_not_share_code(site, monkeypatch):
    manifest = write(site, "site.pp", "if '' { notify { 'true': } } else { notify { 'false': } }")
    found = []
    for language in ("8", "3.8", "8", "3.8-future"):
        kept.forget()
        catalog = compile_catalog(
            Request(path=str(manifest), language=language), lambda entry: None
        )
        found.append([item.title for item in catalog.resources if item.type == "Notify"])
    assert found == [["true"], ["false"], ["true"], ["true"]] or found[:3] == [
        ["true"],
        ["false"],
        ["true"],
    ]
    assert len(entries(site)) == 3


def test_versions_do_not_share_code(site):
    manifest = write(site, "site.pp", "notify { 'x': }")
    root = Path(code_module.__file__).parents[1]
    for version in ("one", "two"):
        copy = site / version / root.name
        shutil.copytree(root, copy)
        if version == "two":
            with (copy / "compiler" / "expressions.py").open("a") as file:
                file.write("# changed\n")
        for _ in range(2):
            command = [sys.executable, "-m", "bunraku", "compile", str(manifest)]
            subprocess.run(
                command,
                check=True,
                stdout=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": str(copy.parent)},
            )
    assert len(entries(site)) == 2


def test_every_module_that_compiles_is_in_the_fingerprint():
    root = Path(code_module.__file__).parents[1]
    parts = code_module.COMPILED_BY
    files = [file for part in parts for file in (root / part).rglob("*.py")]
    listed = [file for part in parts for file in code_module.files_below(f"{root}/{part}")]
    assert sorted(map(str, files)) == sorted(file.path for file in listed)
    kept.forget()
    assert code_module.program_fingerprint() == code_module.fingerprint_of(listed)
    assert any(file.parent.name == "puppet_3" for file in files)


def test_a_copy_of_the_program_finds_the_entries(site):
    manifest = write(site, "site.pp", "notify { 'x': }")
    root = Path(code_module.__file__).parents[1]
    for place in ("one", "two"):
        copy = site / place / root.name
        shutil.copytree(root, copy)
        os.utime(copy / "compiler" / "expressions.py")
        environment = {**os.environ, "PYTHONPATH": str(copy.parent)}
        command = [sys.executable, "-m", "bunraku", "compile", str(manifest)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    assert len(entries(site)) == 1


def test_settings_that_count_for_checks_do_not_share_findings(site, monkeypatch):
    manifest = write(site, "site.pp", "$h = { 'a' => 1, 'a' => 2 }")
    for strict, errors in (("off", False), ("error", True), ("off", False)):
        kept.forget()
        request = Request(path=str(manifest), settings={"strict": strict})
        if errors:
            with pytest.raises(PuppetError):
                compile_catalog(request, lambda entry: None)
        else:
            compile_catalog(request, lambda entry: None)


def test_warnings_are_told_each_time(site, monkeypatch):
    manifest = write(site, "site.pp", "$h = { 'a' => 1, 'a' => 2 }")
    request = Request(path=str(manifest), settings={"strict": "warning"})
    counts = []
    for again in (False, False, True):
        if again:
            kept.forget()
        log = []
        compile_catalog(request, log.append)
        counts.append(len(log))
    assert counts[0] > 0
    assert counts == [counts[0]] * 3


def test_a_corrupt_entry_is_replaced(site, monkeypatch):
    manifest = write(site, "site.pp", "notify { 'x': }")
    compile_catalog(Request(path=str(manifest)), lambda entry: None)
    (entry,) = (site / "cache").rglob("*.code")
    cache = DiskCache()
    good = cache.read(entry.stem)
    assert good is not None
    entry.write_bytes(entry.read_bytes()[:40] + b"\0" * 20)
    kept.forget()
    assert compile_catalog(Request(path=str(manifest)), lambda entry: None).find("Notify", "x")
    assert cache.read(entry.stem) == good


def test_a_cache_that_refuses_new_folders_changes_nothing(site, monkeypatch):
    manifest = write(site, "site.pp", "notify { 'x': }")
    monkeypatch.setenv("XDG_CACHE_HOME", "/sys/bunraku")  # not even root can make folders there
    assert compile_catalog(Request(path=str(manifest)), lambda entry: None).find("Notify", "x")
    assert not Path("/sys/bunraku").exists()


@pytest.mark.parametrize("size", [0, 100])
def test_a_full_disk_leaves_no_half_entry(size, site):
    manifest = write(site, "site.pp", "notify { 'x': }")
    with largest_file(size):
        catalog = compile_catalog(Request(path=str(manifest)), lambda entry: None)
    assert catalog.find("Notify", "x")
    assert list((site / "cache").rglob("*"))
    assert [path for path in (site / "cache").rglob("*") if path.is_file()] == []


def test_two_processes_write_at_once(site):
    manifest = write(site, "site.pp", "\n".join(f"notify {{ 'n{i}': }}" for i in range(50)))
    command = [sys.executable, "-m", "bunraku", "compile", str(manifest), "--node", "n"]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ}) for _ in range(2)
    ]
    found = [json.loads(process.communicate()[0])["resources"] for process in running]
    assert found[0] == found[1]
    assert len(entries(site)) == 1
    (entry,) = (site / "cache").rglob("*.code")
    assert DiskCache(entry.parents[1]).read(entry.stem) is not None


# -- listings, resource types ------------------------------------------------------------------------


def test_a_module_that_comes_and_goes_is_noticed(site):
    with pytest.raises(PuppetError):
        titles(site)
    file = write(site, "modules/m/manifests/init.pp", "class m { notify { 'one': } }")
    assert titles(site) == ["one"]
    file.unlink()
    with pytest.raises(PuppetError):
        titles(site)


def test_a_function_that_comes_is_noticed(site):
    write(site, "modules/m/manifests/init.pp", "class m { notify { m::f(): } }")
    with pytest.raises(PuppetError):
        titles(site)
    write(site, "modules/m/functions/f.pp", "function m::f() { 'yes' }")
    assert titles(site) == ["yes"]


def test_a_resource_type_is_read_again_when_its_file_changes(site):
    text = "Puppet::Type.newtype(:thing) do\n  newparam(:name)\n  newparam(:{0})\nend\n"
    code = "thing { 'a': size => 1 }"
    write(site, "modules/m/lib/puppet/type/thing.rb", text.replace("{0}", "weight"))
    with pytest.raises(PuppetError):
        titles(site, code)
    write(site, "modules/m/lib/puppet/type/thing.rb", text.replace("{0}", "size"))
    assert titles(site, code) == []


def test_a_type_is_read_again_when_a_provider_comes(site):
    text = "Puppet::Type.newtype(:thing) do\n  newparam(:name)\nend\n"
    code = "thing { 'a': provider => 'big' }"
    write(site, "modules/m/lib/puppet/type/thing.rb", text)
    with pytest.raises(PuppetError):
        titles(site, code)
    provider = "Puppet::Type.type(:thing).provide(:big) { }\n"
    write(site, "modules/m/lib/puppet/provider/thing/big.rb", provider)
    assert titles(site, code) == []


def test_a_type_is_read_again_when_what_it_requires_changes(site):
    text = (
        "require 'm/more'\nPuppet::Type.newtype(:thing) do\n  newparam(:name)\n  M.add(self)\nend\n"
    )
    more = "module M\n  def self.add(type)\n    type.newparam(:{0})\n  end\nend\n"
    write(site, "modules/m/lib/puppet/type/thing.rb", text)
    write(site, "modules/m/lib/m/more.rb", more.replace("{0}", "weight"))
    first = kinds(site)
    write(site, "modules/m/lib/m/more.rb", more.replace("{0}", "size"))
    assert first != kinds(site)


def kinds(site):
    request = Request(code="", node="n", modulepath=[str(site / "modules")])
    made = RubyTypes(resolve(request, lambda entry: None))
    path = str(site / "modules/m/lib/puppet/type/thing.rb")
    return made.read(Path(path).read_bytes(), path).schemas["thing"].parameters


def test_tables_are_of_one_environment_and_not_too_many(tmp_path):
    first = shared_table(MACHINE, "a")
    assert shared_table(MACHINE, "a") is first
    assert shared_table(MACHINE, "b") is not first
    for number in range(MOST_TABLES + 5):
        shared_table(MACHINE, number)
    assert len(TABLES) <= MOST_TABLES
    world = DictionaryWorld({})
    assert shared_table(world, "a") is not shared_table(world, "a")


def test_a_table_belongs_to_the_folder_that_relative_paths_start_from(tmp_path, monkeypatch):
    found = []
    for name in ("a", "b"):
        (tmp_path / name / "modules").mkdir(parents=True)
        monkeypatch.chdir(tmp_path / name)
        found.append(shared_table(MACHINE, ("modules",)))
    assert found[0] is not found[1]


def test_a_listing_of_a_folder_that_has_just_changed_is_not_trusted(tmp_path):
    table = FileTable(MACHINE)
    stamp = time.time_ns()
    os.utime(tmp_path, ns=(stamp, stamp))
    assert not table.exists(f"{tmp_path}/a")
    (tmp_path / "a").touch()
    os.utime(tmp_path, ns=(stamp, stamp))  # as if the clock had not gone on
    assert table.refresh()
    assert table.exists(f"{tmp_path}/a")
    assert table.version == 1


def test_what_lies_below_an_absent_folder_is_found_when_it_comes(tmp_path):
    table = FileTable(MACHINE)
    assert table.names(str(tmp_path)) == frozenset()
    assert not table.exists(f"{tmp_path}/m/manifests/init.pp")
    write(tmp_path, "m/manifests/init.pp", "")
    table.refresh()
    assert table.exists(f"{tmp_path}/m/manifests/init.pp")


def test_requests_alike_but_for_a_setting_are_apart(site):
    write(site, "site.pp", 'notify { "${nothing}.": }')
    request = Request(
        path=str(site / "site.pp"), settings={"strict_variables": False, "strict": "off"}
    )
    assert compile_catalog(request, lambda entry: None).find("Notify", ".")
    with pytest.raises(PuppetError):
        compile_catalog(
            replace(request, settings={"strict_variables": True, "strict": "error"}),
            lambda entry: None,
        )


def test_pieces_of_a_class_are_joined_again_in_each_compile(site):
    """Definitions are kept between compiles only in languages where no compile changes them."""
    first = write(site, "a.pp", "class a { notify { 'one': } }\nimport 'b.pp'\ninclude a\n")
    second = write(site, "b.pp", "class a { notify { 'two': } }\n")

    def told(language):
        request = Request(path=str(first), language=language)
        catalog = compile_catalog(request, lambda entry: None)
        return sorted(item.title for item in catalog.resources if item.type == "Notify")

    assert told("3.8") == told("3.8") == ["one", "two"]
    second.write_text("\n")
    assert told("3.8") == ["one"]


def test_definitions_that_are_kept_follow_the_file(site):
    write(site, "modules/p/manifests/init.pp", "class p { notify { 'p': } }")
    write(site, "modules/q/manifests/init.pp", "class q { notify { 'q': } }")
    child = write(site, "modules/m/manifests/init.pp", "class m inherits ::p { }")
    assert titles(site) == titles(site) == ["p"]
    child.write_text("class m inherits ::q { }")
    assert titles(site) == ["q"]
