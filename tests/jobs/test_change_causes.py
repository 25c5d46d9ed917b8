"""``bunraku diff`` and ``ci`` say what caused each change of two states."""

from __future__ import annotations

import json
import subprocess

import pytest

from bunraku.cli.main import main

METADATA = (
    '{"name": "me-ntp", "version": "1.0.0", "author": "me", "license": "x", "summary": "x",'
    ' "source": "x", "dependencies": []}'
)
FILES = {
    "environment.conf": "modulepath = site:modules\n",
    "hiera.yaml": (
        "version: 5\n"
        "defaults: {datadir: data, data_hash: yaml_data}\n"
        "hierarchy:\n"
        "  - {name: node, path: 'nodes/%{trusted.certname}.yaml'}\n"
        "  - {name: common, path: common.yaml}\n"
    ),
    "data/common.yaml": (
        "p::port: 80\n"
        "p::extra: false\n"
        "p::list: [a]\n"
        "p::deep: \"%{lookup('base')}-y\"\n"
        "p::secret: one\n"
        "base: x\n"
        "lookup_options:\n"
        "  p::secret: {convert_to: Sensitive}\n"
    ),
    "data/nodes/db.yaml": "p::port: 81\np::plain: db\n",
    "manifests/site.pp": "node default { include p }\n",
    "facts/web.yaml": "os: {family: Debian}\n",
    "facts/db.yaml": "os: {family: Debian}\n",
    "site/p/manifests/init.pp": "".join(
        f"{line}\n"
        for line in (
            "class p (",
            "  $port,",
            "  Boolean $extra,",
            "  $list,",
            "  $deep,",
            "  $secret,",
            "  $plain = 'plain',",
            ") {",
            "  if $facts['os']['family'] == 'Debian' {",
            '    $text = "port ${port} ${plain}"',
            "  } else {",
            "    $text = 'x'",
            "  }",
            "  file { '/etc/p':",
            "    content => $text,",
            "    mode    => '0644',",
            "  }",
            "  if $extra {",
            "    notify { 'extra': }",
            "  }",
            '  $list.each |$one| { notify { "list-${one}": } }',
            "  notify { 'deep': message => $deep }",
            "  notify { 'secret': message => $secret }",
            "  include ntp",
            "}",
        )
    ),
    "modules/ntp/metadata.json": METADATA,
    "modules/ntp/manifests/init.pp": (
        "class ntp {\n"
        "  file { '/etc/ntp': content => epp('ntp/x.epp') }\n"
        "  file { '/source': source => 'puppet:///modules/ntp/source' }\n"
        "}\n"
    ),
    "modules/ntp/templates/x.epp": "before\n",
    "modules/ntp/files/source": "before\n",
}
INIT = "site/p/manifests/init.pp"
COMMON = "data/common.yaml"
CHANGES = [
    ((COMMON, "port: 80", "port: 82"), "File[/etc/p]", "key p::port in data/common.yaml:1 changed"),
    ((COMMON, "extra: false", "extra: true"), "Notify[extra]", "key p::extra in data/common.yaml:2 changed"),
    ((COMMON, "[a]", "[a, b]"), "Notify[list-b]", "key p::list in data/common.yaml:3 changed"),
    ((COMMON, "[a]", "[]"), "Notify[list-a]", "key p::list in data/common.yaml:3 changed"),
    ((INIT, "== 'Debian'", "== 'RedHat'"), "File[/etc/p]", f"{INIT}:9 changed"),
    ((COMMON, "base: x", "base: z"), "Notify[deep]", "key base in data/common.yaml:6 changed"),
    ((COMMON, "one", "two"), "Notify[secret]", "key p::secret in data/common.yaml:5 changed"),
    (("data/nodes/db.yaml", "p::port: 81\n", ""), "File[/etc/p]", "key p::port was removed from data/nodes/db.yaml:1"),
    (("data/nodes/db.yaml", "81\n", "81\np::deep: d\n"), "Notify[deep]", "key p::deep was added to data/nodes/db.yaml:2"),
    ((INIT, "'0644'", "'0600'"), "File[/etc/p]", f"{INIT}:16 changed"),
    ((INIT, "    mode    => '0644',\n", ""), "File[/etc/p]", f"{INIT}:16 was removed"),
    ((INIT, "port ${port}", "a port ${port}"), "File[/etc/p]", f"{INIT}:10 changed"),
    ((INIT, "'plain'", "'other'"), "File[/etc/p]", f"{INIT}:7 changed"),
    ((INIT, "if $extra", "if true"), "Notify[extra]", f"{INIT}:18 changed"),
    ((INIT, "  include ntp", "  include ntp\n  notify { 'new': }"), "Notify[new]", f"{INIT}:25 changed"),
    (("modules/ntp/templates/x.epp", "before", "after"), "File[/etc/ntp]", "modules/ntp/templates/x.epp:1 changed"),
    (("modules/ntp/files/source", "before", "after"), "File[/source]", "modules/ntp/files/source:1 changed"),
]  # fmt: skip


