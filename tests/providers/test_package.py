"""Packages: the queries and commands of the package systems."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bunraku import PuppetError
from bunraku.providers.package.versions import Debian, Python, Rpm, Ruby, compare_rpm, parse_range
from bunraku.world.dictionary import TEMPORARY_FILE
from support.applying import apply, declared
from support.attributes import Machine
from support.host import Entry, Expected, MemoryHost, file

DPKG = ("/usr/bin/dpkg", "/usr/bin/dpkg-deb", "/usr/bin/dpkg-query")
APT = (
    *DPKG,
    "/usr/bin/apt-get",
    "/usr/bin/apt-cache",
    "/usr/bin/apt-mark",
    "/usr/bin/debconf-set-selections",
)
FORMAT = "${Status} ${Package} ${Version}\\n"
ALL = ("/usr/bin/dpkg-query", "-W", "--showformat", FORMAT)
MANUAL = Expected(("/usr/bin/apt-mark", "showmanual"), "bash\nold\nconf\n")
INSTALL = ("/usr/bin/apt-get", "-q", "-y", "-o", "DPkg::Options::=--force-confold")
INSTALLED = """\
install ok installed bash 5.2-1
hold ok installed held 1.0
install ok installed old 1.0
deinstall ok config-files conf 0.9
install ok half-configured broken 1.0
"""


def machine(*commands: Expected, files: dict[str, str] | None = None) -> MemoryHost:
    """Return a Debian with some packages."""
    return MemoryHost(files, commands=[Expected(ALL, INSTALLED), *commands], installed=APT)


def marked(name: str) -> Expected:
    """Return the call that marks a package as installed on request."""
    return Expected(("/usr/bin/apt-mark", "manual", name))


def test_one_query_reads_all_packages() -> None:
    host = machine()
    done = apply(
        host,
        """
        package { ['bash', 'held']: }
        package { 'old': ensure => '1.0' }
        package { 'conf': ensure => absent }
        package { 'none': ensure => purged }
        """,
    )
    assert done.changes == []
    assert host.expected == []


def test_installing_and_removing() -> None:
    host = machine(
        MANUAL,
        Expected((*INSTALL, "install", "new")),
        marked("new"),
        Expected(("/usr/bin/apt-get", "-y", "-q", "remove", "old")),
        Expected(("/usr/bin/apt-get", "-y", "-q", "remove", "--purge", "conf")),
        Expected(("/usr/bin/dpkg", "--purge", "conf")),
    )
    done = apply(
        host,
        """
        package { 'new': }
        package { 'old': ensure => absent }
        package { 'conf': ensure => purged }
        """,
    )
    assert done.changes == [
        "Package[new]/ensure: created",
        "Package[old]/ensure: removed",
        "Package[conf]/ensure: purged",
    ]
    names = [event.name for event in done.report.events()]
    assert names == ["package_installed", "package_removed", "package_purged"]
    assert host.expected == []
    assert host.ran[2].environment["DEBIAN_FRONTEND"] == "noninteractive"
    assert host.ran[2].environment["LC_ALL"] == "C"


def test_one_query_finds_all_latest_versions() -> None:
    policy = """\
bash:
  Installed: 5.2-1
  Candidate: 5.2-1
  Version table:
 *** 5.2-1 500
old:
  Installed: 1.0
  Candidate: 2.0
  Version table:
     2.0 500
