"""The resource type ``selinux_fcontext`` of the module selinux."""

from __future__ import annotations

from bunraku.providers.attributes import Ensure, Parameter, Property
from bunraku.providers.selinux import SemanageType


class SelinuxFcontext(SemanageType):
    """Labels that the local policy of SELinux gives to files."""

    name = "selinux_fcontext"
    module = "puppet-selinux 5.0"
    namevar = "title"
    attributes = (
        Ensure(about="Whether the local policy has the rule."),
        Property(
            "file_type",
            pattern="^[abcdflps]$",
            default="a",
            about="The kind of files: `a` for all, `f` for regular files, `d` for directories …",
        ),
        Property(
            "seltype",
            words=("<<none>>",),
            pattern=r"\w+",
            about="The type of the label; `<<none>>` for files without a label.",
        ),
        Property("seluser", pattern=r"\w+", about="The user of the label."),
        Property("selrole", pattern=r"\w+", about="The role; semanage cannot change it."),
        Property("selrange", pattern=r"\w+", about="The range; semanage cannot change it."),
        Parameter("title", about="The regular expression and the kind, as in `/srv(/.*)?_a`."),
        Parameter("pathspec", about="A regular expression for the paths of the files."),
        Parameter("provider"),
    )


resource_type = SelinuxFcontext
