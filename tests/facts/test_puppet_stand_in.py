"""Facts that use Puppet on machines without an installed Puppet: bunraku's stand-in for it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.support import facter

from bunraku.cli.main import main
from bunraku.facts.collect import collect_facts
from bunraku.facts.custom import PuppetForFacts
from bunraku.facts.runners import __file__ as runners
from bunraku.world.machine import Machine

pytestmark = pytest.mark.skipif(not shutil.which("ruby"), reason="needs Ruby")
RUBY = """#!/bin/sh
exec ruby --disable-gems -e '
$LOAD_PATH.reject! { |directory| File.file?("#{directory}/puppet.rb") }
load ARGV.shift' "$@"
"""
STAND_IN = Path(runners).parent / "library/bunraku_facter/puppet_stand_in.rb"
STDLIB = {
    "package_provider": """
        require 'puppet/type'
        require 'puppet/type/package'
        Facter.add(:package_provider) do
          setcode { Puppet::Type.type(:package).newpackage(name: 'dummy', allow_virtual: 'true')[:provider].to_s }
        end
    """,
    "service_provider": """
        require 'puppet/type/service'
        Facter.add(:service_provider) { setcode { Puppet::Type.type(:service).newservice(name: 'x')[:provider].to_s } }
    """,
    "puppet_settings": """
        Facter.add(:puppet_vardir) { setcode { Puppet[:vardir] } }
        Facter.add(:puppet_server) { setcode { Module.const_get('Puppet').settings['server'] } }
        Facter.add(:nosuch) { setcode { Puppet[:nosuch].inspect } }
    """,
    "puppet_programs": """
        require 'puppet'
        Facter.add(:output) { setcode { Puppet::Util::Execution.execute('echo one; echo two >&2') } }
        Facter.add(:quiet) { setcode { Puppet::Util::Execution.execute(%w[false], failonfail: false).exitstatus } }
        Facter.add(:sh) { setcode { Puppet::Util.get_env('PATH') == ENV['PATH'] && Puppet::Util.which('sh') } }
        Facter.add(:newer) { setcode { Puppet::Util::Package.versioncmp('1.10', '1.9') } }
        Facter.add(:installed) { setcode { Puppet.version } }
    """,
}


@pytest.fixture
def without_puppet(tmp_path: Path, monkeypatch) -> None:
    """Let facts run in a Ruby without Puppet."""
    path = tmp_path / "ruby"
    path.write_text(RUBY)
    path.chmod(0o755)
    monkeypatch.setenv("BUNRAKU_RUBY", str(path))


def facts_of(directory: Path, files: dict[str, str]) -> tuple[dict, list[str]]:
    """Return the facts of this machine with those of files of a module, and the messages."""
    folder = directory / "m/lib/facter"
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / f"{name}.rb").write_text(text)
    messages: list[str] = []
    puppet = PuppetForFacts(
        {"puppetversion": "8.1.0"}, lambda: {"vardir": "/v", "server": "puppet.example.com"}
    )
    found = collect_facts(
        Machine(),
        lambda one: messages.append(one.message),
        (),
        modules=[f"{directory}/m"],
        puppet=puppet,
    )
    return found, messages


def test_facts_of_stdlib_have_values(tmp_path: Path, without_puppet) -> None:
    found, messages = facts_of(tmp_path, STDLIB)
    assert messages == []
    assert [found.get(name) for name in ("puppet_vardir", "puppet_server", "nosuch")] == [
        "/v", "puppet.example.com", "nil",
    ]  # fmt: skip
    names = ("output", "quiet", "sh", "newer", "installed")
    assert [found.get(name) for name in names][:2] == ["one\ntwo\n", 1]
    assert [found.get(name) for name in names][2:] == [shutil.which("sh"), 1, "8.1.0"]


@pytest.mark.skipif(not facter.runs("require 'puppet'"), reason="needs Puppet")
def test_providers_are_those_of_puppet(tmp_path: Path, without_puppet, monkeypatch) -> None:
    files = {name: STDLIB[name] for name in ("package_provider", "service_provider")}
    ours, _ = facts_of(tmp_path / "ours", files)
    monkeypatch.delenv("BUNRAKU_RUBY")
    theirs, _ = facts_of(tmp_path / "theirs", files)
    for name in files:
        assert ours[name] == theirs[name]


@pytest.mark.parametrize(
    ("system", "provider"),
    [
        ({"name": "Rocky", "family": "RedHat", "release": {"major": "9"}}, "dnf"),
        ({"name": "CentOS", "family": "RedHat", "release": {"major": "7"}}, "yum"),
        ({"name": "Fedora", "family": "RedHat", "release": {"major": "41"}}, "dnf"),
        ({"name": "Amazon", "family": "RedHat", "release": {"major": "2"}}, "yum"),
        ({"name": "Amazon", "family": "RedHat", "release": {"major": "2023"}}, "dnf"),
        ({"name": "SLES", "family": "Suse", "release": {"major": "15"}}, "zypper"),
        ({"name": "Ubuntu", "family": "Debian", "release": {"major": "24.04"}}, "apt"),
        ({"name": "Alpine", "family": "Linux", "release": {"major": "3"}}, "apk"),
        ({"name": "FreeBSD", "family": "FreeBSD", "release": {"major": "14"}}, "pkgng"),
    ],
)
def test_providers_of_other_systems(
    tmp_path: Path, without_puppet, system: dict, provider: str
) -> None:
    external = tmp_path / "m/facts.d"
    external.mkdir(parents=True)
    (external / "os.json").write_text(json.dumps({"os": system}))
    files = {"package_provider": STDLIB["package_provider"]}
    assert facts_of(tmp_path, files)[0]["package_provider"] == provider


def test_what_needs_puppet_says_so(tmp_path: Path, without_puppet) -> None:
    files = {
        "a": "Facter.add(:a) { setcode { Puppet::SSL::Host } }",
        "b": "Facter.add(:b) { setcode { Puppet.lookup(:x) } }",
        "c": "Facter.add(:c) { setcode { Puppet::Type.type(:user) } }",
        "d": "require 'puppet/ssl/host'",
        "last": "Facter.add(:last) { setcode { 1 } }",
    }
    found, messages = facts_of(tmp_path, files)
    place = f"{tmp_path}/m/lib/facter"
    assert messages == [
        f"{place}/d.rb:1: the file is left out: LoadError: cannot load such file -- puppet/ssl/host",
        f"{place}/a.rb:1: the fact 'a' is left out: Puppet::SSL needs an installed Puppet",
        f"{place}/b.rb:1: the fact 'b' is left out: Puppet.lookup needs an installed Puppet",
        f"{place}/c.rb:1: the fact 'c' is left out: the type user needs an installed Puppet",
    ]
    assert found["last"] == 1


@pytest.mark.skipif(not facter.runs("require 'puppet'"), reason="needs Puppet")
def test_versions_compare_as_in_puppet() -> None:
    parts = [
        "1",
        "1.0",
        "1.10",
        "1.9",
        "1-2",
        "1.2-3",
        "01",
        "1.02",
        "1a",
        "1B",
        "",
        "-1",
        ".1",
        "1.2.3-rc1",
    ]
    code = f"""
        versions = {json.dumps(parts)}
        puts versions.product(versions).map {{ |one, two| Puppet::Util::Package.versioncmp(one, two) }}.inspect
    """
    theirs = f"require 'puppet'; require 'puppet/util/package'\n{code}"
    ours = f"require 'facter'; load {json.dumps(str(STAND_IN))}\n{code}"
    run = [
        subprocess.run(["ruby", "-e", text], capture_output=True, check=True)
        for text in (theirs, ours)
    ]
    assert run[0].stdout == run[1].stdout


def test_commands_pass_the_settings(tmp_path: Path, without_puppet, capfd) -> None:
    folder = tmp_path / "modules/m/lib/facter"
    folder.mkdir(parents=True)
    (folder / "a.rb").write_text(STDLIB["puppet_settings"])
    words = ["facts", "--no-project", "--modulepath", f"{tmp_path}/modules", "puppet_server"]
    assert main(words) == 0
    assert json.loads(capfd.readouterr().out) == {"puppet_server": "puppet"}
