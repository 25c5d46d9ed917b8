"""The site of the documentation: ``make docs`` builds it into ``docs/_build/html``."""

from __future__ import annotations

from sphinx.application import Sphinx

from bunraku.base.version import version as installed_version

project = "bunraku"
copyright = "the bunraku authors"  # noqa: A001, Sphinx's name
version = installed_version()
release = version
extensions = ["myst_parser", "sphinx_copybutton"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
myst_url_schemes = ("http", "https", "mailto")
# Pygments reads less of the Puppet language than bunraku; such blocks are shown with fewer colours.
suppress_warnings = ["misc.highlighting_failure"]
highlight_language = "text"
pygments_style = "friendly"
pygments_dark_style = "monokai"
copybutton_prompt_text = r"\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True
html_theme = "furo"
html_title = "bunraku"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False

# Pages at the root of the repository, by their pages on the site.
ROOT_PAGES = {"CHANGELOG": "changes", "CONTRIBUTING": "contributing", "SECURITY": "security-policy"}


def link_root_pages(_app: Sphinx, _name: str, text: list[str]) -> None:
    """Let links to pages at the root of the repository lead to their copies on the site."""
    for file, page in ROOT_PAGES.items():
        text[0] = text[0].replace(f"](../{file}.md", f"]({page}.md")


def setup(app: Sphinx) -> None:
    """Connect the changes of links."""
    app.connect("source-read", link_root_pages)
