"""Rules of access that are printed mean what those mean that were read."""

from __future__ import annotations

import pytest

from bunraku.cli.main import main
from bunraku.server.authorization.reading import read_access
from bunraku.server.authorization.rules import Access
from bunraku.server.authorization.writing import access_text
from bunraku.server.interface import DEFAULT_RULES

FILE = r"""
authorization: {
  version: 1
  allow-header-cert-info: true
  rules: [
    { name: "one", sort-order: 1, match-request: { path: "/a.b", type: path, method: [get, post] }
      allow: ["web1", "*.example.com", { extensions: { pp_role: [x, y], pp_cli_auth: true } } ], deny: bad }
    { name: "two", sort-order: 2, match-request: { path: "^/c/([^\"/]+)$", type: regex
      query-params: { environment: [production] } }
      allow: { certname: "$1", extensions: { pp_role: x } } }
    { name: "three", sort-order: 3, match-request: { path: "/d", type: path }, allow-unauthenticated: true }
    { name: "four", sort-order: 4, match-request: { path: "/e", type: path }, deny: "*" }
    { name: "five", sort-order: 5, match-request: { path: "/f", type: path }, allow: [] }
  ]
}
"""


@pytest.mark.parametrize(
    "access", [Access(DEFAULT_RULES), read_access(FILE, "auth.conf")], ids=["default", "file"]
)
def test_printed_rules_are_read_as_the_same_rules(access):
    again = read_access(access_text(access), "printed")
    assert again.header_cert_info == access.header_cert_info
    key = lambda rule: (rule.order, rule.name)
    assert again.rules == tuple(sorted(access.rules, key=key))


def test_auth_conf_prints_the_rules_of_a_server_without_a_file(capsys):
    assert main(["server", "auth-conf"]) == 0
    assert read_access(capsys.readouterr().out, "printed").rules


def test_auth_conf_reports_the_line_of_a_mistake(tmp_path, capsys):
    path = tmp_path / "auth.conf"
    path.write_text(FILE.replace("deny: bad", "denny: bad"))
    assert main(["server", "auth-conf", "--auth-conf", str(path)]) == 2
    assert f"{path}:" in (text := capsys.readouterr().err)
    assert "did you mean 'deny'" in text


def test_auth_conf_takes_no_other_option_of_the_server(capsys):
    assert main(["server", "auth-conf", "--no-ca"]) == 2
    assert "--no-ca is not an option of auth-conf" in capsys.readouterr().err
