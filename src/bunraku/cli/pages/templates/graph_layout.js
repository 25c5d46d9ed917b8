"use strict";
/* Places of boxes: the algorithm of workbench/graph/layout.py. */
const LINE = 20, HEADING = 22, MARGIN = 10, GAP = 8, BETWEEN = 56, WIDER = 1.8, SWEEPS = 4, UNBROKEN = 1100;

function withoutCycles(count, pairs) {
  const after = Array.from({ length: count }, () => []), state = new Uint8Array(count), kept = [];
  for (const [a, b] of pairs) after[a].push(b);
  for (let root = 0; root < count; root++) {
    if (state[root]) continue;
    const ways = [[root, 0]];
    state[root] = 1;
    while (ways.length) {
      const way = ways[ways.length - 1], [at, next] = way;
      if (next === after[at].length) { state[at] = 2; ways.pop(); continue; }
      way[1]++;
      const to = after[at][next];
      if (state[to] !== 1) kept.push([at, to]);
      if (!state[to]) { state[to] = 1; ways.push([to, 0]); }
    }
  }
  return kept;
}

function ranksOf(count, after, before) {
  const ranks = new Int32Array(count), waiting = before.map(one => one.length), ready = [];
  for (let at = 0; at < count; at++) if (!waiting[at]) ready.push(at);
  for (let i = 0; i < ready.length; i++) for (const to of after[ready[i]]) {
    ranks[to] = Math.max(ranks[to], ranks[ready[i]] + 1);
    if (!--waiting[to]) ready.push(to);
  }
  return ranks;
}

function sortLayers(layers, neighbours) {
  const position = new Map();
  for (const layer of layers) {
    const mean = new Map();
    layer.forEach((one, index) => {
      let sum = 0, count = 0;
      for (const other of neighbours[one]) if (position.has(other)) { sum += position.get(other); count++; }
      mean.set(one, count ? sum / count : index / layer.length);
    });
    layer.sort((a, b) => mean.get(a) - mean.get(b));
    layer.forEach((one, index) => position.set(one, index / layer.length));
  }
}

function layersOf(count, joined, pairs) {
  const after = Array.from({ length: count }, () => []), before = Array.from({ length: count }, () => []);
  for (const [a, b] of withoutCycles(count, pairs)) { after[a].push(b); before[b].push(a); }
  const ranks = ranksOf(count, after, before), layers = [];
  for (let at = 0; at < count; at++) if (joined[at]) (layers[ranks[at]] ||= []).push(at);
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    sortLayers(sweep % 2 ? [...layers].reverse() : layers, sweep % 2 ? after : before);
  return layers;
}

/* Columns of boxes: those of a layer, several for a high one; `wide` has the gap behind a layer, too. */
function columnsOf(boxes, joined, pairs, limit) {
  const columns = [];
  for (const layer of layersOf(boxes.length, joined, pairs)) {
    let column = null;
    for (const at of layer) {
      const one = boxes[at];
      if (!column || column.high + one.h > limit) columns.push(column = { boxes: [], high: 0, wide: 0, gap: GAP });
      column.boxes.push(one);
      column.high += one.h + GAP;
      column.wide = Math.max(column.wide, one.w);
    }
    column.gap = BETWEEN;
  }
  return columns;
}

/* Gives boxes ({w, h}) an x and a y; returns the size of what is around them. */
function arrange(boxes, pairs) {
  const joined = new Uint8Array(boxes.length);
  let area = 0, right = 0, bottom = 0;
  for (const [a, b] of pairs) joined[a] = joined[b] = 1;
  for (const one of boxes) area += (one.w + GAP) * (one.h + GAP);
  const columns = columnsOf(boxes, joined, pairs, Math.sqrt(area / WIDER));
  let length = 0, highest = 0;
  for (const one of columns) { length += one.wide + one.gap; highest = Math.max(highest, one.high + BETWEEN); }
  const width = Math.max(Math.sqrt(length * highest * WIDER), Math.sqrt(area * WIDER), Math.min(length, UNBROKEN));
  let x = MARGIN, y = HEADING, high = 0;
  for (const column of columns) {
    if (x > MARGIN && x + column.wide > width) { x = MARGIN; y += high + BETWEEN; high = 0; }
    let top = y;
    for (const one of column.boxes) { one.x = x; one.y = top; top += one.h + GAP; }
    high = Math.max(high, column.high);
    x += column.wide + column.gap;
  }
  y += high; x = MARGIN; high = 0;
  boxes.forEach((one, at) => {
    if (joined[at]) return;
    if (x > MARGIN && x + one.w > width) { x = MARGIN; y += high + GAP; high = 0; }
    one.x = x; one.y = y;
    x += one.w + GAP;
    high = Math.max(high, one.h);
  });
  for (const one of boxes) { right = Math.max(right, one.x + one.w); bottom = Math.max(bottom, one.y + one.h); }
  return { w: right + MARGIN, h: bottom + MARGIN };
}
