"""The agent beside the real one, with the same server: a life of the same steps, the same messages.

Puppet 7.23 is Debian's. All its files are below the directory of the test.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import threading

import pytest

from support.agent_lives import BUNRAKU, DIRECTORIES, PUPPET, Life, Step
from support.real_agent import MODULES, Site


def clean(site, node):
    """Remove the certificate of a node on the authority."""
    site.ca("clean", "--certname", node)


DEAD = "localhost:1"
ONCE = "agent --onetime --verbose --no-daemonize --logdest console"
STEPS = (
    Step("fingerprint of nothing", "agent --fingerprint"),
    Step("verify nothing", "ssl verify"),
    Step("show nothing", "ssl show"),
    Step("clean nothing", "ssl clean"),
    Step("submit a request", "ssl submit_request --verbose"),
    Step("verify", "ssl verify"),
    Step("fingerprint", "agent --fingerprint"),
    Step("fingerprint by SHA1", "agent --fingerprint --digest SHA1"),
    Step("download the certificate", "ssl download_cert --verbose"),
    Step("submit a second request", "ssl submit_request"),
    Step("clean", "ssl clean"),
    Step("certificate of another key", "agent --test"),
    Step("clean all", "ssl clean --localca", before=clean),
    Step("first run", "agent --test"),
    Step("noop", "agent --test --noop"),
    Step("once", "agent --onetime --no-daemonize --logdest console"),
    Step(
        "once with detailed codes",
        "agent --onetime --no-daemonize --detailed-exitcodes --logdest console",
    ),
    Step("another environment", "agent --test", {"environment": "testing"}),
    Step("missing environment", "agent --test", {"environment": "nowhere"}),
    Step(
        "missing environment, strictly",
        "agent --test",
        {"environment": "nowhere", "strict_environment_mode": "true"},
    ),
    Step("skipped tags", "agent --test", {"skip_tags": "notify"}),
    Step("cached catalog", "agent --test --use_cached_catalog"),
    Step("disable", "agent --disable maintenance --logdest console"),
    Step("disabled", "agent --test"),
    Step("enable", "agent --enable --logdest console"),
    Step("second server of a list", "agent --test", {"server_list": f"{DEAD},SERVER"}),
    Step("no server of a list", "agent --test", {"server_list": DEAD}),
    Step(
        "cached after no server of a list",
        f"{ONCE} --usecacheonfailure",
        {"server_list": DEAD},
    ),
    Step("no server", "agent --test", {"serverport": 1}),
    Step("cached after no server", f"{ONCE} --usecacheonfailure", {"serverport": 1}),
    Step("failing prerun command", "agent --test", {"prerun_command": "/bin/false"}),
    Step("failing postrun command", "agent --test", {"postrun_command": "/bin/false"}),
    Step("request that is not signed", "agent --test --waitforcert 0", node="waiting"),
    Step("failing catalog", "agent --test", node="fails"),
    Step("failing resource", "agent --test", node="broken"),
)


@pytest.fixture(scope="module")
def lives(tmp_path_factory):
    """Return the outcome of each step, for both agents."""
    if shutil.which("puppet") is None:
        pytest.skip("Puppet is not installed")
    pytest.importorskip("uvicorn", reason="the server needs the extra 'server'")
    root = tmp_path_factory.mktemp("lives")
    for name in MODULES:
        (root / "modules" / name).mkdir(parents=True)
    found = {}

    def live(command, letter):
        life = Life(command, letter, site, root / letter)
        for step in STEPS:
            found[command, step.name] = life.take(step)

    # A directory that Puppet makes without an own mode has that of the umask, ours has 0755.
    before = os.umask(0o022)
    with Site(root / "site", modules=root / "modules") as site:
        agents = [
            threading.Thread(target=live, args=(PUPPET, "a")),
            threading.Thread(target=live, args=(BUNRAKU, "b")),
        ]
        for one in agents:
            one.start()
        for one in agents:
            one.join()
    os.umask(before)
    return found


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_step_has_the_exit_code_and_the_messages_of_puppet(lives, step):
    theirs, ours = lives[PUPPET, step.name], lives[BUNRAKU, step.name]
    assert ours.output == theirs.output
    assert ours.code == theirs.code


USAGE = (
    ("agent --test --configtimeout 5", "configtimeout"),
    ("agent words", "words"),
    ("agent --test --nonsense", "nonsense"),
    ("ssl", ""),
    ("ssl nonsense", "nonsense"),
)


@pytest.mark.parametrize(("words", "named"), USAGE)
def test_wrong_calls_fail_in_both(tmp_path, words, named):
    if shutil.which("puppet") is None:
        pytest.skip("Puppet is not installed")
    places = [f"--{name}dir={tmp_path / name}" for name in DIRECTORIES]
    theirs = subprocess.run(
        [*PUPPET, *words.split(), "--color=false", *places],
        capture_output=True,
        text=True,
        check=False,
    )
    ours = subprocess.run(
        [*BUNRAKU, *words.split(), "--no-project"], capture_output=True, text=True, check=False
    )
    # Ours is that of all wrong calls, unless 2 means changes.
    assert (theirs.returncode, ours.returncode) == (1, 1 if "--test" in words else 2)
    assert named in ours.stderr
