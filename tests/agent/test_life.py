"""A node's life with a server: certificate, runs, environments, failures. What the agent sends is
compared with the records of Puppet's agent.
"""

from __future__ import annotations

import hashlib
import json
import re
import socket
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from cryptography import x509

from support.agent_calls import CA, EACH, EXISTS, FIRST, NODE, V3, answer
from support.puppet_server import BYTES, OTHER_NAME, catalog, metadata, resource
from support.server import recorded
from support.web_proxy import proxying

RECORDED = recorded("agent-7")
"""What Puppet 7.23 sent to puppetserver 7.9 in each step of a node's life."""
CHALLENGE = "1.2.840.113549.1.9.7"


def names(pairs):
    return [name for name, _value in pairs]


def masked(exchange):
    """Return the line of a recorded request, and the names of its parameters."""
    parts = urlsplit(exchange["target"])
    path = re.sub(r"[a-z0-9]+(\.auto)?\.example\.test", "NAME", parts.path)
    return f"{exchange['method']} {path}", tuple(names(parse_qsl(parts.query)))


def test_first_run_asks_as_puppet_does(server, agent, capsys):
    assert agent() == 2
    printed = capsys.readouterr()
    assert printed.err == ""
    assert "Notice: hello" in printed.out
    assert "Info: Using environment 'production'" in printed.out
    assert [one.line for one in server.asked] == [*FIRST, f"GET {V3}/node/{NODE}", *EACH]
    assert [one.client for one in server.asked] == [None] * 4 + [NODE] * 6
    assert len({one.connection for one in server.asked[4:]}) == 1


def test_requests_are_those_of_puppet(server, agent):
    agent()
    agent()
    like = {}
    for step in ("02-first-run", "10-missing-environment"):
        like |= {masked(one): one for one in RECORDED if one["step"] == step}
    sent = {(one.line.replace(NODE, "NAME"), tuple(names(one.pairs))) for one in server.asked}
    contents = f"GET {V3}/file_content/"
    assert sent == {key for key in like if "/modules/" not in key[0] and contents not in key[0]}


def test_the_form_of_a_catalog_request_has_the_facts_quoted_twice(server, agent):
    agent()
    form = next(one for one in server.asked if one.method == "POST").form
    assert names(form) == [
        "facts_format",
        "facts",
        "environment",
        "configured_environment",
        "check_environment",
        "transaction_uuid",
        "job_uuid",
        "static_catalog",
        "checksum_type",
    ]
    values = dict(form)
    assert values["facts_format"] == "application/json"
    assert values["checksum_type"] == "sha256.sha384.sha512.sha224.md5"
    assert values["facts"].startswith("%7B%22name%22%3A%22")
    facts = json.loads(unquote(values["facts"]))
    assert list(facts) == ["name", "values", "timestamp", "expiration"]
    assert facts["values"]["clientcert"] == facts["name"] == NODE
    assert facts["values"]["clientnoop"] is False
    report = json.loads(server.asked[-1].body)
    assert report["transaction_uuid"] == values["transaction_uuid"]


def test_the_report_is_complete(server, agent):
    agent()
    report = json.loads(server.asked[-1].body)
    assert (report["host"], report["status"], report["environment"]) == (
        NODE,
        "changed",
        "production",
    )
    assert report["report_format"] == 12
    assert report["transaction_completed"] is True
    assert report["catalog_uuid"] == "d0fc22be-bb06-40d8-a007-3fd7f23f4f83"
    assert list(report["resource_statuses"]) == ["Notify[hello]"]
    times = {name for name, _label, _value in report["metrics"]["time"]["values"]}
    assert {
        "plugin_sync",
        "fact_generation",
        "node_retrieval",
        "config_retrieval",
        "total",
    } <= times


def test_a_second_run_asks_nothing_of_the_authority_and_no_environment(server, agent):
    agent()
    server.lines()
    agent()
    assert server.lines() == EACH


def test_noop_differs_in_the_report_only(server, agent):
    agent()
    server.lines()
    assert agent("--noop") == 0
    report = json.loads(server.asked[-1].body)
    assert server.lines() == EACH
    assert (report["noop"], report["noop_pending"], report["status"]) == (True, True, "unchanged")


