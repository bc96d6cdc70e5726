// The audit page: one document at a time, a decision by key, what follows for the rule.
//
// The server counts and saves; here is what is shown. A decision stands on the page only after the
// server said that it is on the disk. Texts are put in as text nodes, never as markup, and what does
// not show (control, zero-width, bidirectional characters) is spelled out, as in the report.
"use strict";
(() => {
  const WORDS = {
    en: {
      audit: "audit", skip: "Skip to the document", keys: "Keys", rules: "Rules", groups: "Which documents",
      actions: "Decide and move", text: "Text of the document", savedIn: "Saved at once in",
      how: "What to decide",
      howText: "Would this text be garbage in a training corpus, or was it worth keeping? Judge the text, not the rule. " +
        "Of what a rule dropped, the share of garbage is its precision. Of what only just passed, it tells whether the bound could be tighter. " +
        "A decision counts for every rule whose sample holds the document. Unsure counts for none.",
      garbage: "Garbage", keep: "Worth keeping", unsure: "Unsure", undo: "Undo", previous: "Previous", next: "Next",
      dropped: "Dropped", passed: "Just passed",
      droppedHow: "a random sample of what the rule drops", passedHow: "kept documents closest to the bound",
      precision: "precision", garbageShare: "garbage", decided: (n, all) => `${n} of ${all} decided`,
      interval: (low, high) => `95 %: ${low}–${high} %`, noDecision: "no decision yet",
      drops: (n) => `${n} documents break it`,
      seenMax: (name, value, bound, kept) => kept ? `${name} is ${value}, at most ${bound} passes` : `${name} is ${value}, above ${bound}`,
      seenMin: (name, value, bound, kept) => kept ? `${name} is ${value}, at least ${bound} passes` : `${name} is ${value}, below ${bound}`,
      seenOnly: (name, value) => value === null ? name : `${name}: ${value}`,
      position: (i, n) => `${i} of ${n}`, domain: "Domain", source: "Source", id: "Id", length: "Length", also: "Also breaks",
      bytes: (n) => `${n} bytes`,
      cut: (shown, all) => `The first ${shown} of ${all} bytes are shown.`, whole: "Open the whole text",
      empty: "The text is empty.", nothing: "This rule has no document in this group.",
      noRules: "The run has no rules and dropped nothing: there is nothing to audit.",
      trouble: "Not saved: ", ended: "The audit has ended. Start 'headrace audit' again: what was decided is in the file.",
      said: (what, where) => `${what}. ${where}`, undone: "Taken back",
      help: "these keys", group: "dropped or just passed", rule: "previous or next rule", language: "中文 or English", scroll: "scroll the text",
      leaks: "Leaks", other: "中文", name: "en",
    },
    zh: {
      audit: "审核", skip: "跳到文档", keys: "按键", rules: "规则", groups: "哪些文档",
      actions: "判断与翻页", text: "文档正文", savedIn: "已即时保存到",
      how: "判断什么",
      howText: "这段文本放进训练语料是垃圾，还是值得保留？请判断文本本身，而不是规则。在规则丢弃的文档中，垃圾所占的比例就是该规则的精确率；" +
        "在刚好通过的文档中，它说明阈值能否再收紧。一次判断对所有抽到该文档的规则都有效；“不确定”不计入任何比例。",
      garbage: "垃圾", keep: "值得保留", unsure: "不确定", undo: "撤销", previous: "上一篇", next: "下一篇",
      dropped: "被丢弃", passed: "刚好通过",
      droppedHow: "规则所丢弃文档的随机样本", passedHow: "保留文档中最接近阈值的",
      precision: "精确率", garbageShare: "垃圾占比", decided: (n, all) => `已判断 ${n} / ${all}`,
      interval: (low, high) => `95 % 区间：${low}–${high} %`, noDecision: "尚未判断",
      drops: (n) => `${n} 篇文档违反此规则`,
      seenMax: (name, value, bound, kept) => kept ? `${name} 为 ${value}，不高于 ${bound} 即通过` : `${name} 为 ${value}，高于 ${bound}`,
      seenMin: (name, value, bound, kept) => kept ? `${name} 为 ${value}，不低于 ${bound} 即通过` : `${name} 为 ${value}，低于 ${bound}`,
      seenOnly: (name, value) => value === null ? name : `${name}：${value}`,
      position: (i, n) => `第 ${i} 篇，共 ${n} 篇`, domain: "领域", source: "来源", id: "编号", length: "长度", also: "同时违反",
      bytes: (n) => `${n} 字节`,
      cut: (shown, all) => `只显示前 ${shown} 字节，共 ${all} 字节。`, whole: "打开全文",
      empty: "正文为空。", nothing: "这条规则在此组中没有文档。",
      noRules: "此次运行没有规则，也没有丢弃任何文档：没有可审核的内容。",
      trouble: "未保存：", ended: "审核已结束。请重新运行 headrace audit：已作的判断都在文件里。",
      said: (what, where) => `${what}。${where}`, undone: "已撤销",
      help: "按键说明", group: "被丢弃 / 刚好通过", rule: "上一条 / 下一条规则", language: "English / 中文", scroll: "滚动正文",
      leaks: "泄漏", other: "English", name: "zh-CN",
    },
  };
  // What the text shows of a measure: the parts that it counts.
  const LIT = [
    [/repeated_line|dup_line/, "lines"], [/repeated_paragraph/, "paragraphs"],
    [/^dup_|^top_|_repetition/, "runs"], [/periodic|longest_char_run/, /(.{1,8}?)\1{3,}/gsu],
    [/digit|numeric/, /\p{Nd}+/gu], [/newlines|blank/, /\n+/gu], [/whitespace/, /[^\S\n]{2,}|\n{2,}/gu], [/url/, /https?:\/\/\S+|www\.\S+/gu],
    [/special/, /[^\p{L}\p{M}\p{N}\s.,;:!?'"()\[\]，。、；：！？“”‘’（）《》—…-]+/gu],
    [/punct/, /\p{P}+/gu], [/parenthes/, /[()（）]/gu], [/curly/, /[{}]/gu], [/upper/, /\p{Lu}+/gu], [/han_/, /\p{Script=Han}+/gu],
    [/ellips/, /\.{3}|…+/gu], [/bullet/, /^\s*[-*•·●‣]/gmu], [/emoji/, /\p{Extended_Pictographic}+/gu], [/hash/, /#+/gu],
    [/replacement/, /\ufffd+/gu], [/lorem/, /lorem ipsum/giu], [/javascript/, /javascript/giu],
  ];
  const RUN = 10;           // code units of a repeated run
  const MOST_LIT = 4000;    // parts; more would make the page slow and say nothing

  const { element, commas, whole, number, spelled, fact } = common;
  const $ = (id) => document.getElementById(id);
  let state = null, words = WORDS.en, at = { rule: 0, group: "dropped", item: 0 }, busy = false, loads = 0;

  // ---- words

  function setLanguage(name, keep) {
    words = WORDS[name];
    document.documentElement.lang = words.name;
    if (keep) common.keepLanguage(name);
    for (const e of document.querySelectorAll("[data-t]")) e.textContent = words[e.dataset.t];
    for (const e of document.querySelectorAll("[data-label]")) e.setAttribute("aria-label", words[e.dataset.label]);
    $("language").textContent = words.other;
    $("language").lang = name === "en" ? "zh-CN" : "en";
    showKeys();
    if (state) show();
  }

  function showKeys() {
    const keys = [["G  1", words.garbage], ["K  2", words.keep], ["U  3", words.unsure], ["Z  ⌫", words.undo],
      ["←  →", `${words.previous} / ${words.next}`], ["D", words.group], ["[  ]", words.rule], ["L", words.language],
      ["↑  ↓", words.scroll], ["?", words.help]];
    $("key-list").replaceChildren(...common.keyList(keys));
  }

  // ---- small things

  const rule = () => state.rules[at.rule];
  const items = () => rule()[at.group];
  const item = () => items()[at.item];
  const markOf = (one) => state.marks[one.id] || "none";
  const decidedOf = (share) => share.garbage + share.keep + share.unsure;
  const isDone = (one) => markOf(one) !== "none";

  const ask = (path, body) => common.ask(path, body, words.ended);

  function complain(error) {
    $("trouble").textContent = error ? (error.message === words.ended ? error.message : words.trouble + error.message) : "";
    $("trouble").hidden = !error;
  }

  // ---- the rules

  const shareLine = (share, what) => common.shareLine(share, what, words);

  function showRules() {
    const focused = $("rule-list").contains(document.activeElement);
    $("rule-list").replaceChildren(...state.rules.map((one, i) => {
      const entry = element("li"), button = element("button", undefined, "rule");
      button.type = "button";
      if (i === at.rule) button.setAttribute("aria-current", "true");
      const all = one.dropped.length + one.passed.length;
      const done = decidedOf(one.shares.dropped) + decidedOf(one.shares.passed);
      button.append(element("code", one.reason), ...shareLine(one.shares.dropped, words.precision),
        element("small", words.decided(done, all), "progress"));
      button.addEventListener("click", () => go(i, null, null));
      entry.append(button);
      return entry;
    }));
    const current = $("rule-list").querySelector("[aria-current]");
    current.scrollIntoView({ block: "nearest" });
    if (focused) current.focus();
    $("rule-select").replaceChildren(...state.rules.map((one, i) => {
      const option = element("option", `${one.reason}  ${one.shares.dropped.share === null ? "–" : whole(one.shares.dropped.share) + " %"}`);
      option.value = i;
      option.selected = i === at.rule;
      return option;
    }));
  }

  function showGroups() {
    for (const group of ["dropped", "passed"]) {
      const share = rule().shares[group], button = $("group-" + group);
      button.setAttribute("aria-pressed", String(group === at.group));
      const title = element("span", words[group], "title");
      title.append(element("small", words[group + "How"]));
      const figures = element("span", undefined, "figures");
      figures.append(...shareLine(share, group === "dropped" ? words.precision : words.garbageShare));
      figures.append(element("small", words.decided(decidedOf(share), share.sampled), "progress"));
      button.replaceChildren(title, figures);
    }
  }

  // ---- the document

  function bound(one) { return one.bound.replace(/^(min|max) /, ""); }

  function showCard() {
    const one = item();
    $("card").hidden = !one;
    $("nothing").hidden = Boolean(one);
    $("nothing").textContent = words.nothing;
    for (const id of ["garbage", "keep", "unsure"]) {
      $(id).disabled = !one;
      $(id).setAttribute("aria-pressed", String(Boolean(one) && markOf(one) === id));
    }
    $("undo").disabled = !state.can_undo;
    $("dots").replaceChildren(...items().map((each, i) => {
      const dot = element("button", undefined, `dot ${markOf(each)}${i === at.item ? " here" : ""}`);
      dot.type = "button";
      dot.tabIndex = -1;
      dot.addEventListener("click", () => go(at.rule, at.group, i));
      return dot;
    }));
    if (!one) return;
    $("card").className = markOf(one);
    const r = rule(), kept = one.reasons.length === 0, value = number(one.value);
    $("seen").replaceChildren(
      element("b", r.column === "" ? words.seenOnly(r.reason, one.value === null ? null : value)
        : one.bound === "" ? words.seenOnly(r.column, value)
        : words[r.side === "max" ? "seenMax" : "seenMin"](r.column, value, bound(one), kept)),
      element("span", words.position(at.item + 1, items().length), "position"));
    const facts = [[words.domain, one.domain], [words.source, one.source], [words.id, one.id]];
    const others = one.reasons.filter((reason) => reason !== r.reason);
    if (others.length) facts.push([words.also, others.join(", ")]);
    $("facts").replaceChildren(...facts.map(([term, what]) => fact(term, spelled(what))));
  }

  // Parts [begin, end) of the text that the rule's measure counts.
  function litParts(text, column) {
    const found = LIT.find(([name]) => name.test(column));
    if (!found) return [];
    const parts = [];
    if (found[1] === "lines" || found[1] === "paragraphs") {
      const seen = new Set(), between = found[1] === "lines" ? "\n" : "\n\n";
      let begin = 0;
      for (const line of text.split(between)) {
        const bare = line.trim();
        if (bare && seen.has(bare)) parts.push([begin, begin + line.length]);
        seen.add(bare);
        begin += line.length + between.length;
      }
    } else if (found[1] === "runs") {
      const seen = new Set();
      let end = 0;
      for (let i = 0; i + RUN <= text.length; ++i) {
        const run = text.slice(i, i + RUN);
        if (seen.has(run)) {
          if (parts.length && i <= end) parts[parts.length - 1][1] = i + RUN; else parts.push([i, i + RUN]);
          end = i + RUN;
        }
        seen.add(run);
      }
    } else {
      for (const match of text.matchAll(found[1])) if (match[0]) parts.push([match.index, match.index + match[0].length]);
    }
    return parts.slice(0, MOST_LIT);
  }

  function showText(answer, one) {
    const box = $("text"), text = answer.text;
    const nodes = [];
    let done = 0;
    for (const [begin, end] of litParts(text, rule().column)) {
      nodes.push(...spelled(text.slice(done, begin)));
      const lit = element("mark");
      lit.append(...spelled(text.slice(begin, end)));
      nodes.push(lit);
      done = end;
    }
    nodes.push(...spelled(text.slice(done)));
    box.replaceChildren(...nodes);
    if (text === "") box.replaceChildren(element("i", words.empty));
    box.scrollTop = 0;
    const cut = answer.shown < answer.bytes, link = element("a", words.whole);
    link.href = "api/whole?id=" + encodeURIComponent(one.id);
    link.target = "_blank";
    link.rel = "noopener";
    $("note").hidden = !cut;
    $("note").replaceChildren(words.cut(commas(answer.shown), commas(answer.bytes)) + " ", link);
    $("facts").append(fact(words.length, [words.bytes(commas(answer.bytes))]));
  }

  async function loadText() {
    const one = item(), mine = ++loads;
    if (!one) return;
    try {
      const answer = await ask("api/text?id=" + encodeURIComponent(one.id));
      if (mine === loads) showText(answer, one);
    } catch (error) {
      if (mine === loads) { $("text").replaceChildren(); complain(error); }
    }
  }

  function show() {
    $("name").textContent = state.name || "headrace";
    $("run").textContent = state.run;
    $("labels").textContent = state.labels;
    $("leaks-link").hidden = state.leak_finds === 0;
    document.title = `${state.name} · headrace ${words.audit}`;
    if (state.rules.length === 0) {
      $("frame").hidden = $("actions").hidden = true;
      $("trouble").textContent = words.noRules;
      $("trouble").className = "calm";
      $("trouble").hidden = false;
      return;
    }
    $("rule-name").textContent = rule().reason;
    $("rule-about").textContent = [rule().summary, words.drops(commas(rule().documents))].filter(Boolean).join(" · ");
    showRules();
    showGroups();
    showCard();
    loadText();
  }

  // ---- moves

  const firstOpen = (list) => Math.max(0, list.findIndex((one) => !isDone(one)));

  function go(ruleNumber, group, itemNumber) {
    const r = state.rules[ruleNumber];
    at.rule = ruleNumber;
    at.group = group || (r.dropped.length && !r.dropped.every(isDone) ? "dropped" : r.passed.length ? "passed" : "dropped");
    at.item = itemNumber === null ? firstOpen(items()) : itemNumber;
    try { sessionStorage.setItem("headrace-audit-at", JSON.stringify(at)); } catch { /* no memory of the place */ }
    show();
  }

  // Over the ends of a group into the next one, and over the rule into the next rule.
  function step(by) {
    const places = state.rules.flatMap((r, i) => ["dropped", "passed"].flatMap((group) => r[group].map((_, k) => [i, group, k])));
    const here = places.findIndex(([i, group, k]) => i === at.rule && group === at.group && k === at.item);
    const next = places[here + by];
    if (next) go(...next);
  }

  function stepRule(by) {
    const next = at.rule + by;
    if (next >= 0 && next < state.rules.length) go(next, null, null);
  }

  function take(change) {
    state.marks[change.id] = change.mark;
    state.can_undo = change.can_undo;
    change.shares.forEach((shares, i) => { state.rules[i].shares = shares; });
  }

  async function change(path, body, then) {
    if (busy) return;  // what is not seen yet is not decided
    busy = true;
    const slow = setTimeout(() => document.body.classList.add("saving"), 250);
    try {
      const answer = await ask(path, body);
      take(answer);
      complain(null);
      then(answer);
    } catch (error) {
      complain(error);
    } finally {
      clearTimeout(slow);
      document.body.classList.remove("saving");
      busy = false;
    }
  }

  function say(what) {
    const one = item();
    $("said").textContent = words.said(what, one ? words.position(at.item + 1, items().length) : "");
  }

  function decide(mark) {
    if (!item()) return;
    change("api/decide", { rule: at.rule, group: at.group, item: at.item, mark }, () => {
      const open = items().findIndex((one, i) => i > at.item && !isDone(one));
      if (open >= 0) go(at.rule, at.group, open); else if (at.item + 1 < items().length) go(at.rule, at.group, at.item + 1); else show();
      say(words[mark]);
    });
  }

  function undo() {
    if (!state.can_undo) return;
    change("api/undo", {}, (answer) => {
      go(answer.rule, answer.group, answer.item);
      say(words.undone);
    });
  }

  function toggleHelp() {
    $("help").hidden = !$("help").hidden;
    $("help-button").setAttribute("aria-expanded", String(!$("help").hidden));
  }

  const switchLanguage = () => setLanguage(words === WORDS.en ? "zh" : "en", true);
  const switchGroup = () => go(at.rule, at.group === "dropped" ? "passed" : "dropped", null);
  const scroll = (by) => $("text").scrollBy({ top: by * $("text").clientHeight * 0.4 });

  const KEYS = {
    g: () => decide("garbage"), 1: () => decide("garbage"), k: () => decide("keep"), 2: () => decide("keep"),
    u: () => decide("unsure"), 3: () => decide("unsure"), z: undo, Backspace: undo,
    ArrowLeft: () => step(-1), p: () => step(-1), ArrowRight: () => step(1), n: () => step(1),
    d: switchGroup, "[": () => stepRule(-1), "]": () => stepRule(1), l: switchLanguage, "?": toggleHelp,
    ArrowUp: () => scroll(-1), ArrowDown: () => scroll(1),
  };
  document.addEventListener("keydown", (event) => {
    if (!state || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, input, textarea")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!KEYS[key] || (state.rules.length === 0 && key !== "l" && key !== "?")) return;
    event.preventDefault();
    KEYS[key]();
  });
  for (const mark of ["garbage", "keep", "unsure"]) $(mark).addEventListener("click", () => decide(mark));
  $("undo").addEventListener("click", undo);
  $("previous").addEventListener("click", () => step(-1));
  $("next").addEventListener("click", () => step(1));
  $("group-dropped").addEventListener("click", () => go(at.rule, "dropped", null));
  $("group-passed").addEventListener("click", () => go(at.rule, "passed", null));
  $("rule-select").addEventListener("change", (event) => go(Number(event.target.value), null, null));
  $("help-button").addEventListener("click", toggleHelp);
  $("language").addEventListener("click", switchLanguage);

  async function start() {
    setLanguage(common.chooseLanguage(), false);
    try {
      state = await ask("api/all");
    } catch (error) {
      complain(error);
      return;
    }
    let place = null;
    try { place = JSON.parse(sessionStorage.getItem("headrace-audit-at")); } catch { /* from the start */ }
    const r = place && state.rules[place.rule];
    if (r && r[place.group] && r[place.group][place.item]) go(place.rule, place.group, place.item);
    else if (state.rules.length) go(0, null, null);
    else show();
  }
  start();
})();
