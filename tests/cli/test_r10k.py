"""``bunraku r10k`` reads words, prints and exits as r10k 5.0.2."""

import subprocess

import pytest

from bunraku.cli.main import main
from bunraku.cli.r10k.commands import R10K
from bunraku.cli.r10k.display import json_form, yaml_form
from bunraku.cli.r10k.words import WrongWords, parse
from bunraku.formats.yaml import Symbol


@pytest.fixture
def run(monkeypatch, capfd, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))

    def call(line):
        code = main(["r10k", *line.split()])
        captured = capfd.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.mark.parametrize(
    ("line", "name", "options", "arguments"),
    [
        ("deploy environment a -m b", "deploy environment", {"modules": True}, ("a", "b")),
        ("-v info d e", "deploy environment", {"verbose": "info"}, ()),
        ("deploy -v environment -p", "deploy", {"verbose": "environment", "puppetfile": None}, ()),
        ("deploy list --format=json", "deploy display", {"format": "json"}, ()),
        ("deploy module a -e x -e y", "deploy module", {"environment": "y"}, ("a",)),
        ("deploy environment --exclude-spec", "deploy environment", {"exclude-spec": True}, ()),
        ("deploy environment -mv", "deploy environment", {"modules": True, "verbose": True}, ()),
        ("deploy e -- -m --x", "deploy environment", {}, ("-m", "--x")),
        ("p i --moduledir=x", "puppetfile install", {"moduledir": "x"}, ()),
    ],
)
def test_words(line, name, options, arguments):
    if None in options.values():
        with pytest.raises(WrongWords, match="deploy: unrecognised option -- p"):
            parse(R10K, line.split())
        return
    call = parse(R10K, line.split())
    assert (call.name, call.options, call.arguments) == (name, options, arguments)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nosuch", "r10k: unknown command 'nosuch'"),
        ("deploy nosuch", "deploy: unknown command 'nosuch'"),
        ("deploy environment --nosuch", "environment: unrecognised option -- nosuch"),
        ("deploy environment -x", "environment: unrecognised option -- x"),
        ("deploy environment -c", "environment: option requires an argument -- c"),
        (
            "deploy environment --exclude-spec=x",
            'environment: invalid value "x" for --exclude-spec option',
        ),
        ("help nosuch", "r10k: unknown command 'nosuch'"),
    ],
)
def test_wrong_words(run, line, message):
    assert run(line) == (1, "", f"{message}\n")


@pytest.mark.parametrize("line", ["", "deploy", "puppetfile", "-h", "help deploy", "deploy e -h"])
def test_help(run, line):
    code, out, err = run(line)
    assert (code, err) == (0, "")
    assert out.startswith("NAME\n    ")
    assert "\nUSAGE\n    r10k" in out
    assert max(map(len, out.splitlines())) <= 78


def test_version(run):
    code, out, _ = run("version")
    assert code == 0
    assert out.startswith("r10k 5.0.2 (bunraku ")


def test_no_settings(run):
    code, _, err = run("deploy environment")
    assert code == 8
    assert err.startswith("FATAL\t -> No configuration file given, no config file found")


def test_wrong_settings(run, tmp_path):
    path = tmp_path / "r10k.yaml"
    path.write_text("pool_size: zero\ndeploy:\n  write_lock: true\n")
    code, out, err = run("deploy display")
    assert (code, out) == (8, "")
    assert err == (
        "ERROR\t -> Validation failed for 'global' settings group:\n"
        "    pool_size:\n"
        f"        The pool_size setting should be an integer, not a String ({path}:1:1)\n"
        "    deploy:\n"
        "        Validation failed for 'deploy' settings group:\n"
        "            write_lock:\n"
        "                The write_lock setting should be a string containing the reason for the"
        f" write lock, not a TrueClass ({path}:3:3)\n"
    )


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        ("deploy: 5\n", "deploy display", "deploy: expected a Hash of settings, got an Integer"),
        ("---\n", "deploy display", "doesn't contain any YAML"),
        ("{}\n", "deploy display -v loud", "Invalid log level 'loud'."),
        ("{}\n", "deploy display --cachedir x", "cannot handle --cachedir"),
        ("{}\n", "deploy e --private-key a --oauth-token b", "Cannot specify both an SSH key"),
        ("logging: {outputs: [{type: nosuch}]}\n", "deploy e", "Unable to find a nosuch outputter"),
    ],
)
def test_what_r10k_does_not_handle(run, tmp_path, text, words, message):
    (tmp_path / "r10k.yaml").write_text(text)
    code, out, err = run(words)
    assert (code, out) == (1, "")
    assert err.startswith("\nr10k: Runtime error: ")
    assert message in err


def test_outputs_of_the_log(run, tmp_path):
    (tmp_path / "r10k.yaml").write_text(
        "cachedir: cache\nsources: {}\nlogging: {disable_default_stderr: true, outputs:"
        " [{type: file, parameters: {filename: log.txt}}, {type: stdout, only_at: [warn]}]}\n"
    )
    assert run("deploy environment")[1:] == ("", "")
    assert (tmp_path / "log.txt").read_text().startswith(" ERROR r10k: Unable to load sources;")
    code, _, err = run("deploy environment -v debug")
    assert code == 1
    assert " - ERROR] Unable to load sources;" in err


SOURCES = [
    {
        "name": Symbol("main"),
        "basedir": "/tmp/env",
        "prefix": True,
        "remote": "/control.git",
        "environments": [
            {"name": "dev", "signature": None, "status": Symbol("absent")},
            {"name": "1.2", "signature": "abc", "status": Symbol("insync")},
        ],
    },
    {"name": Symbol("other"), "basedir": "/x", "environments": []},
    {"name": Symbol("third"), "basedir": "/y", "environments": ["production", "true"]},
]


def test_display_is_yaml_of_ruby():
    assert yaml_form(SOURCES) == (
        "---\n:sources:\n- :name: :main\n"
        '  :basedir: "/tmp/env"\n  :prefix: true\n  :remote: "/control.git"\n  :environments:\n'
        "  - :name: dev\n    :signature:\n    :status: :absent\n"
        "  - :name: '1.2'\n    :signature: abc\n    :status: :insync\n"
        '- :name: :other\n  :basedir: "/x"\n  :environments: []\n'
        "- :name: :third\n  :basedir: \"/y\"\n  :environments:\n  - production\n  - 'true'\n"
    )


def test_display_is_json():
    assert '"status": "absent"' in json_form(SOURCES)
    assert '"signature": null' in json_form(SOURCES)


def test_an_executable_is_installed(run, tmp_path):
    code, out, _ = run(f"--install {tmp_path}")
    assert (code, out) == (0, f"{tmp_path}/r10k\n")
    done = subprocess.run([f"{tmp_path}/r10k", "version"], capture_output=True, check=True)
    assert done.stdout.startswith(b"r10k 5.0.2")
