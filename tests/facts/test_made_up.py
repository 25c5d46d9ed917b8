"""Facts of made-up nodes: of ``compile --node``, of ``--os``, and of the roles that ``ci`` compiles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bunraku.cli.main import main

MANIFEST = (
    'notify { "${facts["networking"]["fqdn"]} ${facts["clientcert"]} ${facts["kernel"]}'
    ' ${$facts["networking"]["mtu"]} ${hostname} ${servername == undef} ${environment}": }'
)


def titles(text: str) -> list[str]:
    """Return the titles of the notify resources of a catalog."""
    resources = json.loads(text)["resources"]
    return [one["title"] for one in resources if one["type"] == "Notify"]


@pytest.fixture
def facterdb(tmp_path: Path) -> Path:
    """Return a FacterDB with one fact set."""
    folder = tmp_path / "facts/4.5"
    folder.mkdir(parents=True)
    facts = {
        "kernel": "Linux",
        "fqdn": "foo.example.com",
        "networking": {"fqdn": "foo.example.com", "mtu": 1500},
    }
    (folder / "debian-12-x86_64.facts").write_text(json.dumps(facts))
    return tmp_path / "facts"


def test_a_node_without_facts_has_those_of_its_name(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", "--node", "web1.example.com", "-e", MANIFEST]) == 0
    assert titles(capfd.readouterr().out) == [
        "web1.example.com web1.example.com   web1 false production"
    ]


def test_given_facts_are_not_completed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "facts.json").write_text('{"a": 1}')
    words = ["compile", "--node", "web1", "--facts", str(tmp_path / "facts.json")]
    assert main([*words, "-e", 'notify { "${facts["hostname"]}.": }']) == 0
    assert titles(capfd.readouterr().out) == ["."]


@pytest.mark.parametrize(
    ("words", "name"),
    [(["--node", "web1.example.com"], "web1.example.com"), ([], "foo.example.com")],
)
def test_a_node_on_an_operating_system(
    words: list[str], name: str, facterdb: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = [*words, "--os", "debian-12", "--facterdb", str(facterdb)]
    assert main(["compile", *words, "-e", MANIFEST]) == 0
    short = name.partition(".")[0]
    assert titles(capfd.readouterr().out) == [f"{name} {name} Linux 1500 {short} false production"]


def test_puppet_compiles_on_an_operating_system(
    facterdb: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "site.pp").write_text(MANIFEST)
    words = ["puppet", "catalog", "compile", "web1.example.com", "--render-as", "json"]
    words += ["--manifest", str(tmp_path / "site.pp"), "--color=false"]
    assert main([*words, "--os", "debian-12", "--facterdb", str(facterdb)]) == 0
    catalog = capfd.readouterr().out.partition("\n")[2]
    assert titles(catalog) == ["web1.example.com web1.example.com Linux 1500 web1 false production"]


def test_a_mistyped_operating_system_is_named(
    facterdb: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["compile", "-e", "", "--facterdb", str(facterdb)]
    assert main([*words, "--os", "debain-12"]) == 2
    assert "did you mean 'debian-12'" in capfd.readouterr().err
    assert main(words) == 2
    assert "--facterdb requires --os NAME" in capfd.readouterr().err
