"""Each check on a manifest that it reports, and on one that it does not."""

from __future__ import annotations

import pytest

from bunraku.base.source import Source
from bunraku.workbench.lint.registry import checks
from bunraku.workbench.lint.run import LintSettings, lint_source

CASES = {
    "140chars": ("$a = '" + "x" * 140 + "'\n", "$a = 'https://" + "x" * 140 + "'\n"),
    "2sp_soft_tabs": ("if $a {\n   notice(1)\n}\n", "if $a {\n  notice(1)\n}\n"),
    "80chars": ("$a = '" + "x" * 80 + "'\n", "$a = 1\n"),
    "anchor_resource": ("anchor { 'a': }\n", "notify { 'a': }\n"),
    "arrow_alignment": (
        "file { '/a':\n  ensure => file,\n  mode => '0644',\n}\n",
        "file { '/a':\n  ensure => file,\n  mode   => '0644',\n}\n",
    ),
    "arrow_on_right_operand_line": (
        "Class['a'] ->\nClass['b']\n",
        "Class['a']\n-> Class['b']\n",
    ),
    "autoloader_layout": ("class a::b {}\n", "notice(1)\n"),
    "case_without_default": (
        "case $a {\n  'x': { case $b { default: {} } }\n}\n",
        "case $a {\n  'x': {}\n  default: {}\n}\n",
    ),
    "class_inherits_from_params_class": (
        "class a inherits a::params {}\n",
        "class a inherits a::b {}\n",
    ),
    "code_on_top_scope": ("notice(1)\n", "class a { notice(1) }\n"),
    "documentation": ("# about\n\nclass a {}\n", "# about\nclass a {}\n"),
    "double_quoted_strings": ('$a = "b"\n', '$a = "b\\n${c}"\n'),
    "duplicate_params": (
        "file { '/a':\n  mode => '0644',\n  mode => '0600',\n}\n",
        "file { '/a':\n  mode => '0644',\n}\n",
    ),
    "ensure_first_param": (
        "file { '/a':\n  mode   => '0644',\n  ensure => file,\n}\n",
        "file { '/a':\n  ensure => file,\n  mode   => '0644',\n}\n",
    ),
    "ensure_not_symlink_target": (
        "file { '/a':\n  ensure => '/b',\n}\n",
        "file { '/a':\n  ensure => link,\n  target => '/b',\n}\n",
    ),
    "exec_idempotency": ("exec { '/bin/a': }\n", "exec { '/bin/a': creates => '/b' }\n"),
    "file_ensure": ("file { '/a': ensure => present }\n", "file { '/a': ensure => file }\n"),
    "file_mode": ("file { '/a': mode => '644' }\n", "file { '/a': mode => 'u=rw,g=r' }\n"),
    "hard_tabs": ("if $a {\n\tnotice(1)\n}\n", "$a = '\t'\n"),
    "inherits_across_namespaces": ("class a inherits b::c {}\n", "class a inherits ::a::b {}\n"),
    "legacy_facts": ("$a = $::osfamily\n$b = $facts['fqdn']\n", "$a = $facts['os']\n"),
    "leading_zero": ("$a = 0644\n", "$a = [0, 0.5]\n"),
    "lookup_in_parameter": ("class a ($b = lookup('c')) {}\n", "class a { lookup('c') }\n"),
    "manifest_whitespace_arrows_single_space_after": ("$a = { b =>  1 }\n", "$a = { b => 1 }\n"),
    "manifest_whitespace_class_name_single_space_after": ("class a{}\n", "class a {}\n"),
    "manifest_whitespace_class_name_single_space_before": ("class  a {}\n", "class a {}\n"),
    "manifest_whitespace_closing_brace_after": ("$a = [{ b => 1 } ]\n", "$a = [{ b => 1 }]\n"),
    "manifest_whitespace_closing_brace_before": ("$a = { b => 1}\n", "$a = { b => 1 }\n"),
    "manifest_whitespace_closing_bracket_after": ("$a = [[1] ]\n", "$a = [[1]]\n"),
    "manifest_whitespace_closing_bracket_before": ("$a = [1 ]\n", "$a = [\n  1,\n]\n"),
    "manifest_whitespace_double_newline_end_of_file": ("$a = 1\n\n", "$a = 1\n"),
    "manifest_whitespace_inherits_name_single_space_before": (
        "class a inherits  b {}\n",
        "class a inherits b {}\n",
    ),
    "manifest_whitespace_missing_newline_end_of_file": ("$a = 1", "$a = 1\n"),
    "manifest_whitespace_newline_beginning_of_file": ("\n$a = 1\n", "$a = 1\n"),
    "manifest_whitespace_opening_brace_after": ("$a = {b => 1 }\n", "$a = {\n  b => 1,\n}\n"),
    "manifest_whitespace_opening_brace_before": ("if $a{}\n", "if $a {}\n"),
    "manifest_whitespace_opening_bracket_after": ("$a = [ 1]\n", "$a = [\n  1,\n]\n"),
    "manifest_whitespace_opening_bracket_before": ("$a =[1]\n", "$a = [1]\n"),
    "manifest_whitespace_two_empty_lines": ("$a = 1\n\n\n$b = 2\n", "$a = 1\n\n$b = 2\n"),
    "names_containing_dash": ("class a-b {}\n", "class a_b {}\n"),
    "names_containing_uppercase": ("class aB {}\n", "class ab {}\n"),
    "nested_classes_or_defines": ("class a { class b {} }\n", "class a { class { 'b': } }\n"),
    "only_variable_string": ("$a = \"${b['c']}\"\n", '$a = { "${b}" => 1, c => "${d}-" }\n'),
    "optional_default": (
        "class a (Optional[String] $b = 'c') {}\ndefine d (Optional[String] $e) {}\n",
        "class a (Optional[String] $b = undef, Optional[String] $c = d()) {}\n",
    ),
    "package_ensure": (
        "package { 'a': ensure => 'latest' }\npackage { 'b': ensure => latest }\n",
        "package { 'a': ensure => installed }\nfile { '/a': ensure => latest }\n",
    ),
    "parameter_documentation": (
        "# @param b\n# @param b\n# @param d\nclass a ($b, $c) {}\n",
        "# @param b  text\n# [*c*] text\n# $d:: text\nclass a ($b, $c, $d) {}\n",
    ),
    "parameter_types": ("class a ($b) {}\n", "class a (A::B $b) {}\n"),
    "params_empty_string_assignment": (
        "class a (String $b = '') {}\n",
        "class a (String $b = 'c', Array $d = []) {}\n",
    ),
    "params_not_optional_with_undef": (
        "class a (Variant[String, Integer] $b = undef) {}\n",
        "class a (Variant[String, Undef] $b = undef, $c = undef) {}\n",
    ),
    "resource_reference_chain_without_whitespace": (
        "Class ['a'] -> Class['b']\n",
        "Class['a'] -> Class['b']\n",
    ),
    "resource_reference_with_unquoted_title": (
        "file { '/a': require => Package[b] }\n",
        "file { '/a': require => Package['b'] }\n",
    ),
    "resource_reference_without_title_capital": (
        "file { '/a': require => [Package[B]] }\n",
        "file { '/a': require => [Package['b']] }\n",
    ),
    "resource_reference_without_whitespace": (
        "file { '/a': require => Package ['b'] }\n",
        "file { '/a': require => Package['b'] }\n",
    ),
    "parameter_order": (
        "class a ($b = 1, Stdlib::Port $c) {}\n",
        "class a ($b, $c = 1, Optional[String] $d) {}\n",
    ),
    "puppet_url_without_modules": (
        "$a = 'puppet:///b/c'\n",
        "$a = 'puppet:///modules/b/c'\n",
    ),
    "quoted_booleans": ("$a = 'true'\n", "$a = true\n"),
    "relative_classname_inclusion": ("include ::a\n", "include a\n"),
    "relative_classname_reference": ("$a = Class['::b']\n", "$a = Class['b']\n"),
    "right_to_left_relationship": ("Class['a'] <- Class['b']\n", "Class['a'] -> Class['b']\n"),
    "selector_inside_resource": (
        "file { '/a': mode => $b ? { default => '0644' } }\n",
        "$c = $b ? { default => 1 }\n",
    ),
    "single_quote_string_with_variables": (
        "$a = '${b}'\n",
        "$a = inline_template('${b}')\n",
    ),
    "slash_comments": ("// about\n", "# about // it\n"),
    "space_before_arrow": ("file { '/a': mode  => '0644' }\n", "file { '/a': mode => '0644' }\n"),
    "star_comments": ("/* about */\n", "# /* about */\n"),
    "top_scope_facts": ("$a = $::b\n", "$a = [$facts['b'], $::fqdn, $::c::d]\n"),
    "trailing_comma": (
        "file { '/a':\n  ensure => file\n}\n$b = [\n  1\n]\n",
        "file { '/a':\n  ensure => file,\n}\n$b = [1]\n",
    ),
    "strict_indent": ("if $a {\n notice(1)\n}\n", "if $a {\n  notice(1)\n}\n"),
    "topscope_variable": ("class a { $b = $::c::d }\n", "class a { $b = $c::d }\n"),
    "trailing_whitespace": ("$a = 1 \n", "$a = @(END)\n  text  \n  | END\n"),
    "unquoted_file_mode": ("file { '/a': mode => 0644 }\n", "file { '/a': mode => '0644' }\n"),
    "unquoted_node_name": ("node a { }\n", "node 'a', /b/, default { }\n"),
    "unquoted_resource_title": ("notify { [a, 'b']: }\n", "notify { 'a': }\n"),
    "unquoted_string_in_case": (
        "case $a { b: {} default: {} }\n",
        "case $a { 'b', A::B: {} default: {} }\n",
    ),
    "unquoted_string_in_selector": (
        "$a = $b ? { c => 1 }\n",
        "$a = $b ? { 'c' => d }\n",
    ),
    "variable_contains_dash": ("$a = $b-c\n", "$a = $b - c\n"),
    "variable_contains_upcase": ("$aB = 1\n", "$a = $b['C']\n"),
    "variable_is_lowercase": ("$aB = 1\n", "$a = $b['C']\n"),
    "variable_scope": (
        "class a { notice($b) }\n",
        "class a ($b) { $c = $b.map |$d| { $d }\n notice($c, $::e, $title) }\n",
    ),
    "variables_not_enclosed": ('$a = "$b c"\n', '$a = "${b} \\$c"\n'),
    "version_comparison": ("if $a_version < '2' {}\n", "if $version == 'x' {}\n"),
}
"""Check → a manifest with one or more findings, and one without."""


