"""Renames: the texts and paths after them, or the reason why there are none."""

from __future__ import annotations

import pytest

from bunraku.base.text_edits import edited
from bunraku.workbench.editor.rename import RenameRefused, renamed

SERVER = "class ntp::server (\n  Integer $port = 1,\n) {\n  $own = $port\n  [1].each |$port| { notice($port, $own) }\n}\n"
INIT = """class ntp {
  include ntp::server
  include ::ntp::server
  class { 'ntp::server': port => 2 }
  notice($ntp::server::port, $ntp::server::own, Class['ntp::server'])
  ntp::peer { 'a': host => 'b' }
  Ntp::Peer['a'] -> Class['ntp::server']
  notice(ntp::key('a'))
}
"""
FILES = {
    "manifests/init.pp": INIT,
    "manifests/server.pp": SERVER,
    "manifests/peer.pp": "define ntp::peer(Ntp::Host $host) {\n  notice($host, $title)\n}\n",
    "functions/key.pp": "function ntp::key(String $name) { $name }\n",
    "types/host.pp": "type Ntp::Host = String[1]\n",
    "templates/a.epp": "<%- | String $host | -%>\n<%= $host %> <%= $ntp::server::own %>\n",
}


def after(workspace, path, mark, name):
    """Return the files after a rename at the first place of a text in a file."""
    text = FILES[path]
    marked = text.replace(mark, f"^{mark}", 1)
    made = workspace({**FILES, path: marked})
    edits = renamed(*made.cursor, name)
    root = f"{made.root}/"
    texts = {}
    for file, some in edits.texts.items():
        changed = edited(made.snapshot.source(file).text, some)
        texts[edits.moves.get(file, file).removeprefix(root)] = changed
    return texts


@pytest.mark.parametrize(
    ("code", "after"),
    [
        (
            "# @param [Integer] port The port, not $port.\n# @param ports More.\nclass a(Integer $^port = 1, $ports = 2) { }\n",
            "# @param [Integer] number The port, not $port.\n# @param ports More.\nclass a(Integer $number = 1, $ports = 2) { }\n",
        ),
        (
            "# @param port\n\n# A type.\n#  @param port The port.\ndefine a(\n  $port,\n) { notice($po^rt) }\n",
            "# @param port\n\n# A type.\n#  @param number The port.\ndefine a(\n  $number,\n) { notice($number) }\n",
        ),
        (
            "# @param port The port.\nfunction a(Integer $po^rt) { $port }\n",
            "# @param number The port.\nfunction a(Integer $number) { $number }\n",
        ),
    ],
)
def test_the_documentation_of_a_parameter(workspace, code, after):
    made = workspace({"manifests/init.pp": code})
    edits = renamed(*made.cursor, "number")
    text = made.snapshot.source(made.path).text
    assert edited(text, edits.texts[made.path]) == after


@pytest.mark.parametrize("own", ["$user = pick($user, 1)", "if true { $user = [$user] }"])
@pytest.mark.parametrize(
    "place",
    ["class a::globals($us^er = undef) { }", "class a::globals($user = undef) { notice($us^er) }"],
)
def test_a_variable_that_is_set_from_the_inherited_one_is_refused(workspace, place, own):
    child = f"class a::params inherits a::globals {{ {own} }}\n"
    made = workspace({"manifests/params.pp": child, "manifests/globals.pp": place})
    with pytest.raises(RenameRefused, match="sets \\$user from the inherited"):
        renamed(*made.cursor, "owner")


@pytest.mark.parametrize(
    "code",
    [
        "class b { $x = { port => 1 } class { 'a::s': * => $x } }",
        'class b { class { "${title}::s": port => 1 } }',
        "class b { $x = { port => 1 } a::d { 'x': * => $x } }",
    ],
)
def test_a_parameter_that_a_declaration_computes_is_refused(workspace, code):
    kind = "define a::d" if "a::d" in code else "class a::s"
    file = f"manifests/{kind[-1]}.pp"
    made = workspace({file: f"{kind}($po^rt = 1) {{ }}\n", "manifests/b.pp": f"{code}\n"})
    with pytest.raises(RenameRefused, match="that computes it"):
        renamed(*made.cursor, "number")


def test_a_parameter_of_created_resources_is_refused(workspace):
    made = workspace(
        {
            "manifests/d.pp": "define a::d($po^rt = 1) { }\n",
            "manifests/b.pp": "define a::b($given) { create_resources('a::d', { $title => $given }) }\n",
        }
    )
    with pytest.raises(RenameRefused, match="that computes it"):
        renamed(*made.cursor, "number")


def test_a_variable_of_a_template_that_no_code_names_is_refused(workspace):
    made = workspace(
        {
            "manifests/init.pp": "class ntp($po^rt = 1, $used = 'ntp/x.erb') { file { '/x': content => template($used) } }\n",
            "templates/x.erb": "<%= @port %>\n",
        }
    )
    with pytest.raises(RenameRefused, match="no code names the template"):
        renamed(*made.cursor, "number")


def test_a_variable_that_hides_the_inherited_one_is_renamed(workspace):
    child = "class a::b($user = $a::params::user) inherits a::params { notice($us^er) }\n"
    params = "class a::params { $user = 1 }\n"
    made = workspace({"manifests/params.pp": params, "manifests/b.pp": child})
    assert len(renamed(*made.cursor, "owner").texts) == 1


def test_a_class(workspace):
    found = after(workspace, "manifests/server.pp", "ntp::server", "ntp::daemon")
    assert found == {
        "manifests/daemon.pp": SERVER.replace("ntp::server", "ntp::daemon"),
        "manifests/init.pp": INIT.replace("ntp::server", "ntp::daemon"),
        "templates/a.epp": FILES["templates/a.epp"].replace("ntp::server", "ntp::daemon"),
    }


