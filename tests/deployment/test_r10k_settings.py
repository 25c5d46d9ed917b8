"""r10k.yaml is read as r10k 5.0.2 reads it; what r10k refuses is refused with its place."""

import pytest

from bunraku.base.errors import PuppetError
from bunraku.deployment.r10k_file import (
    DEFAULT_PATH,
    OLD_PATH,
    find_settings_file,
    r10k_settings,
    settings_document,
)

WRONG_LOCK = (
    "deploy.write_lock: The write_lock setting should be a string containing the reason for the write"
    " lock, not a TrueClass"
)


def settings(text, **overrides):
    return r10k_settings(settings_document(text, "r10k.yaml"), overrides, {})


def findings(text):
    with pytest.raises(PuppetError) as caught:
        settings(text)
    return [(one.code, one.message, one.line, one.column) for one in caught.value]


def test_keys_may_have_colons():
    found = settings(":cachedir: /c\n:deploy:\n  :purge_levels:\n    - :deployment\n")
    assert found.cachedir == "/c"
    assert found.deploy.purge_levels == ("deployment",)


def test_defaults_are_those_of_r10k():
    found = r10k_settings(None, {}, {})
    assert found.deploy.purge_levels == ("deployment", "puppetfile")
    assert found.deploy.exclude_spec
    assert (found.pool_size, found.git.default_ref, found.git.github_app_ttl) == (4, "", "120")


def test_unknown_settings_are_ignored():
    assert settings("nosuch: 1\ndeploy: {other: 2}\n").pool_size == 4


def test_repositories_inherit_from_the_group():
    text = "git: {private_key: k, proxy: 'http://p', repositories: [{remote: a}, {remote: b, private_key: z}]}"
    found = settings(text).git
    keys = [found.for_remote(name).private_key for name in ("a", "b", "c")]
    assert keys == ["k", "z", "k"]
    assert found.for_remote("b").proxy == "http://p"


def test_the_proxy_of_the_environment_is_inherited():
    found = r10k_settings(None, {}, {"http_proxy": "http://one", "HTTPS_PROXY": "http://two"})
    assert (found.proxy, found.git.proxy, found.forge.proxy) == ("http://two",) * 3


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        (
            "a: 1\npool_size: zero",
            "pool_size: The pool_size setting should be an integer, not a String",
            2,
        ),
        ("pool_size: 0", "pool_size: The pool_size setting should be greater than zero.", 1),
        (
            "deploy:\n  write_lock: true",
            WRONG_LOCK,
            2,
        ),
        (
            ":git:\n  :provider: nosuch",
            "git.provider: Setting provider should be one of [:shellgit, :rugged], not 'nosuch'",
            2,
        ),
        (
            "postrun: ls",
            "postrun: The postrun setting should be an array of strings, not a String",
            1,
        ),
        (
            "deploy: {puppet_path: /nosuch}",
            "deploy.puppet_path: The specified puppet executable /nosuch is not executable",
            1,
        ),
    ],
)
def test_what_r10k_checks_is_refused(text, message, line):
    [(code, found, at, _)] = findings(text)
    assert (code, found, at) == ("R10K_SETTING_INVALID", message, line)


@pytest.mark.parametrize("text", ["deploy: 5", "git: {repositories: 5}", "cachedir: [a]"])
def test_what_makes_r10k_crash_is_refused(text):
    assert [one[0] for one in findings(text)] == ["R10K_SETTING_KIND"]


@pytest.mark.parametrize("text", ["---\n", "[1]\n", "a: [\n"])
def test_a_file_without_settings_is_refused(text):
    assert [one[0] for one in findings(text)] == ["R10K_FILE_UNREADABLE"]


def test_secrets_are_never_shown():
    text = (
        "forge: {authorization_token: Bearer sesame, proxy: 'http://u:sesame@x'}\n"
        "proxy: 'http://u:sesame@y'\nsources: {a: {remote: 'https://u:sesame@z', basedir: b}}\n"
    )
    assert "sesame" not in repr(settings(text))
    [(_, message, *_)] = findings("proxy: 'h ttp://user:sesame@x'")
    assert "sesame" not in message


def test_the_old_name_of_the_allow_list_warns():
    found = settings("deploy: {purge_whitelist: [a]}")
    assert found.deploy.purge_allowlist == ("a",)
    assert len(found.warnings) == 1


def test_the_command_line_wins():
    found = settings("cachedir: a\ndeploy: {exclude_spec: true}", deploy={"exclude_spec": False})
    assert (found.cachedir, found.deploy.exclude_spec) == ("a", False)


@pytest.mark.parametrize(
    ("present", "expected", "warnings"),
    [
        (["/w/r10k.yaml", DEFAULT_PATH], "/w/r10k.yaml", 0),
        ([DEFAULT_PATH, OLD_PATH], DEFAULT_PATH, 2),
        ([OLD_PATH], OLD_PATH, 2),
        ([], "", 0),
    ],
)
def test_where_the_file_is_searched(present, expected, warnings):
    path, said = find_settings_file("/w", lambda one: one in present)
    assert (path, len(said)) == (expected, warnings)
