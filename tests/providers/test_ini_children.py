"""Types of modules that inherit the provider of ini_setting: what is recognised, and what they do."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.providers.ini_children.definitions import NotRecognised, provider_form, type_form
from bunraku.providers.ini_children.forms import form, ruby_tree
from bunraku.providers.ini_children.openstack_file import OpenStackFile
from bunraku.providers.ini_file import IniFile, IniStyle
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.registry import BUILTIN_TYPES, resource_type
from bunraku.providers.run import Run
from support.debian_modules import MODULES
from support.host import MemoryHost, directory, file

needs_openstack = pytest.mark.skipif(
    not (MODULES / "nova").is_dir() or not (MODULES / "openstacklib").is_dir(),
    reason="Debian's modules nova and openstacklib are not installed",
)
needs_inifile = pytest.mark.skipif(
    not (MODULES / "inifile").is_dir(), reason="Debian's module inifile is not installed"
)
TYPE = """
Puppet::Type.newtype(:kiosk) do
  ensurable
  newparam(:name, namevar: true) do
    newvalues(%r{\\S+/\\S+})
  end
  newproperty(:value) do
    munge { |given| given.to_s.strip }
  end
end
"""
PROVIDER = """
Puppet::Type.type(:kiosk).provide(:ini_setting, parent: Puppet::Type.type(:ini_setting).provider(:ruby)) do
  def section
    resource[:name].split('/', 2).first
  end

  def setting
    resource[:name].split('/', 2).last
  end

  def self.file_path
    '/etc/kiosk.ini'
  end
end
"""


def no_log(*_: object, **__: object) -> None:
    """Drop a message."""


def library(host: MemoryHost, *modules: str) -> None:
    """Copy the Ruby files of Debian's modules that types with INI files need."""
    for module in modules:
        for path in (MODULES / module / "lib/puppet").rglob("*.rb"):
            host.add(f"/modules/{path.relative_to(MODULES)}", file(path.read_bytes()))


def kiosk_run(type_text: str = TYPE, provider_text: str = PROVIDER) -> Run:
    """Return a run with a module that has the type kiosk, and Debian's inifile."""
    host = MemoryHost()
    library(host, "inifile")
    host.add("/etc", directory())
    host.add("/modules/kiosk/lib/puppet/type/kiosk.rb", file(type_text))
    host.add("/modules/kiosk/lib/puppet/provider/kiosk/ini_setting.rb", file(provider_text))
    return with_modules(host)


def with_modules(host: MemoryHost) -> Run:
    """Return a run with the modules of a host."""
    run = Run(host, no_log, {"noop": False, "show_diff": True}, BUILTIN_TYPES)
    run.modules = ["/modules"]
    return run


def managed(run: Run, kind: str, title: str, **values: object) -> ManagedResource:
    """Return a resource whose values are checked."""
    found = resource_type(kind, run)
    assert found is not None
    made = ManagedResource(found, title, values)
    made.complete()
    return made


def test_forms_do_not_depend_on_the_way_of_writing():
    first = form(ruby_tree("munge do |v|\n  v.to_s # text\nend\nf :a => 'b'\n"))
    assert first == form(ruby_tree('munge { |value| value.to_s }\nf(a: "b")'))
    assert form(ruby_tree("f '#{x}'")) != form(ruby_tree('f "#{x}"'))
    assert form(ruby_tree("if a\n b\nelse\n c\nend")) != form(ruby_tree("if a\n b\n c\nend"))


@needs_inifile
def test_a_type_of_known_forms_is_native():
    run = kiosk_run()
    made = managed(run, "kiosk", "a/b", value=" 1 ")
    assert not made.provider.exists(made)
    made.provider.create(made)
    assert run.host.read("/etc/kiosk.ini") == b"[a]\nb=1\n"
    assert (made.provider.exists(made), made.provider.get(made, "value")) == (True, "1")
    assert made["ensure"] == "present"
    assert list(made.type.instances()) == [
        ("a/b", "ini_setting", {"ensure": "present", "value": "1"})
    ]
    made.provider.destroy(made)
    assert run.host.read("/etc/kiosk.ini") == b""


@needs_inifile
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("given.to_s.strip", "given.to_s.strip.downcase"),
        ("  ensurable\n", "  ensurable { defaultto :present }\n"),
        ("  ensurable\n", "  ensurable\n  newproperty(:mode)\n"),
        ("  ensurable\n", "  ensurable\n  newparam(:section)\n"),
        ("  ensurable\n", "  ensurable\n  autorequire(:file) { self[:path] }\n"),
        ("  ensurable\n", "  ensurable\n  def refresh\n    provider.create\n  end\n"),
        ("(:name, namevar: true)", "(:title, namevar: true)"),
        ("Puppet::Type.newtype", "require 'kiosk/helper'\nPuppet::Type.newtype"),
        ("newtype(:kiosk)", "newtype(:other)"),
        ("end\n", "end end\n"),
    ],
)
def test_a_type_with_anything_else_is_not_native(old, new):
    assert old in TYPE
    assert resource_type("kiosk", kiosk_run(TYPE.replace(old, new, 1))) is None


