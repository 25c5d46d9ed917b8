"""Which nodes of a fleet could be applied, and what stops the others."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.base.usage import UsageError
from bunraku.cli.main import main
from bunraku.jobs.fleet import Fleet, FleetJudge, FleetOptions, fleet_of
from bunraku.jobs.fleet_sources import stored_catalogs
from bunraku.jobs.fleet_text import fleet_data, fleet_text
from bunraku.puppetdb.site.files import read_files
from bunraku.world.machine import Machine
from support.debian_modules import MODULES

Resource = tuple[str, Mapping[str, Any]]
NODES: Mapping[str, tuple[str, Sequence[Resource]]] = {
    "all.example.org": ("Debian", [("File", {"mode": "0644"}), ("Package", {})]),
    "ruby.example.org": ("RedHat", [("Motd", {}), ("Motd", {}), ("Host", {"shape": "a"})]),
    "source.example.org": ("OpenBSD", [("Package", {}), ("My::Define", {})]),
    "pane.example.org": ("windows", [("File", {})]),
}


def write_json(path: Path, data: object) -> None:
    """Write a file, and the folder that it is in."""
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(json.dumps(data), encoding="utf-8")


def write_catalog(folder: Path, name: str, resources: Sequence[Resource]) -> None:
    """Write the catalog of a node into a folder."""
    listed = [
        {
            "type": kind,
            "title": f"t{number}",
            "parameters": parameters,
            "exported": False,
            "tags": [],
        }
        for number, (kind, parameters) in enumerate(resources)
    ]
    catalog = {"name": name, "environment": "production", "version": "1", "resources": listed}
    write_json(folder / f"{name}.json", {**catalog, "edges": []})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the catalogs of nodes and their facts."""
    for name, (family, resources) in NODES.items():
        write_catalog(tmp_path / "catalogs", name, resources)
        write_json(
            tmp_path / "facts" / f"{name}.json", {"os": {"family": family}, "type": "server"}
        )
    return tmp_path


def ways(fleet: Fleet) -> dict[str, str]:
    """Return what manages the nodes, by the first words of their names."""
    return {node.name.partition(".")[0]: node.way for node in fleet.nodes}


def test_each_node_has_the_worst_way_of_its_resources(folder: Path) -> None:
    fleet = fleet_of(FleetOptions([str(folder)]))
    assert ways(fleet) == {"all": "native", "ruby": "ruby", "source": "ruby", "pane": "none"}
    assert fleet.exit_code() == 1


def test_a_reason_says_how_many_nodes_it_concerns(folder: Path) -> None:
    reasons = fleet_data(fleet_of(FleetOptions([str(folder)])))["reasons"]
    found = {(one["type"], one["missing"]): one for one in reasons}
    assert (found["motd", "type"]["nodes"], found["motd", "type"]["resources"]) == (1, 2)
    assert (found["motd", "type"]["only"], found["package", "provider"]["only"]) == (0, 1)
    assert found["host", "attribute"]["example"] == "ruby.example.org"
    assert found["", "system"]["way"] == "none"


def test_the_text_groups_reasons_by_what_they_need(folder: Path) -> None:
    lines = fleet_text(fleet_of(FleetOptions([str(folder)]))).splitlines()
    assert lines[:4] == [
        "4 nodes",
        "      1  25 %  with bunraku alone",
        "      2  50 %  with an installed Puppet",
        "      1  25 %  not at all",
    ]
    assert (
        "      1     0         2  motd: bunraku does not have the type (such as ruby.example.org)"
        in lines
    )
    assert "install openvox-agent on 2 nodes" in lines
    assert lines[-1].endswith("bunraku does not run on Windows (such as pane.example.org)")


def test_facts_of_another_source_are_used(folder: Path) -> None:
    apart = fleet_of(FleetOptions([str(folder / "catalogs"), str(folder / "facts")]))
    assert ways(apart)["pane"] == "none"
    assert ways(fleet_of(FleetOptions([str(folder / "catalogs")])))["source"] == "native"


def test_a_puppetdb_has_the_same_answers(folder: Path) -> None:
    judge = FleetJudge(FleetOptions([]))
    data = read_files(str(folder), Machine())
    stored = [judge.node(one) for one in stored_catalogs(data, "")]
    saved = fleet_of(FleetOptions([str(folder)]))
    assert stored == [replace(one, source="") for one in saved.nodes]


def test_without_an_installed_puppet_nothing_manages_the_rest(folder: Path) -> None:
    fleet = fleet_of(FleetOptions([str(folder)], puppet=False))
    assert ways(fleet) == {"all": "native", "ruby": "none", "source": "none", "pane": "none"}


def test_with_modules_a_type_must_be_that_of_one(folder: Path) -> None:
    modules = folder / "modules"
    modules.mkdir()
    options = FleetOptions([str(folder)], module_path=str(modules))
    assert ways(fleet_of(options))["ruby"] == "none"
    type_file = modules / "motd" / "lib" / "puppet" / "type" / "motd.rb"
    type_file.parent.mkdir(parents=True)
    type_file.touch()
    assert ways(fleet_of(options))["ruby"] == "ruby"


