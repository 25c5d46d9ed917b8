"""Dependencies in metadata.json and .fixtures.yml against the code of a module."""

from __future__ import annotations

import json

import pytest

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.engine.request import Request
from bunraku.workbench.analysis.analyse import analyse
from bunraku.world.dictionary import DictionaryWorld

OTHERS = {
    "concat/manifests/init.pp": "define concat() { }",
    "apt/manifests/init.pp": "class apt { }",
    "apt/metadata.json": json.dumps(
        {
            "name": "a-apt",
            "version": "2.0.0",
            "author": "a",
            "license": "x",
            "source": "x",
            "dependencies": [],
        }
    ),
    "extra/lib/puppet/functions/extra_name.rb": "",
    "extra/lib/puppet/type/extra_type.rb": "",
    "extra/files/motd": "",
    "extra/templates/a.epp": "a",
    "extra/types/port.pp": "type Extra::Port = Integer",
}


def findings(code, dependencies=(), requirements=(), **files):
    """The codes and lines of the findings in a module ``web``, and the names in them."""
    metadata = {
        "name": "a-web",
        "version": "1.0.0",
        "author": "a",
        "license": "x",
        "source": "x",
        "dependencies": list(dependencies),
        "requirements": list(requirements),
    }
    texts = {
        **OTHERS,
        "web/metadata.json": json.dumps(metadata, indent=1),
        "web/manifests/init.pp": code,
        **{f"web/{name}": text for name, text in files.items()},
    }
    world = DictionaryWorld({f"/m/{path}": text.encode() for path, text in texts.items()})
    program = dialect_named("8").parse(Source(code, "/m/web/manifests/init.pp")).program
    request = Request(modulepath=["/m"], world=world)
    found = analyse(request, [program], ["/m/web/metadata.json"])
    return [(one.code, one.arguments.get("name", one.arguments.get("key"))) for one in found]


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("include apt", "apt"),
        ("class { 'apt': }", "apt"),
        ("Class['web'] -> Class['concat::x']", None),
        ("concat { 'a': }", "concat"),
        ("create_resources('concat', {})", "concat"),
        ("extra_name('a')", "extra"),
        ("'a'.extra_name", "extra"),
        ("extra_type { 'a': }", "extra"),
        ("file { '/a': source => 'puppet:///modules/extra/motd' }", "extra"),
        ("notice(epp('extra/a.epp'))", "extra"),
        ("notice(Extra::Port)", "extra"),
    ],
)
def test_modules_that_code_uses(body, name):
    code = f"class web {{ {body} }}"
    expected = [] if name is None else [("UNDECLARED_DEPENDENCY", name)]
    assert [one for one in findings(code) if one[0] != "UNKNOWN_TYPE"] == expected
    if name is not None:
        assert findings(code, [{"name": f"a/{name}"}]) == []


def test_own_names_and_those_of_puppet_need_no_dependency():
    code = (
        "class web { include web::a file { '/a': } notice(web::f(), sprintf('a'), $web::x) $x = 1 }"
    )
    assert not [one for one in findings(code) if "DEPEND" in one[0]]


def test_dependencies_that_nothing_uses():
    found = findings("class web { }", [{"name": "a/apt"}, {"name": "a/absent"}])
    assert found == [("UNUSED_DEPENDENCY", "apt")]
    ruby = {"lib/x.rb": "require 'apt'"}
    assert findings("class web { }", [{"name": "a-apt"}], **ruby) == []


def test_versions_that_a_range_excludes():
    code = "class web { include apt }"
    entry = {"name": "a/apt", "version_requirement": ">= 1.0.0 < 2.0.0"}
    puppet = {"name": "puppet", "version_requirement": ">= 6.0.0 < 8.0.0"}
    assert findings(code, [entry], [puppet]) == [
        ("UNSATISFIED_DEPENDENCY", "apt"),
        ("UNSATISFIED_DEPENDENCY", "puppet"),
    ]
    entry["version_requirement"], puppet["version_requirement"] = ">= 2.0.0", ">= 7.0.0 < 9.0.0"
    assert findings(code, [entry], [puppet]) == []


def test_fixtures():
    code, entries = "class web { include apt }", [{"name": "a/apt"}]
    complete = {".fixtures.yml": "fixtures:\n  forge_modules:\n    apt: 'a/apt'\n"}
    assert findings(code, entries, **complete) == []
    wrong = {".fixtures.yml": "fixtures:\n  repositorys:\n    apt: x\ndefault: {}\n"}
    assert findings(code, entries, **wrong) == [
        ("UNKNOWN_FIXTURE_KEY", "default"),
        ("UNKNOWN_FIXTURE_KEY", "repositorys"),
        ("MISSING_FIXTURE", "apt"),
    ]