@needs_inifile
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("'/etc/kiosk.ini'", '"/etc/#{name}.ini"'),
        ("'/etc/kiosk.ini'", "'kiosk.ini'"),
        ("'/etc/kiosk.ini'", "Facter.value(:kiosk)"),
        ("split('/', 2).last", "split('/').last"),
        ("  def section\n", "  commands kiosk: 'kiosk'\n  def section\n"),
        ("  def section\n", "  def flush\n    restart\n  end\n\n  def section\n"),
        ("  def section\n", "  confine osfamily: :redhat\n  def section\n"),
        (
            "  def section\n",
            "  confine(osfamily: :aix)\n  defaultfor(osfamily: :aix)\n  def section\n",
        ),
        ("provider(:ruby)", "provider(:splunk)"),
        ("parent: Puppet::Type.type(:ini_setting)", "parent: Puppet::Type.type(:kiosk)"),
    ],
)
def test_a_provider_with_anything_else_is_not_native(old, new):
    assert old in PROVIDER
    assert resource_type("kiosk", kiosk_run(provider_text=PROVIDER.replace(old, new, 1))) is None


@needs_inifile
def test_unknown_code_of_the_parent_is_not_native():
    run = kiosk_run()
    path = "/modules/inifile/lib/puppet/util/ini_file.rb"
    run.host.add(path, file(run.host.read(path) + b"\n# a comment\n"))
    assert resource_type("kiosk", run) is not None
    other = kiosk_run()
    other.host.add(path, file(run.host.read(path) + b"\nputs 1\n"))
    assert resource_type("kiosk", other) is None
    assert resource_type("kiosk", with_modules(MemoryHost())) is None


@needs_inifile
def test_wrong_names_are_refused():
    with pytest.raises(PuppetError) as caught:
        managed(kiosk_run(), "kiosk", "alone", value="1")
    assert r"Valid values match /\S+\/\S+/." in str(caught.value)


@needs_openstack
def test_secret_values_are_not_in_messages_or_events():
    host = MemoryHost()
    library(host, "inifile", "openstacklib", "nova")
    host.add("/etc/nova/nova.conf", file("[a]\nb = oldpassword\n"))
    run = with_modules(host)
    made = managed(run, "nova_config", "a/b", value="newpassword", secret=True)
    value = made.type.by_name["value"]
    current = value.retrieve(made)
    assert current == ["oldpassword"]
    text = value.described(made, current, ["newpassword"])
    assert text == "value changed [old secret redacted] to [new secret redacted]"
    assert run.secrets.hidden_in([current, made["value"]]) == [["[redacted]"], ["[redacted]"]]


@needs_openstack
def test_the_fact_for_settings_that_stay_is_followed():
    host = MemoryHost()
    library(host, "inifile", "openstacklib", "nova")
    host.add("/etc/nova/nova.conf", file("[a]\nb = 1\nb = 2\n"))
    run = with_modules(host)
    run.facts = lambda: {"os_immutable": "stay"}
    made = managed(run, "nova_config", "a/b", value="stay")
    assert made.provider.exists(made)
    assert made["value"] == ["1", "2"]


def test_debian_types_are_recognised():
    if not (MODULES / "neutron").is_dir():
        pytest.skip("Debian's module neutron is not installed")
    for name in ("nova", "neutron"):
        for path in sorted((MODULES / name / "lib/puppet/type").glob("*_config.rb")):
            kind = type_form(path.read_text("utf-8"), path.stem)
            assert kind.attribute("value") is not None


def test_a_provider_for_a_family_of_systems():
    text = PROVIDER.replace(
        "  def section\n",
        "  confine osfamily: :redhat\n  defaultfor osfamily: :redhat\n  def section\n",
    )
    assert provider_form(text).family == "redhat"
    with pytest.raises(NotRecognised):
        provider_form(text.replace("defaultfor osfamily: :redhat", "defaultfor osfamily: :suse"))


TEXT = "top = 1\n[a]\n# many = 0\n  x = 1\n  y = 1\n  y = 2\n\n[b]\n"


@pytest.mark.parametrize(
    ("setting", "values", "old", "new"),
    [
        ("y", ["2", "3"], "  y = 1\n  y = 2\n", "  y=3\n  y = 2\n"),
        ("y", ["4", "5"], "  y = 1\n  y = 2\n\n", "\n  y=4\n  y=5\n"),
        ("many", ["1", "2"], "# many = 0\n", "# many = 0\n  many=1\n  many=2\n"),
        ("new", ["1"], "\n[b]", "\n  new=1\n[b]"),
    ],
)
def test_values_of_openstack_files(setting, values, old, new):
    content = OpenStackFile(TEXT)
    content.set("a", setting, values)
    assert content.text() == TEXT.replace(old, new)
    assert content.get("a", setting) is not None


def test_removing_from_openstack_files():
    content = OpenStackFile(TEXT)
    content.remove("a", "y")  # openstacklib removes only the first of several lines
    assert content.get("a", "y") == ["2"]
    assert OpenStackFile("[a]\nx=1\n[a]\ny=1").text() == "[a]\ny=1\n[a]\ny=1\n"


@pytest.mark.parametrize(
    ("emptied", "bare", "blank"),
    [("bare", "", "[a]\n\n"), ("blank", "", ""), ("never", "[a]\n", "[a]\n\n")],
)
def test_sections_without_settings(emptied, bare, blank):
    for text, expected in (("[a]\nx=1\n", bare), ("[a]\nx=1\n\n", blank)):
        content = IniFile(text, IniStyle("="))
        content.remove("a", "x", emptied)
        assert content.text() == expected


@needs_inifile
def test_a_file_is_read_once_between_two_changes():
    run = kiosk_run()
    run.host.add("/etc/kiosk.ini", file("[a]\nb=1\n"))
    made = managed(run, "kiosk", "a/b", value="1")
    assert made.provider.get(made, "value") == "1"
    run.host.add("/etc/kiosk.ini", file("[a]\nb=2\n"))
    assert made.provider.get(made, "value") == "1"
    run.changes += 1
    assert made.provider.get(made, "value") == "2"
