(() => {
const data = JSON.parse(document.getElementById("graphs").textContent);
const find = id => document.getElementById(id), canvas = find("canvas"), context = canvas.getContext("2d");
const DOTTED = ["automatic", "contains", "may include"];
const CHARACTER = 6.7, LONGEST = 48, FEW = 80, SMALL = 0.35, MOST_HITS = 50;
const BACK = 150, BESIDE = 15, NARROW = 700; // the most that an edge to the left bends, what then shows beside its ends, the width of narrow windows
const STYLES = { before: "stated", require: "stated", notify: "refresh", subscribe: "refresh", automatic: "automatic", contains: "contains", includes: "includes", "may include": "includes", inherits: "includes", assigns: "flow", flows: "flow" };
let graph, nodes, edges, boxes = [], lines = [], view = { x: 0, y: 0, scale: 1 }, colours = {}, waiting = false;
let opened = new Set(), kinds = new Set(), types = new Set(), selected = -1, focus = null;

const shorten = text => text.length > LONGEST ? text.slice(0, LONGEST - 1) + "\u2026" : text;
const element = (tag, content, name) => { const made = document.createElement(tag); made.textContent = content; if (name) made.className = name; return made; };

/* -- the graph ------------------------------------------------------------------------------- */

function load(index) {
  graph = data.graphs[index];
  nodes = graph.nodes.map(([name, kind, type, container, path, line, state, changes], at) => ({
    at, name, kind, type: graph.types[type], container, path: graph.paths[path], line, state, changes,
    label: shorten(name.replace(/\s+/g, " ")), text: (name + " " + graph.paths[path]).toLowerCase(), parts: [], into: [], from: [], cycle: false, parent: -1,
  }));
  for (const one of nodes) {
    if (one.container < 0 || nodes[one.container].type === "Stage") continue;
    let above = one.container;
    while (above >= 0 && above !== one.at) above = nodes[above].parent;
    if (above < 0) { one.parent = one.container; nodes[one.parent].parts.push(one.at); }
  }
  edges = graph.edges.map(([source, target, kind, label, path, line, state, cycle], at) => ({ at, source, target, kind, label, path: graph.paths[path], line, state, cycle }));
  for (const edge of edges) { nodes[edge.source].from.push(edge); nodes[edge.target].into.push(edge); }
  graph.cycles.forEach(cycle => cycle.forEach(at => { nodes[at].cycle = true; }));
  kinds = new Set(graph.kinds.keys());
  graph.kinds.forEach(([layer], at) => { if (!data.shown.includes(layer)) kinds.delete(at); });
  types = new Set(graph.types);
  selected = -1; focus = null; opened = new Set();
  fillControls();
  openSome();
  update(true, true);
}

function openSome() {
  let count = nodes.filter(one => one.parent < 0).length, level = nodes.filter(one => one.parent < 0);
  while (level.length) {
    const next = [];
    for (const one of level) {
      if (!one.parts.length || count + one.parts.length > FEW) continue;
      count += one.parts.length;
      opened.add(one.at);
      next.push(...one.parts.map(at => nodes[at]));
    }
    level = next;
  }
}

const above = function* (at) { for (let one = nodes[at].parent; one >= 0; one = nodes[one].parent) yield one; };
const isWithin = (at, container) => at === container || [...above(at)].includes(container);
const isShownEdge = edge => kinds.has(edge.kind);
const isContains = edge => graph.kinds[edge.kind][0] === "containment";

function chosenNodes() {
  const within = Number(find("within").value), differences = find("only-changes").checked;
  const all = graph.kinds.some(([layer], at) => layer === "containment" && kinds.has(at)), wanted = new Uint8Array(nodes.length);
  const relevant = new Uint8Array(nodes.length);
  for (const edge of edges) if (isShownEdge(edge) && !isContains(edge)) {
    if (!differences || edge.state) wanted[edge.source] = wanted[edge.target] = 1;
    relevant[edge.source] = relevant[edge.target] = 1;
  }
  return nodes.filter(one => {
    if (focus) return focus.has(one.at);
    const isResource = one.type !== "Stage" && !["data file", "key", "parameter"].includes(one.kind);
    if (!types.has(one.type) || (within >= 0 && !isWithin(one.at, within))) return false;
    if (differences) return one.state !== "" && (relevant[one.at] || isResource) || wanted[one.at];
    return relevant[one.at] || (all && isResource);
  });
}

/* -- places ----------------------------------------------------------------------------------- */

function place() {
  const nested = find("nested").checked, chosen = chosenNodes(), shown = new Set(chosen.map(one => one.at));
  if (nested) for (const one of chosen) for (const at of above(one.at)) shown.add(at);
  const shownParts = one => nested ? one.parts.filter(at => shown.has(at)) : [];
  const stands = new Int32Array(nodes.length).fill(-1), roots = nodes.filter(one => shown.has(one.at) && (!nested || one.parent < 0));
  const inner = new Map(), tops = [];
  const count = (one, box) => { for (const at of shownParts(one)) { stands[at] = box.at; box.hidden++; count(nodes[at], box); } };
  const build = (one, list, depth) => {
    const parts = shownParts(one), isOpen = parts.length > 0 && opened.has(one.at);
    const box = { at: one.at, depth, parts: [], hidden: 0, isOpen, isContainer: parts.length > 0, w: 0, h: LINE, x: 0, y: 0 };
    stands[one.at] = one.at;
    inner.set(one.at, box);
    list.push(box);
    if (isOpen) parts.forEach(at => build(nodes[at], box.parts, depth + 1));
    else count(one, box);
    box.label = (parts.length ? (isOpen ? "\u25be " : "\u25b8 ") : "") + one.label + (isOpen || !parts.length ? "" : " (" + box.hidden + ")");
    box.w = box.label.length * CHARACTER + 2 * GAP;
  };
  roots.forEach(one => build(one, tops, 0));
  lines = joinedLines(stands, nested);
  const levels = new Map();
  for (const line of lines) {
    const pair = commonLevel(line.source, line.target, nested);
    if (pair) { if (!levels.has(pair[0])) levels.set(pair[0], new Map()); levels.get(pair[0]).set(pair[1] * nodes.length + pair[2], [pair[1], pair[2]]); }
  }
  const size = (list, at) => {
    for (const box of list) if (box.isOpen) { const found = size(box.parts, box.at); box.w = Math.max(box.w, found.w); box.h = found.h; }
    const index = new Map(list.map((box, number) => [box.at, number]));
    return arrange(list, [...(levels.get(at) || new Map()).values()].map(([a, b]) => [index.get(a), index.get(b)]));
  };
  const whole = size(tops, -1);
  boxes = [];
  const move = (list, x, y) => { for (const box of list) { box.x += x; box.y += y; boxes.push(box); move(box.parts, box.x, box.y); } };
  move(tops, 0, 0);
  for (const line of lines) { line.from = inner.get(line.source); line.to = inner.get(line.target); }
  find("count").textContent = chosen.length + " of " + nodes.length + " nodes, " + lines.reduce((sum, line) => sum + line.count, 0) + " of " + edges.length + " edges";
  return whole;
}

function joinedLines(stands, nested) {
  const found = new Map();
  for (const edge of edges) {
    if (!isShownEdge(edge) || (nested && isContains(edge))) continue;
    const source = stands[edge.source], target = stands[edge.target];
    if (source < 0 || target < 0 || source === target) continue;
    const key = (source * nodes.length + target) * graph.kinds.length + edge.kind, known = found.get(key);
    if (known) { known.count++; known.cycle ||= edge.cycle; if (known.state !== edge.state) known.state = ""; }
    else found.set(key, { source, target, kind: edge.kind, state: edge.state, cycle: edge.cycle, count: 1 });
  }
  return [...found.values()];
}

function commonLevel(source, target, nested) {
  if (!nested) return [-1, source, target];
  const one = [source, ...above(source), -1].reverse(), other = [target, ...above(target), -1].reverse();
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at++;
  return at < one.length && at < other.length ? [one[at - 1], one[at], other[at]] : null;
}

/* -- drawing ----------------------------------------------------------------------------------- */

function readColours() {
  const probe = element("span", "");
  document.body.append(probe);
  for (const name of ["page", "text", "quiet", "line", "accent", "error", "good", "info", "mark", "added", "removed", "stated", "refresh", "automatic", "includes", "flow", "contains", "shade", "leaf", "data"]) {
    probe.style.color = "var(--" + name + ")";
    colours[name] = getComputedStyle(probe).color;
  }
  probe.remove();
}

const redraw = () => { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; draw(); }); } };
const stateColour = state => ({ added: colours.good, removed: colours.error, changed: colours.info })[state];

