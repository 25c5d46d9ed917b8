"""Pages in HTML: a start page in the place of PuppetDB's dashboard, and paths that do not exist."""

from __future__ import annotations

from html import escape

from bunraku.web.http import Response

HTML_TYPE = "text/html;charset=utf-8"
START_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>PuppetDB of bunraku</title>
<h1>PuppetDB of bunraku</h1>
<p>This server answers PuppetDB's commands and queries. It has no dashboard of its own;
<a href="https://github.com/voxpupuli/puppetboard">Puppetboard</a> works with it.</p>
<ul>
<li><a href="/status/v1/services?level=debug">status</a></li>
<li><a href="/metrics">metrics for Prometheus</a></li>
<li><a href="/pdb/meta/v1/version">version of PuppetDB whose interface this is</a></li>
<li><a href="/pdb/query/v4/nodes">nodes</a></li>
</ul>
</html>
"""
NOT_FOUND = """\
<html>
<head>
<meta http-equiv="Content-Type" content="text/html;charset=ISO-8859-1"/>
<title>Error 404 Not Found</title>
</head>
<body><h2>HTTP ERROR 404 Not Found</h2>
<table>
<tr><th>URI:</th><td>{path}</td></tr>
<tr><th>STATUS:</th><td>404</td></tr>
<tr><th>MESSAGE:</th><td>Not Found</td></tr>
<tr><th>SERVLET:</th><td>-</td></tr>
</table>

</body>
</html>
"""


def start_page() -> Response:
    """Return the page in the place of PuppetDB's dashboard."""
    return Response(200, {"content-type": HTML_TYPE}, [START_PAGE])


def not_found(path: str) -> Response:
    """Return the page for a path outside of the interface, in the form of Jetty's."""
    headers = {
        "content-type": "text/html;charset=iso-8859-1",
        "cache-control": "must-revalidate,no-cache,no-store",
    }
    return Response(404, headers, [NOT_FOUND.format(path=escape(path))])
