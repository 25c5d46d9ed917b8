"""A project that installs modules: its directory, git remotes and a Forge, all local."""

from __future__ import annotations

from pathlib import Path

from bunraku.jobs.module_site import ModulesOptions
from bunraku.jobs.modules import InstallResult, install
from support.git_remotes import Remote


class ModuleProject:
    """A directory with a Puppetfile or fixtures, and the remotes of its modules."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.root = top / "project"
        self.root.mkdir(parents=True)
        self.forge_url = ""
        self.log: list[tuple[str, str]] = []

    def write(self, name: str, text: str) -> Path:
        """Write a file of the project."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def puppetfile(self, *lines: str) -> None:
        """Write the Puppetfile."""
        self.write("Puppetfile", "".join(f"{line}\n" for line in lines))

    def remote(self, name: str, *tags: str, metadata: str = "") -> Remote:
        """Make the repository of a module with a commit for each tag."""
        files = {"manifests/init.pp": f"class {name} {{ }}\n", "spec/x_spec.rb": "# x\n"}
        found = Remote(
            self.top, name, {**files, **({"metadata.json": metadata} if metadata else {})}
        )
        for tag in tags:
            found.commit({"CHANGELOG": f"{tag}\n"})
            found.tag(tag)
        return found

    def options(self, *names: str, **more: object) -> ModulesOptions:
        """Return options for the project; the Forge is the local one."""
        forges = (self.forge_url,) if self.forge_url else ()
        values = {"directory": str(self.root), "names": names, "forges": forges, **more}
        return ModulesOptions(**{"cachedir": str(self.top / "store"), **values})

    def note(self, level: str, text: str) -> None:
        """Keep a message."""
        self.log.append((level, text))

    def install(self, *names: str, **more: object) -> InstallResult:
        """Install modules."""
        return install(self.options(*names, **more), self.note)

    def outcomes(self, *names: str, **more: object) -> dict[str, str]:
        """Install modules; return what became of each."""
        return {one.module.name: one.outcome for one in self.install(*names, **more).modules}

    def installed(self, directory: str = "modules") -> list[str]:
        """Return the files in a directory of the project."""
        top = self.root / directory
        return sorted(str(path.relative_to(top)) for path in top.rglob("*") if path.is_file())
