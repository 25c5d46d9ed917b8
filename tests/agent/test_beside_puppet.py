"""The agent beside the real one, with equal servers: a life of the same steps, the same messages.

``tests/data/agent_steps.json`` has what Puppet 7.23 of Debian printed. A run of each step takes it seconds;
``pytest --reference`` asks it again. All its files are below the directory of the test.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import contextmanager

import pytest

from support.agent_lives import BUNRAKU, DIRECTORIES, PUPPET, Life, Step
from support.real_agent import MODULES, Site
from support.recorded import recorded, write_recorded


def clean(site, node):
    """Remove the certificate of a node on the authority."""
    site.ca("clean", "--certname", node)


RECORDS = "agent_steps"
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


@contextmanager
def life(command, letter, root):
    """Lend the life of a node with a server of its own, in which no step is taken yet."""
    pytest.importorskip("uvicorn", reason="the server needs the extra 'server'")
    for name in MODULES:
        (root / "modules" / name).mkdir(parents=True)
    # A directory that Puppet makes without an own mode has that of the umask, ours has 0755.
    before = os.umask(0o022)
    try:
        with Site(root / "site", modules=root / "modules") as site:
            yield Life(command, letter, site, root / letter)
    finally:
        os.umask(before)


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    """Return the outcome of each step with our agent."""
    with life(BUNRAKU, "b", tmp_path_factory.mktemp("life")) as lived:
        return {step.name: lived.take(step) for step in STEPS}


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_step_has_the_exit_code_and_the_messages_of_puppet(ours, step):
    code, output = recorded(RECORDS)[step.name]
    assert ours[step.name].output == output
    assert ours[step.name].code == code


@pytest.mark.reference
def test_puppet_takes_the_steps_as_recorded(tmp_path, pytestconfig):
    """Also records them, with ``--update``."""
    if shutil.which("puppet") is None:
        pytest.skip("Puppet is not installed")
    with life(PUPPET, "a", tmp_path) as lived:
        runs = {step.name: lived.take(step) for step in STEPS}
    found = {name: [run.code, run.output] for name, run in runs.items()}
    if pytestconfig.getoption("--update"):
        write_recorded(RECORDS, found)
    assert found == recorded(RECORDS)


USAGE = (
    ("agent --test --configtimeout 5", "configtimeout"),
    ("agent words", "words"),
    ("agent --test --nonsense", "nonsense"),
    ("ssl", ""),
    ("ssl nonsense", "nonsense"),
)


@pytest.mark.parametrize(("words", "named"), USAGE)
def test_wrong_calls_fail(words, named):
    done = subprocess.run(
        [*BUNRAKU, *words.split(), "--no-project"], capture_output=True, text=True, check=False
    )
    # Ours is that of all wrong calls, unless 2 means changes.
    assert done.returncode == (1 if "--test" in words else 2)
    assert named in done.stderr


@pytest.mark.reference
@pytest.mark.parametrize(("words", "_named"), USAGE)
def test_wrong_calls_fail_in_puppet(tmp_path, words, _named):
    if shutil.which("puppet") is None:
        pytest.skip("Puppet is not installed")
    places = [f"--{name}dir={tmp_path / name}" for name in DIRECTORIES]
    done = subprocess.run(
        [*PUPPET, *words.split(), "--color=false", *places], capture_output=True, check=False
    )
    assert done.returncode == 1
