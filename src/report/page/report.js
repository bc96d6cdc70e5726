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
  // Six digits, as the labels in the picture: a bound of a model card has seventeen.
  const value = (x) => Math.abs(x) >= 1000 ? x.toLocaleString("en-US") : String(Number(x.toPrecision(6)));

  function element(name, text, attributes) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    for (const key of Object.keys(attributes || {})) made.setAttribute(key, attributes[key]);
    return made;
  }

  // A line is a bound at one place of the recipe; documents that another place judges stay as they are.
  class Line {
    constructor(measure) {
      this.measure = measure;
      this.name = measure.querySelector("code").textContent;
      this.edges = numbers(measure.dataset.edges);
      this.svg = measure.querySelector("svg.plot");
      this.rows = [...measure.querySelectorAll("tr[data-all]")].map((row) => {
        const data = row.dataset, [minDropped, minKept, maxDropped, maxKept] = numbers(data.anyway || "0*4");
        const parts = (lost, open, dropped, kept) =>
          ({ lost: cumulated(lost, this.edges), open: cumulated(open, this.edges), dropped, kept });
        return {
          name: row.querySelector("th").textContent, place: data.place || "",
          bounds: { min: data.min, max: data.max }, all: cumulated(data.all, this.edges),
          min: parts(data.lostMin || data.lost, data.openMin, minDropped, minKept),
          max: parts(data.lostMax || data.lost, data.openMax, maxDropped, maxKept),
        };
      });
      this.build();
    }

    choice(label, css, options) {
      const select = element("select", undefined, { "aria-label": label + " of " + this.name, class: css });
      for (const [value, text] of options) select.append(element("option", text, { value }));
      return select;
    }

    build() {
      const places = [...new Set(this.rows.map((row) => row.place))];
      const bounded = this.rows.find((row) => row.bounds.min || row.bounds.max);
      this.place = this.choice("which rule", "place", places.map((place) =>
        [place, place.replace(/^judge[.]/, "").replace(/[.]rules$/, "")]));
      this.place.value = bounded ? bounded.place : places[0];
      this.place.hidden = places.length === 1;
      this.side = this.choice("which bound", "side", [["min", "≥ min"], ["max", "≤ max"]]);
      this.range = element("input", undefined, {
        type: "range", min: 0, max: this.edges.length - 1, step: 1,
        "aria-label": "new bound of " + this.name,
      });
      this.output = element("output", "");
      this.reset = element("button", "reset", { type: "button", "aria-label": "reset the line of " + this.name });
      const tools = element("div", undefined, { class: "tools" });
      tools.append(this.place, this.side, this.range, this.output, this.reset);
      this.effect = element("div", undefined, { class: "scroll effect", "aria-live": "polite" });
      this.measure.querySelector(".body").append(tools);
      (this.measure.querySelector(".below") || this.measure.querySelector(".body")).append(this.effect);
      this.range.addEventListener("input", () => this.show());
      this.side.addEventListener("change", () => { this.toBound(this.side.value); this.show(); });
      for (const [event, tool] of [["change", this.place], ["click", this.reset]]) {
        tool.addEventListener(event, () => { this.toBound(); this.hide(); });
      }
      this.toBound();
      this.hide();
    }

    chosen() { return this.rows.filter((row) => row.place === this.place.value); }

    // Where the bound of the chosen place stands; at the end of the axis if there is none.
    toBound(wanted) {
      const has = (side) => this.chosen().find((row) => row.bounds[side]);
      const side = wanted || (has("min") ? "min" : "max"), row = has(side);
      const at = row ? this.edges.indexOf(Number(row.bounds[side])) : side === "min" ? 0 : -1;
      this.side.value = side;
      this.range.value = at >= 0 ? at : this.edges.length - 1;
    }

    edge() { return this.edges[Number(this.range.value)]; }

    label() {
      this.output.textContent = (this.side.value === "min" ? "≥ " : "≤ ") + value(this.edge());
      this.output.title = String(this.edge());
      this.range.setAttribute("aria-valuetext", this.output.textContent);
    }

    hide() {
      this.label();
      this.reset.hidden = true;
      this.effect.replaceChildren();
      for (const mark of this.svg.querySelectorAll(".moved")) mark.remove();
    }

    // What the line drops of one row's documents, and what that changes for those that no other rule drops.
    effectOn(row) {
      const i = Number(this.range.value), side = this.side.value, line = row[side];
      const drops = beyond(row.all, side, i);
      return {
        values: row.all.all, drops,
        newlyDropped: drops - beyond(line.lost, side, i) + line.dropped,
        newlyKept: line.open.all - beyond(line.open, side, i) + line.kept,
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
          element("td", count(effect.newlyDropped), { class: "n" }), element("td", count(effect.newlyKept), { class: "n" }));
        section.append(row);
      };
      for (const row of this.chosen()) {
        const effect = this.effectOn(row);
        for (const key of Object.keys(total)) total[key] += effect[key];
        append(body, row.name, effect);
      }
      table.append(element("thead"), body);
      table.firstChild.append(head);
      if (this.chosen().length > 1) {
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
      const at = left + share * (right - left), from = this.side.value === "min" ? left : at;
      const width = this.side.value === "min" ? at - left : right - at;
      let shade = "", stroke = "";
      this.rows.forEach((row, i) => {
        if (row.place !== this.place.value) return;
        shade += "M" + from.toFixed(2) + " " + kStrip * i + "h" + width.toFixed(2) + "v" + kStrip + "H" + from.toFixed(2) + "z";
        stroke += "M" + at.toFixed(2) + " " + kStrip * i + "v" + kStrip;
      });
      const [cut, line] = [["moved cut", shade], ["moved line", stroke]].map(([css, outline]) => {
        const path = document.createElementNS(svgNames, "path");
        path.setAttribute("class", css);
        path.setAttribute("d", outline);
        return path;
      });
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
