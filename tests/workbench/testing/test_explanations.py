import re

import pytest

from bunraku.testing import Sensitive
from bunraku.workbench.testing.compiling import Compiler
from bunraku.workbench.testing.project import code_under_test
from bunraku.world.machine import Machine

FILES = {
    "environment.conf": "modulepath = site-modules\n",
    "manifests/site.pp": "node default {\n  include role::base\n}\n",
    "site-modules/role/manifests/base.pp": """\
class role::base(Boolean $full = false) {
  include profile::ssh
  if $full {
    include profile::monitoring
  }
}
""",
    "site-modules/profile/manifests/monitoring.pp": """\
class profile::monitoring {
  contain profile::time
}
""",
    "site-modules/profile/manifests/time.pp": """\
class profile::time(String $conf = '/etc/ntp.conf') {
  file { $conf: }
}
""",
    "site-modules/profile/manifests/ssh.pp": """\
class profile::ssh(String $dir = '/etc/ssh', Sensitive $key = Sensitive('x')) {
  $config = "${dir}/sshd_config"
  case $facts['os']['family'] {
    'RedHat': {
      file { "${dir}/redhat": }
    }
    default: {
      file { $config: content => "Port 22\\nPermitRootLogin no\\n", mode => '0600' }
    }
  }
  package { 'openssh-server': } -> File[$config] ~> service { 'sshd': enable => true }
  @file { '/virtual': }
  profile::user { 'root': key => $key }
}
""",
    "site-modules/profile/manifests/user.pp": """\
define profile::user($key, Boolean $keep = true) {
  unless $keep {
    file { "/home/${name}/.forward": ensure => absent }
  }
}
""",
    "site-modules/profile/manifests/lonely.pp": "class profile::lonely { file { '/lonely': } }\n",
}