def test_an_unsigned_request_ends_the_run(server, agent, capsys):
    server.signs = False
    assert agent() == 1
    assert server.lines() == FIRST
    printed = capsys.readouterr()
    assert "Couldn't fetch certificate from CA server; you might still need to sign" in printed.out
    assert "Exiting now because the waitforcert setting is set to 0." in printed.out
    server.sign(NODE)
    assert agent() == 2
    assert server.lines()[:2] == FIRST[2:]  # the request is sent again, the rest is on the disk


def test_a_certificate_of_another_key_is_refused_with_advice(server, agent, tmp_path, capsys):
    agent()
    (tmp_path / "etc/ssl/private_keys" / f"{NODE}.pem").unlink()
    assert agent() == 1
    printed = capsys.readouterr().err
    assert f"The certificate for 'CN={NODE}' does not match its private key" in printed
    assert "bunraku ssl clean" in printed


def test_files_have_puppets_names_and_modes(agent, tmp_path):
    agent()
    found = {
        str(path.relative_to(tmp_path)): oct(path.stat().st_mode & 0o7777)
        for path in (tmp_path / "etc/ssl").rglob("*")
    }
    ssl = "etc/ssl"
    assert found == {
        f"{ssl}/certs": "0o755",
        f"{ssl}/certs/ca.pem": "0o644",
        f"{ssl}/certs/{NODE}.pem": "0o644",
        f"{ssl}/certificate_requests": "0o755",
        f"{ssl}/crl.pem": "0o644",
        f"{ssl}/private": "0o750",
        f"{ssl}/private_keys": "0o750",
        f"{ssl}/private_keys/{NODE}.pem": "0o640",
        f"{ssl}/public_keys": "0o755",
        f"{ssl}/public_keys/{NODE}.pem": "0o644",
    }
    assert (tmp_path / f"var/client_data/catalog/{NODE}.json").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "var/state/last_run_report.yaml").exists()
    assert (tmp_path / "var/state/classes.txt").exists()
    assert "run_mode: agent" in (tmp_path / "public/last_run_summary.yaml").read_text()


# -- environments ----------------------------------------------------------------------------------


def test_another_environment_is_used_without_asking_for_it(server, agent):
    agent()
    server.lines()
    server.answers[f"POST {V3}/catalog/{NODE}"] = catalog(NODE, environment="testing")
    assert agent("--environment", "testing") == 0
    assert {dict(one.pairs)["environment"] for one in server.asked} == {"testing"}
    assert server.lines() == EACH


def test_the_run_begins_again_in_the_environment_of_the_catalog(server, agent, capsys):
    missing = {"message": "Not Found: Could not find environment 'nowhere'", "issue_kind": "x"}
    server.answers[EXISTS] = lambda asked: (
        answer(missing, 404)
        if dict(asked.pairs)["environment"] == "nowhere"
        else answer([metadata(".", "directory")])
    )
    assert agent("--environment", "nowhere") == 2
    printed = capsys.readouterr().out
    assert "Environment 'nowhere' not found on server, skipping initial pluginsync." in printed
    assert "restarting agent run with environment 'production'" in printed
    environments = [dict(one.pairs)["environment"] for one in server.asked[4:]]
    assert environments == ["nowhere", "nowhere", *["production"] * 4]
    assert [one.line for one in server.asked[4:]] == [EXISTS, EACH[3], *EACH[1:]]


def test_an_environment_that_never_settles_ends_the_run(server, agent, capsys):
    number = iter(range(100))
    server.answers[f"POST {V3}/catalog/{NODE}"] = lambda _asked: catalog(
        NODE, environment=f"e{next(number)}"
    )
    assert agent() == 1
    assert "didn't stabilize after 4 fetches, aborting run" in capsys.readouterr().err
    assert server.lines().count(EACH[3]) == 5


def test_the_environment_of_the_server_is_kept_for_the_next_run(server, agent):
    server.answers[f"GET {V3}/node/{NODE}"] = answer({"name": NODE, "environment": "testing"})
    server.answers[f"POST {V3}/catalog/{NODE}"] = catalog(NODE, environment="testing")
    agent()
    server.lines()
    agent()
    assert {dict(one.pairs)["environment"] for one in server.asked} == {"testing"}
    assert server.lines() == EACH


