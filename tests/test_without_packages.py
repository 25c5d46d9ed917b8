"""The packages with compiled code that a new version of Python may lack: what goes on without them."""

from __future__ import annotations

import json
import shutil

import pytest

from support.other_systems import PACKAGES, command_without

HINT = 'install it with "pip install tree-sitter tree-sitter-ruby"'
RUBY = shutil.which("ruby")
FUNCTION = """
Puppet::Functions.create_function(:twice) do
  dispatch :go do
    param 'Integer', :x
  end
  def go(x)
    x * 2
  end
end
"""
TYPE = "Puppet::Type.newtype(:thing) do\n  newparam(:name)\n  newproperty(:size)\nend\n"


@pytest.fixture
def project(tmp_path):
    files = {
        "environment.conf": "modulepath = modules\n",
        "manifests/site.pp": "node default { include m }\n",
        "modules/m/manifests/init.pp": "class m { $x = 1.0e-5  file { '/f': content => epp('m/e.epp', { x => $x }) } }\n",
        "modules/m/manifests/ruby.pp": "class m::ruby { $x = 1  notice(template('m/t.erb'), twice(4)) }\n",
        "modules/m/manifests/typed.pp": "class m::typed { thing { 'a': size => 1 } }\n",
        "modules/m/templates/e.epp": "<%- | $x | -%>\nx is <%= $x %> é\n",
        "modules/m/templates/t.erb": "x is <%= @x %>\n",
        "modules/m/lib/puppet/functions/twice.rb": FUNCTION,
        "modules/m/lib/puppet/type/thing.rb": TYPE,
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def without(project, *arguments, missing=PACKAGES, text=None, **variables):
    variables = {"BUNRAKU_NO_CACHE": "1", "PATH": "/usr/bin:/bin", **variables}
    return command_without(missing, *arguments, directory=project, input=text, env=variables)


def test_code_of_puppet_needs_no_package(project):
    for arguments in (
        ["lint"],
        ["validate", "manifests"],
        ["compile", "--os", "debian-12"],
    ):
        done = without(project, *arguments)
        assert (done.returncode, done.stderr) == (0, ""), done


def test_catalogs_are_the_same_without_orjson(project):
    texts = []
    for number, missing in enumerate((("orjson",), ())):
        done = without(
            project, "compile", "--nodes", "--output-folder", str(number), missing=missing
        )
        assert done.returncode == 0, done
        texts.append([path.read_text() for path in sorted((project / str(number)).glob("*.json"))])
    assert texts[0] == texts[1]
    assert len(texts[0]) == 2


@pytest.mark.skipif(RUBY is None, reason="Ruby is not installed")
def test_templates_and_functions_run_with_ruby(project):
    done = without(project, "compile", "-e", "include m::ruby")
    assert "x is 1\n 8\n" in done.stderr
    assert done.returncode == 0


@pytest.mark.skipif(RUBY is None, reason="Ruby is not installed")
def test_ruby_says_whether_code_is_ruby(project):
    (project / "modules/m/lib/puppet/functions/broken.rb").write_text("def a(\n")
    done = without(project, "validate", ".")
    assert done.returncode == 1
    assert "NO_RUBY_READER" not in done.stdout
    assert "modules/m/lib/puppet/functions/broken.rb" in done.stdout


def test_without_ruby_the_file_and_the_package_are_named(project):
    done = without(project, "validate", ".", BUNRAKU_RUBY="/none")
    assert done.returncode == 1
    assert "modules/m/templates/t.erb: error: Ruby code cannot be read" in done.stdout
    assert HINT in done.stdout


def test_a_template_without_any_reader_names_the_package(project):
    done = without(project, "compile", "-e", "include m::ruby", BUNRAKU_RUBY="/none")
    assert done.returncode == 1
    assert "cannot be read without the package tree-sitter" in done.stderr


def test_a_resource_type_in_ruby_names_the_package(project):
    done = without(project, "compile", "-e", "include m::typed")
    assert done.returncode == 1
    assert "typed.pp:1:18: error: Ruby code cannot be read" in done.stderr
    assert HINT in done.stderr


@pytest.mark.parametrize(
    "arguments", [["modules", "list"], ["modules", "lock"], ["validate", "Puppetfile"]]
)
def test_a_puppetfile_names_the_package(project, arguments):
    (project / "Puppetfile").write_text("mod 'puppetlabs/stdlib', '9.0.0'\n")
    done = without(project, *arguments)
    assert done.returncode == 1
    assert HINT in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_catalogs_with_secrets_are_cached_if_they_can_be_sealed(project):
    code = "notify { 'a': message => Sensitive('hunter2') }"
    requests = [{"do": "catalog", "code": code, "key": "k"}, {"do": "cached", "key": "k"}]
    lines = "".join(f"{json.dumps(one)}\n" for one in requests)
    cache = {"BUNRAKU_NO_CACHE": "", "XDG_CACHE_HOME": str(project / "cache")}
    for missing, status in ((("cryptography",), "absent"), ((), "ok")):
        done = without(project, "batch", missing=missing, text=lines, **cache)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        assert [one["status"] for one in answers] == ["ok", status], done
