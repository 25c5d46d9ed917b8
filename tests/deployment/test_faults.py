"""Deployments meet disks, links and files that are not as they should be."""

import errno
import json
import os
import subprocess
import time

import pytest

from bunraku.base.errors import PuppetError
from bunraku.deployment.deployed import DeploymentState
from bunraku.jobs.deploy import deploy, rollback, status
from bunraku.world import linked_files
from support.git_remotes import Remote
from support.small_disk import fill, small_disk

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
needs_user = pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")


def codes(result):
    return [finding.code for error in result.errors for finding in error]


def everything(top):
    """Return all below a directory: modes, links and contents."""
    return {
        str(path.relative_to(top)): (
            path.lstat().st_mode,
            os.readlink(path)
            if path.is_symlink()
            else path.read_bytes()
            if path.is_file()
            else None,
        )
        for path in top.rglob("*")
    }


def staged(site):
    state = site.top / ".env.bunraku/staging"
    return [*state.glob("*"), *(site.top / "cache/staging").glob("*")]


# -- what is there -----------------------------------------------------------------------------------


def test_a_link_that_changes_to_a_target_of_the_same_length_is_deployed(site):
    (site.control.work / "current").symlink_to("one")
    site.control.commit({})
    site.deploy()
    (site.control.work / "current").unlink()
    (site.control.work / "current").symlink_to("two")
    site.control.commit({})
    site.deploy()
    assert os.readlink(site.env / "production/current") == "two"
    (site.env / "production/current").unlink()
    (site.env / "production/current").symlink_to("bad")
    site.deploy()
    assert os.readlink(site.env / "production/current") == "two"


def test_a_directory_that_became_a_link_to_elsewhere_leaves_that_alone(site):
    module = site.module()
    site.puppetfile(f"mod 'a', :git => '{module.url}', :branch => 'main'")
    site.deploy()
    outside = site.top / "outside"
    (outside / "a/manifests").mkdir(parents=True)
    (outside / "a/manifests/init.pp").write_text("mine")
    before = everything(outside)
    for place in ("modules", "modules/a", "manifests"):
        linked_files.remove_tree(str(site.env / "production" / place))
        (site.env / "production" / place).symlink_to(outside)
        assert site.deploy().is_whole
        assert everything(outside) == before
        assert not (site.env / "production" / place).is_symlink()
        module.commit({f"new-{place[-1]}": place})
    assert site.deploy(only_modules=["a"]).is_whole
    assert everything(outside) == before


def test_an_environment_that_is_a_link_is_replaced_and_its_target_stays(site):
    outside = site.top / "outside"
    (outside / "modules/a").mkdir(parents=True)
    (outside / "mine").write_text("x")
    before = everything(outside)
    site.env.mkdir()
    (site.env / "production").symlink_to(outside)
    assert site.deploy().is_whole
    assert site.warnings() == [f"A directory replaces the file or link {site.env}/production"]
    assert sorted(site.files()) == ["manifests/site.pp"]
    assert everything(outside) == before


def test_an_environment_that_is_a_file_is_replaced_as_in_r10k(site):
    site.env.mkdir()
    (site.env / "production").write_text("mine")
    assert site.deploy().is_whole
    assert site.warnings() == [f"A directory replaces the file or link {site.env}/production"]
    assert sorted(site.files()) == ["manifests/site.pp"]
    assert staged(site) == []


def test_a_link_in_the_repository_in_place_of_the_modules_is_refused(site):
    module = site.module()
    outside = site.top / "outside"
    outside.mkdir()
    (site.control.work / "modules").symlink_to(outside)
    site.puppetfile(f"mod 'a', :git => '{module.url}', :branch => 'main'")
    assert codes(site.deploy()) == ["NO_PLACE"]
    assert list(outside.iterdir()) == []


