"""Parts of Puppet's Ruby interface that bunraku does not have, with and without an installed Puppet."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.ruby_code import compiled, failure, needs_ruby, notices

from support.ruby_process import end_ruby

pytestmark = needs_ruby
FILES = {
    "puppet/version.rb": "module Puppet\n  PUPPETVERSION = '9.8.7'\nend\n",
    "puppet/made_up/thing.rb": """
require 'puppet/util'
require 'puppet/made_up/other'
class Puppet::MadeUp::Thing
  def text
    "thing and #{Puppet::MadeUp::Helper.name}"
  end
end
""",
    "puppet/made_up.rb": "module Puppet::MadeUp; end\n",
    "puppet/made_up/deep.rb": "module Puppet::MadeUp\nmodule Deep\n  WORD = 'deep'\nend\nend\n",
    "puppet/made_up/deep/mixed.rb": "module Puppet::MadeUp\nmodule Deep\nmodule Mixed; end\nend\nend\n",
    "puppet/made_up/deep/key.rb": """
require_relative 'mixed'
module Puppet::MadeUp
module Deep
class Key
  include Mixed
  WORD = 'that of the key'
end
end
end
""",
    "puppet/made_up/deep/adapter.rb": """
require_relative 'key'
module Puppet::MadeUp
module Deep
class Adapter < Puppet::Pops::Adaptable::Adapter
  TEXT = WORD + Puppet::Pops::DOUBLE_COLON + Key.ancestors[1].name
end
end
end
""",
    "puppet/made_up/other.rb": "module Puppet::MadeUp\n  module Helper; end\nend\n",
}


@pytest.fixture(autouse=True)
def fresh_ruby():
    """Start Ruby again, for it reads the environment when it starts."""
    end_ruby()


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The library folder of a Puppet that is made up."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setenv("BUNRAKU_PUPPET_LIBRARY", str(tmp_path))
    return str(tmp_path)


CODE = "notice(m::ev('Puppet::MadeUp::Thing.new.text'))"


def test_a_missing_part_is_loaded_from_an_installed_puppet(library: str) -> None:
    _, logged = compiled(CODE)
    source = f"is not part of bunraku; it is loaded from Puppet 9.8.7 in {library}"
    assert [(item.level, item.message) for item in logged] == [
        ("debug", f"Puppet::MadeUp {source}"),
        ("debug", f"Puppet::MadeUp::Thing {source}"),
        ("debug", f"Puppet::MadeUp::Helper {source}"),
        ("notice", "thing and Puppet::MadeUp::Helper"),
    ]


def test_names_are_sought_in_the_modules_around_as_by_ruby(library: str) -> None:
    code = "Puppet::MadeUp::Deep::Adapter::TEXT"
    found = notices(f"notice(m::ev('{code}'))")
    assert found == ["deep::Puppet::MadeUp::Deep::Mixed"]


def test_each_compile_says_so(library: str) -> None:
    first, second = compiled(CODE)[1], compiled(CODE)[1]
    assert [item.message for item in first] == [item.message for item in second]


def test_what_bunraku_has_is_not_loaded(library: str) -> None:
    code = "notice(m::ev('Puppet::MadeUp::Thing.new; Puppet.version'))"
    assert notices(code) == ["8.10.0"]


@pytest.mark.usefixtures("library")
def test_a_part_that_the_installed_puppet_lacks_is_an_error() -> None:
    assert "uses Puppet::Nowhere" in failure("m::ev('Puppet::Nowhere')").message


def test_without_puppet_the_error_names_the_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUNRAKU_PUPPET_LIBRARY", "none")
    error = failure(CODE)
    assert error.message == (
        "Function 'm::ev' uses Puppet::MadeUp, a part of Puppet's Ruby interface that bunraku does"
        " not provide (file: (eval), line: 1)"
    )
    assert "BUNRAKU_PUPPET_LIBRARY" in (error.diagnostic.hint or "")
    template = failure("notice(inline_template('<%= Puppet::MadeUp::Thing %>'))")
    assert "uses Puppet::MadeUp" in template.message


def test_code_may_rescue_that_a_part_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUNRAKU_PUPPET_LIBRARY", "none")
    code = "begin; Puppet::MadeUp; rescue NameError; defined?(Puppet::MadeUp).inspect; end"
    assert notices(f"notice(m::ev('{code}'))") == ["nil"]


def test_an_error_names_function_class_file_and_line(tmp_path: Path) -> None:
    folder = tmp_path / "m/lib/puppet/functions/m"
    folder.mkdir(parents=True)
    text = (
        "Puppet::Functions.create_function(:'m::boom') do\n  def boom\n    raise %s\n  end\nend\n"
    )
    (folder / "boom.rb").write_text(text % "ArgumentError, 'bad thing x'")
    path = [str(tmp_path)]
    error = failure("m::boom()", modulepath=path)
    assert error.message == "m::boom() raised ArgumentError: bad thing x (boom.rb:3)"
    (folder / "boom.rb").write_text(text % "Puppet::Error, 'for the user'")
    assert failure("m::boom()", modulepath=path).message == "for the user"