@pytest.fixture
def site(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "Start"]):
        author = ["-c", "user.name=me", "-c", "user.email=me@example.org"]
        subprocess.run(["git", *author, *command], check=True)
    return tmp_path


def edit(site, name, old, new):
    text = (site / name).read_text()
    assert old in text
    (site / name).write_text(text.replace(old, new, 1))


def output(capfd, *arguments):
    main([*arguments])
    return capfd.readouterr().out


def sentences(text, resource):
    """The sentences about causes below a resource."""
    found, inside = set(), False
    for line in text.splitlines():
        if line[:1] in "+-@" and line[2:3] not in (" ", ""):
            inside = line[2:].partition("   #")[0] == resource
        elif inside and "because" in line:
            found.add(line.strip())
    return found


@pytest.mark.parametrize(("change", "resource", "cause"), CHANGES)
def test_a_change_has_its_cause(change, resource, cause, site, capfd):
    edit(site, *change)
    for command in ("diff", "ci"):
        text = output(capfd, command)
        assert sentences(text, resource) == {f"because {cause}"}, text


def test_a_module_with_another_version_is_the_cause(site, capfd):
    edit(site, "modules/ntp/templates/x.epp", "before", "after")
    edit(site, "modules/ntp/metadata.json", "1.0.0", "1.1.0")
    text = output(capfd, "diff")
    assert sentences(text, "File[/etc/ntp]") == {"because module ntp went from 1.0.0 to 1.1.0"}


def test_parameters_with_different_causes_have_a_sentence_each(site, capfd):
    edit(site, INIT, "'0644'", "'0600'")
    edit(site, COMMON, "port: 80", "port: 82")
    text = output(capfd, "diff", "--match", "web")
    assert sentences(text, "File[/etc/p]") == {
        "content: because key p::port in data/common.yaml:1 changed",
        f"mode: because {INIT}:16 changed",
    }


def test_nodes_with_the_same_change_keep_their_own_causes(site, capfd):
    (site / "data/nodes/web.yaml").write_text("p::deep: same\n")
    edit(site, "data/nodes/db.yaml", "81\n", "81\np::deep: same\n")
    text = output(capfd, "diff")
    assert "all 2 nodes differ" in text
    assert sentences(text, "Notify[deep]") == {
        "because key p::deep was added to data/nodes/db.yaml:2",
        "because key p::deep was added to data/nodes/web.yaml:1",
    }


def test_inputs_stand_for_a_cause_that_is_not_known(site, capfd):
    edit(site, "hiera.yaml", "  - {name: node, path: 'nodes/%{trusted.certname}.yaml'}\n", "")
    edit(site, "modules/ntp/templates/x.epp", "before", "after")
    text = output(capfd, "diff", "--match", "db")
    found = sentences(text, "File[/etc/p]")
    inputs = "level 'node' was removed from hiera.yaml:4, modules/ntp/templates/x.epp:1"
    assert found == {f"because one of 2 inputs changed: {inputs}"}


def test_causes_are_data_and_on_pages(site, capfd):
    edit(site, COMMON, "one", "two")
    data = json.loads(output(capfd, "diff", "--format", "json", "--match", "web"))
    changed = data["nodes"][0]["changed"]
    (parameter,) = next(one for one in changed if one["resource"] == "Notify[secret]")["parameters"]
    place = {"file": "data/common.yaml", "line": 5, "name": "p::secret"}
    text = "key p::secret in data/common.yaml:5 changed"
    assert parameter["because"] == [{"kind": "key", "text": text, **place}]
    for form in ("html", "markdown"):
        page = output(capfd, "diff", "--format", form)
        assert text in page
        assert "two" not in page
        assert text in output(capfd, "ci", "--format", form)


def test_a_change_without_catalogs_of_two_states_has_no_cause(site, capfd):
    edit(site, INIT, "include ntp", "include missing")
    assert "because" not in output(capfd, "diff")