function draw() {
  const ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  if (canvas.width !== width * ratio || canvas.height !== height * ratio) { canvas.width = width * ratio; canvas.height = height * ratio; }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = colours.page;
  context.fillRect(0, 0, width, height);
  context.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, ratio * view.x, ratio * view.y);
  const frame = { left: -view.x / view.scale, top: -view.y / view.scale };
  frame.right = frame.left + width / view.scale; frame.bottom = frame.top + height / view.scale;
  const isSeen = box => box.x < frame.right && box.y < frame.bottom && box.x + box.w > frame.left && box.y + box.h > frame.top;
  const seen = boxes.filter(isSeen);
  for (const box of seen) if (box.isOpen) drawBox(box);
  drawLines(frame);
  for (const box of seen) if (!box.isOpen) drawBox(box);
  for (const box of seen) if (box.isOpen || view.scale >= SMALL) drawLabel(box);
}

function drawBox(box) {
  const one = nodes[box.at], isData = ["data file", "key", "parameter"].includes(one.kind);
  context.fillStyle = box.isOpen ? colours.shade : one.state === "added" ? colours.added : one.state === "removed" ? colours.removed : one.state === "changed" ? colours.mark : isData ? colours.data : colours.leaf;
  context.strokeStyle = one.cycle ? colours.error : box.at === selected ? colours.accent : stateColour(one.state) || colours.contains;
  context.lineWidth = one.cycle || box.at === selected ? 2.5 : 1;
  context.setLineDash(one.state === "removed" ? [5, 3] : []);
  context.beginPath();
  context.roundRect(box.x, box.y, box.w, box.h, isData ? 8 : 3);
  context.fill();
  context.stroke();
}

