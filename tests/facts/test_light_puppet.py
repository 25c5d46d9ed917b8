"""Facts that use an installed Puppet: what is answered without loading it is what it answers itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bunraku.facts.collect import collect_facts
from bunraku.facts.custom import PuppetForFacts
from bunraku.world.machine import Machine

pytestmark = pytest.mark.skipif(not shutil.which("puppet"), reason="needs Puppet")
PROVIDER = "lib/puppet/provider/package/none.rb"
LIGHT = [
    "Puppet::Type.type(:package).newpackage(name: 'a', allow_virtual: 'true')[:provider].to_s",
    "Puppet::Type.type(:service).newservice(name: 'a')[:provider].to_s",
    "Puppet::Type.type(:service).new(name: 'a')[:provider].class.to_s",
    "Puppet::Type.type(:package).defaultprovider.name",
    "Puppet[:vardir]",
    "Puppet['confdir']",
    "Puppet.settings[:statedir]",
    "Puppet.settings['environmentpath']",
    "Puppet[:logdir] + Puppet[:rundir] + Puppet[:codedir] + Puppet[:libdir]",
    "Puppet[:server] + Puppet[:environment] + Puppet[:config] + Puppet[:classfile]",
    "defined?(Puppet) && Puppet.respond_to?(:debug)",
    "Puppet::Util.get_env('HOME')",
    "begin; raise Puppet::Error, 'x'; rescue Puppet::Error => e; e.message; end",
]
WHOLE = [
    "Puppet[:hostcert]",
    "Puppet.settings[:noop]",
    "Puppet.settings.set_in_section?(:certname, :main)",
    "Puppet.version",
    "Puppet::PUPPETVERSION",
    "Puppet.features.root?",
    "Puppet::FileSystem.exist?('/nosuch')",
    "Puppet::Util::Execution.execute(['echo', 'a']).to_s",
    "Puppet::Util.which('sh')",
    "Puppet::Util::Platform.windows?",
    "Puppet::Util::Package.versioncmp('1.10', '1.9')",
    "Puppet::Type.type(:user).name",
    "Puppet::Type.type(:package).defaultprovider.to_s",
    "Puppet::Type.type(:package).newpackage(name: 'a')[:ensure].to_s",
    "Puppet::Type.type(:service).newservice(name: 'a')[:name]",
    "Puppet::Type.type(:service).provider(:base).name",
    "(require 'puppet/util/json'; Puppet::Util::Json.load('[1]'))",
    "Puppet.respond_to?(:nosuch)",
]
NONE = "($LOADED_FEATURES.none? { |file| file.end_with?('/puppet/defaults.rb') })"


def values(folder: Path, codes: list[str], *, provider: bool = False) -> dict[str, object]:
    """Return the values of facts, also whether they were computed without the installed Puppet."""
    (folder / "lib/facter").mkdir(parents=True)
    if provider:
        (folder / PROVIDER).parent.mkdir(parents=True)
        (folder / PROVIDER).write_text("")
    codes = [*codes, NONE]
    for number, code in enumerate(codes):
        text = f"Facter.add(:fact{number:03}) {{ setcode {{ {code} }} }}\n"
        (folder / f"lib/facter/fact{number:03}.rb").write_text(text)
    messages: list[str] = []
    puppet = PuppetForFacts({"puppetversion": "8.1.0"}, dict)
    found = collect_facts(
        Machine(),
        lambda one: messages.append(one.message),
        (),
        modules=[str(folder)],
        puppet=puppet,
    )
    assert messages == []
    return {code: found.get(f"fact{number:03}") for number, code in enumerate(codes)}


def test_frequent_questions_are_answered_without_loading_puppet(tmp_path: Path) -> None:
    light = values(tmp_path / "light", LIGHT)
    whole = values(tmp_path / "whole", LIGHT, provider=True)

    assert light == {**whole, NONE: True}
    assert whole[NONE] is False


def test_other_questions_load_puppet(tmp_path: Path) -> None:
    light = values(tmp_path / "light", WHOLE)

    assert light == values(tmp_path / "whole", WHOLE, provider=True)


@pytest.mark.parametrize(
    "code", ["Puppet[:hostcert]", "Puppet::Type.type(:package).defaultprovider.to_s"]
)
def test_one_other_question_loads_puppet(code: str, tmp_path: Path) -> None:
    assert values(tmp_path, [LIGHT[0], code])[NONE] is False
