"""``puppet node clean`` and ``purge`` where the authority is; ``administration/test_site.py`` has them with a PuppetDB."""

from __future__ import annotations

from pathlib import Path

import pytest

from bunraku.cli.main import main
from support.certificates import SERVER, authority_in, enrol

NODE = "node.example.test"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a site with an authority, the certificate of a node, and what a server stored of it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    enrol(authority_in(tmp_path), tmp_path, NODE)
    confdir = tmp_path / "puppet"
    confdir.mkdir()
    (confdir / "puppet.conf").write_text(
        f"[main]\ncertname = {SERVER}\n[server]\nvardir = {tmp_path}/var\ncadir = {tmp_path}/ca\n"
    )
    (confdir / "puppetdb.conf").write_text("[main]\nserver_urls = https://localhost:1\n")
    for name in ("yaml/facts/{}.yaml", "yaml/node/{}.yaml", "reports/{}/1.yaml"):
        for node in (NODE, "other"):
            path = tmp_path / "var" / name.format(node)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("")
    return tmp_path


def node(site: Path, *words: str) -> int:
    """Run an action of ``puppet node``."""
    return main(["puppet", "node", *words, "--confdir", str(site / "puppet"), "--color=false"])


def stored(site: Path) -> set[str]:
    """Return the nodes of which the server has stored something."""
    paths = (site / "var").rglob("*.yaml")
    return {path.stem if path.stem != "1" else path.parent.name for path in paths}


def test_a_node_is_cleaned(site: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert node(site, "clean", NODE.upper(), "--verbose") == 0
    assert capfd.readouterr() == (
        (
            f"Notice: Certificate for {NODE} has been revoked\n"
            f"Notice: Cleaned files related to {NODE}\n"
            f"Info: {NODE}'s facts removed\n"
            f"Info: {NODE}'s cached node removed\n"
            f"Info: {NODE}'s reports removed\n"
        ),
        "",
    )
    assert stored(site) == {"other"}
    assert authority_in(site).certificate_pem_of_node(NODE) is None


def test_an_unknown_node_is_an_error(site: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert node(site, "clean", "nobody", NODE) == 1
    assert capfd.readouterr().err == "Error: Could not find files to clean for nobody\n"
    assert stored(site) == {"other"}


def test_nothing_is_cleaned_if_the_puppetdb_does_not_answer(
    site: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert node(site, "purge", NODE) == 1
    error = (
        f"Error: Cannot store the deactivation of {NODE}: https://localhost:1: Connection refused\n"
    )
    assert capfd.readouterr() == ("", error)
    assert stored(site) == {NODE, "other"}
    assert authority_in(site).certificate_pem_of_node(NODE)


def test_a_name_that_leads_elsewhere_is_refused(
    site: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert node(site, "clean", NODE, "../facts") == 1
    assert capfd.readouterr().err.startswith("Error: ")
    assert stored(site) == {NODE, "other"}
    assert authority_in(site).certificate_pem_of_node(NODE)


def test_without_an_authority_only_files_are_removed(
    site: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert node(site, "clean", NODE, "--cadir", str(site / "none"), "--verbose") == 0
    assert f"Info: Not managing {NODE} certs as this host is not a CA\n" in capfd.readouterr().out
    assert stored(site) == {"other"}
    assert authority_in(site).certificate_pem_of_node(NODE)
