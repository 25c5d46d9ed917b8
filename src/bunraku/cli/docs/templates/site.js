"use strict";
(() => {
  const input = document.getElementById("search");
  const results = document.getElementById("results");
  const root = document.body.dataset.root;
  const rows = (window.searchIndex || []).map((row) => [row[0].toLowerCase(), row]);
  let current = -1;

  // A name that begins with the words, then a part of a name that does, then any place.
  const rank = (name, words) => {
    if (!words.every((word) => name.includes(word))) return -1;
    const first = words[0];
    if (name === words.join(" ")) return 0;
    if (name.startsWith(first)) return 1;
    return name.includes("::" + first) || name.includes(" " + first) ? 2 : 3;
  };

  const search = (text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    const found = [];
    for (const [name, row] of rows) {
      const order = rank(name, words);
      if (order >= 0) found.push([order, row[1] === "Parameter" ? 1 : 0, name.length, row]);
      else if (words.every((word) => (name + " " + row[3].toLowerCase()).includes(word))) found.push([4, 0, name.length, row]);
    }
    return found.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]).slice(0, 40).map((one) => one[3]);
  };

  const add = (parent, name, text) => {
    const element = document.createElement(name);
    element.textContent = text;
    parent.append(element);
    return element;
  };

  const show = () => {
    const found = search(input.value);
    results.replaceChildren();
    current = -1;
    results.hidden = input.value.trim() === "";
    if (found.length === 0) add(add(results, "li", ""), "span", "Nothing found").className = "none";
    for (const [name, kind, path, summary] of found) {
      const link = add(add(results, "li", ""), "a", "");
      link.href = root + "/" + path;
      add(link, "b", name);
      add(link, "small", summary === "" ? kind : kind + " · " + summary);
    }
  };

  const move = (step) => {
    const links = [...results.querySelectorAll("a")];
    if (links.length === 0) return;
    links[current]?.classList.remove("current");
    current = (current + step + links.length) % links.length;
    links[current].classList.add("current");
    links[current].scrollIntoView({ block: "nearest" });
  };

  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Escape") { input.value = ""; show(); input.blur(); return; }
    else return;
    event.preventDefault();
  });
  input.form.addEventListener("submit", (event) => {
    event.preventDefault();
    const links = results.querySelectorAll("a");
    (links[Math.max(current, 0)])?.click();
    results.hidden = true;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.matches("input, textarea")) return;
    event.preventDefault();
    input.focus();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".search")) results.hidden = true;
  });
})();
