import textwrap

import pytest

from support.plugin_runs import PLUGIN, run_tests

FACTS = '{"os": {"family": "%s"}, "kernel": "Linux"}'


@pytest.fixture
def module(tmp_path):
    (tmp_path / "manifests").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "metadata.json").write_text(
        '{"name": "example-ntp", "version": "1.0.0", "author": "a", "license": "MIT", "source": "s", "dependencies": [], "operatingsystem_support": ['
        '{"operatingsystem": "Debian", "operatingsystemrelease": ["12"]},'
        '{"operatingsystem": "RedHat", "operatingsystemrelease": ["9"]},'
        '{"operatingsystem": "Plan9"}]}'
    )
    (tmp_path / "manifests" / "init.pp").write_text(
        "class ntp($mode = '0644') {\n"
        "  file { '/etc/ntp.conf': mode => $mode, content => $facts['os']['family'] }\n}\n"
    )
    facts = tmp_path / "facterdb" / "4.5"
    facts.mkdir(parents=True)
    for name, family in (("debian-12-x86_64", "Debian"), ("redhat-9-x86_64", "RedHat")):
        (facts / f"{name}.facts").write_text(FACTS % family)
    return tmp_path


def run(module, text, *arguments):
    (module / "tests" / "test_it.py").write_text(textwrap.dedent(text))
    database = str(module / "facterdb")
    done = run_tests(module, "-rA", "--bunraku-facterdb", database, *arguments, "tests")
    return done.stdout + done.stderr


def test_the_fixtures(module):
    output = run(
        module,
        """
        import re
        import pytest

        pytestmark = pytest.mark.puppet(facts={"os": {"family": "Plan9"}})

        def test_compile(compile):
            assert compile("ntp").contains("File[/etc/ntp.conf]", content="Plan9")

        @pytest.mark.puppet("ntp", params={"mode": "0600"})
        def test_catalog(catalog):
            assert catalog.contains("File[/etc/ntp.conf]", mode=re.compile("^06"))

        def test_hiera(compile, hiera):
            hiera({"ntp::mode": "0640"})
            assert compile("ntp").contains("Class[ntp]", mode="0640")

        def test_exported(compile, exported, puppetdb):
            exported("Notify[a]", message="x")
            puppetdb.facts("web1", {"color": "red"})
            catalog = compile(code="Notify <<| |>> puppetdb_query('facts {}').each |$x| { notify { $x['name']: } }")
            assert catalog.contains("Notify[a]", message="x")
            assert catalog.contains("Notify[color]")

        class TestOwnFixtures:
            @pytest.fixture
            def facts(self):
                return {"os": {"family": "Own"}}

            @pytest.fixture
            def hiera(self):
                return {"ntp::mode": "0400"}

            @pytest.mark.puppet(facts={})
            def test_they_count(self, compile):
                assert compile("ntp").contains("File[/etc/ntp.conf]", mode="0400", content="Plan9")
        """,
    )
    assert "5 passed" in output, output


def test_operating_systems(module):
    text = """
        import pytest

        @pytest.mark.on_supported_os
        def test_marked(compile):
            assert compile("ntp").contains("File[/etc/ntp.conf]")

        def test_fixture(on_supported_os, compile):
            catalog = compile("ntp")
            assert catalog["File[/etc/ntp.conf]"]["content"] == on_supported_os.facts()["os"]["family"]

        @pytest.mark.on_supported_os("redhat")
        def test_named(catalog):
            pass

        test_named = pytest.mark.puppet("ntp")(test_named)
        """
    output = run(module, text)
    assert "5 passed, 2 skipped" in output, output
    assert "there are no facts of plan9" in output
    assert "tests/test_it.py::test_marked[debian-12-x86_64]" in output
    assert "2 passed, 5 deselected" not in output
    assert "2 passed" in run(module, text, "--bunraku-os", "debian")
    mistyped = run(module, text, "--bunraku-os", "debain")
    assert "Unknown operating system 'debain' (did you mean 'debian'?)" in mistyped


def test_failures_explain_themselves_and_show_no_frames_of_bunraku(module):
    output = run(
        module,
        """
        import pytest

        pytestmark = pytest.mark.puppet(facts={"os": {"family": "Debian"}})

        def test_value(compile):
            assert compile("ntp").contains("File[/etc/ntp.conf]", mode="0600"), "because"

        def test_missing(compile):
            catalog = compile("ntp")
            assert catalog.contains("File[/etc/ntpd.conf]")

        def test_unwanted(compile):
            assert not compile("ntp").contains("File[/etc/ntp.conf]")

        def test_count(compile):
            assert compile("ntp").count("File") == 2

        def test_unread(compile):
            compile("ntp").contains("File[/etc/ntpd.conf]")

        def test_error(compile):
            compile("npt")

        def test_no_error(compile):
            with compile.raises("x"):
                compile("ntp")
        """,
        "--tb=long",
    )
    assert "7 failed" in output, output
    assert (
        "E       AssertionError: File[/etc/ntp.conf] is as expected\n"
        "E         declared at manifests/init.pp:2\n"
        "E         in Class[Ntp]\n"
        "E         the way there: the test -> ntp\n"
    ) in output
    assert "E       assert 1 (File[/etc/ntp.conf]) == 2\n\n" in output
    assert "E       AssertionError: because\nE       File[/etc/ntp.conf] has another mode" in output
    assert "mode: expected '0600'" in output
    assert "did you mean File[/etc/ntp.conf]?" in output
    assert "does not use the answer about File[/etc/ntpd.conf]; write 'assert' before it" in output
    assert "the code compiles; expected an error with a message that matches 'x'" in output
    assert "src/bunraku" not in output


def test_wrong_marks_and_systems_are_errors(module):
    output = run(
        module,
        """
        import pytest

        @pytest.mark.puppet("ntp", parms={})
        def test_option(catalog):
            pass
        """,
    )
    assert "unknown option 'parms' (did you mean 'params'?)" in output, output
    output = run(
        module,
        """
        import pytest

        @pytest.mark.on_supported_os("debain-12")
        def test_system(catalog):
            pass
        """,
    )
    assert "Unknown operating system 'debain-12' (did you mean 'debian-12'?)" in output, output
    assert "src/bunraku" not in output


def test_loading_the_plugin_imports_nothing_of_the_engine(module):
    output = run(
        module,
        """
        import sys

        def test_imports():
            ours = sorted(name for name in sys.modules if name.startswith("bunraku"))
            assert ours == [
                "bunraku",
                "bunraku.workbench",
                "bunraku.workbench.testing",
                "bunraku.workbench.testing.pytest_plugin",
            ]
        """,
    )
    assert "1 passed" in output, output


def test_help_has_a_group(module):
    output = run(module, "", "--help")
    assert "bunraku: tests of Puppet code:" in output, output
    assert "--bunraku-os=NAME" in output


def test_the_entry_points_name_the_plugins():
    import tomllib
    from pathlib import Path

    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {
        "bunraku": PLUGIN,
        "bunraku-debug": "bunraku.debug.pytest_plugin",
    }


def test_reading_the_resource_of_an_answer_uses_the_answer(module):
    text = """
        def test_it(compile):
            file = compile("ntp", facts={"os": {"family": "Debian"}}).contains("File[/etc/ntp.conf]")
            assert file.resource["mode"] == "0644"
        """
    assert "1 passed" in run(module, text)
