"""Our agent's life with a running puppetserver, whose URL ``BUNRAKU_PUPPETSERVER`` has.

The server signs names below ``auto.example.test`` itself, has the environments ``production`` and
``testing``, and no environment ``nowhere``. The catalogs change files of this machine as they say.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from urllib.parse import urlsplit
from uuid import uuid4

import pytest

URL = os.environ.get("BUNRAKU_PUPPETSERVER", "")
pytestmark = pytest.mark.skipif(not URL, reason="BUNRAKU_PUPPETSERVER names no puppetserver")
CODES = {0, 2}
"""Exit codes of runs without a failure."""


@pytest.fixture(scope="module")
def name():
    """A name that the server does not know: a second life needs another certificate."""
    return f"plain{uuid4().hex[:8]}.auto.example.test"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("node")


@pytest.fixture(scope="module")
def call(name, home):
    """Return a function that runs a command of the agent; it returns exit code and output."""
    parts = urlsplit(URL)

    def run(*words, certname=name):
        places = [f"--{one}dir={home / certname / one}" for one in ("conf", "var", "ssl")]
        places += ["--set", f"publicdir={home / certname / 'public'}", "--set", "keylength=2048"]
        done = subprocess.run(
            [
                *(sys.executable, "-m", "bunraku", *words, "--no-project"),
                *("--certname", certname, "--server", str(parts.hostname)),
                *("--serverport", str(parts.port or 8140), *places),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout

    return run


def test_a_life(call, name, home):
    code, text = call("ssl", "bootstrap")
    assert (code, f"Downloaded certificate for {name}" in text) == (0, True), text
    code, text = call("ssl", "verify")
    assert (code, f"Verified client certificate 'CN={name}'" in text) == (0, True), text
    code, text = call("agent", "--fingerprint")
    assert re.fullmatch(r"\(SHA256\) [0-9A-F:]{95}\n", text), text
    code, text = call("agent", "--test")
    assert code in CODES, text
    assert f"Info: Caching catalog for {name}" in text
    assert (home / name / f"var/client_data/catalog/{name}.json").exists()
    code, text = call("agent", "--test", "--noop")
    assert code == 0, text
    code, text = call("agent", "--test", "--environment", "testing")
    assert (code in CODES, "Using environment 'testing'" in text) == (True, True), text
    code, text = call("agent", "--test", "--environment", "nowhere")
    assert "Environment 'nowhere' not found on server, skipping initial pluginsync." in text
    assert code in CODES, text
    listed = f"server_list=localhost:1,{urlsplit(URL).netloc}"
    code, text = call("agent", "--test", "--set", listed)
    assert (code in CODES, "Trying with next server from server_list." in text) == (True, True)
    code, text = call("agent", "--test", "--use-cached-catalog")
    assert (code in CODES, "Info: Using cached catalog" in text) == (True, True), text
    assert "Could not send report" not in text


def test_a_request_that_is_not_signed_ends_the_run(call):
    certname = f"waiting{uuid4().hex[:8]}.example.test"
    code, text = call("agent", "--test", certname=certname)
    assert (code, f"Certificate for {certname} has not been signed yet" in text) == (1, True), text


def test_a_second_request_is_a_conflict(call):
    certname = f"again{uuid4().hex[:8]}.example.test"
    assert call("ssl", "submit_request", certname=certname)[0] == 0
    code, text = call("ssl", "submit_request", certname=certname)
    assert (code, "due to a conflict on the server" in text) == (1, True), text
