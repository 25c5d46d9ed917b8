"""The resource type yumrepo: sections of the files of yum."""

from __future__ import annotations

import pytest

from bunraku import PuppetError
from bunraku.catalog.catalog import Catalog
from support.applying import Applied, apply
from support.host import MemoryHost, directory, file

REPOSITORIES = "/etc/yum.repos.d"


def change(host: MemoryHost, name: str = "x", **parameters: object) -> Applied:
    """Apply one repository."""
    resource = {"type": "Yumrepo", "title": name, "parameters": parameters}
    return apply(host, Catalog({"name": "host", "resources": [resource]}))


def machine(**files: str) -> MemoryHost:
    """Return a host with a directory of repositories."""
    host = MemoryHost({REPOSITORIES: directory()})
    for name, text in files.items():
        host.add(f"{REPOSITORIES}/{name}.repo", file(text))
    return host


def test_a_repository_gets_a_file() -> None:
    host = machine()

    wanted = {"descr": "X", "baseurl": "http://x.test/", "enabled": True, "priority": 5}
    done = change(host, **wanted)

    assert done.changes == ["Yumrepo[x]/ensure: created"]
    assert host.text(f"{REPOSITORIES}/x.repo") == (
        "[x]\nname=X\nbaseurl=http://x.test/\nenabled=True\npriority=5\n"
    )
    assert host.entry(f"{REPOSITORIES}/x.repo").mode == 0o644
    assert change(host, **wanted).changes == []


def test_settings_change_in_their_places() -> None:
    text = (
        "# above\n[x]\nname = Old\n# inside\nbaseurl = http://a/\n  http://b/\nodd=1\n\n[y]\na=1\n"
    )
    host = machine(f=text)

    done = change(host, descr="New", cost=7, gpgcheck="absent")

    assert done.changes == [
        "Yumrepo[x]/descr: descr changed 'Old' to 'New'",
        "Yumrepo[x]/cost: defined 'cost' as 7",
    ]
    assert host.text(f"{REPOSITORIES}/f.repo") == (
        "# above\n[x]\nname=New\n# inside\nbaseurl=http://a/\n  http://b/\nodd=1\n\ncost=7\n[y]\na=1\n"
    )


def test_absent_settings_and_repositories_are_removed() -> None:
    host = machine(f="[x]\nname=X\ncost=1\n[y]\nname=Y\n", empty="# nothing yet\n")

    change(host, cost="absent")
    assert host.text(f"{REPOSITORIES}/f.repo") == "[x]\nname=X\n[y]\nname=Y\n"

    change(host, "y", ensure="absent")
    assert host.text(f"{REPOSITORIES}/f.repo") == "[x]\nname=X\n"

    change(host, ensure="absent")
    assert host.status(f"{REPOSITORIES}/f.repo") is None
    assert host.text(f"{REPOSITORIES}/empty.repo") == "# nothing yet\n"


def test_all_files_get_their_mode() -> None:
    host = machine(f="[x]\nname=X\n")
    host.add(f"{REPOSITORIES}/g.repo", file("[g]\nname=G\n", 0o600))

    lines = change(host, cost=1).lines

    text = f"Info: Yumrepo[x](provider=inifile): changing mode of {REPOSITORIES}/g.repo from 600 to 644"
    assert text in lines
    assert host.entry(f"{REPOSITORIES}/g.repo").mode == 0o644


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("shared", "shared.repo"),
        ("/etc/yum.repos.d/shared.repo", "shared.repo"),
        ("/opt/elsewhere.repo", "elsewhere.repo"),
    ],
)
def test_targets_are_in_a_directory_of_repositories(target: str, path: str) -> None:
    host = machine(old="[x]\nname=X\ncolour=red\n")

    change(host, descr="X", target=target)

    assert host.text(f"{REPOSITORIES}/{path}") == "[x]\nname=X\ncolour=red\n"
    assert host.status(f"{REPOSITORIES}/old.repo") is None


def test_the_configuration_names_the_directories() -> None:
    host = machine()
    host.add("/etc/yum.conf", file("[main]\nreposdir=/a,/b /c\n"))
    host.add("/a", directory())
    host.add("/b/y.repo", file("[y]\ncost=1\n"))

    change(host, descr="X")
    assert change(host, "y", cost="1").changes == []

    assert host.text("/b/x.repo") == "[x]\nname=X\n"


def test_without_directories_the_configuration_has_the_repositories() -> None:
    host = MemoryHost({"/etc": directory()})

    change(host, descr="X")

    assert host.text("/etc/yum.conf") == "[x]\nname=X\n"
    assert change(host, descr="X").changes == []


@pytest.mark.parametrize(("release", "written"), [("12", "proxy=\n"), ("7.9", "proxy=_none_\n")])
def test_no_proxy_depends_on_the_release(release: str, written: str) -> None:
    host = machine()
    host.add("/etc/os-release", file(f'NAME=x\nVERSION_ID="{release}"\n'))

    change(host, proxy="_none_")

    assert host.text(f"{REPOSITORIES}/x.repo") == f"[x]\n{written}"


def test_passwords_are_not_shown() -> None:
    host = machine(f="[x]\npassword=old\n")

    done = change(host, password="hush")

    assert done.changes == ["Yumrepo[x]/password: changed [redacted] to [redacted]"]
    assert not any("hush" in line or "old" in line for line in done.lines)


def test_unmanaged_repositories_are_purged() -> None:
    host = machine(f="[x]\nname=X\n[y]\nname=Y\n", g="[z]\nname=Z\n")
    host.add("/etc/yum.conf", file("[main]\na=1\n[inconf]\nname=I\n"))
    resources = [
        {"type": "Yumrepo", "title": "x", "parameters": {"descr": "X"}},
        {"type": "Resources", "title": "yumrepo", "parameters": {"purge": True}},
    ]

    apply(host, Catalog({"name": "host", "resources": resources}))

    assert host.text(f"{REPOSITORIES}/f.repo") == "[x]\nname=X\n"
    assert host.status(f"{REPOSITORIES}/g.repo") is None
    assert host.text("/etc/yum.conf") == "[main]\na=1\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[a]\nwhat\n", "Can't parse line 'what' (file: /etc/yum.repos.d/f.repo, line: 2)"),
        ("a=1\n", 'Property with key "a" outside of a section'),
        ("[a]\n[a]\n", 'Section "a" is already defined, cannot redefine'),
    ],
)
def test_wrong_files(text: str, reason: str) -> None:
    lines = change(machine(f=text), descr="X").lines

    assert any(f"Could not prefetch yumrepo provider 'inifile': {reason}" in line for line in lines)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("enabled", "maybe", 'Invalid value "maybe". Valid values are absent.'),
        ("metadata_expire", "6w", 'Invalid value "6w"'),
        (
            "baseurl",
            "http://a/ /b",
            "Validate method failed for class baseurl: Must be a valid URL",
        ),
        ("gpgkey", "http://<a>", "Validate method failed for class gpgkey: bad URI(is not URI?)"),
        ("include", "http://ä", "Validate method failed for class include: URI must be ascii only"),
        ("proxy", "none", "Validate method failed for class proxy: Must be a valid URL"),
        ("cost", -1, "Invalid value -1."),
    ],
)
def test_wrong_values(name: str, value: object, reason: str) -> None:
    with pytest.raises(PuppetError) as refused:
        change(machine(), **{name: value})
    assert refused.value.message.startswith(f"Parameter {name} failed on Yumrepo[x]: {reason}")