# -- failures --------------------------------------------------------------------------------------


def failing(server):
    message = {"message": "Server Error: Evaluation Error: boom", "issue_kind": "RUNTIME_ERROR"}
    server.answers[f"POST {V3}/catalog/{NODE}"] = answer(message, 500)


def test_a_failing_catalog_is_reported(server, agent, capsys):
    failing(server)
    assert agent() == 1
    printed = capsys.readouterr().err
    assert (
        "Error: Could not retrieve catalog from remote server: Error 500 on SERVER: Server Error: "
        "Evaluation Error: boom" in printed
    )
    assert "Warning: Not using cache on failed catalog" in printed
    report = json.loads(server.asked[-1].body)
    assert (report["status"], report["configuration_version"]) == ("failed", None)
    assert report["logs"][-1]["message"] == "Could not retrieve catalog; skipping run"


def test_the_module_of_an_unknown_type_is_named(server, agent, capsys):
    text = "Server Error: Evaluation Error: Unknown resource type: 'archive' (file: a.pp, line: 1)"
    message = {"message": text, "issue_kind": "RUNTIME_ERROR"}
    server.answers[f"POST {V3}/catalog/{NODE}"] = answer(message, 500)
    assert agent() == 1
    hint = "the module puppet-archive has the type; it must be on the module path of the server"
    assert f"Notice: archive: {hint}" in capsys.readouterr().out


def test_the_catalog_of_the_last_run_replaces_a_failing_one(server, agent, capsys):
    agent()
    failing(server)
    assert agent("--usecacheonfailure") == 2
    assert "Info: Using cached catalog from environment 'production'" in capsys.readouterr().out
    assert json.loads(server.asked[-1].body)["cached_catalog_status"] == "on_failure"


def test_a_cached_catalog_sends_the_report_alone(server, agent):
    agent()
    server.lines()
    assert agent("--use-cached-catalog") == 2
    report = json.loads(server.asked[-1].body)
    assert server.lines() == EACH[-1:]
    assert report["cached_catalog_status"] == "explicitly_requested"


def test_failures_of_resources_are_in_the_exit_code(server, agent):
    server.answers[f"POST {V3}/catalog/{NODE}"] = catalog(
        NODE, resource("Exec", "/bin/false"), resource("Notify", "x")
    )
    assert agent() == 6


def test_a_server_that_is_gone_is_an_error(server, agent, capsys):
    agent()
    server.answers.clear()
    server.answers[f"POST {V3}/catalog/{NODE}"] = 503, "text/html", b"<html>no"
    assert agent() == 1
    assert "Error 503 on SERVER: Service Unavailable" in capsys.readouterr().err


# -- servers and proxies ---------------------------------------------------------------------------

STATUS = "GET /status/v1/simple/server"


def free_port():
    with socket.create_server(("localhost", 0)) as free:
        return free.getsockname()[1]


def test_a_run_uses_the_first_server_of_the_list_that_answers(server, agent, capsys):
    server.answers[STATUS] = 200, "text/plain", b"running"
    agent()
    server.lines()
    listed = f"server_list=localhost:{free_port()},localhost:{server.port}"
    assert agent("--set", listed) == 2
    report = json.loads(server.asked[-1].body)
    assert report["server_used"] == f"localhost:{server.port}"
    assert server.lines() == [STATUS, *EACH]
    printed = capsys.readouterr().err
    assert "Warning: Unable to connect to server from server_list setting: Request to" in printed
    assert "Trying with next server from server_list." in printed


def test_a_busy_server_of_the_list_is_not_used(server, agent, capsys):
    agent()
    server.answers[STATUS] = 503, "text/plain", b"starting"
    listed = f"localhost:{server.port}"
    assert agent("--set", f"server_list={listed}") == 1
    printed = capsys.readouterr().err
    assert f"Error: Puppet server {listed} is unavailable: 503 Service Unavailable" in printed
    assert f"Could not select a functional puppet server from server_list: '{listed}'" in printed


