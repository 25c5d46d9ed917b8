"""A profile as one HTML page, or as JSON for https://www.speedscope.app."""

from __future__ import annotations

import html
from typing import Any

from bunraku.cli.profile.sampler import KINDS, Profile, StackLevel
from bunraku.formats.json import ascii_json_text

SHOWN = 60
COLOURS = {
    "class": "#7aa6da",
    "define": "#8fc28f",
    "function": "#e0b070",
    "lookup": "#c39ad6",
    "template": "#e08f8f",
    "node": "#b8b8b8",
    "main": "#b8b8b8",
    "lambda": "#e6d28a",
    "compiler": "#d0d0d0",
}
assert set(COLOURS) == set(KINDS)


def speedscope(profile: Profile, name: str) -> dict[str, Any]:
    """Return the profile in speedscope's file format: frames are places with their line."""
    frames: dict[StackLevel, int] = {}
    samples = [
        [frames.setdefault(level, len(frames)) for level in stack] for stack in profile.seconds
    ]
    return {
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "exporter": "bunraku",
        "name": name,
        "activeProfileIndex": 0,
        "shared": {"frames": [frame_of(level) for level in frames]},
        "profiles": [
            {
                "type": "sampled",
                "name": name,
                "unit": "seconds",
                "startValue": 0,
                "endValue": profile.total,
                "samples": samples,
                "weights": list(profile.seconds.values()),
            }
        ],
    }


def frame_of(level: StackLevel) -> dict[str, Any]:
    """Return a frame in speedscope's form."""
    found: dict[str, Any] = {"name": level.label}
    if level.file:
        found.update(file=level.file, line=level.line)
    return found


def speedscope_text(profile: Profile, name: str) -> str:
    """Return the speedscope file as text; bytes of names that are not UTF-8 are escaped."""
    return ascii_json_text(speedscope(profile, name)) + "\n"


def tree(profile: Profile) -> dict[str, Any]:
    """Return the stacks as a tree: name, kind, place, seconds, and children by cost."""
    root: dict[str, Any] = {"n": "all", "k": "main", "p": "", "s": profile.total, "c": {}}
    for stack, seconds in profile.seconds.items():
        node = root
        for level in stack:
            at = f"{level.file}:{level.line}" if level.file else ""
            fresh = {"n": level.label, "k": level.kind, "p": at, "s": 0.0, "c": {}}
            node = node["c"].setdefault((level.label, at), fresh)
            node["s"] += seconds
    return plain(root)


def plain(root: dict[str, Any]) -> dict[str, Any]:
    """Return the tree with lists of children, without recursion since code nests deeply."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        node["s"] = round(node["s"], 6)
        node["c"] = sorted(node["c"].values(), key=lambda child: -float(child["s"]))
        waiting.extend(node["c"])
    return root


def flat(root: dict[str, Any]) -> list[list[Any]]:
    """Return the graph's boxes: depth, start, width (as fractions), name, kind, place, seconds."""
    whole = root["s"] or 1.0
    boxes: list[list[Any]] = []
    waiting = [(root, 0, 0.0)]
    while waiting:
        node, depth, start = waiting.pop()
        boxes.append(
            [
                depth,
                round(start, 6),
                round(node["s"] / whole, 6),
                node["n"],
                node["k"],
                node["p"],
                node["s"],
            ]
        )
        for child in node["c"]:
            waiting.append((child, depth + 1, start))
            start += child["s"] / whole
    return boxes


def page(profile: Profile, name: str) -> str:
    """Return the profile as a self-contained page."""
    total = profile.total or 1.0
    rows = "".join(
        f"<tr><td><i style='background:{COLOURS.get(kind, '#ccc')}'></i>{html.escape(kind)}</td>"
        f"<td>{html.escape(shown(what))}</td><td>{whole * 1000:.1f}</td><td>{whole / total:.1%}</td>"
        f"<td>{alone * 1000:.1f}</td></tr>"
        for kind, what, whole, alone in profile.totals()[:SHOWN]
    )
    data = ascii_json_text({"boxes": flat(tree(profile)), "colours": COLOURS}).replace(
        "<", "\\u003c"
    )
    title = html.escape(shown(name))
    head = f"<!doctype html>\n<html lang='en'><meta charset='utf-8'><title>Profile of {title}</title>\n"
    about = f"{profile.total * 1000:.0f} ms (wall clock), {profile.samples} samples"
    return (
        f"{head}<style>{STYLE}</style>\n<h1>{title}</h1><p>{about}. Click a box to zoom, the "
        "lowest to reset; a box is a line of a manifest that was running.</p>\n"
        f"<svg id='graph' role='img' aria-label='flame graph'></svg><p id='told'>&nbsp;</p>\n"
        "<table><thead><tr><th>kind<th>name<th>ms<th>%<th>self ms</tr></thead>"
        f"<tbody>{rows}</tbody></table>\n"
        f"<script type='application/json' id='data'>{data}</script>\n<script>{SCRIPT}</script></html>\n"
    )


def shown(text: str) -> str:
    """Return the text for a page: bytes that are not UTF-8 become question marks."""
    return text.encode("utf-8", "replace").decode()


STYLE = """
body{font:14px/1.4 system-ui,sans-serif;margin:1.5rem;max-width:90rem}h1{font-size:1.2rem}
svg{width:100%;display:block}svg text{font-size:11px;pointer-events:none}rect{stroke:#fff;cursor:pointer}
td,th{padding:.1rem .8rem;text-align:left}td:nth-child(n+3),th:nth-child(n+3){text-align:right}
i{display:inline-block;width:.8em;height:.8em;margin-right:.5em}#told{min-height:1.4em}
"""
SCRIPT = """
const {boxes,colours}=JSON.parse(document.getElementById('data').textContent);
const graph=document.getElementById('graph'),told=document.getElementById('told'),high=18;
const deep=Math.max(...boxes.map(b=>b[0]))+1,space='http://www.w3.org/2000/svg';
function draw(from){
  const [depth,start,width]=boxes[from],wide=graph.clientWidth||1000;
  graph.replaceChildren();graph.setAttribute('height',deep*high);
  boxes.forEach((b,at)=>{
    let x=(b[1]-start)/width*wide,w=b[2]/width*wide;
    if(b[0]<=depth){if(b[1]>start+1e-9||b[1]+b[2]<start+width-1e-9)return;x=0;w=wide}
    if(w<0.5||x<-0.5||x>=wide)return;
    const y=(deep-1-b[0])*high,box=document.createElementNS(space,'rect');
    for(const [k,v] of Object.entries({x,y,width:w,height:high,fill:colours[b[4]]||'#ccc'}))box.setAttribute(k,v);
    box.onclick=()=>draw(at);
    box.onmouseover=()=>{told.textContent=`${b[3]} ${b[5]} \\u2014 ${(b[6]*1000).toFixed(1)} ms, ${(b[2]*100).toFixed(1)} %`};
    graph.append(box);
    if(w>40){const t=document.createElementNS(space,'text');t.setAttribute('x',x+3);t.setAttribute('y',y+13);
      t.textContent=(b[3]+' '+b[5].split('/').pop()).slice(0,Math.floor(w/6.2));graph.append(t)}
  });
}
draw(0);addEventListener('resize',()=>draw(0));
"""