function drawLabel(box) {
  const one = nodes[box.at], size = box.isOpen && view.scale < SMALL ? Math.min(11 / view.scale, 44) : 11;
  context.font = (box.isContainer ? "600 " : "") + size + "px ui-monospace, Menlo, Consolas, monospace";
  if (size > 11 && context.measureText(box.label).width > box.w) return;
  if (size > 11) { context.strokeStyle = colours.page; context.lineWidth = size / 4; context.setLineDash([]); context.strokeText(box.label, box.x + GAP, box.y + size); }
  context.fillStyle = stateColour(one.state) || colours.text;
  context.fillText(box.label, box.x + GAP, box.y + (size > 11 ? size : 14));
}

function drawLines(frame) {
  const groups = new Map(), marked = [];
  for (const line of lines) {
    const { from, to } = line;
    if (!from || !to) continue;
    const x = from.x + from.w, y = from.y + Math.min(from.h, HEADING) / 2, toX = to.x, toY = to.y + Math.min(to.h, HEADING) / 2;
    if (Math.max(x, toX) < frame.left || Math.min(x, toX) > frame.right || Math.max(y, toY) < frame.top || Math.min(y, toY) > frame.bottom) continue;
    const near = line.source === selected || line.target === selected;
    const key = near ? "accent" : line.cycle ? "error" : line.state ? { added: "good", removed: "error" }[line.state] : STYLES[graph.kinds[line.kind][1]] || "stated";
    const dotted = DOTTED.includes(graph.kinds[line.kind][1]) || line.state === "removed";
    const name = key + (dotted ? "." : "") + (line.cycle ? "!" : "");
    if (!groups.has(name)) groups.set(name, { key, dotted, wide: line.cycle || near, path: new Path2D() });
    const path = groups.get(name).path;
    path.moveTo(x, y);
    if (view.scale < 0.12) path.lineTo(toX, toY);
    else { const bend = Math.max(30, toX > x ? (toX - x) / 2 : Math.min(BACK, (x - toX) / 2)); path.bezierCurveTo(x + bend, y, toX - bend, toY, toX, toY); }
    if (view.scale > 0.3) { path.moveTo(toX - 6, toY - 3.5); path.lineTo(toX, toY); path.lineTo(toX - 6, toY + 3.5); }
  }
  const many = lines.length > 2000 && selected < 0 ? 0.45 : lines.length > 400 ? 0.75 : 1;
  for (const { key, dotted, wide, path } of [...groups.values()].sort((a, b) => a.wide - b.wide)) {
    context.globalAlpha = wide ? 1 : many;
    context.strokeStyle = colours[key];
    context.lineWidth = wide ? 2.2 : 1;
    context.setLineDash(dotted ? [3, 3] : []);
    context.stroke(path);
  }
  context.globalAlpha = 1;
}

