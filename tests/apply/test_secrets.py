"""No output of a run shows a secret: messages of all levels, reports, plans, state, errors."""

from __future__ import annotations

import re

import pytest

import bunraku
from bunraku.apply.validate import run_without_machine
from bunraku.base.errors import PuppetError
from bunraku.providers.registry import resource_type, type_names
from bunraku.providers.secrets import Secrets
from bunraku.values.sensitive import Sensitive
from support.applying import apply, declared
from support.attribute_runs import leaks, outcome
from support.attributes import REQUIRED, Machine, catalog_of
from support.host import file

TOKEN = "S3CR3Ttoken"


@pytest.mark.parametrize("type_", type_names())
def test_a_secret_in_any_attribute_is_hidden(type_: str) -> None:
    """One form of a secret for each attribute; ``make fuzz-sweeps`` tries all of them."""
    assert leaks(type_, every=False) == []


URLS = {
    "apt_key": ["source", "options"],
    "archive": ["source", "url", "proxy_server", "download_options"],
    "package": ["source", "install_options"],
    "grafana_plugin": ["repo", "plugin_url"],
    "rvm_gem": ["source", "proxy_url"],
    "rvm_system_ruby": ["proxy_url"],
    "vcsrepo": ["source", "http_proxy"],
}
"""Type → attributes with URLs, whose passwords are secret without ``Sensitive``."""
PASSWORD = re.compile(
    r"password|passwd|passphrase|token|secret|cookie|headers|download_options|proxy|url|^content$|^value$"
)
"""Attributes that hold passwords."""


NAME_OF_SECRET = re.compile(
    r"password$|password_hash|keypass|passphrase|token|secret|salt|cookie|_key_content"
)
"""Names of attributes that are always secret."""


def secret_attributes() -> list[tuple[str, str]]:
    """Return the attributes whose values are always hidden, as types declare them."""
    found = []
    for type_ in type_names():
        kind = resource_type(type_, run_without_machine())
        assert kind is not None
        found += [(type_, name) for name, one in kind.by_name.items() if one.secret]
    return found


def test_attributes_with_passwords_are_declared_as_secret() -> None:
    kinds = [(one, resource_type(one, run_without_machine())) for one in type_names()]
    named = {
        (type_, name)
        for type_, kind in kinds
        if kind
        for name in kind.by_name
        if NAME_OF_SECRET.search(name)
    }
    assert named == set(secret_attributes())


PUBLIC_FILES = {
    "x509_cert": "/srv/a.crt",
    "x509_request": "/srv/a.csr",
    "yumrepo": "/etc/yum.repos.d/a.repo",
}
"""Type → a public file that may have its passwords.

Puppet writes those of repositories, which all users may search, with the same mode. The other files have what
``openssl`` prints, which is its environment here.
"""


@pytest.mark.parametrize("code", [0, 1])
@pytest.mark.parametrize(("type_", "name"), secret_attributes())
def test_a_password_is_in_no_text_argument_or_public_file(type_: str, name: str, code: int) -> None:
    """It is hidden without ``Sensitive``, too."""
    title, parameters = REQUIRED[type_]
    public = {PUBLIC_FILES[type_]} if type_ in PUBLIC_FILES else set()
    for secret in (TOKEN, Sensitive(TOKEN)):
        found = outcome(catalog_of(type_, title, {**parameters, name: secret}), code=code)
        assert TOKEN not in found.texts + found.arguments
        assert found.public_files_with(TOKEN) <= public


@pytest.mark.parametrize("code", [0, 1])
@pytest.mark.parametrize(("type_", "name"), [(one, name) for one in URLS for name in URLS[one]])
def test_the_password_of_a_url_is_no_argument_and_hidden(type_: str, name: str, code: int) -> None:
    title, parameters = REQUIRED[type_]
    values = {key: value for key, value in parameters.items() if key != "content"}
    for url in (f"https://anna:{TOKEN}@web/a", f"https://{TOKEN}:@web/a"):
        found = outcome(catalog_of(type_, title, {**values, name: url}), code=code)
        assert found.report is not None
        assert TOKEN not in found.texts + found.arguments


