"""A site to deploy: a control repository, modules, an r10k.yaml and a base directory."""

from __future__ import annotations

import json

from bunraku.jobs.deploy import DeployOptions, deploy
from support.git_remotes import Remote


class Site:
    """A control repository, modules, an r10k.yaml and a base directory."""

    def __init__(self, top):
        self.top = top
        self.control = Remote(
            top, "control", {"manifests/site.pp": "node default { }\n"}, "production"
        )
        self.env = top / "env"
        self.log = []
        self.settings = {}

    def module(self, name="alpha"):
        files = {"manifests/init.pp": f"class {name} {{ }}\n", "spec/x_spec.rb": "# x\n"}
        return Remote(self.top, name, files)

    def puppetfile(self, *lines):
        return self.control.commit({"Puppetfile": "".join(f"{one}\n" for one in lines)})

    def configure(self):
        sources = {"main": {"remote": self.control.url, "basedir": str(self.env)}}
        data = {"cachedir": str(self.top / "cache"), "sources": sources, **self.settings}
        (self.top / "r10k.yaml").write_text(json.dumps(data))
        return str(self.top / "r10k.yaml")

    def options(self, *names, **more):
        return DeployOptions(names, **{"modules": True, "config": self.configure(), **more})

    def deploy(self, *names, **more):
        self.log.clear()
        return deploy(
            self.options(*names, **more), lambda level, text: self.log.append((level, text))
        )

    def warnings(self):
        return [text for level, text in self.log if level == "warn"]

    def files(self, name="production"):
        top = self.env / name
        return {
            str(path.relative_to(top)): path.read_text()
            for path in top.rglob("*")
            if path.is_file() and path.name != ".r10k-deploy.json"
        }