def test_the_file_about_the_deployment_may_be_in_the_repository(site):
    site.control.commit({".r10k-deploy.json": "{}\n"})
    site.deploy()
    assert (
        json.loads((site.env / "production/.r10k-deploy.json").read_text())["name"] == "production"
    )
    assert not site.deploy().environments[0].changed
    assert site.warnings() == []


def test_odd_names_and_kinds_of_files_are_carried(site):
    site.deploy()
    top = site.env / "production"
    os.mkfifo(top / "pipe")
    os.mkdir(os.fsencode(top) + b"/d\xff")
    with open(os.fsencode(top) + b"/d\xff/n\xfe", "w") as file:
        file.write("x")
    (top / ("n" * 255)).write_text("x")
    (top / ".r10k-deploy.json.1-ab.new").write_text("x")
    (top / ".bunraku").mkdir()
    (top / "closed").mkdir()
    (top / "closed/x").write_text("1")
    (top / "closed").chmod(0o000)
    (top / "unreadable").write_text("1")
    (top / "unreadable").chmod(0o000)
    before = sorted(os.listdir(os.fsencode(top)))
    site.control.commit({"new": "x"})
    result = site.deploy()
    if os.geteuid():
        assert codes(result) == ["DEPLOYMENT_FAILED"]
        return
    assert result.is_whole
    assert sorted(os.listdir(os.fsencode(top))) == sorted([*before, b"new"])
    assert (top / "closed").stat().st_mode & 0o777 == 0
    assert not site.deploy().environments[0].changed


def test_names_of_the_repository_that_are_not_utf_8_are_deployed(site):
    with open(os.fsencode(site.control.work) + b"/n\xff", "w") as file:
        file.write("x")
    site.control.commit({"N": "1", "n": "2", "x" * 200: "3"})
    assert site.deploy().is_whole
    assert os.path.exists(os.fsencode(site.env) + b"/production/n\xff")
    assert not site.deploy().environments[0].changed
    site.control.commit({"N": "3"})
    assert site.deploy().is_whole
    assert rollback(site.options("production")).is_whole
    assert (site.env / "production/N").read_text() == "1"


def test_deep_directories_are_no_limit(site):
    site.deploy()
    deep = site.env / "production"
    handle = os.open(deep, os.O_RDONLY)
    for _number in range(1100):
        os.mkdir("d", dir_fd=handle)
        inner = os.open("d", os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = inner
    os.close(handle)
    site.control.commit({"new": "x"})
    assert site.deploy().is_whole
    assert not site.deploy().environments[0].changed
    linked_files.remove_tree(str(site.env))  # too deep for others


# -- edits and damage --------------------------------------------------------------------------------


def test_an_edit_in_place_is_reported_and_repaired_in_all_environments(site):
    site.control.branch("dev", {"marker": "x"})
    site.deploy()
    path = site.env / "production/manifests/site.pp"
    path.write_text("edited\n")
    found = {one.name: one.edited for one in status(site.options())}
    assert found == {"production": ("manifests/site.pp",), "dev": ("manifests/site.pp",)}
    result = site.deploy()
    assert result.is_whole
    assert len(site.warnings()) == 2
    for name in ("production", "dev"):
        assert (site.env / name / "manifests/site.pp").read_text() == "node default { }\n"


def test_edits_elsewhere_do_not_stop_the_deployment_of_one_module(site):
    module = site.module()
    site.puppetfile(*(f"mod '{name}', :git => '{module.url}', :branch => 'main'" for name in "ab"))
    site.deploy()
    for place in ("modules/b/manifests/init.pp", "manifests/site.pp"):
        (site.env / "production" / place).write_text("edited\n")
    module.commit({"new": "x"})
    result = site.deploy(only_modules=["a"])
    assert result.is_whole
    assert "modules/a/new" in site.files()
    assert site.files()["modules/b/manifests/init.pp"] == "edited\n"
    [found] = status(site.options())
    assert found.edited == ("manifests/site.pp", "modules/b/manifests/init.pp")
    assert site.deploy().is_whole
    assert site.files()["modules/b/manifests/init.pp"] == "class alpha { }\n"


def test_without_the_cache_a_deployment_still_knows_what_it_has_deployed(site):
    site.control.commit({"gone": "x"})
    site.deploy()
    linked_files.remove_tree(str(site.top / "cache"))
    site.control.commit({"gone": None, "new": "x"})
    assert site.deploy().is_whole
    assert sorted(site.files()) == ["manifests/site.pp", "new"]


def test_a_damaged_list_of_files_is_written_again(site):
    site.deploy()
    for path in (site.top / "cache/trees").iterdir():
        path.write_text("{")
    site.control.commit({"new": "x"})
    assert site.deploy().is_whole
    [found] = status(site.options())
    assert found.live.number == 2


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"schema": 1}', '{"schema": 1, "layers": [1]}']
)
def test_a_damaged_record_is_as_if_it_were_absent(site, content):
    site.deploy()
    (site.top / ".env.bunraku/records/production/1").write_text(content)
    site.control.commit({"new": "x"})
    assert site.deploy().is_whole
    assert status(site.options())[0].live is not None