function fit(whole, isFirst) {
  const width = canvas.clientWidth - 2 * BESIDE, height = canvas.clientHeight;
  const size = whole || boxes.reduce((all, box) => ({ w: Math.max(all.w, box.x + box.w + MARGIN), h: Math.max(all.h, box.y + box.h + MARGIN) }), { w: 1, h: 1 });
  view.scale = Math.min(1.2, width / size.w, height / size.h);
  view.x = BESIDE + (width - size.w * view.scale) / 2;
  view.y = Math.max(0, (height - size.h * view.scale) / 2);
  if (width < NARROW) { view.y = 0; if (isFirst && view.scale < 2 * SMALL) { view.scale = 2 * SMALL; view.x = BESIDE; } }
  redraw();
}

function update(fits, isFirst) {
  const whole = place();
  if (fits) fit(whole, isFirst);
  redraw();
}

function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
  const scale = Math.min(4, Math.max(0.005, view.scale * factor));
  view.x = x - (x - view.x) * scale / view.scale;
  view.y = y - (y - view.y) * scale / view.scale;
  view.scale = scale;
  redraw();
}

/* -- choosing a node ----------------------------------------------------------------------------- */

function boxAt(x, y) {
  const left = (x - view.x) / view.scale, top = (y - view.y) / view.scale;
  for (let at = boxes.length - 1; at >= 0; at--) {
    const box = boxes[at];
    if (left >= box.x && left <= box.x + box.w && top >= box.y && top <= box.y + (box.isOpen ? HEADING : box.h)) return box;
  }
  return null;
}

function toggle(at) {
  const box = boxes.find(one => one.at === at), x = box.x, y = box.y;
  if (!opened.delete(at)) opened.add(at);
  update(false);
  const moved = boxes.find(one => one.at === at);
  view.x += (x - moved.x) * view.scale; view.y += (y - moved.y) * view.scale;
}

function select(at, shows) {
  selected = at;
  find("focus").disabled = at < 0;
  if (at >= 0 && shows) {
    if (focus && !focus.has(at)) { focus = null; find("everything").hidden = true; }
    for (const one of above(at)) opened.add(one);
    update(false);
    const box = boxes.find(one => one.at === at);
    if (box) {
      view.scale = Math.max(view.scale, 0.7);
      view.x = canvas.clientWidth / 2 - (box.x + Math.min(box.w, 300) / 2) * view.scale;
      view.y = canvas.clientHeight / 2 - (box.y + Math.min(box.h, 200) / 2) * view.scale;
    }
  }
  describe();
  redraw();
}

function nodeLink(at, words = "") {
  const item = document.createElement("li"), button = element("button", nodes[at].name, "link");
  button.type = "button";
  button.addEventListener("click", () => select(at, true));
  item.append(button);
  if (words) item.append(" ", element("span", words, "number"));
  return item;
}

function edgeList(title, list, end) {
  if (!list.length) return [];
  const items = element("ul", "");
  for (const edge of list.slice(0, 200)) {
    const words = [edge.label || graph.kinds[edge.kind][1], edge.state, edge.path && edge.path + ":" + edge.line].filter(Boolean).join(", ");
    const item = nodeLink(edge[end], words);
    if (edge.cycle) item.append(element("span", " cycle", "on-cycle"));
    items.append(item);
  }
  if (list.length > 200) items.append(element("li", "and " + (list.length - 200) + " more"));
  return [element("h3", title + " (" + list.length + ")"), items];
}

