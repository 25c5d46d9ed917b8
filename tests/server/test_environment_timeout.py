"""``environment_timeout``, and flushes of one environment and of all."""

from __future__ import annotations

import json
from contextlib import contextmanager
from itertools import count

import pytest

from bunraku.server.authorization.reading import read_access
from bunraku.server.compiling.held_code import HeldCode
from bunraku.server.compiling.jobs import Job
from bunraku.server.interface import answer
from support.server_service import content, request, site_service

RULES = """
authorization: { version: 1, rules: [
  { name: all, sort-order: 1, allow: "*", match-request: { path: "/", type: path } } ] }
"""
NODE = "web.example.test"
JSON = {"Accept": "application/json"}
CACHE = "/puppet-admin-api/v1/environment-cache"
NUMBERS = count()


def write(path, text):
    """Write a file as deployments do: the new file replaces the old one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{next(NUMBERS)}.new")
    fresh.write_text(text)
    fresh.rename(path)


def deploy(folder, environment, word):
    """Write the code of an environment; each part of it notifies with the word."""
    root = folder / "code/environments" / environment
    module = root / "modules/demo"
    manifest = (
        f"notify {{ 'main {word}': }}\ninclude demo\nif $facts['more'] {{ include demo::more }}\n"
    )
    write(root / "manifests/site.pp", manifest)
    text = f"class demo {{ notify {{ ['module {word}', demo::f(), epp('demo/t.epp'), lookup('k')]: }} }}\n"
    write(module / "manifests/init.pp", text)
    write(module / "functions/f.pp", f"function demo::f() {{ 'function {word}' }}\n")
    write(module / "manifests/more.pp", f"class demo::more {{ notify {{ 'more {word}': }} }}\n")
    write(module / "templates/t.epp", f"template {word}")
    write(root / "data/common.yaml", f"k: data {word}\n")
    data = "version: 5\nhierarchy: [{name: all, path: common.yaml, data_hash: yaml_data}]\n"
    write(root / "hiera.yaml", data)


def everything(word, *more):
    return {f"{part} {word}" for part in ("main", "module", "function", "template", "data", *more)}


@contextmanager
def serving(folder, **settings):
    for environment in ("production", "other"):
        deploy(folder, environment, "old")
    with site_service(folder, read_access(RULES, "rules").rules, **settings) as service:
        yield service


def words(service, environment="production", **facts):
    """Return the titles of the notifications in a catalog."""
    text = json.dumps({"name": NODE, "values": facts})
    target = f"/puppet/v3/catalog/{NODE}?environment={environment}&facts_format=application/json"
    sent = request("GET", target, JSON, client=NODE)
    sent.parameters["facts"] = text
    response = answer(service, sent)
    text = content(response).decode()
    assert response.status == 200, text
    return {one["title"] for one in json.loads(text)["resources"] if one["type"] == "Notify"}


def flush(service, query=""):
    response = answer(service, request("DELETE", CACHE + query, client=NODE))
    assert (response.status, content(response)) == (204, b"")


def test_without_timeout_changes_are_used_at_once(tmp_path):
    with serving(tmp_path, environment_timeout=0) as service:
        assert words(service) == everything("old")
        deploy(tmp_path, "production", "new")
        assert words(service) == everything("new")


def test_code_stays_until_its_environment_is_flushed(tmp_path):
    with serving(tmp_path, environment_timeout="unlimited") as service:
        for environment in ("production", "other"):
            assert words(service, environment) == everything("old")
        for environment in ("production", "other"):
            deploy(tmp_path, environment, "new")
        held = {"main old", "module old", "function old", "template new", "data new"}
        assert words(service) == held
        # what was not needed before is read as it is now, as in Puppet
        assert words(service, more=True) == {*held, "more new"}
        flush(service, "?environment=production")
        assert words(service) == everything("new")
        assert words(service, "other") == held
        flush(service, "?environment=absent")
        assert words(service, "other") == held
        deploy(tmp_path, "production", "newer")
        flush(service)
        assert words(service, "other") == everything("new")
        assert words(service) == everything("newer")


def test_files_that_are_removed_stay_for_the_time(tmp_path):
    with serving(tmp_path, environment_timeout="unlimited") as service:
        assert words(service) == everything("old")
        module = tmp_path / "code/environments/production/modules/demo"
        (module / "manifests/init.pp").unlink()
        (module / "functions").rename(tmp_path / "away")
        assert words(service) == everything("old")
        flush(service, "?environment=production")
        sent = request(
            "GET", f"/puppet/v3/catalog/{NODE}?environment=production", JSON, client=NODE
        )
        response = answer(service, sent)
        assert (response.status, b"demo" in content(response)) == (500, True)


def test_an_environment_that_was_away_is_read_again(tmp_path):
    root = tmp_path / "code/environments/other"
    with serving(tmp_path, environment_timeout="unlimited") as service:
        assert words(service, "other") == everything("old")
        root.rename(tmp_path / "away")
        flush(service, "?environment=other")
        assert words(service, "other") == everything("old")  # those of production
        (tmp_path / "away").rename(root)
        deploy(tmp_path, "other", "new")
        assert words(service, "other") == everything("new")


def test_an_environment_has_its_own_timeout(tmp_path):
    other = tmp_path / "code/environments/other/environment.conf"
    with serving(tmp_path, environment_timeout="unlimited") as service:
        write(other, "environment_timeout = 0\n")
        for word in ("new", "newer"):
            words(service)
            for environment in ("production", "other"):
                deploy(tmp_path, environment, word)
            assert "main old" in words(service)
            assert words(service, "other") == everything(word)


def test_modules_outside_of_the_environment_belong_to_it(tmp_path):
    base = tmp_path / "code/modules/base/manifests/init.pp"
    with serving(tmp_path, environment_timeout="unlimited") as service:
        write(base, "class base { notify { 'base old': } }\n")
        for environment in ("production", "other"):
            manifest = tmp_path / f"code/environments/{environment}/manifests/site.pp"
            write(manifest, "include base\n")
            assert words(service, environment) == {"base old"}
        write(base, "class base { notify { 'base new': } }\n")
        flush(service, "?environment=other")
        assert words(service) == {"base old"}
        assert words(service, "other") == {"base new"}


def test_the_environment_of_a_classifier_is_held(tmp_path):
    program = tmp_path / "classify"
    program.write_text("#!/bin/sh\necho '{environment: other}'\n")
    program.chmod(0o755)
    settings = {"node_terminus": "exec", "external_nodes": str(program)}
    with serving(tmp_path, environment_timeout="unlimited", **settings) as service:
        assert words(service) == everything("old")
        deploy(tmp_path, "other", "new")
        assert {"main old", "module old"} < words(service)
        flush(service, "?environment=production")
        assert {"main old", "module old"} < words(service)
        flush(service, "?environment=other")
        assert words(service) == everything("new")


def test_a_wrong_timeout_is_an_error(tmp_path):
    with serving(tmp_path) as service:
        write(tmp_path / "code/environments/other/environment.conf", "environment_timeout = soon\n")
        sent = request("GET", f"/puppet/v3/catalog/{NODE}?environment=other", JSON, client=NODE)
        response = answer(service, sent)
        assert response.status == 500
        assert b"Invalid environment_timeout 'soon' of the environment other" in content(response)
        assert words(service) == everything("old")


@pytest.mark.parametrize(("text", "seconds"), [("90", 90), ("2m", 120), ("unlimited", 1e9)])
def test_code_is_kept_for_the_time_after_its_last_use(tmp_path, text, seconds):
    now = [1000.0]
    root = tmp_path / "environments/production"
    write(root / "manifests/site.pp", "old")
    settings = {"environmentpath": str(tmp_path / "environments"), "environment_timeout": text}
    world, job = HeldCode(lambda: now[0]), Job("catalog", NODE, "production", settings)

    def read():
        world.begin(job)
        assert world.enter("production") is not None
        return world.read(str(root / "manifests/site.pp"))

    assert read() == b"old"
    write(root / "manifests/site.pp", "new")
    for _ in range(3):  # each use prolongs the time
        now[0] += seconds
        assert read() == b"old"
    now[0] += seconds + 1
    assert read() == (b"old" if text == "unlimited" else b"new")