def test_an_interrupted_deployment_is_no_target_of_a_rollback(site):
    site.deploy()
    site.control.commit({"new": "x"})
    site.deploy()
    records = site.top / ".env.bunraku/records/production"
    never = json.loads((records / "2").read_text())
    (records / "3").write_text(json.dumps({**never, "number": 3, "inode": 1}))
    [found] = status(site.options())
    assert found.live.number == 2
    assert [one.number for one in found.deployments] == [1, 2]
    with pytest.raises(PuppetError):
        rollback(site.options("production"), 3)
    site.control.commit({"newer": "x"})
    site.deploy()
    assert status(site.options())[0].live.number == 3


def test_what_a_killed_switch_of_two_steps_has_taken_away_is_put_back(site):
    site.deploy()
    staging = site.top / ".env.bunraku/staging"
    (site.env / "production").rename(staging / "production-0a0b.old")
    (staging / "production-0a0b").mkdir()
    inode = (staging / "production-0a0b.old").stat().st_ino
    assert not site.deploy().environments[0].changed
    assert (site.env / "production").stat().st_ino == inode
    assert staged(site) == []


def test_what_killed_runs_left_in_the_cache_goes(site):
    site.deploy()
    left = site.top / f"cache/staging/bunraku-{os.geteuid()}-00"
    (left / "tree/x").mkdir(parents=True)
    [copy] = (site.top / "cache/git").glob("*/")
    for name in ("packed-refs.lock", "objects/pack/tmp_pack_x", "config.lock", "HEAD.lock"):
        (copy / name).write_text("")
    site.control.commit({"new": "x"})
    assert site.deploy().is_whole
    assert staged(site) == []
    assert not list(copy.rglob("*.lock"))


def test_a_copy_that_was_begun_is_completed(site):
    site.deploy()
    [copy] = (site.top / "cache/git").glob("*/")
    linked_files.remove_tree(str(copy / "objects"))
    (copy / "bunraku-refs.json").unlink()
    (copy / "config").write_text("")
    site.control.commit({"new": "x"})
    assert site.deploy().is_whole


# -- disks -------------------------------------------------------------------------------------------


@needs_root
def test_a_full_disk_leaves_the_old_environment(site):
    site.control.commit({f"data/{number}": str(number) * 9000 for number in range(20)})
    disk = site.top / "disk"
    disk.mkdir(mode=0o700)
    with mounted(disk, 4):
        site.env = disk / "env"
        site.deploy()
        before = everything(site.env)
        site.control.commit({f"data/{number}": f"{number}x" * 9000 for number in range(40)})
        ballast = disk / "ballast"
        ballast.touch()
        failures = 0
        for room in range(0, 240, 24):
            fill(ballast, room)
            result = site.deploy()
            if result.is_whole:
                break
            failures += 1
            assert codes(result) == ["DEPLOYMENT_FAILED"]
            assert "No space left" in str(result.errors[0])
            assert everything(site.env) == before
            assert list((disk / ".env.bunraku/staging").iterdir()) == []
            assert status(site.options())[0].live.number == 1
        assert failures > 2
        ballast.unlink()
        assert site.deploy().is_whole