def test_a_parameter(workspace):
    found = after(workspace, "manifests/server.pp", "port =", "number")
    assert found == {
        "manifests/server.pp": SERVER.replace("$port =", "$number =").replace(
            "$own = $port", "$own = $number"
        ),
        "manifests/init.pp": INIT.replace("port => 2", "number => 2").replace(
            "server::port", "server::number"
        ),
    }


def test_a_variable_of_a_lambda(workspace):
    found = after(workspace, "manifests/server.pp", "port| {", "one")
    assert found == {
        "manifests/server.pp": SERVER.replace("|$port| { notice($port", "|$one| { notice($one")
    }


def test_a_variable_that_other_files_read(workspace):
    found = after(workspace, "manifests/server.pp", "own", "mine")
    assert set(found) == {"manifests/server.pp", "manifests/init.pp", "templates/a.epp"}


def test_a_defined_type(workspace):
    found = after(workspace, "manifests/peer.pp", "ntp::peer", "ntp::partner")
    assert found == {
        "manifests/partner.pp": FILES["manifests/peer.pp"].replace("ntp::peer", "ntp::partner"),
        "manifests/init.pp": INIT.replace("ntp::peer", "ntp::partner").replace(
            "Ntp::Peer", "Ntp::Partner"
        ),
    }


def test_a_function(workspace):
    found = after(workspace, "functions/key.pp", "ntp::key", "ntp::secret")
    assert set(found) == {"functions/secret.pp", "manifests/init.pp"}


def test_a_type_alias(workspace):
    found = after(workspace, "types/host.pp", "Ntp::Host", "Ntp::Address")
    assert set(found) == {"types/address.pp", "manifests/peer.pp"}


@pytest.mark.parametrize(
    ("path", "mark", "name", "reason"),
    [
        ("manifests/server.pp", "ntp::server", "ntp::Server", "is not the name of a class"),
        ("manifests/server.pp", "ntp::server", "other::server", "stays in its module"),
        ("manifests/server.pp", "ntp::server", "ntp::peer", "defines ntp::peer already"),
        ("manifests/server.pp", "port =", "own", "has $own already"),
        ("manifests/server.pp", "port| {", "own", "would mean something else"),
        ("manifests/server.pp", "Integer", "Number", "No manifest of the workspace defines"),
        ("manifests/peer.pp", "title", "x", "Puppet sets $title"),
        ("manifests/peer.pp", "ntp::peer", "ntp::host", "would mean something else"),
        (
            "manifests/init.pp",
            "notice",
            "note",
            "No manifest of the workspace defines the function notice",
        ),
    ],
)
def test_refused(workspace, path, mark, name, reason):
    with pytest.raises(RenameRefused, match=reason.replace("$", r"\$")):
        after(workspace, path, mark, name)


def test_a_file_with_errors_refuses(workspace):
    made = workspace(
        {
            **FILES,
            "manifests/server.pp": "class ntp::^server { }",
            "manifests/bad.pp": "include ntp::server {",
        }
    )
    with pytest.raises(RenameRefused, match="has syntax errors"):
        renamed(*made.cursor, "ntp::daemon")


def test_a_name_that_a_template_computes_refuses(workspace):
    files = {
        "manifests/init.pp": "class ntp(Integer $^minsize) {\n  $text = template('ntp/a.erb')\n}\n",
        "templates/a.erb": "minsize <% ['minsize'].each do |name| %><%= scope[name] %><% end %>\n",
    }
    with pytest.raises(RenameRefused, match="may be the name of the variable"):
        renamed(*workspace(files).cursor, "size")


def test_templates_and_data_are_renamed(workspace):
    files = {
        "manifests/init.pp": "class ntp(Integer $^port) {\n  $text = template('ntp/a.erb')\n}\n",
        "templates/a.erb": "port <%= @port %> <%= scope['ntp::port'] %>\n",
        "data/common.yaml": "ntp::port: 1\n",
    }
    made = workspace(files)
    edits = renamed(*made.cursor, "number")
    texts = {
        file.rpartition("/")[2]: edited(made.snapshot.source(file).text, some)
        for file, some in edits.texts.items()
    }
    assert texts == {
        "init.pp": "class ntp(Integer $number) {\n  $text = template('ntp/a.erb')\n}\n",
        "a.erb": "port <%= @number %> <%= scope['ntp::number'] %>\n",
        "common.yaml": "ntp::number: 1\n",
    }


CALL = "class ntp { $host = 1 $x = epp('ntp/a.epp', { host => $host, 'other' => 2 }) }\n"


def test_a_parameter_of_a_template(workspace):
    template = FILES["templates/a.epp"].replace("$host", "$^host", 1)
    made = workspace({"templates/a.epp": template, "manifests/init.pp": CALL})
    edits = renamed(*made.cursor, "peer")
    texts = {
        path.removeprefix(f"{made.root}/"): edited(made.snapshot.source(path).text, some)
        for path, some in edits.texts.items()
    }
    assert texts == {
        "templates/a.epp": FILES["templates/a.epp"].replace("$host", "$peer"),
        "manifests/init.pp": CALL.replace("host =>", "peer =>"),
    }


def test_a_parameter_of_a_template_that_code_computes(workspace):
    template = FILES["templates/a.epp"].replace("$host", "$^host", 1)
    code = "class ntp($all) { $x = epp('ntp/a.epp', $all) }\n"
    made = workspace({"templates/a.epp": template, "manifests/init.pp": code})
    with pytest.raises(RenameRefused, match="computes the parameters of ntp"):
        renamed(*made.cursor, "peer")