@pytest.mark.parametrize("type_", type_names())
def test_a_secret_password_is_no_argument(type_: str) -> None:
    """Other users of a machine see the arguments of its programs."""
    title, parameters = REQUIRED[type_]
    kind = resource_type(type_, run_without_machine())
    assert kind is not None
    for name in filter(PASSWORD.search, kind.by_name):
        for secret in (Sensitive(TOKEN), Sensitive(f"https://anna:{TOKEN}@web/a")):
            for code in (0, 1):
                found = outcome(catalog_of(type_, title, {**parameters, name: secret}), code=code)
                assert TOKEN not in found.texts + found.arguments, name


@pytest.mark.parametrize("ensure", ["present", "latest"])
@pytest.mark.parametrize("code", [0, 1])
@pytest.mark.parametrize("provider", ["hg", "svn"])
def test_the_password_of_a_repository_is_no_argument(provider: str, code: int, ensure: str) -> None:
    values = {"provider": provider, "ensure": ensure, "revision": "1"}
    login = {"basic_auth_username": "anna", "basic_auth_password": Sensitive(TOKEN)}
    for more in ({**login, "source": "https://web/a"}, {"source": f"https://anna:{TOKEN}@web/a"}):
        found = outcome(catalog_of("vcsrepo", "/srv/copy", {**values, **more}), code=code)
        assert found.report is not None
        assert TOKEN not in found.texts + found.arguments


@pytest.mark.parametrize("provider", ["apt", "dnf", "dpkg", "gem", "npm", "pip", "rpm", "snap", "yum", "zypper",
                                      "pacman", "apk", "pkgng", "portage", "puppet_gem", "puppetserver_gem"])  # fmt: skip
@pytest.mark.parametrize("ensure", ["present", "latest"])
def test_the_password_of_a_package_is_no_argument(provider: str, ensure: str) -> None:
    url = f"https://anna:{TOKEN}@web/a"
    for values in (
        {"source": url},
        {"source": Sensitive(url)},
        {"install_options": ["--index-url", url]},
        {"install_options": [{"--registry": url}]},
        {"uninstall_options": [{"--proxy": url}]},
    ):
        found = outcome(
            catalog_of("package", "a", {"provider": provider, "ensure": ensure, **values})
        )
        assert TOKEN not in found.texts + found.arguments


EXECS = {
    "command": {"command": Sensitive(f"/bin/echo {TOKEN}")},
    "onlyif": {"onlyif": Sensitive(f"/bin/echo {TOKEN}")},
    "several onlyif": {"onlyif": Sensitive(["/bin/true", f"/bin/echo {TOKEN}"])},
    "unless": {"unless": Sensitive(f"/bin/echo {TOKEN}")},
    "environment": {"environment": Sensitive([f"A={TOKEN}", f"A={TOKEN}2"])},
    "refresh": {"refresh": Sensitive(f"/bin/echo {TOKEN}")},
    "a missing program": {"command": Sensitive(f"/bin/{TOKEN} -x")},
    "a program without a path": {"command": Sensitive(f"{TOKEN} -x")},
    "a directory": {"cwd": Sensitive(f"/srv/{TOKEN}")},
}


@pytest.mark.parametrize("code", [0, 1, 127])
@pytest.mark.parametrize("secret", EXECS.values(), ids=EXECS)
def test_one_secret_makes_all_of_an_exec_secret(secret: dict[str, object], code: int) -> None:
    """Commands print their arguments and their environment on this machine."""
    parameters = {"command": "/bin/echo visible", "logoutput": True, "tries": 2, **secret}
    texts = outcome(catalog_of("exec", "a", parameters), code=code).texts
    assert TOKEN not in texts
    if "cwd" not in secret:
        assert "visible" not in texts


@pytest.mark.parametrize("name", ["command", "unless", "environment"])
def test_short_secrets_of_an_exec_are_hidden(name: str) -> None:
    value = ["A=q%", "A=q%"] if name == "environment" else "/q% q%"
    parameters = {"command": "/bin/true", name: Sensitive(value)}
    assert "q%" not in outcome(catalog_of("exec", "a", parameters), code=1).texts


def test_an_exec_without_secrets_shows_its_command() -> None:
    texts = outcome(catalog_of("exec", "a", {"command": "/bin/echo visible"})).texts
    assert "Executing '/bin/echo visible'" in texts