@needs_root
def test_a_full_cache_leaves_the_old_environment(site):
    site.deploy()
    before = everything(site.env)
    cache = site.top / "cache"
    linked_files.remove_tree(str(cache))
    cache.mkdir(mode=0o700)
    module = Remote(
        site.top, "big", {f"d/{number}": os.urandom(3000).hex() for number in range(60)}
    )
    site.puppetfile(f"mod 'big', :git => '{module.url}', :branch => 'main'")
    with mounted(cache, 3):
        ballast = cache / "ballast"
        ballast.touch()
        failures = 0
        for room in range(0, 768, 48):
            fill(ballast, room)
            try:
                result = site.deploy()
            except PuppetError as error:
                found = [error]
            else:
                if result.is_whole:
                    break
                found = result.errors
            failures += 1
            assert {one.code for error in found for one in error} <= {
                "STORE_FAILED",
                "REMOTE_FAILED",
            }
            assert everything(site.env) == before
            assert list(cache.glob("staging/*")) == []
        assert failures > 2
        ballast.unlink()
        assert site.deploy().is_whole


@needs_root
def test_another_file_system_gets_copies(site):
    disk = site.top / "disk"
    disk.mkdir(mode=0o700)
    with mounted(disk, 4):
        site.env = disk
        assert site.deploy().is_whole
        assert not site.deploy().environments[0].changed
        assert (disk / ".bunraku").is_dir()  # the directory is a mount point
        (disk / "production/manifests/site.pp").write_text("edited\n")
        assert site.deploy().is_whole
        assert site.files()["manifests/site.pp"] == "node default { }\n"


@needs_root
def test_what_is_mounted_in_an_environment_is_not_removed(site):
    site.control.branch("dev", {"x": "1"})
    site.deploy()
    outside = site.top / "outside"
    outside.mkdir()
    (outside / "precious").write_text("x")
    inside = site.env / "dev/data"
    inside.mkdir()
    subprocess.run(["mount", "--bind", outside, inside], check=True)
    try:
        site.control.git("checkout", "-q", "dev")
        site.control.commit({"new": "x"})
        assert codes(site.deploy()) == ["MOUNTED"]
        site.control.delete("dev")
        assert codes(site.deploy()) == ["MOUNTED"]
        assert (outside / "precious").read_text() == "x"
    finally:
        subprocess.run(["umount", "--lazy", inside], check=True)


@needs_root
@pytest.mark.parametrize("name", ["env", "cache"])
def test_a_read_only_disk_is_one_error(site, name):
    site.deploy()
    before = everything(site.env)
    site.control.commit({"new": "x"})
    place = site.top / name
    subprocess.run(["mount", "--bind", place, place], check=True)
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", place], check=True)
        try:
            found = site.deploy().errors
        except PuppetError as error:
            found = [error]
        assert [one.code for error in found for one in error] in (
            ["STORE_FAILED"],
            ["DEPLOYMENT_FAILED"],
            ["REMOTE_FAILED"],
        )
        assert "Read-only" in str(found[0])
        assert everything(site.env) == before
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)
    assert site.deploy().is_whole


@needs_user
def test_a_directory_without_the_right_to_write_is_an_error(site):
    site.deploy()
    before = everything(site.env)
    site.control.commit({"new": "x"})
    site.env.chmod(0o500)
    try:
        assert codes(site.deploy()) == ["DEPLOYMENT_FAILED"]
        assert everything(site.env) == before
    finally:
        site.env.chmod(0o700)


