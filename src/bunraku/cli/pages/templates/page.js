"use strict";
const root = document.documentElement, theme = document.getElementById("theme");
const isDark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
const nameTheme = () => { theme.textContent = isDark() ? "Light" : "Dark"; theme.setAttribute("aria-label", "Switch to " + (isDark() ? "light" : "dark") + " colours"); };
theme.hidden = false;
theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; nameTheme(); });
nameTheme();

function compare(a, b) {
  const numbers = a !== "" && b !== "" && !isNaN(a) && !isNaN(b);
  return numbers ? a - b : a.localeCompare(b, "en", { numeric: true });
}

for (const table of document.querySelectorAll("[data-table]")) {
  const body = table.querySelector("tbody"), heads = [...table.querySelectorAll("th")];
  const tools = table.querySelector(".tools"), field = tools.querySelector("input");
  const choices = [...tools.querySelectorAll("select")], output = tools.querySelector("output");
  const column = title => heads.findIndex(head => head.dataset.title === title);
  heads.forEach((head, at) => {
    head.dataset.title = head.textContent;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach(one => one.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows], value = row => row.cells[at].dataset.sort;
      rows.sort((a, b) => (down ? -1 : 1) * compare(value(a), value(b)));
      body.append(...rows);
    });
  });
  for (const choice of choices) {
    const values = [...new Set([...body.rows].map(row => row.cells[column(choice.dataset.title)].dataset.sort))];
    for (const value of values.sort(compare)) choice.append(new Option(value, value));
  }
  const update = () => {
    const wanted = field.value.toLowerCase();
    let count = 0;
    for (const row of body.rows) {
      row.hidden = !row.textContent.toLowerCase().includes(wanted)
        || choices.some(one => one.value && row.cells[column(one.dataset.title)].dataset.sort !== one.value);
      count += !row.hidden;
    }
    output.textContent = count + " of " + body.rows.length;
  };
  field.addEventListener("input", update);
  choices.forEach(one => one.addEventListener("change", update));
  tools.hidden = body.rows.length < 6;
  update();
}

for (const section of document.querySelectorAll("[data-filtered]")) {
  const tools = section.querySelector(".tools"), field = tools.querySelector("input"), output = tools.querySelector("output");
  const groups = [...section.querySelectorAll(".group")], items = [...section.querySelectorAll("[data-item]")];
  const update = () => {
    const wanted = field.value.toLowerCase();
    for (const item of items) {
      const around = item.closest(".group");
      const whole = around && around.dataset.words.toLowerCase().includes(wanted);
      item.hidden = !whole && !item.textContent.toLowerCase().includes(wanted);
    }
    for (const group of groups) {
      const inside = [...group.querySelectorAll("[data-item]")];
      const found = inside.length ? inside.some(item => !item.hidden) : group.textContent.toLowerCase().includes(wanted);
      group.hidden = !found && !group.dataset.words.toLowerCase().includes(wanted);
    }
    const counted = items.length ? items : groups;
    output.textContent = counted.filter(one => !one.hidden).length + " of " + counted.length;
  };
  field.addEventListener("input", update);
  const fold = tools.querySelector("[data-fold]");
  fold.hidden = groups.length === 0;
  fold.addEventListener("click", () => {
    const open = !groups.some(group => group.open);
    groups.forEach(group => { group.open = open; });
    fold.textContent = open ? "Fold all" : "Unfold all";
  });
  tools.hidden = Math.max(items.length, groups.length) < 2;
  update();
}

for (const flame of document.querySelectorAll(".flame")) {
  flame.hidden = false;
  const boxes = JSON.parse(flame.querySelector("script").textContent), graph = flame.querySelector("svg");
  const told = flame.querySelector(".told"), high = 18, space = "http://www.w3.org/2000/svg";
  const deep = boxes.reduce((most, box) => Math.max(most, box[0]), 0) + 1;
  let shown = 0;
  const draw = from => {
    shown = from;
    const [depth, start, width] = boxes[from], wide = graph.clientWidth || 1000;
    graph.replaceChildren();
    graph.setAttribute("height", deep * high);
    boxes.forEach((box, at) => {
      let x = (box[1] - start) / width * wide, w = box[2] / width * wide;
      if (box[0] <= depth) {
        if (box[1] > start + 1e-9 || box[1] + box[2] < start + width - 1e-9) return;
        x = 0; w = wide;
      }
      if (w < 0.5 || x < -0.5 || x >= wide) return;
      const y = (deep - 1 - box[0]) * high, drawn = document.createElementNS(space, "rect");
      for (const [name, value] of Object.entries({ x, y, width: w, height: high, class: "kind-" + box[3] })) drawn.setAttribute(name, value);
      drawn.addEventListener("click", () => draw(at));
      drawn.addEventListener("mouseover", () => { told.textContent = box[4] + " \u2014 " + box[5]; });
      graph.append(drawn);
      if (w > 40) {
        const text = document.createElementNS(space, "text");
        text.setAttribute("x", x + 3);
        text.setAttribute("y", y + 13);
        text.textContent = box[4].slice(0, Math.floor((w - 4) / 6.2));
        graph.append(text);
      }
    });
  };
  draw(0);
  flame.querySelector("button").addEventListener("click", () => draw(0));
  addEventListener("resize", () => draw(shown));
}