"""
    host = machine(
        Expected(("/usr/bin/apt-cache", "policy", "bash", "old"), policy),
        MANUAL,
        Expected((*INSTALL, "install", "old")),
    )
    done = apply(host, "package { ['bash', 'old']: ensure => latest }")
    assert done.changes == ["Package[old]/ensure: ensure changed '1.0' to '2.0'"]
    assert host.expected == []


def test_exact_version_and_range() -> None:
    madison = " old | 1.5 | file:/srv\n old | 2.0 | file:/srv\n old | 3.0~rc1 | file:/srv\n"
    host = machine(
        MANUAL,
        Expected((*INSTALL, "--force-yes", "install", "bash=6")),
        Expected(("/usr/bin/apt-cache", "madison", "old"), madison),
        Expected((*INSTALL, "--force-yes", "install", "old=2.0")),
    )
    done = apply(
        host,
        """
        package { 'bash': ensure => '6' }
        package { 'old': ensure => '>1.0 <3.0~' }
        package { 'held': ensure => '<= 1.0' }
        """.replace("<= 1.0", "<=1.0"),
    )
    assert done.changes == [
        "Package[bash]/ensure: ensure changed '5.2-1' to '6'",
        "Package[old]/ensure: ensure changed '1.0' to '>1.0 <3.0~'",
    ]
    assert host.expected == []


def test_marks() -> None:
    host = machine(
        Expected(("/usr/bin/dpkg", "--set-selections")),
        MANUAL,
        Expected(("/usr/bin/dpkg", "--set-selections")),
        marked("held"),
    )
    done = apply(host, "package { 'bash': mark => hold } package { 'held': mark => none }")
    assert done.changes == [
        "Package[bash]/mark: mark changed 'none' to 'hold'",
        "Package[held]/mark: mark changed 'hold' to 'none'",
    ]
    assert [command.content for command in host.ran if command.content] == [
        b"bash hold\n",
        b"held install\n",
    ]


def test_held_package_is_removed() -> None:
    host = machine(
        MANUAL,
        Expected(
            ("/usr/bin/apt-get", "-y", "-q", "--allow-change-held-packages", "remove", "held")
        ),
    )
    assert apply(host, "package { 'held': ensure => absent }").changes == [
        "Package[held]/ensure: removed"
    ]


def test_hold_is_lifted_for_an_upgrade_and_set_again() -> None:
    host = machine(
        MANUAL,
        Expected(("/usr/bin/dpkg", "--set-selections")),
        Expected((*INSTALL, "--force-yes", "install", "held=2"), "no\n", 100),
        Expected(("/usr/bin/dpkg", "--set-selections")),
    )
    done = apply(host, "package { 'held': ensure => '2', mark => hold }")
    command = " ".join((*INSTALL, "--force-yes", "install", "held=2"))
    reason = f"Could not update: Execution of '{command}' returned 100: no"
    assert done.changes == [f"Package[held]/ensure: change from '1.0' to '2' failed: {reason}"]
    assert host.ran[-1].content == b"held hold\n"


def test_package_that_came_with_another_is_queried_again() -> None:
    host = machine(
        MANUAL,
        Expected((*INSTALL, "install", "top")),
        marked("top"),
        Expected((*ALL, "below"), "install ok installed below 1\n"),
    )
    done = apply(host, "package { 'top': } -> package { 'below': }")
    assert done.changes == ["Package[top]/ensure: created"]
    assert host.expected == []


def test_options_and_answers() -> None:
    host = machine(
        MANUAL,
        Expected(("/usr/bin/debconf-set-selections", "/srv/answers")),
        Expected((*INSTALL, "-x", "-o=A=b", '"two words"', "install", "new")),
        marked("new"),
        files={"/srv/answers": ""},
    )
    manifest = """
      package { 'new': responsefile => '/srv/answers',
        install_options => ['-x', { '-o' => 'A=b' }, 'two words'] }
    """
    assert apply(host, manifest).changes == ["Package[new]/ensure: created"]


def test_compact_discs_are_refused() -> None:
    host = machine(MANUAL, files={"/etc/apt/sources.list": "deb cdrom:[Debian]/ stable main\n"})
    done = apply(host, "package { 'new': }")
    assert "/etc/apt/sources.list contains a cdrom source" in done.changes[0]


def test_dpkg_installs_files() -> None:
    host = machine(
        Expected(("/usr/bin/dpkg-deb", "--show", "/srv/old.deb"), "old\t2.0\n"),
        Expected(("/usr/bin/dpkg", "--force-confnew", "-i", "/srv/old.deb")),
    )
    manifest = """
      package { 'old': ensure => latest, provider => dpkg, source => '/srv/old.deb',
        configfiles => replace }
    """
    done = apply(host, manifest)
    assert done.changes == ["Package[old]/ensure: ensure changed '1.0' to '2.0'"]


def test_virtual_packages_are_resolved() -> None:
    provided = "${Status} ${Package} ${Version} [${Provides}]\\n"
    output = "install ok installed exim 4 [mail-agent, smtp]\n"
    host = machine(
        Expected(("/usr/bin/dpkg-query", "-W", "--showformat", provided), output),
        Expected((*ALL, "exim"), "install ok installed exim 4\n"),
    )
    done = apply(host, "package { 'smtp': allow_virtual => true }")
    assert done.changes == []
    assert "Info: Package smtp is virtual, defaulting to exim" in done.lines


def test_files_come_before_the_package() -> None:
    host = MemoryHost(
        {"/srv/x": file(mode=0o644)},
        commands=[Expected(ALL, INSTALLED)],
        installed=APT,
    )
    assert apply(host, "package { 'bash': source => '/srv/x.deb' }").changes == []


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ("mark => manual", 'Invalid value "manual". Valid values are hold, none.'),
        (
            "ensure => '1.0', provider => dpkg",
            "Provider dpkg must have features 'versionable' to set 'ensure' to '1.0'",
        ),
        (
            "ensure => disabled",
            "Provider apt must have features 'disableable' to set 'ensure' to 'disabled'",
        ),
        ("provider => nosuch", "Invalid package provider 'nosuch'"),
        ("name => 5", "Name must be a String not Integer"),
        ("allow_virtual => 'perhaps'", "Valid values are true, false, yes, no."),
        ("install_options => 5", "Expected either a string or hash of options"),
        ("ensure => absent, mark => hold", 'You cannot use "mark" property while "ensure" is'),
    ],
)
def test_invalid_values(parameters: str, reason: str) -> None:
    with pytest.raises(PuppetError) as caught:
        apply(machine(), f"package {{ 'a': {parameters} }}")
    assert reason in caught.value.message


def test_a_provider_of_another_system_is_refused() -> None:
    manifest = "package { 'a': provider => nim } notify { 'free': }"
    with pytest.raises(PuppetError, match="does not have the provider nim"):
        apply(machine(), manifest)


# -- versions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ordered",
    [
        ["1.0~~", "1.0~~a", "1.0~", "1.0", "1.0a", "1.0+b1", "1.0.1", "1.9", "1.10", "1:0.1"],
        ["1.0-1", "1.0-1.1", "1.0-2", "1.0-10", "1.0a-1"],
    ],
)
def test_debian_versions_are_ordered(ordered: list[str]) -> None:
    versions = [Debian.parse(text) for text in ordered]
    for number, version in enumerate(versions):
        for later in versions[number + 1 :]:
            assert version < later
            assert not later < version


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("1.0", "1.0", 0),
        ("1.0", "1.0.1", -1),
        ("1.0~rc1", "1.0", -1),
        ("1.05", "1.5", 0),
        ("2a", "2.0", -1),
        ("fc4", "fc.4", 0),
    ],
)
def test_rpm_versions_are_compared(one: str, other: str, expected: int) -> None:
    assert compare_rpm(one, other) == expected
    assert compare_rpm(other, one) == -expected


def test_python_versions_are_ordered() -> None:
    texts = ["1.0.dev1", "1.0a1", "1.0b2", "1.0rc1", "1.0", "1.0+local", "1.0.post1", "1.1", "1!0"]
    versions = [Python.parse(text) for text in texts]
    assert all(first < second for first, second in pairwise(versions))
    assert Python.parse("1.0") == Python.parse("v1.0.0")


def test_gem_versions_are_ordered() -> None:
    texts = ["1.0.a", "1.0.b1", "1.0", "1.0.1", "1.2", "1.10"]
    versions = [Ruby.parse(text) for text in texts]
    assert all(first < second for first, second in pairwise(versions))


def test_ranges() -> None:
    found = parse_range(">=1.0 <2.0", Rpm.parse)
    assert not found.exact
    assert found.includes(Rpm.parse("1.0-1"))
    assert not found.includes(Rpm.parse("2.0-1"))
    assert parse_range("1.0", Rpm.parse).exact
    with pytest.raises(ValueError, match="not a version range"):
        parse_range("=>1.0", Debian.parse)


# -- other systems -----------------------------------------------------------------------------------

RPM_FORMAT = "%{NAME} %|EPOCH?{%{EPOCH}}:{0}| %{VERSION} %{RELEASE} %{ARCH}\\n"
RPM_QUERY = ("--nosignature", "--nodigest", "--qf", RPM_FORMAT)
RPMS = "bash 0 5.1 6.el9 x86_64\nkernel 0 5.14 1.el9 x86_64\nkernel 0 5.15 1.el9 x86_64\n"


def fedora(*commands: Expected) -> MemoryHost:
    """Return a machine with dnf and some packages."""
    listed = Expected(("rpm", "-qa", *RPM_QUERY), RPMS)
    return MemoryHost(commands=[listed, *commands], installed=["dnf", "rpm"])


def test_dnf_reads_all_and_updates() -> None:
    updates = "\nbash.x86_64   5.2-1.el9   updates\n"
    quiet = ("dnf", "-d", "0", "-e", "1", "-y")
    host = fedora(
        Expected(("dnf", "check-update"), updates, 100),
        Expected(("rpm", "-q", "bash", *RPM_QUERY), "bash 0 5.1 6.el9 x86_64\n"),
        Expected((*quiet, "upgrade", "bash")),
    )
    done = apply(host, "package { 'bash': ensure => latest } package { 'kernel': }")
    assert done.changes == ["Package[bash]/ensure: ensure changed '5.1-6.el9' to '0:5.2-1.el9'"]
    assert host.expected == []


def test_dnf_downgrades_to_a_version_and_checks_it() -> None:
    quiet = ("dnf", "-d", "0", "-e", "1", "-y")
    query = ("rpm", "-q", "bash", *RPM_QUERY)
    host = fedora(
        Expected(query, "bash 0 5.1 6.el9 x86_64\n"),
        Expected((*quiet, "downgrade", "bash-5.0")),
        Expected(query, "bash 0 5.0 2.el9 x86_64\n"),
    )
    done = apply(host, "package { 'bash': ensure => '5.0' }")
    assert done.changes == ["Package[bash]/ensure: ensure changed '5.1-6.el9' to '5.0'"]


def test_version_without_release_is_enough() -> None:
    assert apply(fedora(), "package { 'bash': ensure => '5.1' }").changes == []


def test_rpm_installs_files_and_removes() -> None:
    host = MemoryHost(
        commands=[
            Expected(("rpm", "-qa", *RPM_QUERY), RPMS),
            Expected(("rpm", "-q", "new", *RPM_QUERY), "not installed\n", 1),
            Expected(("rpm", "-q", "new", *RPM_QUERY, "--whatprovides"), "no\n", 1),
            Expected(("rpm", "-i", "/srv/new.rpm")),
            Expected(("rpm", "-q", "bash", *RPM_QUERY), "bash 0 5.1 6.el9 x86_64\n"),
            Expected(("rpm", "-e", "bash")),
        ],
        installed=["rpm"],
    )
    done = apply(
        host,
        "package { 'new': source => '/srv/new.rpm' } package { 'bash': ensure => absent }",
    )
    assert done.changes == ["Package[new]/ensure: created", "Package[bash]/ensure: removed"]
    assert host.expected == []


def test_pip_reads_all_and_installs_from_a_range() -> None:
    pip = "/usr/bin/pip3"
    version = Expected((pip, "--version"), "pip 23.0.1 from /usr/lib (python 3.11)\n")
    failed = "ERROR: no matching version (from versions: 1.0, 1.10, 1.9, 2.0)\n"
    host = MemoryHost(
        commands=[
            version,
            Expected((pip, "freeze", "--all"), "Requests==2.28.1\nyaml===5.0\npip==23.0.1\n"),
            version,
            Expected((pip, "install", "new==versionplease"), failed, 1),
            Expected((pip, "install", "-q", "new==1.10")),
        ],
        installed=["pip3"],
    )
    done = apply(
        host,
        """
        Package { provider => pip3 }
        package { 'requests': ensure => '2.28.1' }
        package { 'yaml': ensure => '>=4 <6' }
        package { 'new': ensure => '<2.0' }
        """,
    )
    assert done.changes == ["Package[new]/ensure: created"]
    assert host.expected == []


URL = "https://anna:S3CR3T@web/a"


@pytest.mark.parametrize(
    ("options", "variable"),
    [
        (["--index-url", URL], "PIP_INDEX_URL"),
        (["-i", URL], "PIP_INDEX_URL"),
        ([{"--extra-index-url": URL}], "PIP_EXTRA_INDEX_URL"),
    ],
)
def test_pip_gets_options_with_a_password_as_variables(options: object, variable: str) -> None:
    pip = "/usr/bin/pip3"
    commands = [
        Expected((pip, "--version"), "pip 23.0.1 from /usr/lib (python 3.11)\n"),
        Expected((pip, "freeze", "--all")),
        Expected((pip, "install", "-q", "--no-cache", "new==1.0")),
    ]
    host = MemoryHost(commands=commands, installed=["pip3"])
    given = [*(options if isinstance(options, list) else [options]), "--no-cache"]
    values = {"provider": "pip3", "ensure": "1.0", "install_options": given}
    apply(host, declared("package", {"new": values}))
    assert host.expected == []
    assert host.ran[-1].environment[variable] == URL


def test_npm_gets_options_with_a_password_as_variables() -> None:
    commands = [
        Expected(("npm", "list", "--json", "--global"), "{}"),
        Expected(("npm", "install", "--global", "new@1.0")),
    ]
    host = MemoryHost(commands=commands, installed=["npm"])
    values = {"provider": "npm", "ensure": "1.0", "install_options": [f"--registry={URL}"]}
    apply(host, declared("package", {"new": values}))
    assert host.ran[-1].environment["npm_config_registry"] == URL


def test_gem_reads_a_source_with_a_password_from_a_file() -> None:
    gem = "/usr/bin/gem"
    commands = [
        Expected((gem, "list", "--local")),
        Expected((gem, "--version"), "3.3.15\n"),
        Expected((gem, "install", "-v", "1.0", "--no-document", "new"), "installed\n"),
    ]
    host = MemoryHost(commands=commands, installed=["gem"])
    values = {"provider": "gem", "ensure": "1.0", "source": URL}
    done = apply(host, declared("package", {"new": values}))
    assert host.expected == []
    assert host.ran[-1].environment["GEMRC"] == TEMPORARY_FILE
    assert done.changes == ["Package[new]/ensure: created"]


@pytest.mark.parametrize("provider", ["yum", "dnf", "npm"])
def test_a_source_with_a_password_is_refused(provider: str) -> None:
    host = Machine()
    done = apply(host, declared("package", {"new": {"provider": provider, "source": URL}}))
    assert "could see the password of a URL among the arguments of" in str(done.lines)
    assert "S3CR3T" not in str(done.lines) + str([one.words for one in host.ran])


def test_gem_compares_all_versions() -> None:
    gem = "/usr/bin/gem"
    host = MemoryHost(
        commands=[
            Expected((gem, "list", "--local"), "rake (13.0.6, 12.0)\njson (default: 2.6.1)\n"),
            Expected((gem, "--version"), "3.3.15\n"),
            Expected((gem, "install", "-v", "1.0", "--no-document", "new"), "installed\n"),
        ],
        installed=["gem"],
    )
    done = apply(
        host,
        """
        Package { provider => gem }
        package { 'rake': ensure => '12.0' }
        package { 'json': ensure => '~> 2.6' }
        package { 'new': ensure => '1.0' }
        """,
    )
    assert done.changes == ["Package[new]/ensure: created"]
    assert host.expected == []


@pytest.mark.parametrize("provider", ["gem", "pip"])
def test_a_program_that_prints_no_version_fails_its_package_only(provider: str) -> None:
    program = f"/usr/bin/{provider}"
    host = MemoryHost(
        commands=[
            Expected((program, "list", "--local"), "")
            if provider == "gem"
            else Expected((program, "--version"), "pip odd\n"),
            Expected((program, "--version"), "odd\n"),
        ],
        installed=[provider],
    )
    done = apply(
        host, f"package {{ 'x': ensure => present, provider => {provider} }} notify {{ 'b': }}"
    )
    assert done.report.failures == 1
    assert "Notice: b" in done.lines


def test_gem_without_its_program_fails_alone() -> None:
    done = apply(MemoryHost(), "package { 'x': provider => gem }")
    assert done.report.events()[0].message == (
        "Provider gem package command is not functional on this host"
    )


# -- snaps -----------------------------------------------------------------------------------------

SOCKET = "/run/snapd.socket"
DONE = '{"result": {"status": "Done"}}'


def test_snaps_are_changed_by_the_daemon() -> None:
    listed = '{"status-code": 200, "result": [{"name": "lxd", "tracking-channel": "5.0/stable"}]}'
    wanted = '{"action": "refresh", "channel": "5.21/stable", "classic": true}'
    host = MemoryHost(
        {SOCKET: Entry("socket")},
        commands=[
            Expected((SOCKET, "GET", "/v2/snaps"), listed),
            Expected((SOCKET, "POST", "/v2/snaps/lxd", wanted), '{"type": "async", "change": "7"}'),
            Expected((SOCKET, "GET", "/v2/changes/7"), '{"result": {"status": "Doing"}}'),
            Expected((SOCKET, "GET", "/v2/changes/7"), DONE),
        ],
        installed=["/usr/bin/snap"],
    )
    manifest = """
        package { 'lxd': provider => snap, ensure => '5.21/stable', install_options => 'classic' }
        package { 'gone': provider => snap, ensure => absent }
        """
    expected = "Package[lxd]/ensure: ensure changed '5.0/stable' to '5.21/stable'"
    assert apply(host, manifest).changes == [expected]
    assert host.expected == []


# -- Node.js ---------------------------------------------------------------------------------------


def test_a_package_without_a_version_is_installed() -> None:
    listed = 'npm WARN old\n{"dependencies": {"broken": {"missing": true}, "a": {"version": "1"}}}'
    host = MemoryHost(
        commands=[Expected(("npm", "list", "--json", "--global"), listed, 1)], installed=["npm"]
    )
    manifest = "package { ['broken', 'a']: provider => npm }"
    assert apply(host, manifest).changes == []
