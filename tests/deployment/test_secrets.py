"""Credentials stay where they are needed, and repositories start and read nothing of this machine."""

import base64
import http.server
import json
import os
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from bunraku.base.errors import PuppetError
from bunraku.deployment.git_cache import GitCache, RemoteAccess
from bunraku.deployment.subversion import newest
from bunraku.jobs.deploy import DeployOptions, deploy
from bunraku.project.declared_modules import SubversionModule
from support.git_remotes import Remote

CANARY = "s3same-canary"
FORMS = [
    form
    for text in (CANARY, CANARY.replace("3", "%33"))
    for form in (text.encode(), base64.b64encode(f"me:{text}".encode()).rstrip(b"="))
]


@contextmanager
def git_server(root):
    """Serve bare repositories as files, slowly, to those who send a password; yield the port and the headers."""
    seen = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=str(root))

        def do_GET(self):
            seen.append(self.headers.get("Authorization", ""))
            if not seen[-1]:
                self.send_response(401)
                self.send_header("WWW-Authenticate", "Basic")
                self.end_headers()
                return
            time.sleep(0.05)
            super().do_GET()

        def log_message(self, *_arguments):
            pass

    served = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=served.serve_forever, daemon=True).start()
    try:
        yield served.server_port, seen
    finally:
        served.shutdown()
        served.server_close()


def leaks(data):
    return any(form in data for form in FORMS)


def leaking_files(top, *without):
    found = []
    for directory, _names, files in os.walk(top):
        for name in files:
            path = os.path.join(directory, name)
            with open(path, "rb") as file:
                if path not in without and (leaks(file.read()) or leaks(path.encode())):
                    found.append(path)
    return found


def leaking_commands(process):
    """Watch the command lines of all processes until one ends; return those with a secret."""
    found = []
    while process.poll() is None:
        for pid in os.listdir("/proc"):
            if pid.isdigit():
                try:
                    with open(f"/proc/{pid}/cmdline", "rb") as file:
                        line = file.read()
                except OSError:
                    continue
                if leaks(line):
                    found.append(line)
        time.sleep(0.005)
    return found


def test_a_password_and_a_token_stay_where_they_are_needed(site):
    module = site.module()
    for remote in (site.control, module):
        subprocess.run(["git", "-C", remote.url, "update-server-info"], check=True)
    token = site.top / "token"
    token.write_text(f"{CANARY}\n")
    hook = site.top / "hook.sh"
    hook.write_text(f'#!/bin/sh\nenv > "{site.top}/hook.env"\n')
    hook.chmod(0o755)
    with git_server(site.top / "remotes") as (port, seen):
        address = f"http://127.0.0.1:{port}"
        lines = [
            f"mod 'alpha', :git => '{address}/alpha.git', :branch => 'main'",
            f"mod 'absent', :git => 'http://me:{CANARY}@127.0.0.1:{port}/absent.git', :branch => 'x'",
            f"mod 'svn', :svn => 'https://me:{CANARY}@127.0.0.1:1/svn'",
            f"mod 'svn2', :svn => 'https://127.0.0.1:1/svn', :username => 'me', :password => '{CANARY}'",
            f"mod 'tar', :type => 'tarball', :source => 'http://me:{CANARY}@127.0.0.1:{port}/x.tar.gz?t={CANARY}'",
        ]
        puppetfile = site.top / "config.yaml"
        for wanted, code in ((lines, 1), (lines[:1], 0)):
            site.puppetfile(*wanted)
            subprocess.run(["git", "-C", site.control.url, "update-server-info"], check=True)
            remote = f"http://me:{CANARY.replace('3', '%33')}@127.0.0.1:{port}/control.git"
            data = {
                "cachedir": str(site.top / "cache"),
                "sources": {"main": {"remote": remote, "basedir": str(site.env)}},
                "postrun": [str(hook)],
                "git": {"oauth_token": str(token), "provider": "shellgit"},
                "forge": {"authorization_token": f"Bearer {CANARY}"},
            }
            puppetfile.write_text(json.dumps(data))
            for output in ("text", "json"):
                command = [sys.executable, "-m", "bunraku", "deploy", "environment", "-v"]
                command += ["--config", str(puppetfile), "--format", output]
                with (site.top / "out").open("wb") as out:
                    process = subprocess.Popen(command, stdout=out, stderr=out)
                    assert leaking_commands(process) == []
                text = (site.top / "out").read_text()
                assert process.returncode == code, text
                assert not leaks(text.encode()), text
        assert any(seen)
        for action in ("status", "display"):
            for output in ("text", "json"):
                command = [sys.executable, "-m", "bunraku", "deploy", action, "--format", output]
                done = subprocess.run(
                    [*command, "--config", str(puppetfile)], capture_output=True, check=False
                )
                assert done.returncode == 0, done.stderr
                assert not leaks(done.stdout + done.stderr)
    assert (site.env / "production/modules/alpha/manifests/init.pp").exists()
    assert (site.top / "hook.env").exists()
    for place in ("cache", "env", ".env.bunraku"):
        # The Puppetfile itself is content of the repository; git stores it compressed.
        assert leaking_files(site.top / place, *stored_puppetfiles(site)) == []
    assert leaking_files(site.top, str(puppetfile), str(token), *of_the_repository(site)) == []


