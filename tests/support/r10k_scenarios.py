"""Scenarios of deployments: repositories, an ``r10k.yaml``, and calls of a program with r10k's command line."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from support.git_remotes import Remote

RunProgram = Callable[[list[str], Path], tuple[int, str]]
"""Runs the words in a directory; returns the exit code and the log."""
BASE = {
    "manifests/site.pp": "node default {\n}\n",
    "environment.conf": "modulepath = site:modules:$basemodulepath\n",
    "site/role/manifests/web.pp": "class role::web {\n}\n",
}
NAMES = ("feature/foo-bar", "1.2", "with-dash", "UPPER", "a.b", "under_score")
SCENARIOS: dict[str, Callable[[Scenario], None]] = {}


def scenario(function: Callable[[Scenario], None]) -> Callable[[Scenario], None]:
    """Register a scenario."""
    SCENARIOS[function.__name__] = function
    return function


class Scenario:
    """A directory with repositories, the program, and a record of each of its calls."""

    def __init__(self, top: Path, run: RunProgram) -> None:
        self.top = top
        self.program = run
        self.remotes: dict[str, Remote] = {}
        self.steps: list[dict[str, object]] = []
        (top / "here").mkdir(parents=True)

    def path(self, name: str) -> str:
        return str(self.top / name)

    def remote(self, name: str, files: dict[str, str], branch: str = "production") -> Remote:
        self.remotes[name] = made = Remote(self.top, name, files, branch)
        return made

    def put(self, name: str, text: str = "1\n", mode: int = 0o644) -> None:
        path = self.top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)

    def configure(self, **settings: object) -> None:
        self.put("r10k.yaml", json.dumps({"cachedir": self.path("cache"), **settings}))

    def control(self, *branches: str, puppetfile: str = "", **settings: object) -> Remote:
        """Make a control repository with branches, and an r10k.yaml for it."""
        files = {**BASE, **({"Puppetfile": puppetfile} if puppetfile else {})}
        made = self.remote("control", files)
        for branch in branches:
            made.branch(branch, {"marker": f"{branch}\n"})
        self.control_settings(**settings)
        return made

    def control_settings(self, **settings: object) -> None:
        """Write an r10k.yaml for the control repository."""
        remote = self.remotes["control"].url
        source = {"remote": remote, "basedir": self.path("env"), **settings.pop("source", {})}
        self.configure(sources={"main": source}, **settings)

    def module(self) -> Remote:
        """Make a repository of a module with tags and branches."""
        files = {
            "metadata.json": '{"name": "acme-alpha"}\n',
            "manifests/init.pp": "class alpha {\n}\n",
        }
        made = self.remote("alpha", {**files, "spec/spec_helper.rb": "# x\n"}, "main")
        made.tag("v1.0.0")
        made.commit({"manifests/two.pp": "class alpha::two {\n}\n"})
        made.branch("feature/x", {"manifests/feature.pp": "class alpha::feature {\n}\n"})
        return made

    def run(self, *words: str, here: str = "here", config: bool = True) -> None:
        """Run the program and record what came of it."""
        (self.top / here).mkdir(exist_ok=True)
        given = ["--config", self.path("r10k.yaml")] if config else []
        code, log = self.program([*words, *given], self.top / here)
        self.steps.append(
            {
                "words": " ".join(words).replace(str(self.top), "TOP"),
                "exit": code,
                "levels": sorted(set(re.findall(r"^(ERROR|WARN|FATAL)\t", log, re.MULTILINE))),
                "files": {
                    name: found
                    for top in ("env", "hiera", "site")
                    for name, found in self.files(top)
                },
            }
        )

    def files(self, top: str) -> list[tuple[str, str]]:
        """Return the files below a directory with digests, without those of git."""
        found = []
        for directory, subdirectories, names in os.walk(self.top / top):
            subdirectories[:] = [name for name in subdirectories if name != ".git"]
            for name in names:
                path = Path(directory, name)
                content = path.read_bytes().replace(os.fsencode(self.top), b"TOP")
                digest = sha256(content).hexdigest()[:8]
                shown = success_of(content) if name == ".r10k-deploy.json" else digest
                if name != ".git":
                    found.append((path.relative_to(self.top).as_posix(), shown))
        return sorted(found)


def success_of(content: bytes) -> str:
    """Return what the record of a deployment says, apart from times and commits."""
    data = json.loads(content)
    modules = [f"{one['name']} {one['version']}" for one in data["module_deploys"]]
    return f"{data['name']} {data['deploy_success']} {', '.join(modules)}".strip()


def record_of(name: str, top: Path, run: RunProgram) -> list[dict[str, object]]:
    """Return the steps of a scenario that runs in an empty directory."""
    shutil.rmtree(top, ignore_errors=True)
    one = Scenario(top, run)
    SCENARIOS[name](one)
    return one.steps


def mod(name: str, remote: Remote, options: str = ":ref => 'main'") -> str:
    """Return a line of a Puppetfile."""
    return f"mod '{name}', :git => '{remote.url}', {options}\n"


# -- names -------------------------------------------------------------------------------------------


@scenario
def names_are_corrected(one: Scenario) -> None:
    one.control(*NAMES)
    one.run("deploy", "environment", "feature/foo-bar", "a.b")
    one.run("deploy", "environment")


@scenario
def names_are_corrected_silently(one: Scenario) -> None:
    one.control(*NAMES, source={"invalid_branches": "correct"})
    one.run("deploy", "environment")


@scenario
def prefix_text(one: Scenario) -> None:
    one.control("dev", source={"prefix": "site"})
    one.run("deploy", "environment", "site_dev")
    one.run("deploy", "environment")


@scenario
def strip_text(one: Scenario) -> None:
    one.control("env/dev", "feature-1", source={"strip_component": "env/", "prefix": True})
    one.run("deploy", "environment")


@scenario
def several_sources(one: Scenario) -> None:
    control, other = one.remote("control", BASE), one.remote("other", {"x": "1\n"})
    one.configure(
        sources={
            "one": {"remote": control.url, "basedir": one.path("env")},
            "two": {"remote": other.url, "basedir": one.path("env"), "prefix": True},
            "data": {"remote": other.url, "basedir": one.path("hiera")},
        }
    )
    one.run("deploy", "environment")
    for name in ("env/old/x", "hiera/old/x", "hiera/.hidden"):
        one.put(name)
    one.run("deploy", "environment", "production")


@scenario
def unknown_environment(one: Scenario) -> None:
    one.control("dev")
    one.run("deploy", "environment", "dev", "nosuch")


# -- other sources -----------------------------------------------------------------------------------


@scenario
def yaml_source(one: Scenario) -> None:
    control, alpha = one.remote("control", BASE), one.module()
    one.put(
        "environments.yaml",
        f"one:\n  remote: {control.url}\n  ref: production\n  modules:\n"
        f"    alpha:\n      git: {alpha.url}\n      ref: v1.0.0\n"
        f"with-dash:\n  type: plain\n  moduledir: ext\n  modules:\n"
        f"    alpha:\n      type: git\n      source: {alpha.url}\n      version: main\n"
        f"three:\n  source: {control.url}\n  version: production\n  nosuch: 1\n",
    )
    config = one.path("environments.yaml")
    source = {"type": "yaml", "basedir": one.path("env"), "config": config, "prefix": True}
    one.configure(sources={"main": source})
    one.run("deploy", "environment", "-m")
    one.run("deploy", "environment", "main_with-dash")


@scenario
def yamldir_source(one: Scenario) -> None:
    control = one.remote("control", BASE)
    one.put("environments/b.yaml", f"remote: {control.url}\nref: production\n")
    one.put("environments/a.yaml", "type: plain\n")
    source = {"type": "yamldir", "basedir": one.path("env"), "config": one.path("environments")}
    one.configure(sources={"main": source})
    one.run("deploy", "environment")
    one.put("environments/c.yaml", "x: [\n")
    one.run("deploy", "environment")


@scenario
def broken_exec_source(one: Scenario) -> None:
    source = {"type": "exec", "basedir": one.path("env"), "command": one.path("list")}
    one.configure(sources={"main": source})
    for text in ("exit 3", "echo '[1]'"):
        one.put("list", f"#!/bin/sh\n{text}\n", 0o755)
        one.run("deploy", "environment")


@scenario
def wrong_sources(one: Scenario) -> None:
    basedir = one.path("env")
    for source in (
        {"type": "nosuch", "basedir": basedir},
        {"basedir": basedir},
        {"remote": "/nosuch"},
        {"type": "svn", "basedir": basedir, "remote": "file:///nosuch"},
    ):
        one.configure(sources={"main": source})
        one.run("deploy", "environment")


# -- purging -----------------------------------------------------------------------------------------


@scenario
def allowed_content(one: Scenario) -> None:
    allowlist = ["keep", "a/*.txt", "**/b.txt", ".hidden*", "*.json"]
    levels = ["environment", "deployment"]
    one.control(deploy={"purge_levels": levels, "purge_allowlist": allowlist})
    one.run("deploy", "environment")
    names = "keep/x/y site/a.txt manifests/b.txt .hidden x.json manifests/x.json site/role/.dot"
    for name in names.split():
        one.put(f"env/production/{name}")
    one.put("env/keep/x")
    one.run("deploy", "environment")


@scenario
def allowed_file_in_a_directory(one: Scenario) -> None:
    one.control(deploy={"purge_levels": ["environment"], "purge_allowlist": ["**/b.txt"]})
    one.run("deploy", "environment")
    one.put("env/production/deep/er/b.txt")
    one.put("env/production/deep/c.txt")
    one.run("deploy", "environment")


@scenario
def no_purging(one: Scenario) -> None:
    control = one.control("dev", puppetfile=mod("a", one.module()), deploy={"purge_levels": []})
    one.run("deploy", "environment", "-p")
    for name in ("env/stray/x", "env/production/modules/stray/x", "env/production/stray"):
        one.put(name)
    control.delete("dev")
    one.run("deploy", "environment", "-p")


@scenario
def purging_between_modules(one: Scenario) -> None:
    alpha = one.module()
    deep = ":ref => 'main', :install_path => 'ext/deep'"
    puppetfile = mod("a", alpha) + mod("b", alpha, deep) + "mod 'mine', :local => true\n"
    levels = ["deployment", "environment", "puppetfile"]
    one.control(puppetfile=puppetfile, deploy={"purge_levels": levels})
    one.run("deploy", "environment", "-p")
    names = "modules/stray/x modules/mine/x ext/stray ext/deep/stray/x modules/a/stray stray"
    for name in names.split():
        one.put(f"env/production/{name}")
    one.run("deploy", "environment")
    one.run("deploy", "environment", "-p")


# -- modules -----------------------------------------------------------------------------------------


@scenario
def a_tag_moves(one: Scenario) -> None:
    alpha = one.module()
    one.control(puppetfile=mod("a", alpha, ":tag => 'v1.0.0'"))
    one.run("deploy", "environment", "-p")
    alpha.tag("v1.0.0", "-f")
    one.run("deploy", "environment", "-p")


@scenario
def modules_of_one_remote(one: Scenario) -> None:
    alpha = one.module()
    lines = [mod("a", alpha, ":tag => 'v1.0.0'"), mod("b", alpha, ":branch => 'feature/x'")]
    one.control(puppetfile="".join(["moduledir 'third'\n", *lines, mod("acme/c", alpha)]))
    one.run("deploy", "environment", "-p")
    one.run("deploy", "module", "b", "-v", "info")


@scenario
def modules_of_one_environment(one: Scenario) -> None:
    alpha = one.module()
    one.control("dev", "feature/x", puppetfile=mod("a", alpha))
    one.run("deploy", "environment", "-p")
    alpha.commit({"z": "1\n"})
    one.run("deploy", "module", "a", "-e", "production", "-e", "feature/x")
    one.run("deploy", "module")


@scenario
def default_ref(one: Scenario) -> None:
    alpha = one.module()
    line = f"mod 'a', :git => '{alpha.url}'\n"
    one.control(puppetfile=line, git={"default_ref": "main"}, deploy={"exclude_spec": False})
    one.run("deploy", "environment", "-p")


@scenario
def puppetfile_of_another_name(one: Scenario) -> None:
    alpha = one.module()
    control = one.control(puppetfile=mod("a", alpha), source={"puppetfile_name": "Other"})
    control.commit({"Other": mod("b", alpha)})
    one.run("deploy", "environment", "-p")


@scenario
def modules_of_a_directory(one: Scenario) -> None:
    alpha = one.module()
    one.configure()
    ext = ":ref => 'main', :install_path => 'ext'"
    lines = [mod("a", alpha), mod("b", alpha, ext), "mod 'own', :local => true\n"]
    one.put("site/Puppetfile", "".join(["moduledir 'm'\n", *lines]))
    one.run("puppetfile", "install", here="site")
    for name in ("m/own/x", "m/stray/x", "ext/stray"):
        one.put(f"site/{name}")
    one.run("puppetfile", "install", here="site")
    one.put("site/Puppetfile", mod("a", alpha, ":ref => 'nosuch'"))
    one.run("puppetfile", "check", here="site")
    one.run("puppetfile", "install", here="site")


# -- settings, hooks and words -----------------------------------------------------------------------


@scenario
def generated_types(one: Scenario) -> None:
    script = '#!/bin/sh\nmkdir -p "$6/$4/.resource_types"\necho "$2" >> "$6/$4/.resource_types/x"\n'
    one.put("puppet", script, 0o755)
    one.put("puppet.conf", "")
    paths = {"puppet_path": one.path("puppet"), "puppet_conf": one.path("puppet.conf")}
    one.control("dev", deploy={"generate_types": True, **paths})
    one.run("deploy", "environment")
    one.run("deploy", "environment", "dev")


@scenario
def write_locks(one: Scenario) -> None:
    for lock in (False, True, "", "closed"):
        one.configure(sources={}, deploy={"write_lock": lock})
        one.run("deploy", "environment")
        one.run("deploy", "display")


@scenario
def settings_of_the_current_directory(one: Scenario) -> None:
    one.control()
    one.put("here/r10k.yaml", (one.top / "r10k.yaml").read_text())
    one.run("deploy", "environment", config=False)
    one.run("deploy", "environment", "-c", one.path("nosuch.yaml"), config=False)


@scenario
def postrun_command(one: Scenario) -> None:
    log = one.path("env") + "/postrun.log"
    command = ["/bin/sh", "-c", f'echo "$0" "$1" >> {log}', "x$modifiedenvsx", "$modifiedenvs"]
    one.control("dev", postrun=command, deploy={"purge_levels": []})
    one.run("deploy", "environment")
    one.run("deploy", "environment", "dev")


@scenario
def words(one: Scenario) -> None:
    one.control()
    for line in (
        "-v info deploy env",
        "deploy environment -pm",
        "deploy environment --exclude-spec maybe",
        "deploy environment --exclude-spec=false",
        "deploy --cachedir cache environment production",
        "deploy display --cachedir cache",
        "deploy environment --puppet-path /nosuch",
        "deploy environment --private-key a --oauth-token b",
        "deploy environment --github-app-id a",
        "deploy environment -v 7",
        "deploy environment -v loud",
        "puppetfile check --moduledir x",
        "deploy list",
        "help deploy",
        "help deploy nosuch",
        "version",
        "-x",
    ):
        one.run(*line.split(), config=line.startswith(("deploy", "-v")))


# -- what is seldom ----------------------------------------------------------------------------------


@scenario
def no_environments(one: Scenario) -> None:
    one.control("dev", source={"ignore_branch_prefixes": ["dev", "prod"]})
    one.run("deploy", "environment")
    one.run("deploy", "display")
    one.control_settings(
        source={"ignore_branch_prefixes": ["dev", "prod"]}, deploy={"purge_levels": []}
    )
    one.run("deploy", "environment")
    one.put("env/stray/file")
    one.control_settings(source={"ignore_branch_prefixes": ["dev", "prod"]})
    one.run("deploy", "environment")


@scenario
def branch_override_of_a_module(one: Scenario) -> None:
    alpha = one.module()
    options = ":branch => :control_branch, :default_branch_override => 'feature/x'"
    one.control("dev", puppetfile=mod("alpha", alpha, options))
    one.run("deploy", "environment")
    one.run("deploy", "environment", "dev", "-m", "--default-branch-override", "main")


@scenario
def control_branch_without_a_branch(one: Scenario) -> None:
    alpha = one.module()
    one.configure()
    options = ":branch => :control_branch, :default_branch => 'main'"
    one.put("site/Puppetfile", mod("alpha", alpha, options))
    one.run("puppetfile", "check", here="site")
    one.run("puppetfile", "install", here="site")


@scenario
def removed_directory_of_a_module(one: Scenario) -> None:
    one.control(puppetfile=mod("alpha", one.module()))
    one.run("deploy", "environment")
    shutil.rmtree(one.top / "env/production/modules/alpha")
    one.run("deploy", "environment", "-m")


@scenario
def plain_environments(one: Scenario) -> None:
    alpha = one.module()
    modules = {"alpha": {"git": alpha.url, "ref": "v1.0.0"}}
    declared = {
        "one": {"type": "plain", "modules": modules, "moduledir": "external"},
        "two": {"type": "plain"},
    }
    one.put("environments.yaml", json.dumps(declared))
    source = {"type": "yaml", "basedir": one.path("env"), "config": one.path("environments.yaml")}
    one.configure(sources={"main": source})
    one.run("deploy", "environment", "-m")
    one.put("env/one/external/stray/file")
    one.put("env/one/modules/stray/file")
    one.run("deploy", "environment", "-m")