def test_a_base_directory_that_is_a_link_and_its_target_are_one(site):
    real = site.top / "data/real"
    real.mkdir(parents=True)
    site.env.symlink_to(real)
    site.deploy()
    assert (site.top / "data/.real.bunraku").is_dir()
    site.env = real
    assert not site.deploy().environments[0].changed


def test_two_names_of_one_base_directory_in_one_run(site):
    real = site.top / "real"
    real.mkdir()
    (site.top / "link").symlink_to(real)
    sources = {
        "one": {"remote": site.control.url, "basedir": str(real)},
        "two": {"remote": site.control.url, "basedir": str(site.top / "link"), "prefix": True},
    }
    path = site.configure()
    data = json.loads((site.top / "r10k.yaml").read_text())
    (site.top / "r10k.yaml").write_text(json.dumps({**data, "sources": sources}))
    options = site.options()
    (site.top / "r10k.yaml").write_text(json.dumps({**data, "sources": sources}))
    assert options.config == path
    assert deploy(options).is_whole
    assert sorted(os.listdir(real)) == ["production", "two_production"]
    assert not any(one.changed for one in deploy(options).environments)


def test_a_base_directory_is_made(site):
    site.env = site.top / "a/b/c"
    assert site.deploy().is_whole
    assert (site.env / "production/manifests/site.pp").exists()


def test_a_base_directory_that_is_a_file_is_an_error(site):
    site.env.write_text("mine")
    with pytest.raises(PuppetError) as caught:
        site.deploy()
    assert caught.value.code == "DEPLOYMENT_FAILED"
    assert site.env.read_text() == "mine"


def test_more_links_of_a_file_than_the_file_system_allows(site, tmp_path):
    site.deploy()
    [stored] = [path for path in (site.top / "cache/files").rglob("*") if path.is_file()]
    made = tmp_path / "links"
    made.mkdir()
    try:
        for number in range(70_000):
            os.link(stored, made / str(number))
    except OSError as error:
        if error.errno != errno.EMLINK:
            raise
    else:
        pytest.skip("needs a file system with a limit of hard links, such as ext4")
    site.control.branch("dev", {"x": "1"})
    result = site.deploy()
    assert result.is_whole
    assert (site.env / "dev/manifests/site.pp").read_text() == "node default { }\n"
    assert not any(one.changed for one in site.deploy().environments)


def mounted(folder, megabytes):
    """Mount a small disk, or skip."""
    made = small_disk(str(folder), megabytes)
    try:
        made.__enter__()
        folder.chmod(0o700)
    except SystemExit as error:
        pytest.skip(str(error))

    class Mounted:
        def __enter__(self):
            return self

        def __exit__(self, *what):
            made.__exit__(*what)

    return Mounted()


# -- switches ----------------------------------------------------------------------------------------


def test_a_failed_switch_leaves_no_record(site, tmp_path):
    site.deploy()
    [found] = status(site.options())
    from bunraku.deployment.store import Store

    store = Store(str(site.top / "cache"))
    state = DeploymentState(str(site.env), store)
    with state.held(), pytest.raises(OSError, match=r"No such file"):
        state.put("production", found.live, "/nonexistent/new", str(site.env / "production"))
    assert [one.number for one in state.records("production")] == []


def test_hundred_thousand_files_take_seconds(site):
    if not os.environ.get("LARGE_DEPLOYMENTS"):
        pytest.skip("takes a minute; run 'make deploy-large'")
    for directory in range(100):
        (site.control.work / f"d{directory}").mkdir()
        for number in range(1000):
            (site.control.work / f"d{directory}/{number}").write_text(
                f"{directory} {number % 50}\n"
            )
    site.control.commit({})
    times = []
    for change in ({}, {}, {"new": "x"}):
        site.control.commit(change)
        start = time.process_time(), time.monotonic()
        assert site.deploy().is_whole
        times.append((time.process_time() - start[0], time.monotonic() - start[1]))
    print(times)