def stored_puppetfiles(site):
    """Return the files with the content of a Puppetfile, which is not the deployment's to hide."""
    return [
        os.path.join(directory, name)
        for directory, _names, files in os.walk(site.top)
        for name in files
        if Path(directory, name).read_bytes()[:6] == b"mod 'a"
    ]


def of_the_repository(site):
    return [
        *stored_puppetfiles(site),
        *(str(path) for top in ("work", "remotes") for path in (site.top / top).rglob("*")),
    ]


def test_svn_gets_a_password_by_its_standard_input(tmp_path, monkeypatch):
    program = tmp_path / "bin/svn"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\necho "$@" > {tmp_path}/arguments\ncat > {tmp_path}/input\necho 7\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    source = SubversionModule(f"https://me:{CANARY}@svn.example.com/a", "", "", "")
    assert newest(source) == "7"
    assert (tmp_path / "input").read_text() == CANARY
    arguments = (tmp_path / "arguments").read_text()
    assert CANARY not in arguments
    assert "--username me --password-from-stdin -- https://svn.example.com/a@" in arguments


@pytest.mark.parametrize("url", ["svn+ssh://-oProxyCommand=x/a", "-x", "/srv/a"])
def test_svn_gets_no_url_that_is_an_option(url):
    with pytest.raises(PuppetError) as caught:
        newest(SubversionModule(url, "", "", ""))
    assert caught.value.code == "SVN_FAILED"


def test_the_default_token_is_not_sent_to_the_host_of_a_submodule(tmp_path):
    cache = GitCache(str(tmp_path), default=RemoteAccess(token=CANARY))
    address = "https://elsewhere.example.com/x.git"
    assert base64.b64encode(f"x-oauth-token:{CANARY}".encode()).decode() in str(
        cache.address(address)
    )
    cache.refuse_default(address)
    assert "Basic" not in str(cache.address(address))


def test_a_proxy_with_a_password_is_not_shown():
    assert CANARY not in repr(RemoteAccess(proxy=f"http://me:{CANARY}@proxy.example.com"))


def test_a_repository_from_elsewhere_reads_no_local_one(site):
    secret = Remote(site.top, "secret", {"key": "x"})
    site.control.git("submodule", "--quiet", "add", secret.url, "inner")
    site.control.commit({})
    subprocess.run(["git", "-C", site.control.url, "update-server-info"], check=True)
    with git_server(site.top / "remotes") as (port, _seen):
        remote = f"http://me:{CANARY}@127.0.0.1:{port}/control.git"
        data = {
            "cachedir": str(site.top / "cache"),
            "sources": {"main": {"remote": remote, "basedir": str(site.env)}},
        }
        (site.top / "r10k.yaml").write_text(json.dumps(data))
        result = deploy(DeployOptions(config=str(site.top / "r10k.yaml")))
    assert [one.code for error in result.errors for one in error] == ["LOCAL_SUBMODULE"]
    assert not (site.env / "production").exists()


def test_pointers_of_large_files_are_left_and_reported(site):
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"
    site.control.commit(
        {".gitattributes": "*.bin filter=lfs\n", "a.bin": pointer, "b.bin": "small"}
    )
    assert site.deploy().is_whole
    assert site.files()["a.bin"] == pointer
    commit = site.control.git("rev-parse", "HEAD")
    assert site.warnings() == [
        f"a.bin in commit {commit} of {site.control.url} is a pointer of git LFS, not its content"
    ]


def test_filters_run_only_if_the_configuration_of_git_defines_them(site):
    marker = site.top / "filter-ran"
    site.control.commit({
        ".gitattributes": "*.txt filter=evil\n",
        "a.txt": "x",
        ".gitconfig": f'[filter "evil"]\n  smudge = touch {marker}; cat\n',
        "hooks/post-checkout": f"#!/bin/sh\ntouch {marker}\n",
        ".githooks/post-checkout": f"#!/bin/sh\ntouch {marker}\n",
    })  # fmt: skip
    config = f'[filter "evil"]\n  smudge = touch {marker}; cat\n'
    with open(f"{site.control.url}/config", "a", encoding="utf-8") as file:
        file.write(config)
    assert site.deploy().is_whole
    assert site.files()["a.txt"] == "x"
    assert not marker.exists()