@pytest.fixture
def compiler(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Compiler(
        code_under_test(str(tmp_path), Machine()),
        {"host": "web1.example.com", "facts": {"os": {"family": "Debian"}}},
    )


@pytest.mark.parametrize(
    ("reference", "lines"),
    [
        (
            "File[/etc/ntp.conf]",
            """\
File[/etc/ntp.conf] is not in the catalog
  class profile::time declares it at site-modules/profile/manifests/time.pp:2, but is not in the catalog
  the way there: role::base -> profile::monitoring -> profile::time
    class role::base (in the catalog) includes class profile::monitoring at site-modules/role/manifests/base.pp:4
      if $full (line 3)
        $full is false
    class profile::monitoring includes class profile::time at site-modules/profile/manifests/monitoring.pp:2""",
        ),
        (
            "File[/etc/ssh/redhat]",
            """\
File[/etc/ssh/redhat] is not in the catalog
  class profile::ssh declares it at site-modules/profile/manifests/ssh.pp:5
    case $facts['os']['family'] is 'RedHat' (line 4)
      $facts['os']['family'] is 'Debian'""",
        ),
        (
            "File[/virtual]",
            """\
File[/virtual] is not in the catalog
  class profile::ssh declares it at site-modules/profile/manifests/ssh.pp:12
    it is virtual, and nothing realizes it""",
        ),
        (
            "File[/home/root/.forward]",
            """\
File[/home/root/.forward] is not in the catalog
  defined type profile::user declares it at site-modules/profile/manifests/user.pp:3
    unless $keep (line 2)""",
        ),
        (
            "Class[profile::lonely]",
            """\
Class[profile::lonely] is not in the catalog
  did you mean Class[Profile::Ssh]?
  no manifest of the modules profile, role declares it""",
        ),
        (
            "File[/lonely]",
            """\
File[/lonely] is not in the catalog
  class profile::lonely declares it at site-modules/profile/manifests/lonely.pp:1, but is not in the catalog
  nothing includes class profile::lonely""",
        ),
        (
            "File[/etc/ssh/sshd_confg]",
            """\
File[/etc/ssh/sshd_confg] is not in the catalog
  did you mean File[/etc/ssh/sshd_config]?
  no manifest of the modules profile, role declares it""",
        ),
    ],
)
def test_resources_that_are_not_in_the_catalog(compiler, reference, lines):
    assert compiler().contains(reference).explanation == lines


def test_resources_in_the_code_of_the_test(compiler):
    code = "if $facts['os']['family'] == 'RedHat' {\n  ensure_packages(['a'])\n}"
    assert (
        compiler(code=code).contains("Package[a]").explanation
        == """\
Package[a] is not in the catalog
  the code of the test declares it at line 2
    if $facts['os']['family'] == 'RedHat' (line 1)
      $facts['os']['family'] is 'Debian'"""
    )


def test_other_values(compiler):
    match = compiler().contains(
        "File[/etc/ssh/sshd_config]",
        content="Port 22\nPermitRootLogin yes\n",
        mode=re.compile("^07"),
        owner="root",
        group=None,
    )
    assert (
        match.explanation
        == """\
File[/etc/ssh/sshd_config] has another content, mode and owner
  content: the text differs
      --- expected
      +++ catalog
      @@ -1,2 +1,2 @@
       Port 22
      -PermitRootLogin yes
      +PermitRootLogin no
  mode: expected a string that matches /^07/
             got '0600'
  owner: expected 'root'
              got not set"""
    )


def test_kinds_of_values_and_secrets(compiler):
    match = compiler().contains("Service[sshd]", enable="true")
    assert match.explanation.splitlines()[1:] == [
        "  enable: expected 'true'",
        "               got true (a Boolean)",
    ]
    assert compiler().contains("Class[profile::ssh]", key=Sensitive("x"))
    secret = compiler().contains("Class[profile::ssh]", key="x").explanation
    assert "got Sensitive [value redacted]; expect Sensitive(…)" in secret
    other = compiler().contains("Class[profile::ssh]", key=Sensitive("y")).explanation
    assert "'y'" not in other
    assert "'x'" not in other


def test_relationships(compiler):
    catalog = compiler()
    config, service = "File[/etc/ssh/sshd_config]", "Service[sshd]"
    assert catalog.contains(config).that_requires("Package[openssh-server]")
    assert catalog.contains(config).that_notifies(service)
    assert catalog.contains(service).that_requires("Package[openssh-server]", config)
    assert catalog.contains(service).that_subscribes_to(config)
    assert catalog.contains("Package[openssh-server]").that_comes_before(config, service)
    assert not catalog.contains(service).that_subscribes_to("Package[openssh-server]")
    assert not catalog.contains(service).that_comes_before(config)
    assert not catalog.contains(service).that_requires(service)


def test_relationships_lead_through_containers(compiler):
    catalog = compiler(
        code="""
class a { file { '/a': } }
class b { notify { 'b': } }
include a, b
Class[a] ~> Class[b]
exec { '/bin/true': }
file { '/a/inner': }
Exec['/bin/true'] -> Class[a]
"""
    )
    assert catalog.contains("File[/a]").that_notifies("Notify[b]")
    assert catalog.contains("Notify[b]").that_requires("Class[a]", "Exec[/bin/true]")
    assert not catalog.contains("Notify[b]").that_subscribes_to("Exec[/bin/true]")
    assert catalog.contains("File[/a/inner]").that_requires("File[/a]")


def test_explanations_of_relationships(compiler):
    catalog = compiler()
    match = catalog.contains("Service[sshd]").that_subscribes_to("Package[openssh-server]")
    assert (
        match.explanation
        == """\
Service[sshd] does not subscribe to Package[openssh-server]
  the order is right, but no change is passed on: Package[openssh-server] -> File[/etc/ssh/sshd_config] -> Service[sshd]
  Service[sshd] requires:
    File[/etc/ssh/sshd_config] (notify)"""
    )
    match = catalog.contains("Package[openssh-server]").that_requires("Service[sshd]")
    assert (
        match.explanation
        == """\
Package[openssh-server] does not require Service[sshd]
  the order is the opposite: Package[openssh-server] -> File[/etc/ssh/sshd_config] -> Service[sshd]
  neither Package[openssh-server] nor what contains it requires anything"""
    )
    match = catalog.contains("Service[sshd]").that_requires("Package[opensh-server]")
    assert (
        match.explanation
        == """\
Service[sshd] cannot be related to Package[opensh-server], which is not in the catalog
  did you mean Package[openssh-server]?
  no manifest of the modules profile, role declares it"""
    )


def test_the_agent_could_apply_the_catalog(compiler):
    assert compiler().compiles()
    cycle = (
        "file { '/a/b': before => Notify['n'] } notify { 'n': before => File['/a'] } file { '/a': }"
    )
    match = compiler(code=cycle).compiles()
    assert match.explanation.splitlines() == [
        "the catalog has a dependency cycle",
        "  File[/a/b] -> Notify[n] -> File[/a] -> File[/a/b]",
    ]
    wrong = compiler(code="file { '/a': mode => 'u=q' }").compiles()
    assert not wrong
    assert "u=q" in wrong.explanation
    assert compiler(code="file { '/a': mode => 'u=q' }", facts={"kernel": "windows"}).compiles()


def test_a_resource_that_should_not_be_there(compiler):
    match = compiler().lacks("Service[sshd]")
    assert match.explanation.splitlines() == [
        "Service[sshd] is in the catalog",
        "  declared at site-modules/profile/manifests/ssh.pp:11",
        "  in Class[Profile::Ssh]",
        "  the way there: node default -> role::base -> profile::ssh",
    ]
    own = compiler(code="notify { 'a': }").lacks("Notify[a]").explanation
    assert own.splitlines()[1] == "  declared at the code of the test:1"


def test_counts(compiler):
    catalog = compiler()
    assert catalog.count("File") == 1
    assert repr(catalog.count("file")) == "1 (File[/etc/ssh/sshd_config])"
    assert catalog.count("Cron") == 0
    assert repr(catalog.count("Cron")) == "0"
    many = compiler(code='range(1, 9).each |$n| { notify { "n${n}": } }').count()
    assert many == 9
    assert repr(many).endswith("Notify[n8], …)")


def test_references_that_are_none(compiler):
    with pytest.raises(ValueError, match="not a reference: 'ntp'"):
        compiler().contains("ntp")
    with pytest.raises(TypeError, match="the catalog is not one resource that requires"):
        compiler().compiles().that_requires("File[/a]")


def test_warnings(compiler):
    assert compiler(code="warning('careful')").warnings == ["careful"]
    assert compiler().warnings == []