def test_a_list_without_a_server_leaves_the_kept_catalog(server, agent, capsys):
    agent()
    server.lines()
    capsys.readouterr()
    listed = f"localhost:{free_port()}"
    words = ("--set", f"server_list={listed}", "--usecacheonfailure")
    assert agent(*words) == 2
    printed = capsys.readouterr()
    assert f"from server_list: '{listed}'" in printed.err
    assert "Info: Using cached catalog from environment 'production'" in printed.out
    assert "Retrieving plugin" not in printed.out
    assert server.lines() == []


def test_a_server_that_cannot_be_reached_has_no_route(server, agent, capsys):
    agent()
    capsys.readouterr()
    port = free_port()
    assert agent("--serverport", str(port)) == 1
    printed = capsys.readouterr().err
    url = f"https://localhost:{port}/puppet/v3"
    assert f"Error: Connection to {url} failed, trying next route: Request to {url}" in printed
    assert f"Failed to open TCP connection to localhost:{port} (Connection refused)" in printed
    assert (
        "Error: Could not retrieve catalog from remote server: No more routes to puppet" in printed
    )
    assert "Error: Could not send report: No more routes to report" in printed


def test_a_run_goes_through_the_proxy_of_the_settings(server, agent):
    with proxying() as proxy:
        through = ("--set", "http_proxy_host=localhost", "--set", f"http_proxy_port={proxy.port}")
        assert agent(*through, "--set", "no_proxy=none") == 2
        assert {one[:2] for one in proxy.asked} == {("CONNECT", f"localhost:{server.port}")}
        proxy.asked.clear()
        assert agent(*through) == 2  # localhost is in no_proxy
        assert proxy.asked == []


def test_redirected_requests_reach_another_server(server, agent):
    agent()
    catalog_of_node = server.answers.pop(f"POST {V3}/catalog/{NODE}")
    server.answers[f"POST {V3}/catalog/elsewhere"] = catalog_of_node
    server.places[f"POST {V3}/catalog/{NODE}"] = f"{V3}/catalog/elsewhere"
    server.lines()
    assert agent() == 2
    assert f"POST {V3}/catalog/elsewhere" in server.lines()


def test_more_headers_are_sent(server, agent):
    agent("--set", "http_extra_headers=X-Site:one,Accept:none")
    assert {one.headers["x-site"] for one in server.asked} == {"one"}
    assert not [one for one in server.asked if one.headers["accept"] == "none"]


# -- files -----------------------------------------------------------------------------------------


def content(text):
    return 200, BYTES, text.encode()


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def test_plugins_are_copied_used_and_removed(server, agent, tmp_path):
    code = "import bunraku\n\n@bunraku.fact()\ndef of_plugin(_facts):\n    return 'python'\n"
    plugins = {"bunraku/facts/own.py": code, "bunraku/providers/thing.py": PROVIDER}
    server.answers[f"GET {V3}/file_metadatas/plugins"] = lambda asked: answer(
        [
            metadata(".", "directory"),
            metadata("bunraku", "directory"),
            metadata("bunraku/facts", "directory"),
            metadata("bunraku/providers", "directory"),
            *(metadata(name, "file", digest(text)) for name, text in plugins.items()),
        ]
        if dict(asked.pairs)["recurse"] == "true"
        else [metadata(".", "directory")]
    )
    for name, text in plugins.items():
        server.answers[f"GET {V3}/file_content/plugins/{name}"] = content(text)
    server.answers[f"GET {V3}/file_metadatas/pluginfacts"] = answer(
        [metadata(".", "directory"), metadata("demo.txt", "file", digest("external=yes\n"))]
    )
    server.answers[f"GET {V3}/file_content/pluginfacts/demo.txt"] = content("external=yes\n")
    server.answers[f"POST {V3}/catalog/{NODE}"] = catalog(NODE, resource("Thing", "one"))
    assert agent() == 2
    form = dict(next(one for one in server.asked if one.method == "POST").form)
    values = json.loads(unquote(form["facts"]))["values"]
    assert (values["of_plugin"], values["external"]) == ("python", "yes")
    assert (tmp_path / "var/lib/bunraku/facts/own.py").read_text() == code
    server.lines()
    del plugins["bunraku/facts/own.py"]
    agent()
    assert server.lines() == EACH  # nothing has changed but what is gone
    assert not (tmp_path / "var/lib/bunraku/facts/own.py").exists()
    assert (tmp_path / "var/facts.d/demo.txt").exists()