CALLS = {
    "result": "Deferred('new', [Sensitive, '{}'])",
    "argument": "Deferred('join', [['a', Sensitive('{}')], ''])",
    "nested": "Deferred('join', [[Deferred('unwrap', [Sensitive('{}')])], ''])",
    "wrapped": "Sensitive(Deferred('join', [['{}'], '']))",
}


@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_deferred_call_with_a_secret_gives_a_secret(call: str, early: bool) -> None:
    code = f"file {{ '/srv/new': content => {call.format(TOKEN)} }}"
    code += (
        f" exec {{ '/bin/true': path => '/bin', onlyif => {call.format('/bin/echo ' + TOKEN)} }}"
    )
    found = outcome(bunraku.compile(code), early=early, calls=True)
    assert found.report is not None
    assert "File[/srv/new]" in found.report.statuses
    assert TOKEN not in found.texts


def test_a_fragment_hides_its_file() -> None:
    fragment = {"target": "/srv/file", "content": Sensitive(TOKEN)}
    data = [
        one
        for kind, title, values in (
            ("concat_fragment", "a", fragment),
            ("concat_file", "/srv/file", {"tag": "a"}),
        )
        for one in catalog_of(kind, title, values).to_data()["resources"][:1]
    ]
    catalog = bunraku.Catalog(
        {"name": "web", "environment": "production", "resources": data, "edges": []}
    )
    texts = outcome(catalog).texts
    assert TOKEN not in texts
    assert "changed [redacted] to [redacted]" in texts


PARTLY = {
    "ini_setting": (
        {"path": "/srv/a", "section": "", "setting": "a", "value": [Sensitive(TOKEN)]},
        f"a = {TOKEN}",
    ),
    "file_line": ({"path": "/srv/a", "line": [Sensitive(TOKEN)], "match": "^a"}, "a = OldSecret"),
    "host": (
        {"target": "/srv/a", "ip": "192.0.2.1", "comment": [Sensitive(TOKEN)]},
        "a = OldSecret",
    ),
}
"""Type → a resource with a secret inside of an array, and the line that it makes of an old one."""


@pytest.mark.parametrize("type_", PARTLY)
def test_a_secret_inside_of_an_array_hides_the_old_value_too(type_: str) -> None:
    """A type with code for secrets uses the secret; for others Puppet has a text, which is of no use."""
    values, line = PARTLY[type_]
    machine = Machine()
    machine.entries["/srv/a"] = file("a = OldSecret\n")
    try:
        done = apply(machine, declared(type_, {"x": values}), settings={"show_diff": True})
        lines = done.lines
    except PuppetError as error:
        lines = [str(error)]
    assert machine.text("/srv/a") == f"{line}\n"
    assert "OldSecret" not in str(lines)
    assert TOKEN not in str(lines)


def test_a_warning_names_the_attribute_that_loses_a_secret() -> None:
    values = {"message": ["a", Sensitive(TOKEN)]}
    lines = apply(Machine(), declared("notify", {"x": values})).lines
    assert lines[0].startswith(
        "Warning: /Notify[x]: message gets the text 'Sensitive [value redacted]'"
    )


def test_fragments_that_cannot_be_merged_hide_their_values() -> None:
    resources = []
    for title, values in (
        ("a", {"target": "/srv/file", "content": Sensitive(f"key: {TOKEN}\n")}),
        ("b", {"target": "/srv/file", "content": "key: other\n"}),
    ):
        resources += catalog_of("concat_fragment", title, values).to_data()["resources"][:1]
    file = catalog_of("concat_file", "/srv/file", {"format": "yaml"}).to_data()["resources"][:1]
    data = {"name": "a", "environment": "e", "resources": [*file, *resources], "edges": []}
    texts = outcome(bunraku.Catalog(data)).texts
    assert "Could not merge the fragments" in texts
    assert TOKEN not in texts


def test_forms_of_secrets() -> None:
    secrets = Secrets()
    secrets.add({"key": ['two\nlines "quoted"', "abc", 123456]})
    shown = secrets.hidden('lines \\"quoted\\" and abc in 123456, not 1234567')
    assert shown == "[redacted] and abc in [redacted], not 1234567"
    assert secrets.hidden_in([{"two": 'lines "quoted"'}]) == [{"two": "[redacted]"}]