function describe() {
  const panel = find("details");
  panel.hidden = selected < 0;
  if (selected < 0) return;
  const one = nodes[selected], close = element("button", "\u00d7");
  close.id = "close"; close.type = "button"; close.setAttribute("aria-label", "Close");
  close.addEventListener("click", () => select(-1, false));
  panel.replaceChildren(close, element("h2", one.name));
  const about = [one.kind, one.path && one.path + ":" + one.line].filter(Boolean).join(" \u00b7 ");
  panel.append(element("p", about, "place"));
  if (one.state) panel.append(element("p", one.state + (one.changes.length ? ": " + one.changes.join(", ") : ""), "state-" + one.state));
  if (one.cycle) panel.append(element("p", "On a cycle: it depends on itself", "on-cycle"));
  if (one.parent >= 0) { const list = element("ul", ""); list.append(nodeLink(one.parent)); panel.append(element("h3", "In"), list); }
  const other = edge => !isContains(edge);
  panel.append(...edgeList("Before it", one.into.filter(other), "source"), ...edgeList("After it", one.from.filter(other), "target"));
  panel.append(...edgeList("Contains", one.from.filter(isContains), "target"));
}

function neighbourhood() {
  const found = new Set([selected]), withContainers = at => [at, ...above(at)];
  for (const [steps, list, end] of [[find("before"), "into", "source"], [find("after"), "from", "target"]]) {
    let border = [selected];
    const seen = new Set(border);
    for (let step = 0; step < Number(steps.value); step++) {
      const next = [];
      for (const at of border) for (const around of withContainers(at)) for (const edge of nodes[around][list])
        if (isShownEdge(edge) && !isContains(edge) && !seen.has(edge[end])) { seen.add(edge[end]); next.push(edge[end]); found.add(edge[end]); }
      border = next;
    }
  }
  return found;
}

function showOnly(set) {
  focus = set;
  for (const at of set) for (const one of above(at)) opened.add(one);
  find("everything").hidden = !set;
  update(true);
}

/* -- controls -------------------------------------------------------------------------------------- */

function checkbox(label, isOn, change, mark) {
  const line = document.createElement("label"), box = document.createElement("input");
  box.type = "checkbox"; box.checked = isOn; box.dataset.name = label[0];
  box.addEventListener("change", () => { change(box.checked); update(false); });
  line.append(box, ...(mark ? [mark] : []), label[0] + " ", element("span", String(label[1]), "number"));
  return line;
}

function counts(list, key) {
  const found = new Map();
  for (const one of list) found.set(key(one), (found.get(key(one)) || 0) + 1);
  return found;
}

function fillControls() {
  const perKind = counts(edges, edge => edge.kind), perType = counts(nodes, one => one.type), perState = counts(nodes, one => one.state);
  const order = [...graph.kinds.keys()].sort((a, b) => Object.keys(STYLES).indexOf(graph.kinds[a][1]) - Object.keys(STYLES).indexOf(graph.kinds[b][1]));
  find("kinds").replaceChildren(...order.map(at => {
    const name = graph.kinds[at][1], mark = element("span", "", "swatch" + (DOTTED.includes(name) ? " dotted" : ""));
    mark.style.borderTopColor = "var(--" + STYLES[name] + ")";
    return checkbox([name, perKind.get(at)], kinds.has(at), isOn => isOn ? kinds.add(at) : kinds.delete(at), mark);
  }));
  find("types").replaceChildren(...[...graph.types].sort().map(type => checkbox([type, perType.get(type)], true, isOn => isOn ? types.add(type) : types.delete(type))));
  const containers = nodes.filter(one => one.parts.length).sort((a, b) => a.name < b.name ? -1 : 1);
  find("within").replaceChildren(new Option("everything", "-1"), ...containers.map(one => new Option(shorten(one.name), one.at)));
  find("cycle-part").hidden = !graph.cycles.length;
  find("cycles").replaceChildren(...graph.cycles.map(cycle => {
    const item = document.createElement("li"), button = element("button", cycle.length + " nodes: " + cycle.slice(0, 3).map(at => nodes[at].name).join(", ") + (cycle.length > 3 ? "\u2026" : ""), "link");
    button.type = "button";
    button.addEventListener("click", () => showOnly(new Set(cycle)));
    item.append(button);
    return item;
  }));
  find("state-part").hidden = !graph.compared.length;
  find("states").replaceChildren(...["added", "removed", "changed"].map(state => element("li", (perState.get(state) || 0) + " " + state, "state-" + state)));
  find("only-changes").checked = false; find("everything").hidden = true; find("search").value = ""; find("hits").replaceChildren();
  describe();
}