PROVIDER = """
TYPE = {
    "name": "thing",
    "attributes": {
        "name": {"type": "String", "behaviour": "namevar"},
        "state": {"type": "String", "default": "on"},
    },
}


class Provider:
    def get(self, context, names):
        return []

    def set(self, context, changes):
        context.log("info", f"set {list(changes)}")
"""


def test_sources_come_from_the_server(server, agent, tmp_path):
    target = tmp_path / "target"
    modules = f"{V3}/file_metadata/modules/demo"
    server.answers |= {
        f"POST {V3}/catalog/{NODE}": catalog(
            NODE,
            resource("File", str(target), ensure="directory"),
            resource(
                "File",
                f"{target}/one",
                source=["puppet:///modules/demo/absent", "puppet:///modules/demo/one.txt"],
            ),
            resource(
                "File",
                f"{target}/tree",
                ensure="directory",
                recurse=True,
                ignore=["*.bak"],
                source="puppet:///modules/demo/tree",
            ),
        ),
        f"GET {modules}/one.txt": answer(metadata(None, "file", digest("one\n"))),
        f"GET {V3}/file_content/modules/demo/one.txt": content("one\n"),
        f"GET {V3}/file_metadatas/modules/demo/tree": answer(
            [
                metadata(".", "directory"),
                metadata("f 1", "file", digest("tree\n")),
                metadata("sub", "directory"),
                metadata("sub/link", "link", digest("x"), destination="../f 1"),
            ]
        ),
        f"GET {V3}/file_content/modules/demo/tree/f%201": content("tree\n"),
    }
    assert agent() == 2
    assert (target / "one").read_text() == "one\n"
    assert (target / "tree/sub/link").read_text() == "tree\n"
    own = [one for one in server.asked if "/modules/" in one.path]
    assert [one.path for one in own] == [
        f"{modules}/absent",
        f"{modules}/one.txt",
        f"{V3}/file_content/modules/demo/one.txt",
        f"{V3}/file_metadatas/modules/demo/tree",
        f"{V3}/file_content/modules/demo/tree/f%201",
    ]
    for asked in own:
        like = [one for one in RECORDED if masked(one)[0] == asked.line]
        for one in like:
            assert names(asked.pairs) == names(parse_qsl(urlsplit(one["target"]).query))
    server.lines()
    assert agent() == 0
    assert not [line for line in server.lines() if "file_content" in line]


def test_a_content_that_is_not_that_of_its_checksum_is_discarded(server, agent, tmp_path):
    path = tmp_path / "one"
    server.answers |= {
        f"POST {V3}/catalog/{NODE}": catalog(
            NODE, resource("File", str(path), source="puppet:///modules/demo/one")
        ),
        f"GET {V3}/file_metadata/modules/demo/one": answer(metadata(None, "file", digest("one"))),
        f"GET {V3}/file_content/modules/demo/one": content("two"),
    }
    assert agent() == 4
    assert not path.exists()


def test_a_static_catalog_needs_no_metadata_of_the_server(server, agent, tmp_path):
    one, tree = f"{tmp_path}/one", f"{tmp_path}/tree"
    uri = "puppet:///modules/demo/files"
    server.answers |= {
        f"POST {V3}/catalog/{NODE}": catalog(
            NODE,
            resource("File", one, source="puppet:///modules/demo/one"),
            resource("File", tree, recurse=True, source="puppet:///modules/demo/tree"),
            code_id="abc",
            metadata={one: metadata(None, "file", digest("1"), content_uri=f"{uri}/one")},
            recursive_metadata={
                tree: {
                    "puppet:///modules/demo/tree": [
                        metadata(".", "directory"),
                        metadata("a", "file", digest("2"), content_uri=f"{uri}/tree/a"),
                    ]
                }
            },
        ),
        f"GET {V3}/static_file_content/modules/demo/files/one": content("1"),
        f"GET {V3}/static_file_content/modules/demo/files/tree/a": content("2"),
    }
    assert agent() == 2
    assert (tmp_path / "tree/a").read_text() == "2"
    own = [one for one in server.asked if "/modules/" in one.path]
    assert [one.path.split("/")[3] for one in own] == ["static_file_content"] * 2
    assert own[0].pairs == [("environment", "production"), ("code_id", "abc")]
    assert json.loads(server.asked[-1].body)["code_id"] == "abc"


