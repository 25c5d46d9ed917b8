"""What waiting code shows: scopes, values, expressions; and what can be changed."""

from __future__ import annotations

import pytest

from bunraku.workbench.debugging.evaluation import Refused, set_variable
from bunraku.workbench.debugging.variables import scopes_of
from support.debugging import DrivenDebugger

CODE = """\
class base { $shared = 'of base' }
class web(
  Integer $port = 80,
  Sensitive $password = Sensitive('hush'),
  Sensitive $token = Sensitive.new('hush'),
) inherits base {
  $list = [1, { 'a' => undef }]
  file { '/etc/web':
    content => $password,
    mode    => '0600',
  }
  $list.each |$index, $item| {
    $seen = "${index}"
    notice($seen)
  }
  if 'abc' =~ /b(.)/ {
    notice($1)
  }
}
function f(Integer $n) {
  $m = $n + 1
  notice($m)
}
node default {
  $of_node = 1
  include web
  f(1)
}
"""


@pytest.fixture
def driven(tmp_path):
    """A debugger of ``site.pp``."""
    path = tmp_path / "site.pp"
    path.write_text(CODE)
    return DrivenDebugger(path, facts={"os": {"family": "Debian"}, "kernel": "Linux"})


def seen_at(driven, line, look):
    """Return what a function of the first stop on a line returns."""
    found = []
    driven.act = lambda stop: found.append(look(stop)) or None if not found else None
    driven.break_at(line)
    driven.run()
    assert driven.error is None
    return found[0]


def scopes_at(driven, line):
    """Return the scopes at a line: name → variables, as text and type."""
    return seen_at(
        driven,
        line,
        lambda stop: {
            scope.name: {one.name: (one.text, one.type) for one in scope.parts()}
            for scope in scopes_of(stop.frames[0], stop.compilation)
        },
    )


def test_scopes_have_the_variables_that_code_sees(driven):
    scopes = scopes_at(driven, 13)
    assert list(scopes) == [
        "Local",
        "class web",
        "class base",
        "node default",
        "Top",
        "Facts",
        "Catalog",
    ]
    assert scopes["Local"] == {"$index": ("0", "Integer"), "$item": ("1", "Integer")}
    assert scopes["class web"]["$list"] == ("[1, {'a' => undef}]", "Array[Data]")
    assert scopes["class base"]["$shared"] == ("'of base'", "String")
    assert scopes["node default"]["$of_node"] == ("1", "Integer")
    assert scopes["Facts"]["kernel"] == ("'Linux'", "String")
    assert scopes["Catalog"]["File"] == ("1 resource", "")


def test_secrets_are_hidden_everywhere(driven):
    def look(stop):
        waiting = list(scopes_of(stop.frames[0], stop.compilation))
        texts = []
        while waiting:
            one = waiting.pop()
            texts.append(getattr(one, "text", ""))
            waiting += one.parts()
        return texts

    texts = seen_at(driven, 12, look)
    assert not [text for text in texts if "hush" in text]
    assert texts.count("Sensitive [value redacted]") == 5


def test_plain_texts_of_secrets_are_hidden(tmp_path):
    path = tmp_path / "site.pp"
    path.write_text('$a = Sensitive("hu\'sh")\n$b = $a.unwrap\n$c = "x${b}"\nnotice(1)\n')
    driven = DrivenDebugger(path)
    driven.break_at(4, message="{$c}")

    def look(stop):
        (local, *_) = scopes_of(stop.frames[0], stop.compilation)
        return {one.name: stop.hidden(one.text) for one in local.parts()}["$c"]

    assert seen_at(driven, 4, look).strip("\"'") == "x[value redacted]"
    assert driven.printed == ["x[value redacted]\n"]


@pytest.mark.parametrize(
    ("line", "text", "value"),
    [
        (13, "$item + 1", 2),
        (13, "$port", 80),
        (13, "$shared", "of base"),
        (13, "$facts['kernel']", "Linux"),
        (13, "lookup('none', default_value => $index)", 0),
        (13, "$list.map |$x| { $x =~ Integer }", [True, False]),
        (17, "$1", "c"),
        (20, "$n", 1),
        (22, "f($m)", None),
        (8, "defined(File['/etc/web'])", False),
        (12, "defined(File['/etc/web'])", True),
        (12, "File['/etc/web']['mode']", "0600"),
    ],
)
def test_expressions_see_the_frame(driven, line, text, value):
    assert seen_at(driven, line, lambda stop: driven.value(stop, text)) == value


@pytest.mark.parametrize(
    "text",
    [
        "$password.unwrap",
        "unwrap($password)",
        "include other",
        "notify { 'x': }",
        "$new = 1",
        "class x { }",
        "fail('x')",
    ],
)
def test_what_clients_evaluate_by_themselves_changes_nothing(driven, text):
    def look(stop):
        with pytest.raises(Refused):
            driven.value(stop, text, only_reads=True)

    seen_at(driven, 13, look)


@pytest.mark.parametrize("text", ["f(", "$nothing", "fail('x')", "return(1)", "break()", "f(1, 2)"])
def test_wrong_expressions_leave_the_compile_alone(driven, text):
    def look(stop):
        with pytest.raises(Exception, match=r"."):
            driven.value(stop, text)

    seen_at(driven, 13, look)


@pytest.mark.parametrize(
    ("line", "name", "value", "shown"),
    [(13, "$item", 7, "$item"), (7, "port", 81, "$port"), (22, "$m", 9, "$m"), (20, "n", 5, "$n")],
)
def test_a_variable_of_the_running_code_can_be_set(driven, line, name, value, shown):
    def look(stop):
        set_variable(stop.frames[0], name, value, stop.compilation)
        return driven.value(stop, shown)

    assert seen_at(driven, line, look) == value


def test_code_sees_the_value_that_was_set(driven):
    seen_at(driven, 20, lambda stop: set_variable(stop.frames[0], "n", 41, stop.compilation))
    assert "42" in driven.messages


@pytest.mark.parametrize(
    ("line", "name", "reason"),
    [
        (13, "$port", "not a local variable"),
        (7, "$title", "of the language"),
        (7, "$facts", "of the language"),
        (7, "$later", "not set"),
        (7, "$of_node", "not set"),
        (7, "$port", "expects an Integer value, got String"),
        (20, "$n", "expects an Integer value, got String"),
        (20, "$m", "not a local variable"),
    ],
)
def test_other_variables_are_refused(driven, line, name, reason):
    def look(stop):
        with pytest.raises(Refused, match=reason):
            set_variable(stop.frames[0], name, "text", stop.compilation)

    seen_at(driven, line, look)