def found(name, text, *, fix=False):
    chosen = LintSettings(only=(name,)).chosen()
    return lint_source(Source(text, "site.pp"), chosen, LintSettings(), fix=fix)


def test_every_check_has_a_case():
    assert sorted(CASES) == sorted(checks())


@pytest.mark.parametrize("name", CASES)
def test_a_check_reports_its_mistake(name):
    assert [one.check for one in found(name, CASES[name][0]).findings]


@pytest.mark.parametrize("name", CASES)
def test_a_check_accepts_good_code(name):
    outcome = found(name, CASES[name][1])
    assert outcome.findings == []
    assert outcome.errors == []


@pytest.mark.parametrize("name", [name for name, one in checks().items() if one.fixes])
def test_a_fix_leaves_nothing_to_report(name):
    fixed = found(name, CASES[name][0], fix=True).fixed
    assert fixed is not None
    again = found(name, fixed)
    assert again.findings == []
    assert again.errors == []


@pytest.mark.parametrize(("name", "lines"), [("hard_tabs", [2, 8]), ("2sp_soft_tabs", [2, 3, 4])])
def test_blanks_between_comments_are_checked_and_those_in_comments_are_not(name, lines):
    text = "# \ta\n\t# b\n   #  c\n # #\td\n/*\n\t# e\n*/\n \t# f\n"
    outcome = found(name, text)
    assert [outcome.source.line(one.problem.start) for one in outcome.findings] == lines