def test_replaced_files_are_kept_on_the_server(server, agent, tmp_path):
    path = tmp_path / "motd"
    path.write_text("old")
    place = f"{V3}/file_bucket_file/sha256/{digest('old')}{path}"
    server.answers |= {
        f"POST {V3}/catalog/{NODE}": catalog(
            NODE,
            resource("Filebucket", "main", path=False),
            resource("File", str(path), content="new", backup="main"),
        ),
        f"PUT {place}": content(""),
    }
    assert agent() == 2
    assert path.read_text() == "new"
    own = [one for one in server.asked if "file_bucket_file" in one.path]
    assert [one.line for one in own] == [f"HEAD {place}", f"PUT {place}"]
    assert (own[1].body, own[1].headers["content-type"]) == (b"old", BYTES)


# -- disabling -------------------------------------------------------------------------------------


def test_a_disabled_agent_asks_nothing(server, agent, capsys):
    assert agent("--disable", "database migration") == 0
    assert agent() == 1
    assert "administratively disabled (Reason: 'database migration')" in capsys.readouterr().out
    assert server.lines() == []
    assert agent("--enable") == 0
    assert agent() == 2


# -- ssl -------------------------------------------------------------------------------------------


def test_ssl_bootstraps_verifies_shows_and_cleans(server, agent, tmp_path, capsys):
    assert agent("bootstrap", command="ssl") == 0
    assert server.lines() == FIRST
    assert "Notice: Completed SSL initialization" in capsys.readouterr().out
    assert agent("verify", command="ssl") == 0
    printed = capsys.readouterr().out
    assert "Verified CA certificate 'CN=Puppet CA: test'" in printed
    assert f"Verified client certificate 'CN={NODE}'" in printed
    assert agent("show", command="ssl") == 0
    assert f"Subject: CN={NODE}" in capsys.readouterr().out
    assert agent("--fingerprint") == 0
    assert capsys.readouterr().out.startswith("(SHA256) ")
    assert agent("clean", "--localca", command="ssl") == 0
    assert [path for path in (tmp_path / "etc/ssl").rglob("*") if path.is_file()] == []


def test_a_revoked_certificate_is_not_verified(server, agent, tmp_path, capsys):
    agent("bootstrap", command="ssl")
    server.authority.revoke([server.certificates[NODE]])
    (tmp_path / "etc/ssl/crl.pem").unlink()
    assert agent("verify", command="ssl") == 1
    assert "The CRL is missing from" in capsys.readouterr().err
    assert agent("download_cert", command="ssl") == 1
    assert f"Certificate 'CN={NODE}' is revoked" in capsys.readouterr().err


def test_the_authority_can_be_pinned(server, agent, tmp_path, capsys):
    words = ("--waitforcert", "0", "--set", "ca_fingerprint=00FF")
    assert agent("bootstrap", *words, command="ssl") == 1
    assert "did not match expected digest 00:FF" in capsys.readouterr().err
    assert not (tmp_path / "etc/ssl/certs/ca.pem").exists()
    found = hashlib.sha256(Path(server.authority.path("ca.pem")).read_bytes()).hexdigest()
    assert agent("bootstrap", "--set", f"ca_fingerprint={found}", command="ssl") == 0


