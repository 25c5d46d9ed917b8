"""Each kind of breakpoint, and the conditions under which it stops."""

from __future__ import annotations

import pytest

from bunraku.facts.facterdb import fact_set
from support.debian_modules import MODULES, needs_debian_modules
from support.debugging import DrivenDebugger

CODE = """\
function double(Integer $n) >> Integer {
  $result = $n * 2
  $result
}
class web(
  Integer $port = 80,
  String $user = join(['www', 'data'], '-'),
) {
  $doubled = double($port)
  file { '/etc/web':
    content => "port ${doubled}",
  }
  ['a', 'b', 'c'].each |$name| {
    web::site { $name:
      port => $port,
    }
  }
}
define web::site(Integer $port) {
  notice("site ${title}")
}
node default {
  include web
  $text = inline_epp('<% [1, 2].each |$i| { -%>
line <%= $i %>
<% } -%>')
  warning('done')
}
"""


@pytest.fixture
def driven(tmp_path):
    """A debugger of ``site.pp``."""
    path = tmp_path / "site.pp"
    path.write_text(CODE)
    return DrivenDebugger(path)


def test_a_condition_is_code_of_the_frame(driven):
    driven.break_at(20, condition="$title == 'b'")
    assert driven.run() == [("define web::site[b]", 20)]


def test_a_wrong_condition_stops_and_says_why(driven):
    driven.break_at(9, condition="$nothing == 1")
    assert driven.run() == [("class web", 9)]
    assert driven.printed == [
        "the condition '$nothing == 1' fails: Unknown variable: 'nothing' (file: debugger, line: 1, column: 1)\n"
    ]


@pytest.mark.parametrize(
    ("condition", "titles"),
    [
        ("2", "b"),
        (">= 2", "bc"),
        ("% 2", "b"),
        ("< 2", "a"),
        ("<= 2", "ab"),
        ("> 2", "c"),
        ("= 3", "c"),
    ],
)
def test_hits_are_counted(driven, condition, titles):
    driven.break_at(20, hit_condition=condition)
    assert driven.run() == [(f"define web::site[{one}]", 20) for one in titles]


def test_a_log_point_prints(driven):
    driven.break_at(20, message="{$title} has {$port + 1}, { $nothing }")
    assert driven.run() == []
    assert driven.printed[0].startswith("a has 81, { $nothing : Unknown variable: 'nothing'")
    assert len(driven.printed) == 3


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("double", [("function double", 1)]),
        ("web", [("class web", 5)]),
        ("class Web", [("class web", 5)]),
        ("web::site", [(f"define web::site[{one}]", 19) for one in "abc"]),
        ("inline_epp", [("node default", 24)]),
        ("notice", [(f"define web::site[{one}]", 20) for one in "abc"]),
        ("File[/etc/web]", [("class web", 10)]),
        ("file['/etc/web']", []),
        ("Web::Site[b]", [("lambda of each", 14)]),
        ("Web::Site", [("lambda of each", 14)] * 3),
        ("Class[web]", [("node default", 23)]),
        ("$web::port", [("class web", 5)]),
        ("$web::doubled", [("class web", 10)]),
        ("$double::result", [("function double", 3)]),
        ("$web::nothing", []),
    ],
)
def test_names_stop(driven, name, places):
    driven.break_on(name)
    assert driven.run() == places


def test_the_value_of_a_parameter_is_a_condition(driven):
    driven.break_on("$web::site::port", condition="$port == 80", hit_condition="2")
    assert driven.run() == [("define web::site[b]", 19)]


def test_a_parameter_with_a_default_stops_once(driven):
    driven.break_at(7)
    assert driven.run() == [("parameters of class web", 7)]
    assert driven.stops[0].frames[1].name == "node default"


def test_a_parameter_that_data_gives_stops_where_its_class_begins(tmp_path):
    path = tmp_path / "site.pp"
    path.write_text(CODE.replace("include web", "class { 'web': user => 'x' }"))
    driven = DrivenDebugger(path)
    driven.break_at(7)
    assert driven.run() == [("class web", 5)]


def test_a_template_in_code_stops(driven):
    stops = []
    driven.act = lambda stop: stops.append(stop) or "into"
    driven.break_at(24)
    driven.run()
    names = [stop.frames[0].name for stop in stops]
    assert names[:4] == ["node default", "template in code", "lambda of each", "lambda of each"]


def test_warnings_and_errors_stop(tmp_path):
    path = tmp_path / "site.pp"
    path.write_text("warning('a')\nerr('b')\nfail('c')\n")
    for levels, lines in (
        ({"warning"}, [1]),
        ({"error"}, [2, 3]),
        ({"warning", "error"}, [1, 2, 3]),
    ):
        driven = DrivenDebugger(path)
        driven.debugger.levels = {name: driven.break_on("x") for name in levels}
        assert [line for _name, line in driven.run()] == lines
        assert driven.error.message == "c"


def test_an_error_shows_the_frames_that_led_to_it(tmp_path):
    path = tmp_path / "site.pp"
    path.write_text(
        "function f($x) {\n  $y = $x\n  fail($y)\n}\ndefine d {\n  f('no')\n}\nd { 'x': }\n"
    )
    driven = DrivenDebugger(path)
    driven.debugger.levels = {"error": driven.break_on("x", condition="$message == 'no'")}
    values = []
    driven.act = lambda stop: values.append(driven.value(stop, "$y")) or None
    driven.run()
    (stop,) = driven.stops
    assert [frame.name for frame in stop.frames] == [
        "function f",
        "define d[x]",
        "main (declares it)",
    ]
    assert values == ["no"]
    assert stop.error is driven.error


def test_an_error_of_the_whole_catalog_has_a_place(tmp_path):
    path = tmp_path / "site.pp"
    path.write_text("notify { 'a':\n  require => File['/none'],\n}\n")
    driven = DrivenDebugger(path)
    driven.debugger.levels = {"error": driven.break_on("x")}
    assert driven.run() == [("compiler", 2)]


def test_code_stops_in_the_middle_of_a_run(driven):
    driven.act = lambda stop: driven.debugger.pause() if stop.reason == "breakpoint" else None
    driven.break_at(9)
    driven.run()
    assert [(stop.reason, stop.frames[0].name) for stop in driven.stops[:1]] == [
        ("breakpoint", "class web")
    ]


@needs_debian_modules
@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("apache::vhost", ("define apache::vhost[default]", 1682)),
        ("Package[httpd]", ("class apache", 581)),
        ("$apache::mod::package", ("define apache::mod[authz_host]", 35)),
    ],
)
def test_names_stop_in_apache(tmp_path, name, place):
    path = tmp_path / "site.pp"
    path.write_text("include apache\n")
    facts = {**fact_set(None, "debian-12").facts(), "clientversion": "7.23.0"}
    driven = DrivenDebugger(path, modulepath=[str(MODULES)], facts=facts)
    driven.break_on(name)
    found = driven.run()
    assert driven.error is None
    assert found[0] == place