def names_in(text, path="a/manifests/init.pp"):
    settings = LintSettings()
    outcome = lint_source(Source(text, path), settings.chosen(), settings)
    return [one.check for one in outcome.findings]


@pytest.mark.parametrize(
    "index",
    ['["id"]', '["id"]["x"]', '["${x}"]', '["$x"]', '[ "id" ]', "[\t'a']", "[$::osfamily]", "[$y]"],
)
def test_the_index_of_a_variable_is_a_part_of_it(index):
    assert names_in(f"# x\nclass a ($h, $x) {{\n  $b = $h{index}\n}}\n") == []


@pytest.mark.parametrize("code", ['$h ["id"]', 'f($h)["id"]', '$h[$x["a"]]["id"]'])
def test_other_indexes_are_code(code):
    names = names_in(f"# x\nclass a ($h, $x) {{\n  $b = {code}\n}}\n")
    assert names == ["double_quoted_strings"]


@pytest.mark.parametrize(
    "body", ['"dq"', "'quoted ${x}'", '"true"', "puppet:///files/x", '"a ${f("q")}"']
)
@pytest.mark.parametrize("tag", ["END", "END/L"])
def test_the_quotes_of_a_heredoc_are_text(body, tag):
    assert names_in(f"# x\nclass a ($x) {{\n  $b = @({tag})\n    {body}\n    | END\n}}\n") == []