def test_attributes_and_names_are_in_the_request(server, agent, tmp_path):
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/csr_attributes.yaml").write_text(
        "custom_attributes: {challengePassword: open sesame}\n"
        "extension_requests: {pp_role: web, 1.3.6.1.4.1.34380.1.2.1: own}\n"
    )
    words = ("--set", "dns_alt_names=web,IP:10.0.0.1")
    assert agent("submit_request", *words, command="ssl") == 0
    request = x509.load_pem_x509_csr(server.requests[NODE])
    password = request.attributes.get_attribute_for_oid(x509.ObjectIdentifier(CHALLENGE))
    assert password.value == b"open sesame"
    found = {one.oid.dotted_string: one.value for one in request.extensions}
    assert found["1.3.6.1.4.1.34380.1.1.13"].value == b"\x0c\x03web"
    assert found["1.3.6.1.4.1.34380.1.2.1"].value == b"\x0c\x03own"
    names_of_request = [str(one.value) for one in found["2.5.29.17"]]
    assert names_of_request == ["10.0.0.1", "web", NODE]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("extension_request: {}", "unexpected key 'extension_request' (did you mean"),
        ("extension_requests: {pp_rol: a}", "unknown name 'pp_rol' in extension_requests (did you"),
        ("extension_requests: {subjectAltName: a}", "use the setting dns_alt_names"),
        ("custom_attributes: [a]", "custom_attributes is not a hash"),
    ],
)
def test_wrong_attributes_are_refused_before_a_request(
    server, agent, tmp_path, capsys, text, message
):
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/csr_attributes.yaml").write_text(text)
    assert agent("submit_request", command="ssl") == 1
    assert message in capsys.readouterr().err
    assert FIRST[2] not in server.lines()


def test_wrong_settings_are_refused(agent, capsys):
    assert agent("--set", "runintervall=5") == 1  # with --test, as Puppet
    assert "did you mean 'runinterval'?" in capsys.readouterr().err
    assert agent("--set", "runinterval=often") == 1
    assert "use a number, or a duration" in capsys.readouterr().err
    assert agent("--set", "node_name_fact=a", "--set", "node_name_value=b") == 1
    assert "Cannot specify both the node_name_value and node_name_fact" in capsys.readouterr().err
    assert agent("--set", "node_name_value=../a") == 1
    assert "directory traversal" in capsys.readouterr().err


def test_requests_use_the_node_name_of_the_settings(server, agent, tmp_path, capsys):
    other = "web-a"
    for line in (f"GET {V3}/node/", f"POST {V3}/catalog/", f"PUT {V3}/report/"):
        server.answers[f"{line}{other}"] = server.answers[f"{line}{NODE}"]
    assert agent("--set", f"node_name_value={other}") == 2
    report, facts = sent_by(server, other)
    expected = [line.replace(f"/{NODE}", f"/{other}") for line in EACH]
    assert server.lines()[4:] == [f"GET {V3}/node/{other}", *expected]
    assert f"Info: Caching catalog for {other}" in capsys.readouterr().out
    assert (tmp_path / "var/client_data/catalog" / f"{other}.json").exists()
    assert report["host"] == facts["name"] == other
    assert facts["values"]["clientcert"] == NODE, "the certificate keeps its name"


def sent_by(server, name):
    """Return the report and the facts that a node has sent."""
    asked = {one.line: one.body for one in server.asked}
    report = json.loads(asked[f"PUT {V3}/report/{name}"])
    form = dict(parse_qsl(asked[f"POST {V3}/catalog/{name}"].decode()))
    return report, json.loads(unquote(form["facts"]))


def test_the_node_name_can_be_that_of_a_fact(server, agent, capsys):
    other = "Linux"
    for line in (f"GET {V3}/node/", f"POST {V3}/catalog/", f"PUT {V3}/report/"):
        server.answers[f"{line}{other}"] = server.answers[f"{line}{NODE}"]
    assert agent("--set", "node_name_fact=kernel") == 2
    report, facts = sent_by(server, other)
    assert report["host"] == facts["name"] == facts["values"]["kernel"] == other
    assert not [line for line in server.lines() if line.endswith(f"{V3}/catalog/{NODE}")]
    capsys.readouterr()
    for fact, reason in (
        ("kernl", "there is none (did you mean 'kernel'?)"),
        ("os", "it is not a text"),
    ):
        assert agent("--set", f"node_name_fact={fact}") == 1
        assert (
            f"The fact '{fact}' of the setting node_name_fact cannot be the node's name: {reason}"
            in (capsys.readouterr().err)
        )
        assert not [line for line in server.lines() if "/catalog/" in line]


