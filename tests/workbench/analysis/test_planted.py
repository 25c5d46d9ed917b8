"""Mistakes that are planted into copies of Debian modules are found, each by its code and line."""

from __future__ import annotations

import pytest

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.engine.request import Request
from bunraku.workbench.analysis.analyse import analyse
from support.planted import copied_modules

FORMS = [
    ("UNKNOWN_CLASS", "include {}", ["apt::updat", "ntp::servce", "apache::mod::sssl"]),
    ("UNKNOWN_CLASS", "contain {}", ["apt::parms", "ntp::instal", "apache::mod::proxi"]),
    ("UNKNOWN_CLASS", "require {}", ["ntp::confg", "apache::vhostss"]),
    ("UNKNOWN_CLASS", "class { '{}': }", ["apt::backport", "ntp::services", "apache::sssl"]),
    ("UNKNOWN_CLASS", "class planted inherits {} { }", ["apt::nothing", "ntp::nothing"]),
    ("UNKNOWN_CLASS", "['{}'].include", ["apt::backportss", "apache::mod::hederss"]),
    (
        "UNKNOWN_RESOURCE_TYPE",
        "{} { 'planted': }",
        ["apt::sorce", "apache::vhst", "concat::fragmnt", "fil", "pakage", "servce"],
    ),
    ("UNKNOWN_RESOURCE_TYPE", "create_resources('{}', {})", ["apt::keyy", "apache::modd", "exek"]),
    ("UNKNOWN_FUNCTION", "$planted = {}(1)", ["lenght", "stdlib::ensur", "notcie", "apache::bol"]),
    ("UNKNOWN_FUNCTION", "$planted.{}", ["fltten", "uniqe", "stdlib::strt_with"]),
    ("UNKNOWN_TYPE", "class planted({} $x) { }", ["Strin", "Stdlib::Prt", "Stdlib::Absolutpath"]),
    ("UNKNOWN_TYPE", "function planted({} $x) { }", ["Intger", "Stdlib::Hst"]),
    ("UNKNOWN_TYPE", "{}['a'] -> Package['b']", ["Servce", "Apt::Sorce"]),
    ("UNKNOWN_PARAMETER", "file { '/planted': {} => 1 }", ["ensur", "onwer", "contnt"]),
    ("UNKNOWN_PARAMETER", "package { 'planted': {} => 1 }", ["ensrue", "providr"]),
    ("UNKNOWN_PARAMETER", "class { 'apt': {} => 1 }", ["updte", "purgge", "keyss"]),
    (
        "UNKNOWN_PARAMETER",
        "apt::source { 'planted': location => 'x', {} => 1 }",
        ["loction", "relase", "rpos"],
    ),
    ("MISSING_PARAMETER", "{} { 'planted': }", ["concat::fragment"]),
    ("FILE_NOT_FOUND", "$planted = template('{}')", ["apache/none.erb", "ntp/none.erb"]),
    ("FILE_NOT_FOUND", "$planted = epp('{}')", ["apt/none.epp", "ntp/none.epp"]),
    ("FILE_NOT_FOUND", "$planted = file('{}')", ["apt/none", "stdlib/none"]),
    (
        "FILE_NOT_FOUND",
        "file { '/planted': source => 'puppet:///modules/{}' }",
        ["apache/none", "apt/none"],
    ),
    ("MODULE_NOT_INSTALLED", "include {}", ["nosuch::a", "planted_module"]),
    ("PRIVATE_NAME", "include {}", ["planted_private"]),
    ("UNKNOWN_VARIABLE", "$planted = ${}", ["apt::updte", "ntp::serverss", "osfamly_of_planted"]),
    ("UNUSED_VARIABLE", "class planted { ${} = 1 }", ["planted_a", "planted_b"]),
    ("UNUSED_PARAMETER", "define planted(${}) { }", ["planted_a"]),
    ("SHADOWED_VARIABLE", "$planted = [1] $planted.each |${}| { notice($planted) }", ["planted"]),
    ("ILLEGAL_REASSIGNMENT", "$planted = 1 ${} = 2", ["planted"]),
    ("UNREACHABLE_CODE", "class planted { {}('x') notice('y') }", ["fail", "return"]),
    ("UNREACHABLE_OPTION", "case $facts { 'a': { } {}: { } default: { } }", ["'A'", "'a'"]),
    ("CONSTANT_CONDITION", "if {} { notice('x') }", ["true", "''", "1 == '1'", "!undef"]),
    ("COMPARISON_NOT_POSSIBLE", "notice({} < 1)", ["'a'"]),
    (
        "MISSING_OPTION",
        "class planted(Enum['a', 'b'] $c) { case $c { {}: { } } }",
        ["'a'", "/b/"],
    ),
    ("SELECTOR_WITHOUT_DEFAULT", "$planted = $facts ? { {} => 1 }", ["'a'"]),
    (
        "INHERITANCE_CYCLE",
        "class plant1 inherits {} { } class plant2 inherits plant1 { }",
        ["plant2"],
    ),
    ("CLASS_CYCLE", "class plant3 { {} plant4 } class plant4 { require plant3 }", ["contain"]),
    ("INCLUDE_CYCLE", "class plant5 { {} plant6 } class plant6 { include plant5 }", ["include"]),
    ("DEPENDENCY_CYCLE", "file { '/p': } -> file { '/q': } {} File['/p']", ["->", "~>"]),
    ("LEGACY_FACT", "$planted = {}", ["$::osfamily", "$facts['ipaddress_eth0']", "$fqdn"]),
    ("REMOVED_FUNCTION", "$planted = {}('x')", ["extlookup"]),
]
"""Code of a finding, the code with the mistake, and the names in it: each is one plant."""
PLANTS = [(code, form.replace("{}", name, 1)) for code, form, names in FORMS for name in names]


@pytest.fixture(scope="module")
def modulepath(tmp_path_factory):
    folder = copied_modules(tmp_path_factory.mktemp("modules"))
    private = folder / "planted_private" / "manifests"
    private.mkdir(parents=True)
    (private / "init.pp").write_text("class planted_private { assert_private() }\n")
    return folder


def test_all_planted_mistakes_are_found(modulepath):
    """Each plant is at the end of a manifest of a copied module, and found on its line."""
    assert len(PLANTS) >= 60
    assert len({code for code, _ in PLANTS}) >= 20
    manifests = sorted(modulepath.glob("a*/manifests/**/*.pp"))[: len(PLANTS)]
    assert len(manifests) == len(PLANTS)
    expected, programs = set(), []
    for path, (code, planted) in zip(manifests, PLANTS, strict=True):
        path.write_text(f"{path.read_text()}\n{planted}\n")
        source = Source(path.read_text(), str(path))
        expected.add((code, str(path), source.line(len(source.text) - 2)))
        programs.append(dialect_named("8").parse(source).program)
    found = analyse(Request(modulepath=[str(modulepath)]), programs)
    missed = expected - {(one.code, one.file, one.line) for one in found}
    assert missed == set()
