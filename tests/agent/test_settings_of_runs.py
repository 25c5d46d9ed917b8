"""The settings of an agent's runs: locks, commands, time limits, refreshes, renewal, files."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from bunraku.agent.agent import Agent
from bunraku.agent.run.state import Choices
from bunraku.agent.settings import AgentSettings
from bunraku.agent.splay import splay_seconds
from bunraku.formats.yaml import load_plain
from bunraku.world.linux import LinuxHost
from support.agent_calls import CA, EACH, FIRST, NODE, V3, answer
from support.puppet_server import catalog, resource

RENEWAL = f"POST {CA}/certificate_renewal"


def last_report(server):
    return json.loads([one for one in server.asked if "/report/" in one.path][-1].body)


def form_of(server):
    return dict([one for one in server.asked if one.method == "POST"][-1].form)


# -- waits and locks -------------------------------------------------------------------------------


def test_splay_waits_before_the_run(server, agent, capsys):
    assert agent("--splay", "--splaylimit", "0") == 2
    assert "Info: Sleeping for 0 seconds (splay is enabled)" in capsys.readouterr().out
    assert all(0 <= splay_seconds(5.0) <= 5 for _ in range(100))
    assert len({splay_seconds(5.0) for _ in range(100)}) > 1


def test_a_test_run_has_no_splay(agent, capsys):
    agent("--set", "splay=true", "--splaylimit", "365d")  # or this test would not end
    assert "Sleeping" not in capsys.readouterr().out


def test_a_run_in_progress_is_not_disturbed(server, agent, tmp_path, capsys):
    lock = tmp_path / "var/state/agent_catalog_run.lock"
    lock.parent.mkdir(parents=True)
    with LinuxHost().lock(str(lock)) as mine:
        assert mine
        assert agent() == 1
    text = f"Run of Puppet configuration client already in progress; skipping  ({lock} exists)"
    assert f"Notice: {text}" in capsys.readouterr().out
    assert server.lines() == FIRST  # the certificate has a lock of its own
    assert agent() == 2


class Waiting(LinuxHost):
    """A host whose waits end at once; ``after`` is called in each."""

    def __init__(self, after):
        super().__init__()
        self.slept, self.time, self.after = [], 0.0, after

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.time += seconds
        self.after()

    def monotonic(self):
        return self.time


def waiting_agent(tmp_path, after, **given):
    """Return an agent for the state of earlier calls, its log and its host."""
    lines = []
    own = {
        "confdir": tmp_path / "etc",
        "vardir": tmp_path / "var",
        "publicdir": tmp_path / "public",
    }
    settings = AgentSettings({**{name: str(path) for name, path in own.items()}, **given}, NODE)
    host = Waiting(after)
    choices = Choices("info")
    found = Agent(settings, host, "8.0.0", [lambda one: lines.append(one.text)], choices, print)
    return found, lines, host


def settings_for(server, **more):
    return {"server": "localhost", "serverport": server.port, **more}


def test_a_run_waits_for_another(server, agent, tmp_path):
    agent()
    server.lines()
    lock = LinuxHost().lock(str(tmp_path / "var/state/agent_catalog_run.lock"))
    given = settings_for(server, waitforlock=7, maxwaitforlock=60)
    waits, lines, host = waiting_agent(tmp_path, lambda: lock.__exit__(None, None, None), **given)
    assert lock.__enter__()
    assert waits.run(wait_for_certificate=0, once=True, splay=False) == 2
    assert host.slept == [7]
    text = "Another puppet instance is already running; --waitforlock flag used, waiting for"
    assert lines[:2] == [f"{text} running instance to finish.", "Will try again in 7 seconds."]
    assert server.lines()[-1] == EACH[-1]


def test_the_wait_for_another_run_has_a_limit(server, agent, tmp_path):
    agent()
    server.lines()
    given = settings_for(server, waitforlock=7, maxwaitforlock=20)
    waits, lines, host = waiting_agent(tmp_path, lambda: None, **given)
    with LinuxHost().lock(str(tmp_path / "var/state/agent_catalog_run.lock")):
        assert waits.run(wait_for_certificate=0, once=True, splay=False) is None
    assert host.slept == [7, 7, 7]
    assert lines[-1] == "Exiting now because the maxwaitforlock timeout has been exceeded."
    assert server.lines() == []


def test_requests_of_certificates_wait_for_each_other(server, agent, tmp_path, capsys):
    (tmp_path / "etc/ssl").mkdir(parents=True)
    with LinuxHost().lock(str(tmp_path / "etc/ssl/ssl.lock")):
        assert agent() == 1
        printed = capsys.readouterr().err
        text = "Another puppet instance is already running and the waitforlock setting is set to 0"
        assert f"{text}; exiting" in printed
        waits, _lines, _host = waiting_agent(
            tmp_path, lambda: None, **settings_for(server, waitforlock=1, maxwaitforlock=0)
        )
        with pytest.raises(Exception, match="maxwaitforlock timeout has been exceeded; exiting"):
            waits.run(wait_for_certificate=0, once=True, splay=False)
    assert server.lines() == []


def test_a_late_run_ends_after_the_current_resource(server, agent, tmp_path, capsys):
    late = resource("Exec", "/bin/sleep 1.5")
    other = resource("File", str(tmp_path / "other"), ensure="file", require="Exec[/bin/sleep 1.5]")
    server.answers[f"POST {V3}/catalog/{NODE}"] = catalog(NODE, late, other)
    agent("--set", "runtimeout=1")
    text = "did not complete within 1 seconds and was terminated."
    assert f"Error: Execution of Puppet configuration client {text}" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()
    statuses = last_report(server)["resource_statuses"]
    assert statuses[f"File[{tmp_path}/other]"]["skipped"] is True


# -- commands before and after ---------------------------------------------------------------------


def test_commands_run_before_and_after_the_changes(server, agent, tmp_path):
    marks = tmp_path / "marks"
    server.answers[f"POST {V3}/catalog/{NODE}"] = catalog(
        NODE, resource("Exec", f"/bin/sh -c 'echo run >> {marks}'")
    )
    before, after = (f"{name}_command=echo {name} >> {marks}" for name in ("prerun", "postrun"))
    assert agent("--set", before, "--set", after) == 2
    assert marks.read_text().split() == ["prerun", "run", "postrun"]


def test_a_failing_command_before_the_run_ends_it(server, agent, tmp_path, capsys):
    after = f"postrun_command=touch {tmp_path}/after"
    assert agent("--set", "prerun_command=/bin/false", "--set", after) == 1
    printed = capsys.readouterr()
    text = (
        "Error: Could not run command from prerun_command: Execution of '/bin/false' returned 1: "
    )
    assert text in printed.err
    assert "Notice: hello" not in printed.out
    assert (tmp_path / "after").exists()
    assert last_report(server)["status"] == "failed"


def test_a_failing_command_after_the_run_fails_it(server, agent, capsys):
    assert agent("--set", "postrun_command=echo no; exit 3") == 1
    printed = capsys.readouterr()
    text = (
        "Could not run command from postrun_command: Execution of 'echo no; exit 3' returned 3: no"
    )
    assert text in printed.err
    assert "Notice: hello" in printed.out


# -- the authority ---------------------------------------------------------------------------------


def aged(tmp_path, name):
    """Let a file of the authority seem old."""
    os.utime(tmp_path / "etc/ssl" / name, (1_000_000_000, 1_000_000_000))


CRL = f"GET {CA}/certificate_revocation_list/ca"
AUTHORITY = f"GET {CA}/certificate/ca"


@pytest.mark.parametrize(
    ("line", "name", "what", "interval"),
    [
        (CRL, "crl.pem", "CRL", "crl_refresh_interval"),
        (AUTHORITY, "certs/ca.pem", "CA certificate", "ca_refresh_interval"),
    ],
)
def test_old_files_of_the_authority_are_refreshed(
    server, agent, tmp_path, capsys, line, name, what, interval
):
    agent()
    server.lines()
    agent()
    assert line not in server.lines()
    aged(tmp_path, name)
    agent("--set", f"{interval}=100y")
    assert line not in server.lines()
    capsys.readouterr()
    agent()
    asked = next(one for one in server.asked if one.line == line)
    since = parsedate_to_datetime(asked.headers["if-modified-since"])
    assert since.timestamp() == 1_000_000_000
    printed = capsys.readouterr().out
    assert f"Info: Refreshing {what}\n" in printed
    assert f"Info: Refreshed {what}: " in printed
    server.lines()
    agent()
    assert line not in server.lines()


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (304, "Info: CRL is unmodified, using existing CRL"),
        (500, "Info: Failed to refresh CRL, using existing CRL: Error 500"),
    ],
)
def test_the_existing_list_stays_unless_there_is_a_new_one(
    server, agent, tmp_path, capsys, status, text
):
    agent()
    path = tmp_path / "etc/ssl/crl.pem"
    before = path.read_bytes()
    aged(tmp_path, "crl.pem")
    server.answers[CRL] = status, "text/plain", b""
    assert agent() == 2
    assert text in capsys.readouterr().out
    assert path.read_bytes() == before
    assert (path.stat().st_mtime > 1_000_000_000) == (status == 304)


def test_a_new_certificate_of_the_authority_brings_a_new_list(server, agent, tmp_path):
    agent()
    aged(tmp_path, "certs/ca.pem")
    server.lines()
    agent()
    assert server.lines()[:2] == [AUTHORITY, CRL]


def test_a_revoked_server_is_not_trusted(server, agent, tmp_path, capsys):
    agent()
    own = x509.load_pem_x509_certificate(Path(server.authority.path("localhost.pem")).read_bytes())
    server.authority.revoke([own])
    (tmp_path / "etc/ssl/crl.pem").write_bytes(Path(server.authority.path("crl.pem")).read_bytes())
    assert agent() == 1
    assert "certificate verify failed [certificate revoked]" in capsys.readouterr().err
    assert agent("--set", "certificate_revocation=false") == 2


# -- renewal ---------------------------------------------------------------------------------------


def renewing(server):
    """Let the server renew certificates; return the new one."""
    server.sign(NODE)
    made = server.certificates[NODE].public_bytes(Encoding.PEM)
    server.answers[RENEWAL] = 200, "text/plain", made
    return made


def test_a_certificate_that_expires_soon_is_renewed(server, agent, tmp_path, capsys):
    agent()
    path = tmp_path / f"etc/ssl/certs/{NODE}.pem"
    new = renewing(server)
    server.lines()
    agent()
    assert RENEWAL not in server.lines()
    assert agent("--set", "hostcert_renewal_interval=10y") == 2
    asked = next(one for one in server.asked if one.line == RENEWAL)
    assert asked.client == NODE
    assert path.read_bytes() == new
    assert re.search(
        "Info: Renewed client certificate: [0-9A-F:]+, not before '", capsys.readouterr().out
    )
    server.lines()
    agent("--set", "hostcert_renewal_interval=0")
    assert RENEWAL not in server.lines()


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (404, "Info: Certificate autorenewal has not been enabled on the server."),
        (403, "Warning: Failed to automatically renew certificate: 403 Forbidden"),
    ],
)
def test_a_run_goes_on_without_renewal(server, agent, tmp_path, capsys, status, text):
    agent()
    path = tmp_path / f"etc/ssl/certs/{NODE}.pem"
    before = path.read_bytes()
    server.answers[RENEWAL] = status, "text/plain", b"no"
    assert agent("--set", "hostcert_renewal_interval=10y") == 2
    printed = capsys.readouterr()
    assert text in printed.out + printed.err
    assert path.read_bytes() == before


# -- options ---------------------------------------------------------------------------------------


def test_the_reason_of_a_disabled_agent_is_in_puppets_file(agent, tmp_path, capsys):
    path = tmp_path / "own.lock"
    words = ("--set", f"agent_disabled_lockfile={path}")
    agent("--disable", "maintenance", *words)
    assert json.loads(path.read_text()) == {"disabled_message": "maintenance"}
    agent("--disable", "another reason", *words)
    assert json.loads(path.read_text()) == {"disabled_message": "maintenance"}
    assert agent(*words) == 1
    path.write_text("not JSON")
    capsys.readouterr()
    assert agent(*words) == 1
    assert "(Reason: 'reason not specified')" in capsys.readouterr().out
    agent("--enable", *words)
    assert not path.exists()


def test_the_files_of_a_run_are_where_the_settings_say(agent, tmp_path):
    names = ("lastrunfile", "lastrunreport", "classfile", "resourcefile", "statefile")
    words = [word for name in names for word in ("--set", f"{name}={tmp_path / 'own' / name}")]
    agent(*words)
    assert sorted(path.name for path in (tmp_path / "own").iterdir()) == sorted(names)
    summary = load_plain((tmp_path / "own/lastrunfile").read_bytes())
    assert summary["application"]["run_mode"] == "agent"
    assert summary["resources"]["changed"] == 1
    assert "status: changed" in (tmp_path / "own/lastrunreport").read_text()


def test_the_job_is_in_the_request_and_the_report(server, agent):
    agent("--job-id", "17")
    assert form_of(server)["job_uuid"] == "17"
    assert last_report(server)["job_id"] == "17"
    server.lines()
    agent()
    assert form_of(server)["job_uuid"] == ""
    assert "job_id" not in last_report(server)


def test_requests_come_from_the_source_address(server, agent, capsys):
    assert agent("--set", "sourceaddress=127.0.0.1") == 2
    assert agent("--set", "sourceaddress=192.0.2.1") == 1  # not an address of this machine
    assert "failed after" in capsys.readouterr().err


def test_the_exit_code_is_detailed_on_request(agent):
    once = ("--onetime", "--no-daemonize")
    assert agent(*once, test=False) == 0
    assert agent(*once, "--detailed-exitcodes", test=False) == 2
    assert agent("--detailed-exitcodes", "--set", "onetime=true", test=False) == 2


def test_tags_select_resources(server, agent, capsys):
    agent("--tags", "other")
    agent("--skip-tags", "notify")
    assert "hello" not in capsys.readouterr().out
    agent("--tags", "notify,other")
    assert "Notice: hello" in capsys.readouterr().out


def test_removed_settings_are_errors(agent, capsys):
    assert agent("--set", "configtimeout=5") == 1  # with --test, as Puppet
    assert "configtimeout" in capsys.readouterr().err


def test_a_fingerprint_needs_a_certificate_or_a_request(server, agent, capsys):
    assert agent("--fingerprint", test=False) == 1
    text = "Fingerprint asked but neither the certificate, nor the certificate request have been issued"
    assert capsys.readouterr().err == f"{text}\n"
    agent("generate_request", command="ssl")
    capsys.readouterr()
    assert agent("--fingerprint", test=False) == 0
    of_request = capsys.readouterr().out
    agent()
    capsys.readouterr()
    agent("--fingerprint", "--digest", "sha512", test=False)
    of_certificate = capsys.readouterr().out
    assert re.fullmatch(r"\(SHA256\) ([0-9A-F]{2}:){31}[0-9A-F]{2}\n", of_request)
    assert re.fullmatch(r"\(SHA512\) ([0-9A-F]{2}:){63}[0-9A-F]{2}\n", of_certificate)


def test_strict_environments_end_a_run(server, agent, capsys):
    server.answers[f"POST {V3}/catalog/{NODE}"] = catalog(NODE, environment="testing")
    assert agent("--set", "strict_environment_mode=true") == 1
    assert (
        "Not using catalog because its environment 'testing' does not match agent specified "
        "environment 'production' and strict_environment_mode is set" in capsys.readouterr().err
    )
    server.answers[f"GET {V3}/file_metadatas/plugins"] = answer({"message": "none"}, 404)
    assert agent("--set", "strict_environment_mode=true") == 1
    assert "Environment 'production' not found on server, aborting run." in capsys.readouterr().err


# -- the daemon as a program -----------------------------------------------------------------------


def test_a_daemon_has_a_process_file_and_starts_no_second_one(server, agent, tmp_path):
    agent()
    log = tmp_path / "agent.log"
    words = [
        *(sys.executable, "-m", "bunraku", "agent", "--no-daemonize", "--verbose", "--no-project"),
        *("--certname", NODE, "--server", "localhost", "--serverport", str(server.port)),
        *("--confdir", str(tmp_path / "etc"), "--vardir", str(tmp_path / "var")),
        *("--set", f"publicdir={tmp_path / 'public'}", "--set", f"rundir={tmp_path / 'run'}"),
    ]
    with subprocess.Popen(
        [*words, "--logdest", f"{log},console"], stdout=subprocess.PIPE, text=True
    ) as first:
        try:
            for line in first.stdout:
                if "Applied catalog" in line:
                    break
            assert (tmp_path / "run/agent.pid").read_text() == f"{first.pid}\n"
            second = subprocess.run(words, capture_output=True, text=True, check=False)
            assert second.returncode == 2
            assert "another agent is running" in second.stderr
            log.rename(tmp_path / "agent.log.1")
            first.send_signal(signal.SIGUSR2)
            for line in first.stdout:
                if "Processing reopen_logs" in line:
                    break
            first.send_signal(signal.SIGUSR1)
            for line in first.stdout:
                if "Applied catalog" in line:
                    break
        finally:
            first.terminate()
            first.communicate()
    assert first.returncode == 143
    assert "Running agent every 1800 seconds" in (tmp_path / "agent.log.1").read_text()
    assert "Caught TERM; exiting" in log.read_text()
