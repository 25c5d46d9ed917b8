"""Remotes over HTTPS and ssh: certificates, passwords, tokens, credential helpers, programs for ssh."""

from __future__ import annotations

import json
import os
import shutil
import ssl
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from bunraku.base.errors import PuppetError
from bunraku.deployment.git_cache import GitCache, RemoteAccess
from bunraku.deployment.github_app import GithubApp
from support.forge_server import serving_forge
from support.git_remotes import Remote
from support.git_server import BACKEND, self_signed, serving_git

pytestmark = pytest.mark.skipif(
    not (BACKEND.exists() and shutil.which("openssl")),
    reason="no HTTP backend of git, or no openssl",
)
LOGIN = "anna:s3cret-word"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    return self_signed(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def top(private_directory, monkeypatch):
    """A directory with a remote ``a.git``, in which git has no other configuration."""
    monkeypatch.setenv("HOME", str(private_directory))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for name in ("GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_SSH", "GIT_SSH_COMMAND"):
        monkeypatch.delenv(name, raising=False)
    Remote(private_directory, "a", {"manifests/init.pp": "class a { }\n"})
    return private_directory


def fetched(top, remote, **options):
    """Return the commit of a branch of a remote, and the files of its tree."""
    cache = GitCache(str(top / "cache"), seconds=60, **options)
    commit = cache.resolve(remote, "main")
    (top / "tree").mkdir()
    cache.check_out(remote, commit, str(top / "tree"))
    return sorted(path.name for path in (top / "tree").rglob("*.pp"))


def refusal(top, remote, **options):
    """Return the message about a remote that cannot be read."""
    with pytest.raises(PuppetError) as caught:
        fetched(top, remote, **options)
    assert caught.value.code in {"REMOTE_FAILED", "GITHUB_APP"}
    assert "s3cret" not in str(caught.value)
    return str(caught.value)


def configure(top, *lines):
    (top / ".gitconfig").write_text("".join(f"{line}\n" for line in lines))


# -- HTTPS -----------------------------------------------------------------------------------------


def test_a_server_with_an_unknown_certificate_is_refused(top, certificate):
    with serving_git(top / "remotes", certificate=certificate) as server:
        assert "certificate" in refusal(top, f"{server.url}/a.git")


@pytest.mark.parametrize("place", ["variable", "setting", "setting of the host"])
def test_the_authorities_of_git_are_trusted(top, certificate, monkeypatch, place):
    with serving_git(top / "remotes", certificate=certificate) as server:
        if place == "variable":
            monkeypatch.setenv("GIT_SSL_CAINFO", str(certificate))
        else:
            section = f'[http "{server.url}/"]' if "host" in place else "[http]"
            configure(top, section, f"sslCAInfo = {certificate}")
        assert fetched(top, f"{server.url}/a.git") == ["init.pp"]


@pytest.fixture
def guarded(top, certificate, monkeypatch):
    """A server that wants a password."""
    monkeypatch.setenv("GIT_SSL_CAINFO", str(certificate))
    with serving_git(top / "remotes", login=LOGIN, certificate=certificate) as server:
        yield server


def helper(top, user="anna", password="s3cret-word"):
    """Configure a credential helper, which notes what it was asked."""
    script = top / "helper"
    script.write_text(
        f'#!/bin/sh\n[ "$1" = get ] || exit 0\ncat >> {top}/asked\n'
        f"echo username={user}; echo password={password}\n"
    )
    script.chmod(0o755)
    configure(top, "[credential]", f"helper = {script}")


@pytest.mark.parametrize("user", ["", "anna@"])
def test_a_credential_helper_is_asked(top, guarded, user):
    helper(top)
    assert fetched(top, guarded.url.replace("://", f"://{user}") + "/a.git") == ["init.pp"]
    assert "host=127.0.0.1" in (top / "asked").read_text()


def test_the_user_of_a_url_is_that_of_the_helper(top, guarded):
    helper(top)
    fetched(top, guarded.url.replace("://", "://anna@") + "/a.git")
    assert "username=anna" in (top / "asked").read_text()


def test_a_password_in_the_url_is_sent(top, guarded):
    assert fetched(top, guarded.url.replace("://", f"://{LOGIN}@") + "/a.git") == ["init.pp"]


@pytest.mark.parametrize("login", ["", "anna@", "anna:s3cret-wrong@"])
def test_no_question_is_asked(top, guarded, login):
    message = refusal(top, guarded.url.replace("://", f"://{login}") + "/a.git")
    assert "uthentication" in message or "could not read" in message


def test_a_wrong_password_of_a_helper_is_an_error(top, guarded):
    helper(top, password="s3cret-other")
    refusal(top, f"{guarded.url}/a.git")


def test_a_token_is_sent(top, guarded):
    access = RemoteAccess(username="anna", token="s3cret-word")
    assert fetched(top, f"{guarded.url}/a.git", default=access) == ["init.pp"]


def test_a_site_is_deployed_over_https_with_the_token_of_its_file(site, certificate, monkeypatch):
    monkeypatch.setenv("GIT_SSL_CAINFO", str(certificate))
    (site.top / "token").write_text("s3cret-word\n")
    site.module()
    remotes = site.top / "remotes"
    with serving_git(remotes, login="x-oauth-token:s3cret-word", certificate=certificate) as server:
        site.puppetfile(f"mod 'alpha', :git => '{server.url}/alpha.git', :branch => 'main'")
        site.settings["git"] = {"oauth_token": str(site.top / "token")}
        site.control.bare.joinpath("x").write_text("")
        sources = {"main": {"remote": f"{server.url}/control.git", "basedir": str(site.env)}}
        config = site.configure()
        data = json.loads((site.top / "r10k.yaml").read_text())
        (site.top / "https.yaml").write_text(json.dumps({**data, "sources": sources}))
        assert site.deploy(config=str(site.top / "https.yaml")).is_whole, config
    assert "modules/alpha/manifests/init.pp" in site.files()
    for path in [*(site.top / "cache").rglob("*"), *site.env.rglob("*")]:
        assert not path.is_file() or b"s3cret-word" not in path.read_bytes()


# -- GitHub Apps -----------------------------------------------------------------------------------


@pytest.fixture
def github():
    """The API of GitHub, as far as tokens of apps need it."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.answer(self.server.installations)

        def do_POST(self):
            self.answer({"token": self.server.token, "expires_at": "2030-01-01T00:00:00Z"})

        def answer(self, data):
            self.server.seen.append((self.command, self.path, self.headers["Authorization"]))
            body = json.dumps(data).encode()
            self.send_response(self.server.status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    server.url = f"http://127.0.0.1:{server.server_port}"
    server.seen, server.status, server.token = [], 200, "s3cret-word"
    server.installations = [
        {"access_tokens_url": f"{server.url}/app/installations/7/access_tokens"}
    ]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_a_github_app_gets_one_token_for_all_remotes(top, certificate, monkeypatch, github):
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import padding

    from support.tokens import claims_of

    monkeypatch.setenv("GIT_SSL_CAINFO", str(certificate))
    Remote(top, "b", {"x.pp": ""})
    app = GithubApp("42", str(certificate), "120", api=github.url)
    login = "x-access-token:s3cret-word"
    with serving_git(top / "remotes", login=login, certificate=certificate) as server:
        cache = GitCache(str(top / "cache"), default=RemoteAccess(app=app.token))
        for name in "ab":
            assert cache.resolve(f"{server.url}/{name}.git", "main")
    (first, path, header), (second, _path, _header) = github.seen
    assert (first, path, second) == ("GET", "/app/installations", "POST")
    signed, signature, claims = claims_of(header.removeprefix("Bearer "))
    key = x509.load_pem_x509_certificate(certificate.read_bytes()).public_key()
    key.verify(signature, signed, padding.PKCS1v15(), hashes.SHA256())
    assert claims["iss"] == "42"
    assert claims["exp"] - claims["iat"] == 180


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"number": "x"}, "github_app_id is not a number"),
        ({"lifetime": "soon"}, "github_app_ttl is not a number"),
        ({"key": "/nosuch.pem"}, "cannot read /nosuch.pem: No such file or directory"),
        ({"key": __file__}, "is not a private key"),
        ({"status": 401}, "GitHub answered with status 401"),
        ({"installations": []}, "it is not installed anywhere"),
        ({"installations": [{"access_tokens_url": "http://127.0.0.1:1/x"}]}, "not installed"),
        ({"token": "a b"}, "the answer of GitHub has no token"),
        ({"api": "http://127.0.0.1:1"}, "cannot ask http://127.0.0.1:1"),
    ],
)
def test_why_a_github_app_cannot_be_used(top, certificate, github, change, reason):
    for name in ("status", "installations", "token"):
        setattr(github, name, change.get(name, getattr(github, name)))
    options = {"number": "42", "key": str(certificate), "lifetime": "120", "api": github.url}
    app = GithubApp(**{name: change.get(name, value) for name, value in options.items()})
    for _time in range(2):
        message = refusal(top, "https://127.0.0.1:1/a.git", default=RemoteAccess(app=app.token))
        assert message.startswith(
            f"Cannot use the GitHub App {options['number'] if 'number' not in change else 'x'}: "
        )
        assert reason in message
    assert len(github.seen) <= 2


def test_settings_of_a_github_app_ask_nothing_if_no_remote_needs_it(site):
    site.settings["git"] = {"github_app_id": "42", "github_app_key": "/nosuch.pem"}
    assert site.deploy().is_whole


# -- ssh -------------------------------------------------------------------------------------------


@pytest.fixture
def ssh(top):
    """A program in the place of ssh, which notes its arguments and runs the command here."""
    program = top / "ssh-here"
    program.write_text(
        f'#!/bin/sh\necho "$@" >> {top}/arguments\nfor last; do :; done\nexec sh -c "$last"\n'
    )
    program.chmod(0o755)
    return program


@pytest.mark.parametrize("form", ["ssh://git@web.example.com{}", "git@web.example.com:{}"])
@pytest.mark.parametrize("place", ["GIT_SSH_COMMAND", "GIT_SSH", "core.sshCommand"])
def test_the_programs_for_ssh_of_git_count(top, ssh, monkeypatch, form, place):
    if place == "core.sshCommand":
        configure(top, "[core]", f"sshCommand = {ssh}")
    else:
        monkeypatch.setenv(place, str(ssh))
    assert fetched(top, form.format(top / "remotes/a.git")) == ["init.pp"]
    assert "git@web.example.com" in (top / "arguments").read_text()


def test_ssh_asks_no_question_and_uses_the_key_of_the_settings(top, ssh, monkeypatch):
    (top / "bin").mkdir()
    ssh.rename(top / "bin/ssh")
    monkeypatch.setenv("PATH", f"{top}/bin:/usr/bin:/bin")
    remote = f"ssh://web.example.com{top}/remotes/a.git"
    access = RemoteAccess(private_key="/keys/it's", username="deploy")
    assert fetched(top, remote, default=access) == ["init.pp"]
    arguments = (top / "arguments").read_text()
    assert "-o BatchMode=yes -o IdentitiesOnly=yes -i /keys/it's" in arguments
    assert "deploy@web.example.com" in arguments


# -- the Forge -------------------------------------------------------------------------------------


def test_a_forge_gets_its_token_over_https(site, certificate, monkeypatch):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with serving_forge(context=context) as forge:
        forge.add("acme-base", "1.0.0", files={"manifests/init.pp": "class base { }\n"})
        site.puppetfile("mod 'acme/base', '1.0.0'")
        token = "Bearer s3cret-word"
        site.settings["forge"] = {"baseurl": forge.url, "authorization_token": token}
        monkeypatch.setenv("SSL_CERT_FILE", os.devnull)
        assert "certificate" in str(site.deploy().errors[0])
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert site.deploy().is_whole
    assert {one.get("authorization") for one in forge.headers} == {token}
    assert "modules/base/manifests/init.pp" in site.files()
