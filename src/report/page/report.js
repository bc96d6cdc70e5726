// Lines that move. Without this script the page is whole; with it, folded measures get their bars
// and every measure a line that says what it would drop. Counts stand in data-* attributes, cut at
// the places where a line may stand, so that what is said is exact (src/report/line_edges.cc).
// The page is XML, too: no less-than sign and no ampersand in here.
"use strict";
(() => {
  const kStrip = 36, kBars = 27, kMinBar = 1.5;
  const svgNames = "http" + ":" + "//www.w3.org/2000/svg";

  // "0*12 3 5" to numbers.
  function numbers(text) {
    const all = [];
    for (const run of (text || "").split(" ")) {
      if (run === "") continue;
      const [value, times] = run.split("*");
      for (let i = 0; (times || 1) > i; ++i) all.push(Number(value));
    }
    return all;
  }

  function drawBars(path, left, right) {
    const bins = numbers(path.dataset.bins), base = Number(path.dataset.base);
    const peak = Math.max(1, ...bins), width = (right - left) / bins.length;
    let outline = "";
    bins.forEach((count, i) => {
      if (count === 0) return;
      const height = Math.max(kMinBar, kBars * count / peak);
      outline += "M" + (left + i * width).toFixed(2) + " " + base + "V" + (base - height).toFixed(2) +
        "h" + (width - (width > 3 ? 0.6 : 0)).toFixed(2) + "V" + base + "z";
    });
    path.setAttribute("d", outline);
    path.removeAttribute("data-bins");
  }

  // Counts below every edge, and at it: below[i] of values less than edges[i].
  function cumulated(text, edges) {
    const [between, at] = (text || ";").split(";").map(numbers);
    const below = [], upTo = [];
    let sum = 0;
    for (let i = 0; edges.length > i; ++i) {
      sum += between[i] || 0;
      below.push(sum);
      sum += at[i] || 0;
      upTo.push(sum);
    }
    return { below, upTo, all: sum + (between[edges.length] || 0) };
  }
  // How many values a bound at edge i drops.
  const beyond = (counts, side, i) => side === "min" ? counts.below[i] : counts.all - counts.upTo[i];

  const count = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
  function percent(part, whole) {
    if (whole === 0) return "–";
    const share = 100 * part / whole;
    if (part === 0) return "0 %";
    if (part === whole) return "100 %";
    return 0.05 > share ? "≈ 0 %" : share >= 99.95 ? "≈ 100 %" : share.toFixed(1) + " %";
  }
  const value = (x) => Math.abs(x) >= 1000 ? x.toLocaleString("en-US") : String(x);

  function element(name, text, attributes) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    for (const key of Object.keys(attributes || {})) made.setAttribute(key, attributes[key]);
    return made;
  }

  class Line {
    constructor(measure) {
      this.measure = measure;
      this.name = measure.querySelector("code").textContent;
      this.edges = numbers(measure.dataset.edges);
      this.svg = measure.querySelector("svg.plot");
      this.rows = [...measure.querySelectorAll("tr[data-all]")].map((row) => {
        const parts = {};
        for (const key of ["all", "lost", "min", "max"]) parts[key] = cumulated(row.dataset[key], this.edges);
        return { domain: row.querySelector("th").textContent, ...parts };
      });
      this.build();
    }

    build() {
      const side = this.measure.dataset.side || "max";
      const start = Number(this.measure.dataset.start || this.edges[this.edges.length - 1]);
      this.side = element("select", undefined, { "aria-label": "which bound of " + this.name });
      for (const [name, label] of [["min", "≥ min"], ["max", "≤ max"]]) {
        this.side.append(element("option", label, { value: name }));
      }
      this.side.value = side;
      this.range = element("input", undefined, {
        type: "range", min: 0, max: this.edges.length - 1, step: 1,
        "aria-label": "new bound of " + this.name,
      });
      const at = this.edges.indexOf(start);
      this.start = at >= 0 ? at : this.edges.length - 1;
      this.range.value = this.start;
      this.output = element("output", "");
      this.reset = element("button", "reset", { type: "button", "aria-label": "reset the line of " + this.name });
      const tools = element("div", undefined, { class: "tools" });
      tools.append(this.side, this.range, this.output, this.reset);
      this.effect = element("div", undefined, { class: "scroll effect", "aria-live": "polite" });
      this.measure.querySelector(".body").append(tools);
      (this.measure.querySelector(".below") || this.measure.querySelector(".body")).append(this.effect);
      this.range.addEventListener("input", () => this.show());
      this.side.addEventListener("change", () => this.show());
      this.reset.addEventListener("click", () => {
        this.side.value = side;
        this.range.value = this.start;
        this.hide();
      });
      this.hide();
    }

    edge() { return this.edges[Number(this.range.value)]; }

    label() {
      this.output.textContent = (this.side.value === "min" ? "≥ " : "≤ ") + value(this.edge());
      this.range.setAttribute("aria-valuetext", this.output.textContent);
    }

    hide() {
      this.label();
      this.reset.hidden = true;
      this.effect.replaceChildren();
      for (const mark of this.svg.querySelectorAll(".moved")) mark.remove();
    }

    // What the line drops of one domain, and what that changes for documents no other rule drops.
    effectOn(row) {
      const i = Number(this.range.value), side = this.side.value;
      const drops = beyond(row.all, side, i);
      const now = row[side];  // dropped by this bound alone as it stands
      return {
        values: row.all.all, drops,
        newlyDropped: drops - beyond(row.lost, side, i),
        newlyKept: now.all - beyond(now, side, i),
      };
    }

    show() {
      this.label();
      this.reset.hidden = false;
      const table = element("table"), head = element("tr"), body = element("tbody");
      for (const [i, title] of ["New line", "Drops", "Newly dropped", "Newly kept"].entries()) {
        head.append(element("th", title, i > 0 ? { scope: "col", class: "n" } : { scope: "col" }));
      }
      const total = { values: 0, drops: 0, newlyDropped: 0, newlyKept: 0 };
      const append = (section, name, effect) => {
        const row = element("tr");
        const drops = element("td", count(effect.drops), { class: "n" });
        drops.append(" ", element("small", percent(effect.drops, effect.values)));
        row.append(element("th", name, { scope: "row" }), drops,
          element("td", effect.newlyDropped === 0 ? "0" : "−" + count(effect.newlyDropped), { class: "n" }),
          element("td", effect.newlyKept === 0 ? "0" : "+" + count(effect.newlyKept), { class: "n" }));
        section.append(row);
      };
      for (const row of this.rows) {
        const effect = this.effectOn(row);
        for (const key of Object.keys(total)) total[key] += effect[key];
        append(body, row.domain, effect);
      }
      table.append(element("thead"), body);
      table.firstChild.append(head);
      if (this.rows.length > 1) {
        const foot = element("tfoot");
        append(foot, "all", total);
        table.append(foot);
      }
      this.effect.replaceChildren(table);
      this.draw();
    }

    draw() {
      for (const mark of this.svg.querySelectorAll(".moved")) mark.remove();
      const { low, span, scale } = this.measure.dataset;
      const x = Math.max(0, this.edge());
      const place = scale === "log" ? Math.log10(1 + x) : scale === "root" ? Math.sqrt(x) : this.edge();
      const share = Math.min(1, Math.max(0, (place - Number(low)) / Number(span)));
      const left = Number(this.svg.dataset.left), right = Number(this.svg.dataset.right);
      const at = left + share * (right - left), height = kStrip * this.rows.length;
      const cut = document.createElementNS(svgNames, "rect");
      const from = this.side.value === "min" ? left : at;
      const sizes = { class: "moved cut", x: from, y: 0, height, width: this.side.value === "min" ? at - left : right - at };
      for (const key of Object.keys(sizes)) cut.setAttribute(key, sizes[key]);
      const line = document.createElementNS(svgNames, "path");
      line.setAttribute("class", "moved line");
      line.setAttribute("d", "M" + at.toFixed(2) + " 0V" + height);
      this.svg.append(cut, line);
    }
  }

  const lines = new Map();
  function prepare(measure) {
    if (lines.has(measure)) return;
    const svg = measure.querySelector("svg.plot");
    if (!svg) return;
    for (const path of svg.querySelectorAll("path[data-bins]")) {
      drawBars(path, Number(svg.dataset.left), Number(svg.dataset.right));
    }
    lines.set(measure, measure.querySelector("tr[data-all]") ? new Line(measure) : null);
  }

  document.documentElement.classList.add("js");
  for (const measure of document.querySelectorAll("figure.measure")) prepare(measure);
  for (const measure of document.querySelectorAll("details.measure")) {
    measure.addEventListener("toggle", () => { if (measure.open) prepare(measure); });
  }
})();
