"""Environments and modules that are archives: their checksums are verified and recorded."""

import hashlib
import io
import json
import tarfile

import pytest

from bunraku.cli.main import main


class Site:
    def __init__(self, top):
        self.top = top

    def archive(self, *files):
        """Write an archive with files; return its digest."""
        with tarfile.open(self.top / "a.tar.gz", "w:gz") as archive:
            for name in files:
                member = tarfile.TarInfo(name)
                member.size = 1
                archive.addfile(member, io.BytesIO(b"x"))
        return hashlib.sha256((self.top / "a.tar.gz").read_bytes()).hexdigest()

    def deploy(self, **environment):
        """Deploy an environment; return the exit code and the record."""
        (self.top / "environments.json").write_text(json.dumps({"one": environment}))
        source = {
            "type": "yaml",
            "basedir": str(self.top / "env"),
            "config": str(self.top / "environments.json"),
        }
        data = {"cachedir": str(self.top / "cache"), "sources": {"main": source}}
        (self.top / "r10k.yaml").write_text(json.dumps(data))
        words = ["deploy", "environment", "-m", "-c", str(self.top / "r10k.yaml")]
        return main(["r10k", *words])

    @property
    def record(self):
        return json.loads((self.top / "env/one/.r10k-deploy.json").read_text())


@pytest.fixture
def site(tmp_path):
    return Site(tmp_path)


def test_an_environment_with_another_checksum_is_refused(site, capfd):
    digest = site.archive("manifests/site.pp")
    address = f"file://{site.top}/a.tar.gz"
    for key in ("version", "checksum"):
        assert site.deploy(type="tarball", source=address, **{key: "0" * 64}) == 1
        assert f"its SHA-256 digest is {digest}" in capfd.readouterr().err
        assert not (site.top / "env/one").exists()
    assert site.deploy(type="tarball", source=address, version=digest) == 0
    assert site.record["signature"] == digest


def test_the_signature_of_an_environment_without_a_checksum_is_that_of_the_archive(site):
    for name in ("a", "b"):
        digest = site.archive(name)
        assert site.deploy(type="tarball", source=f"file://{site.top}/a.tar.gz") == 0
        assert site.record["signature"] == digest
        assert (site.top / "env/one" / name).exists()


def test_a_module_without_a_checksum_is_present_and_follows_the_archive(site):
    module = {"type": "tarball", "source": f"file://{site.top}/a.tar.gz"}
    for name in ("a", "b"):
        site.archive(name)
        assert site.deploy(type="plain", modules={"alpha": module}) == 0
        assert [one["version"] for one in site.record["module_deploys"]] == ["(present)"]
        assert [one.name for one in (site.top / "env/one/modules/alpha").iterdir()] == [name]