function search() {
  const wanted = find("search").value.trim().toLowerCase(), hits = find("hits");
  if (!wanted) return hits.replaceChildren();
  const found = nodes.filter(one => one.text.includes(wanted));
  hits.replaceChildren(...found.slice(0, MOST_HITS).map(one => nodeLink(one.at)));
  if (found.length !== 1) hits.append(element("li", found.length ? found.length + " nodes" + (found.length > MOST_HITS ? ", the first " + MOST_HITS + " are shown" : "") : "nothing found", "number"));
}

function setTypes(list) {
  types = new Set(list);
  for (const box of find("types").querySelectorAll("input")) box.checked = types.has(box.dataset.name);
  update(false);
}

let drag = null;
canvas.addEventListener("pointerdown", event => { drag = { x: event.clientX, y: event.clientY, moved: false }; canvas.setPointerCapture(event.pointerId); });
canvas.addEventListener("pointermove", event => {
  if (!drag) { canvas.classList.toggle("over", boxAt(event.offsetX, event.offsetY) !== null); return; }
  const x = event.clientX - drag.x, y = event.clientY - drag.y;
  if (!drag.moved && Math.abs(x) + Math.abs(y) < 4) return;
  drag = { x: event.clientX, y: event.clientY, moved: true };
  view.x += x; view.y += y;
  redraw();
});
canvas.addEventListener("pointerup", event => {
  const moved = drag && drag.moved;
  drag = null;
  if (moved) return;
  const box = boxAt(event.offsetX, event.offsetY);
  if (box && box.isContainer && (event.offsetX - view.x) / view.scale < box.x + GAP + 2 * CHARACTER) toggle(box.at);
  else select(box ? box.at : -1, false);
});
canvas.addEventListener("dblclick", event => { const box = boxAt(event.offsetX, event.offsetY); if (box && box.isContainer) toggle(box.at); });
canvas.addEventListener("wheel", event => { event.preventDefault(); zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY); }, { passive: false });
canvas.addEventListener("keydown", event => {
  const step = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
  if (step) { view.x += step[0]; view.y += step[1]; redraw(); }
  else if (event.key === "+") zoom(1.25);
  else if (event.key === "-") zoom(0.8);
  else if (event.key === "Enter" && selected >= 0 && boxes.some(box => box.at === selected && box.isContainer)) toggle(selected);
  else return;
  event.preventDefault();
});
find("controls").addEventListener("submit", event => event.preventDefault());
find("search").addEventListener("input", search);
find("search").addEventListener("keydown", event => { if (event.key === "Enter") { const first = find("hits").querySelector("button"); if (first) first.click(); } });
find("nested").addEventListener("change", () => update(true));
find("within").addEventListener("change", () => { const at = Number(find("within").value); if (at >= 0) for (const one of [at, ...above(at)]) opened.add(one); update(true); });
find("only-changes").addEventListener("change", () => update(true));
find("open-all").addEventListener("click", () => { nodes.forEach(one => { if (one.parts.length) opened.add(one.at); }); update(true); });
find("close-all").addEventListener("click", () => { opened.clear(); update(true); });
find("focus").addEventListener("click", () => showOnly(neighbourhood()));
for (const id of ["before", "after"]) find(id).addEventListener("input", () => { if (focus && selected >= 0) showOnly(neighbourhood()); });
find("everything").addEventListener("click", () => { focus = null; find("everything").hidden = true; update(true); });
find("all-types").addEventListener("click", () => setTypes(graph.types));
find("no-types").addEventListener("click", () => setTypes([]));
find("zoom-in").addEventListener("click", () => zoom(1.25));
find("zoom-out").addEventListener("click", () => zoom(0.8));
find("fit").addEventListener("click", () => fit());
find("theme").addEventListener("click", () => { readColours(); redraw(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); redraw(); });
new ResizeObserver(redraw).observe(canvas);
if (data.graphs.length > 1) {
  find("node-choice").hidden = false;
  find("node").append(...data.graphs.map((one, at) => new Option(one.name, at)));
  find("node").addEventListener("change", () => load(Number(find("node").value)));
}
readColours();
load(0);
draw();
})();
