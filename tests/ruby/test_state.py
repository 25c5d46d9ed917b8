"""What functions in Ruby keep: instance variables last for one compile, as in an environment of its own."""

from __future__ import annotations

import json
from pathlib import Path

from bunraku.jobs.batch import answer
from support.ruby import needs_ruby

pytestmark = needs_ruby
FUNCTION = """
Puppet::Functions.create_function(:'m::n') do
  def n(value)
    @kept ||= []
    @kept << value
    Object.const_get('Array').new(@kept)
  end
end
"""


def test_instance_variables_last_for_one_compile(tmp_path: Path) -> None:
    path = tmp_path / "m/lib/puppet/functions/m/n.rb"
    path.parent.mkdir(parents=True)
    path.write_text(FUNCTION)
    request = {"id": "1", "modulepath": [str(tmp_path)]}
    found = []
    for name in ("first", "second"):
        code = f"notice(m::n('{name}')) notice(m::n('again'))"
        reply = json.loads(answer(json.dumps({**request, "code": code}).encode()))
        found.append([one["message"] for one in reply["notices"]])
    assert found == [["[first]", "[first, again]"], ["[second]", "[second, again]"]]


STATE = """
LIST = []
$count ||= 0
$plain_global = ($plain_global || 0) + 1
@@seen ||= []
@top ||= []
class Helper
  @kept = []
  class << self
    attr_reader :kept
  end
end
calls = 0
Puppet::Functions.create_function(:'m::n') do
  INSIDE = {}
  define_method(:count) { calls += 1 }
  @of_class = []
  class << self
    attr_reader :of_class
  end
  def n(value)
    $count += 1
    $last, $rest = value, $last
    @@seen << value
    (@@late ||= []) << value
    [LIST, INSIDE[:all] ||= [], Helper.kept, self.class.of_class].each { |one| one << value }
    [LIST, INSIDE, $count, $plain_global, $rest, @@seen, @@late, Helper.kept, self.class.of_class, count].inspect
  end
end
"""
OLD_STATE = """
module Puppet::Parser::Functions
  NAMES = []
  @@all ||= []
  $old_count ||= 0
  newfunction(:old, :type => :rvalue) do |args|
    NAMES << args[0]
    @@all << args[0]
    $old_count += 1
    [NAMES, @@all, $old_count].inspect
  end
end
"""
CODE = "notice(m::n('a')) notice(m::n('b')) notice(old('c')) notice(old('d'))"


def messages(modules: Path, code: str) -> list[str]:
    """The notices of a compile in this process."""
    request = {"id": "1", "modulepath": [str(modules)], "code": code}
    reply = json.loads(answer(json.dumps(request).encode()))
    return [one["message"] for one in reply["notices"]]


def test_state_of_function_files_does_not_pass_to_the_next_node(tmp_path: Path) -> None:
    write(tmp_path / "m/lib/puppet/functions/m/n.rb", STATE)
    write(tmp_path / "m/lib/puppet/parser/functions/old.rb", OLD_STATE)
    first = messages(tmp_path, CODE)
    assert first[0].startswith('[["a"], {:all=>["a"]}, 1, 1, nil')
    assert first[3] == '[["c", "d"], ["c", "d"], 2]'
    assert messages(tmp_path, CODE) == first
    assert messages(tmp_path, "notice(old('c')) notice(old('d'))") == first[2:]


def test_state_of_templates_does_not_pass_to_the_next_node(tmp_path: Path) -> None:
    template = "<% X = [1] unless defined?(X); X << 2; $n ||= 0; $n += 1; (@@all ||= []) << 3 %>"
    write(tmp_path / "m/templates/t.erb", f"{template}<%= [X, $n, @@all].inspect %>")
    write(
        tmp_path / "m/templates/u.erb", "<% ($m ||= []) << 1; (@@u ||= []) << 2 %><%= [$m, @@u] %>"
    )
    code = "notice(template('m/t.erb')) notice(template('m/t.erb')) notice(template('m/u.erb'))"
    first = messages(tmp_path, code)
    assert first == ["[[1, 2], 1, [3]]", "[[1, 2, 2], 2, [3, 3]]", "[[1], [2]]"]
    assert messages(tmp_path, code) == first


def test_functions_of_required_files_exist_in_the_next_node(tmp_path: Path) -> None:
    body = "newfunction(:%s, :type => :rvalue) { |args| '%s' }"
    write(tmp_path / "m/lib/more.rb", "Puppet::Parser::Functions." + body % ("other", "more"))
    text = "require 'more'\nmodule Puppet::Parser::Functions\n%s\nend"
    write(tmp_path / "m/lib/puppet/parser/functions/old.rb", text % (body % ("old", "old")))
    for _ in range(2):
        assert messages(tmp_path, "notice(old()) notice(other())") == ["old", "more"]


def test_a_changed_string_is_not_taken_for_another_one(tmp_path: Path) -> None:
    body = "def n(value)\n value.concat('!')\n Object.const_get('String')\n value\n end"
    text = f"Puppet::Functions.create_function(:'m::n') do\n{body}\nend\n"
    write(tmp_path / "m/lib/puppet/functions/m/n.rb", text)
    code = 'Integer[10, 300].each |$number| { notice(m::n("x${number}")) }'
    assert messages(tmp_path, code) == [f"x{number}!" for number in range(10, 301)]


def write(path: Path, text: str) -> None:
    """Write a file with the folders around it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