@pytest.mark.skipif(not (MODULES / "nova").is_dir(), reason="Debian's module nova is not installed")
def test_with_modules_a_type_in_ruby_of_a_known_form_is_native(folder: Path) -> None:
    catalog = {
        "name": "nova",
        "resources": [{"type": "Nova_config", "title": "a/b", "parameters": {"value": "1"}}],
        "edges": [],
    }
    (folder / "catalogs" / "nova.json").write_text(json.dumps(catalog), encoding="utf-8")
    assert ways(fleet_of(FleetOptions([str(folder)])))["nova"] == "ruby"
    options = FleetOptions([str(folder)], module_path=str(MODULES))
    assert ways(fleet_of(options))["nova"] == "native"


def test_a_file_that_cannot_be_read_is_a_node_that_cannot_be_applied(folder: Path) -> None:
    (folder / "catalogs" / "broken.json").write_text('{"resources": [', encoding="utf-8")
    fleet = fleet_of(FleetOptions([str(folder)]))
    assert ways(fleet)["broken"] == "none"
    assert "broken.json" in fleet_text(fleet)


def test_a_source_must_exist(tmp_path: Path) -> None:
    with pytest.raises(PuppetError, match="nowhere"):
        fleet_of(FleetOptions([str(tmp_path / "nowhere")]))


@pytest.mark.parametrize(
    ("nodes", "code"), [("all", 0), ("ruby", 0), ("pane", 0), ("broken", 1), ("no", 64)]
)
def test_the_exit_code_says_whether_all_nodes_can_be_applied(
    folder: Path, nodes: str, code: int, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "catalogs" / "broken.example.org.json").write_text("{", encoding="utf-8")
    path = folder / "catalogs" / f"{nodes}.example.org.json"
    assert main(["plan", "--nodes", str(path), "--json"]) == code
    if code != 64:
        assert json.loads(capfd.readouterr().out)["summary"]["nodes"] == 1


def test_catalogs_of_one_name_are_several_nodes_with_the_facts_of_their_folders(
    tmp_path: Path,
) -> None:
    for site, family in (("a", "Debian"), ("b", "windows"), ("c", None)):
        write_catalog(tmp_path / "catalogs" / site, "web", [("File", {}), ("Motd", {})])
        if family:
            write_json(tmp_path / "facts" / site / "web.json", {"os": {"family": family}})
    catalogs = str(tmp_path / "catalogs")
    fleet = fleet_of(FleetOptions([str(tmp_path / "facts"), catalogs, catalogs]))
    assert [(one.name, one.family, one.way) for one in fleet.nodes] == [
        ("web", "Debian", "ruby"),
        ("web", "windows", "none"),
        ("web", None, "ruby"),
    ]
    assert f"(such as web in {catalogs}/a/web.json)" in fleet_text(fleet)


def test_facts_in_one_folder_are_those_of_all_catalogs(tmp_path: Path) -> None:
    for site in "ab":
        write_catalog(tmp_path / "catalogs" / site, "web", [])
    write_json(tmp_path / "facts" / "web.json", {"os": {"family": "Debian"}})
    fleet = fleet_of(FleetOptions([str(tmp_path)]))
    assert [one.family for one in fleet.nodes] == ["Debian", "Debian"]


def test_with_modules_a_provider_must_be_puppets_or_that_of_one(tmp_path: Path) -> None:
    listed = [("Package", {"provider": name}) for name in ("sensu_gem", "appdmg", "gem_of_rvm")]
    write_catalog(tmp_path / "catalogs", "web", listed)
    file = (
        tmp_path / "modules" / "rvm" / "lib" / "puppet" / "provider" / "package" / "gem_of_rvm.rb"
    )
    file.parent.mkdir(parents=True)
    file.touch()
    sources, modules = [str(tmp_path / "catalogs")], str(tmp_path / "modules")
    (node,) = fleet_of(FleetOptions(sources, module_path=modules)).nodes
    assert [(one.way, one.reason) for one in node.lacks] == [
        ("none", "no module has the provider sensu_gem"),
        ("ruby", "bunraku's type does not have the provider appdmg"),
        ("ruby", "bunraku's type does not have the provider gem_of_rvm"),
    ]
    assert fleet_of(FleetOptions(sources)).nodes[0].way == "ruby"


def test_with_modules_a_type_that_none_has_cannot_get_more_attributes(tmp_path: Path) -> None:
    write_catalog(tmp_path / "catalogs", "web", [("Archive", {"shape": "round"})])
    (tmp_path / "modules").mkdir()
    modules = str(tmp_path / "modules")
    (node,) = fleet_of(FleetOptions([str(tmp_path / "catalogs")], module_path=modules)).nodes
    assert node.way == "none"


@pytest.mark.parametrize("name", ["site.pp", "empty", "facts"])
def test_a_source_without_a_catalog_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "site.pp").write_text('notify { "x": }', encoding="utf-8")
    (tmp_path / "empty").mkdir()
    write_json(tmp_path / "facts" / "web.json", {"os": {"family": "Debian"}})
    with pytest.raises((PuppetError, UsageError), match=name):
        fleet_of(FleetOptions([str(tmp_path / name)]))


@pytest.mark.parametrize(
    ("more", "what"),
    [
        (["--tags=a"], "--tags"),
        (["--out=plan.json"], "--out"),
        (["--execute=1"], "--execute"),
        (["--modulepath=nowhere"], "cannot find the directory"),
    ],
)
def test_options_of_this_machine_and_missing_modules_are_wrong_usage(
    folder: Path, more: list[str], what: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["plan", *more, "--nodes", str(folder)]) == 64
    assert what in capfd.readouterr().err


def test_a_file_beside_nodes_is_wrong_usage(folder: Path) -> None:
    assert main(["plan", "site.pp", "--nodes", str(folder)]) == 64
