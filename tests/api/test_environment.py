"""``bunraku.Environment``: a control repository or a module from Python."""

from __future__ import annotations

from pathlib import Path

import pytest

import bunraku

CONTROL = {
    "environment.conf": "modulepath = site-modules:modules\n",
    "hiera.yaml": "version: 5\nhierarchy:\n  - name: nodes\n    path: nodes/%{trusted.certname}.yaml\n"
    "  - name: common\n    path: common.yaml\n",
    "data/common.yaml": "profile::web::port: 80\nmotd: hello\n",
    "data/nodes/web01.yaml": "motd: web\n",
    "manifests/site.pp": "node 'db01' { }\nnode default { include role::web }\n",
    "site-modules/role/manifests/web.pp": "class role::web { include profile::web }\n",
    "site-modules/role/manifests/thing.pp": "define role::thing { }\n",
    "site-modules/profile/manifests/web.pp": "class profile::web(Integer $port) {\n"
    "  notify { \"${facts['os']}:${port}\": }\n}\n",
    "facts/web01.yaml": "os: Debian\n",
    "facts/web02.json": '{"os": "Rocky"}',
}


@pytest.fixture
def control(tmp_path: Path) -> Path:
    return written(tmp_path / "control", CONTROL)


def written(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def notices(catalog: bunraku.Catalog) -> list[str]:
    return [one.title for one in catalog.by_type("notify")]


def test_a_control_repository_is_found_from_below(control):
    environment = bunraku.Environment(control / "site-modules" / "role")
    assert (environment.kind, environment.root) == ("control repository", str(control))
    assert repr(environment) == f"<Environment {control}: control repository>"


def test_roles_and_nodes(control):
    environment = bunraku.Environment(control, facts_folder=control / "facts")
    assert environment.roles == ["role::web"]
    assert environment.classes("profile::*") == ["profile::web"]
    assert environment.classes() == ["profile::web", "role::web"]
    assert environment.nodes == ["db01", "web01", "web02"]
    assert environment.facts("web02") == {"os": "Rocky"}


def test_a_node_is_compiled_with_its_facts_and_data(control):
    environment = bunraku.Environment(control, facts_folder=control / "facts")
    assert notices(environment.compile("web01")) == ["Debian:80"]
    assert notices(environment.compile("web01", facts={"os": "other"})) == ["other:80"]
    assert notices(environment.compile("db01", facts={})) == []


def test_a_class_is_compiled_with_parameters(control):
    environment = bunraku.Environment(control)
    catalog = environment.compile_class("profile::web", {"port": 81}, facts={"os": "x"})
    assert notices(catalog) == ["x:81"]
    with pytest.raises(bunraku.PuppetError, match="port"):
        environment.compile_class("profile::web", {"port": "81"}, facts={"os": "x"})


def test_all_nodes(control):
    environment = bunraku.Environment(control, facts_folder=control / "facts")
    found = environment.compile_nodes(jobs=1)
    assert [(one.node, notices(one.catalog)) for one in found] == [
        ("web01", ["Debian:80"]),
        ("web02", ["Rocky:80"]),
    ]
    (one,) = environment.compile_nodes({"db01": {"os": "y"}}, jobs=1)
    assert notices(one.catalog) == []


def test_lookup_and_evaluate(control):
    environment = bunraku.Environment(control)
    assert environment.lookup("motd", node="web01") == "web"
    assert environment.lookup("motd") == "hello"
    assert environment.lookup("nope", default=1) == 1
    assert environment.evaluate("lookup('motd')") == "hello"


def test_the_configuration_file_applies_and_keywords_win(control):
    (control / "bunraku.toml").write_text(
        'facts_folder = "facts"\n[settings]\nserver = "a.example.com"\n', encoding="utf-8"
    )
    environment = bunraku.Environment(control)
    assert environment.nodes == ["db01", "web01", "web02"]
    assert environment.evaluate("$settings::server") == "a.example.com"
    other = bunraku.Environment(control, settings={"server": "b.example.com"})
    assert other.evaluate("$settings::server") == "b.example.com"
    (control / "bunraku.toml").write_text('fact_folder = "facts"\n', encoding="utf-8")
    with pytest.raises(bunraku.PuppetError, match="facts_folder"):
        bunraku.Environment(control)


def test_a_module_is_known_by_its_own_name(tmp_path):
    module = written(
        tmp_path / "puppet-ntp",
        {
            "metadata.json": '{"name": "acme-ntp", "version": "1.0.0", "author": "acme", '
            '"license": "Apache-2.0", "source": "x", "summary": "", "dependencies": []}',
            "manifests/init.pp": "class ntp($server = 'a') { notify { $server: } }\n",
        },
    )
    environment = bunraku.Environment(module)
    assert environment.kind == "module"
    assert environment.classes() == ["ntp"]
    assert notices(environment.compile_class("ntp", {"server": "b"})) == ["b"]


def test_errors_name_what_is_missing(control, tmp_path):
    with pytest.raises(bunraku.PuppetError, match="Cannot find Puppet code in"):
        bunraku.Environment(tmp_path / "control" / ".." / "empty")
    environment = bunraku.Environment(control, facts_folder=control / "facts")
    with pytest.raises(bunraku.PuppetError, match=r"web03.*did you mean"):
        environment.facts("web03")
    with pytest.raises(TypeError, match="unknown option 'fact'"):
        environment.compile("web01", fact={})