def test_a_node_that_is_the_authority_is_cleaned_there_first(server, agent, tmp_path, capsys):
    name = OTHER_NAME
    agent("bootstrap", "--certname", name, command="ssl")
    capsys.readouterr()
    with proxying() as proxy:  # finds the name, which the DNS does not have
        proxy.names[name] = "localhost"
        words = ("--certname", name, "--ca-server", name, "--set", "http_proxy_host=localhost")
        words = (*words, "--set", f"http_proxy_port={proxy.port}")
        assert agent("clean", *words, command="ssl") == 1
        printed = capsys.readouterr().err
        assert f"The certificate {name} must be cleaned from the CA first. To fix this," in printed
        assert "run the following commands on the CA:" in printed
        assert f"puppetserver ca clean --certname {name}\n" in printed
        assert (tmp_path / f"etc/ssl/certs/{name}.pem").exists()
        del server.certificates[name]
        assert agent("clean", *words, command="ssl") == 0
        assert f"Notice: Removed private key {tmp_path}" in capsys.readouterr().out


def test_a_node_is_not_cleaned_without_an_answer_of_its_authority(agent, capsys):
    assert agent("clean", "--set", "ca_server=" + NODE, "--ca-port", "1", command="ssl") == 1
    text = f"Failed to connect to the CA to determine if certificate {NODE} has been cleaned"
    assert text in capsys.readouterr().err


def test_missing_files_are_named_as_by_puppet(agent, tmp_path, capsys):
    ssl = tmp_path / "etc/ssl"
    agent("bootstrap", command="ssl")
    capsys.readouterr()
    for name, what in {
        f"certs/{NODE}.pem": "client certificate is",
        f"private_keys/{NODE}.pem": "private key is",
        "crl.pem": "CRL is",
        "certs/ca.pem": "CA certificates are",
    }.items():
        (ssl / name).unlink()
        for action in ("verify", "show"):
            assert agent(action, command="ssl") == 1
            assert f"The {what} missing from '{ssl}/{name}'" in capsys.readouterr().err


def test_a_second_request_is_a_conflict(server, agent, capsys):
    server.answers[f"PUT {CA}/certificate_request/{NODE}"] = 400, "text/plain", b"has one"
    assert agent("submit_request", command="ssl") == 1
    url = f"https://localhost:{server.port}/puppet-ca/v1"
    assert (
        f"Could not submit certificate request for '{NODE}' to {url} due to a conflict on the server"
        in capsys.readouterr().err
    )


def test_steps_that_the_server_refuses_have_puppets_messages(server, agent, capsys):
    server.answers[f"PUT {CA}/certificate_request/{NODE}"] = 500, "text/plain", b"broken"
    assert agent("submit_request", command="ssl") == 1
    printed = capsys.readouterr()
    assert "Failed to submit certificate request: " in printed.err
    assert f"Creating a new SSL key for {NODE}" not in printed.out  # needs --verbose
    server.answers[f"GET {CA}/certificate/{NODE}"] = 403, "text/plain", b"no"
    assert agent("download_cert", command="ssl") == 1
    assert "Failed to download certificate: " in capsys.readouterr().err
    del server.answers[f"GET {CA}/certificate/{NODE}"]
    assert agent("download_cert", command="ssl") == 1
    assert f"The certificate for '{NODE}' has not yet been signed" in capsys.readouterr().err
    server.answers[f"GET {CA}/certificate/ca"] = 404, "text/plain", b"none"
    assert agent("bootstrap", "--ssldir", "other", "--waitforcert", "0", command="ssl") == 1
    assert "CA certificate is missing from the server" in capsys.readouterr().err


def test_a_server_that_does_not_renew_is_an_error(server, agent, capsys):
    agent("bootstrap", command="ssl")
    server.answers[f"POST {CA}/certificate_renewal"] = 404, "text/plain", b"Not Found"
    assert agent("renew_cert", command="ssl") == 1
    text = "Certificate autorenewal has not been enabled on the server."
    assert text in capsys.readouterr().err
    capsys.readouterr()
    assert agent("renew_cert", "-v", "--if-expiring-in", "1d", command="ssl") == 0
    assert f"Certificate '{NODE}' is still valid until" in capsys.readouterr().out


def test_the_files_of_a_device_are_below_its_directory(agent, tmp_path):
    assert agent("generate_request", "--target", "switch1", command="ssl") == 0
    found = tmp_path / "var/devices/switch1/ssl/certificate_requests/switch1.pem"
    assert x509.load_pem_x509_csr(found.read_bytes()).subject.rfc4514_string() == "CN=switch1"