@pytest.mark.parametrize("directory", ["bar", "checkout", "acme-bar", "v1.2"])
def test_a_checkout_of_a_module_has_any_name(tmp_path, directory):
    root = tmp_path / directory
    (root / "manifests" / "sub").mkdir(parents=True)
    (root / "metadata.json").write_text('{"name": "acme-bar", "version": "1.0.0"}')
    (root / ".git").mkdir()
    for path, name, expected in (
        ("init.pp", "bar", []),
        ("sub/a.pp", "bar::sub::a", []),
        ("sub/b.pp", "bar::b", ["autoloader_layout"]),
        ("other.pp", "acme::other", ["autoloader_layout"]),
    ):
        file = root / "manifests" / path
        file.write_text(f"# x\nclass {name} {{\n}}\n")
        assert names_in(file.read_text(), str(file)) == expected


def test_a_module_on_a_modulepath_has_the_name_of_its_directory(tmp_path):
    root = tmp_path / "modules" / "foo"
    (root / "manifests").mkdir(parents=True)
    (tmp_path / "environment.conf").touch()
    (root / "metadata.json").write_text('{"name": "acme-bar", "version": "1.0.0"}')
    path = root / "manifests" / "init.pp"
    path.write_text("# x\nclass bar {\n}\n")
    assert names_in(path.read_text(), str(path)) == ["autoloader_layout"]


def test_a_directory_that_puppet_cannot_load_needs_no_metadata(tmp_path):
    path = tmp_path / "puppetlabs-foo" / "manifests" / "init.pp"
    path.parent.mkdir(parents=True)
    path.write_text("# x\nclass foo {\n}\n")
    assert names_in(path.read_text(), str(path)) == []


def test_an_empty_heredoc_can_end_the_text():
    source = Source("$a = @(X)\n| X\n", "a.pp")
    settings = LintSettings()
    assert lint_source(source, settings.chosen(), settings).errors == []
