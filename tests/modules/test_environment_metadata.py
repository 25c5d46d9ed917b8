"""The message about a module that Puppet leaves out because its metadata is incomplete."""

from __future__ import annotations

from bunraku.cli.main import main


def test_a_compile_says_that_another_module_of_the_name_is_taken(tmp_path, monkeypatch, capfd):
    for path, text in {
        "environment.conf": "modulepath = site:modules\n",
        "manifests/site.pp": "include foo\n",
        "site/foo/manifests/init.pp": "class foo { notify { 'site': } }\n",
        "site/foo/metadata.json": '{"name": "x-foo"}',
        "modules/foo/manifests/init.pp": "class foo { notify { 'modules': } }\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.chdir(tmp_path)
    assert main(["compile", "--format", "text"]) == 0
    printed = capfd.readouterr()
    assert "notify { 'modules': }" in printed.out
    assert (
        f"Warning: {tmp_path}/site/foo/metadata.json has no 'source', which module metadata requires: "
        "Puppet leaves this module out, and takes another one of its name"
    ) in printed.err
