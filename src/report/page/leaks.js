// The review of leaks: one find at a time, the held-out item beside the document, what both share
// marked in both; a decision by key, and the precision of the check by set and verdict.
//
// The server counts, saves and marks; here is what is shown. A decision stands on the page only after
// the server said that it is on the disk.
"use strict";
(() => {
  const WORDS = {
    en: {
      leaks: "leaks", audit: "Audit", skip: "Skip to the find", keys: "Keys", groups: "Finds by set and verdict", set: "Set", verdict: "Verdict",
      actions: "Decide and move", savedIn: "Saved at once in", item: "Held-out item", document: "Document",
      how: "What to decide",
      howText: "Does the document hold this item, so that a model trained on it would have seen the question? What both share is marked. " +
        "The frame of a question, a formula or a famous line is no leak; most of the question in other words, spaces or order is one. " +
        "Of those decided, the share of leaks is the precision of the check for that set and verdict; unsure counts for neither.",
      leak: "Leak", not_leak: "No leak", unsure: "Unsure", undo: "Undo", previous: "Previous", next: "Next",
      all: "all", drop: "drop", flag: "flag", reportOnly: "report only",
      precision: "leaks", decided: (n, all) => `${n} of ${all} decided`, sampleOf: (n, all) => n === all ? `all ${all} finds` : `a random ${n} of ${all} finds`,
      interval: (low, high) => `95 %: ${low}–${high} %`, noDecision: "no decision yet",
      looked: (items, documents) => `${items} items looked for in ${documents} documents`,
      views: { question: "of the question", "edited question": "of the question, edited", "question+options": "of question and options",
        "question+answer": "of question and answer", run: "of the item in one stretch", passage: "of the passage" },
      seen: (view, share) => `${share} % ${view}`, mass: "Weight", parts: "Found of",
      partNames: { question: "question", option: "option", options: "options", answer: "answer", solution: "solution", passage: "passage" },
      became: "The document", becameNames: { kept: "was kept", dropped: "was dropped", cut: "was kept without it", other: "was dropped for another reason" },
      position: (i, n) => `${i} of ${n}`, domain: "Domain", source: "Source",
      whole: "Open the whole document", bytes: (n) => `${n} bytes in all.`,
      nothing: "No find fits these filters.", noFinds: "No document holds a held-out item.",
      trouble: "Not saved: ", ended: "The audit has ended. Start 'headrace audit' again: what was decided is in the file.",
      said: (what, where) => `${what}. ${where}`, undone: "Taken back",
      help: "these keys", group: "previous or next group", setKey: "next set", verdictKey: "next verdict", language: "中文 or English", scroll: "scroll the texts",
      other: "中文", name: "en",
    },
    zh: {
      leaks: "泄漏复核", audit: "审核", skip: "跳到命中", keys: "按键", groups: "按题库与结论查看", set: "题库", verdict: "结论",
      actions: "判断与翻页", savedIn: "已即时保存到", item: "评测题", document: "文档",
      how: "判断什么",
      howText: "这篇文档是否含有这道题，以致用它训练的模型等于见过这道题？两边相同的部分都已标出。" +
        "只是题干套话、公式或名句相同，不算泄漏；题目大部分相同，只是换了空格、字形、顺序或个别词，就算泄漏。" +
        "已判断的命中里，泄漏所占的比例就是该题库、该结论下检查的精确率；“不确定”不计入。",
      leak: "是泄漏", not_leak: "不是泄漏", unsure: "不确定", undo: "撤销", previous: "上一条", next: "下一条",
      all: "全部", drop: "丢弃", flag: "标记", reportOnly: "只报告",
      precision: "为泄漏", decided: (n, all) => `已判断 ${n} / ${all}`, sampleOf: (n, all) => n === all ? `全部 ${all} 条命中` : `${all} 条命中中随机抽取 ${n} 条`,
      interval: (low, high) => `95 % 区间：${low}–${high} %`, noDecision: "尚未判断",
      looked: (items, documents) => `在 ${documents} 篇文档中查找了 ${items} 道题`,
      views: { question: "题干相同", "edited question": "题干相同（有改动）", "question+options": "题干与选项相同", "question+answer": "题干与答案相同",
        run: "连续一段相同，占全题", passage: "材料相同" },
      seen: (view, share) => `${view} ${share} %`, mass: "权重", parts: "各部分命中",
      partNames: { question: "题干", option: "选项", options: "选项", answer: "答案", solution: "解析", passage: "材料" },
      became: "文档", becameNames: { kept: "已保留", dropped: "已丢弃", cut: "已保留，并删去此段", other: "因其他原因丢弃" },
      position: (i, n) => `第 ${i} 条，共 ${n} 条`, domain: "领域", source: "来源",
      whole: "打开全文", bytes: (n) => `全文共 ${n} 字节。`,
      nothing: "没有符合筛选条件的命中。", noFinds: "没有文档含有评测题。",
      trouble: "未保存：", ended: "审核已结束。请重新运行 headrace audit：已作的判断都在文件里。",
      said: (what, where) => `${what}。${where}`, undone: "已撤销",
      help: "按键说明", group: "上一组 / 下一组", setKey: "下一个题库", verdictKey: "下一种结论", language: "English / 中文", scroll: "滚动正文",
      other: "English", name: "zh-CN",
    },
  };
  const MARKS = ["leak", "not_leak", "unsure"];
  const { element, commas, whole, number, spelled, fact } = common;
  const $ = (id) => document.getElementById(id);
  let state = null, words = WORDS.en, at = { group: 0, find: 0 }, filter = { set: "", verdict: "" }, busy = false, loads = 0;

  // ---- words

  function setLanguage(name, keep) {
    words = WORDS[name];
    document.documentElement.lang = words.name;
    if (keep) common.keepLanguage(name);
    for (const e of document.querySelectorAll("[data-t]")) e.textContent = words[e.dataset.t];
    for (const e of document.querySelectorAll("[data-label]")) e.setAttribute("aria-label", words[e.dataset.label]);
    $("language").textContent = words.other;
    $("language").lang = name === "en" ? "zh-CN" : "en";
    $("key-list").replaceChildren(...common.keyList([["Y  1", words.leak], ["N  2", words.not_leak], ["U  3", words.unsure], ["Z  ⌫", words.undo],
      ["←  →", `${words.previous} / ${words.next}`], ["[  ]", words.group], ["S", words.setKey], ["V", words.verdictKey],
      ["L", words.language], ["↑  ↓", words.scroll], ["?", words.help]]));
    if (state) show();
  }

  // ---- small things

  const group = () => state.groups[at.group];
  const find = () => (group() && fits(group()) ? group().shown[at.find] : undefined);
  const fits = (one) => (!filter.set || one.set === filter.set) && (!filter.verdict || one.verdict === filter.verdict);
  const places = () => state.groups.flatMap((one, i) => (fits(one) ? one.shown.map((_, k) => [i, k]) : []));
  const markOf = (one) => state.marks[one.key] || "none";
  const isDone = (one) => markOf(one) !== "none";
  const decidedOf = (share) => share.leak + share.not_leak + share.unsure;
  const ask = (path, body) => common.ask(path, body, words.ended);

  function complain(error) {
    $("trouble").textContent = error ? (error.message === words.ended ? error.message : words.trouble + error.message) : "";
    $("trouble").hidden = !error;
  }

  // ---- groups and filters

  function showFilter(id, names, chosen, nameOf) {
    $(id).replaceChildren(...["", ...names].map((name) => {
      const option = element("option", name === "" ? words.all : nameOf(name));
      option.value = name;
      option.selected = name === chosen;
      return option;
    }));
  }

  function showGroups() {
    const focused = $("group-list").contains(document.activeElement);
    showFilter("set", [...new Set(state.groups.map((one) => one.set))], filter.set, (name) => name);
    showFilter("verdict", [...new Set(state.groups.map((one) => one.verdict))], filter.verdict, (name) => words[name]);
    $("group-list").replaceChildren(...state.groups.flatMap((one, i) => {
      if (!fits(one)) return [];
      const entry = element("li"), button = element("button", undefined, "rule"), head = element("span", undefined, "head");
      button.type = "button";
      if (i === at.group) button.setAttribute("aria-current", "true");
      head.append(element("code", one.set), element("span", one.report_only ? `${words[one.verdict]} · ${words.reportOnly}` : words[one.verdict], `verdict ${one.verdict}`));
      button.append(head, ...common.shareLine(one.share, words.precision, words),
        element("small", `${words.decided(decidedOf(one.share), one.share.sampled)} · ${words.sampleOf(one.shown.length, one.finds)}`, "progress"));
      button.addEventListener("click", () => go(i, null));
      entry.append(button);
      return [entry];
    }));
    const current = $("group-list").querySelector("[aria-current]");
    if (!current) return;
    current.scrollIntoView({ block: "nearest" });
    if (focused) current.focus();
  }

  // ---- the find

  function showCard() {
    const one = find();
    $("card").hidden = !one;
    $("nothing").hidden = Boolean(one);
    $("nothing").textContent = words.nothing;
    for (const id of MARKS) {
      $(id).disabled = !one;
      $(id).setAttribute("aria-pressed", String(Boolean(one) && markOf(one) === id));
    }
    $("undo").disabled = !state.can_undo;
    $("dots").replaceChildren(...(one ? group().shown : []).map((each, i) => {
      const dot = element("button", undefined, `dot ${markOf(each)}${i === at.find ? " here" : ""}`);
      dot.type = "button";
      dot.tabIndex = -1;
      dot.addEventListener("click", () => go(at.group, i));
      return dot;
    }));
    if (!one) return;
    $("card").className = markOf(one);
    const seen = element("b", words.seen(words.views[one.view] || one.view, whole(one.ratio)));
    $("seen").replaceChildren(seen, element("span", words.position(at.find + 1, group().shown.length), "position"));
    const parts = ["question", "options", "answer", "passage"].filter((part) => one[part] > 0)
      .map((part) => `${words.partNames[part]} ${whole(one[part])} %`);
    $("facts").replaceChildren(...[[words.parts, parts.join(", ") || "–"], [words.mass, number(one.mass)],
      [words.became, words.becameNames[one.became]], [words.domain, one.domain], [words.source, one.source]]
      .map(([term, what]) => fact(term, spelled(what))));
    const named = one.item.startsWith(group().set);
    $("item-name").replaceChildren(...spelled(named ? one.item : `${group().set} ${one.item}`));
    $("document-name").textContent = one.id;
  }

  function marked(segments) {
    return segments.flatMap(([text, lit]) => {
      if (!lit) return spelled(text);
      const mark = element("mark");
      mark.append(...spelled(text));
      return [mark];
    });
  }

  function showTexts(answer) {
    let option = 0;
    $("item").replaceChildren(...answer.item.flatMap(({ part, text }) => {
      const letter = part === "option" ? ` ${String.fromCharCode(65 + option++ % 26)}` : "";
      const shown = element("span", undefined, "part-text");
      shown.append(...marked(text));
      return [element("span", words.partNames[part] + letter, "part"), shown];
    }));
    const pieces = marked(answer.document);
    if (answer.cut_before) pieces.unshift(element("span", "… ", "more"));
    if (answer.cut_behind) pieces.push(element("span", " …", "more"));
    $("document").replaceChildren(...pieces);
    $("item").scrollTop = 0;
    const first = $("document").querySelector("mark");
    $("document").scrollTop = first ? Math.max(0, first.offsetTop - $("document").offsetTop - $("document").clientHeight / 3) : 0;
    const link = element("a", words.whole);
    link.href = `api/leak/whole?group=${at.group}&find=${at.find}`;
    link.target = "_blank";
    link.rel = "noopener";
    $("note").hidden = !(answer.cut_before || answer.cut_behind);
    $("note").replaceChildren(words.bytes(commas(answer.bytes)) + " ", link);
  }

  async function loadTexts() {
    const mine = ++loads;
    document.body.dataset.shown = "";
    if (!find()) return;
    const shown = `${at.group} ${at.find}`;
    try {
      const answer = await ask(`api/leak?group=${at.group}&find=${at.find}`);
      if (mine !== loads) return;
      showTexts(answer);
      document.body.dataset.shown = shown;
    } catch (error) {
      if (mine !== loads) return;
      $("item").replaceChildren();
      $("document").replaceChildren();
      complain(error);
    }
  }

  function show() {
    $("name").textContent = state.name || "headrace";
    $("run").textContent = state.run;
    $("labels").textContent = state.labels;
    $("looked").textContent = words.looked(commas(state.items), commas(state.documents));
    document.title = `${state.name} · headrace ${words.leaks}`;
    if (state.groups.length === 0) {
      $("frame").hidden = $("actions").hidden = true;
      $("trouble").textContent = `${words.noFinds} ${words.looked(commas(state.items), commas(state.documents))}.`;
      $("trouble").className = "calm";
      $("trouble").hidden = false;
      return;
    }
    showGroups();
    showCard();
    loadTexts();
  }

  // ---- moves

  function go(groupNumber, findNumber) {
    const list = state.groups[groupNumber].shown;
    at = { group: groupNumber, find: findNumber === null ? Math.max(0, list.findIndex((one) => !isDone(one))) : findNumber };
    try { sessionStorage.setItem("headrace-leaks-at", JSON.stringify({ at, filter })); } catch { /* no memory of the place */ }
    show();
  }

  // Over the ends of a group into the next one that fits.
  function step(by) {
    const all = places(), here = all.findIndex(([i, k]) => i === at.group && k === at.find);
    const next = all[here + by];
    if (next) go(...next);
  }

  function stepGroup(by) {
    const all = state.groups.map((_, i) => i).filter((i) => fits(state.groups[i]));
    const next = all[all.indexOf(at.group) + by];
    if (next !== undefined) go(next, null);
  }

  function setFilter(key, value) {
    filter[key] = value;
    const first = state.groups.findIndex(fits);
    if (first < 0 || fits(group())) { show(); return; }
    go(first, null);
  }

  function nextFilter(key) {
    const values = [...$(key).options].map((option) => option.value);
    setFilter(key, values[(values.indexOf(filter[key]) + 1) % values.length]);
  }

  async function change(path, body, then) {
    if (busy) return;  // what is not seen yet is not decided
    busy = true;
    const slow = setTimeout(() => document.body.classList.add("saving"), 250);
    try {
      const answer = await ask(path, body);
      state.marks[answer.key] = answer.mark;
      state.can_undo = answer.can_undo;
      answer.shares.forEach((share, i) => { state.groups[i].share = share; });
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
    $("said").textContent = words.said(what, find() ? words.position(at.find + 1, group().shown.length) : "");
  }

  function decide(mark) {
    if (!find()) return;
    change("api/leak/decide", { group: at.group, find: at.find, mark }, () => {
      const list = group().shown, open = list.findIndex((one, i) => i > at.find && !isDone(one));
      if (open >= 0) go(at.group, open); else if (at.find + 1 < list.length) go(at.group, at.find + 1); else show();
      say(words[mark]);
    });
  }

  function undo() {
    if (!state.can_undo) return;
    change("api/leak/undo", {}, (answer) => {
      if (!fits(state.groups[answer.group])) filter = { set: "", verdict: "" };
      go(answer.group, answer.find);
      say(words.undone);
    });
  }

  function toggleHelp() {
    $("help").hidden = !$("help").hidden;
    $("help-button").setAttribute("aria-expanded", String(!$("help").hidden));
  }

  const switchLanguage = () => setLanguage(words === WORDS.en ? "zh" : "en", true);
  const scroll = (by) => { for (const id of ["item", "document"]) $(id).scrollBy({ top: by * $(id).clientHeight * 0.4 }); };

  const KEYS = {
    y: () => decide("leak"), 1: () => decide("leak"), n: () => decide("not_leak"), 2: () => decide("not_leak"),
    u: () => decide("unsure"), 3: () => decide("unsure"), z: undo, Backspace: undo,
    ArrowLeft: () => step(-1), ArrowRight: () => step(1), "[": () => stepGroup(-1), "]": () => stepGroup(1),
    s: () => nextFilter("set"), v: () => nextFilter("verdict"), l: switchLanguage, "?": toggleHelp,
    ArrowUp: () => scroll(-1), ArrowDown: () => scroll(1),
  };
  document.addEventListener("keydown", (event) => {
    if (!state || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, input, textarea")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!KEYS[key] || (state.groups.length === 0 && key !== "l" && key !== "?")) return;
    event.preventDefault();
    KEYS[key]();
  });
  for (const mark of MARKS) $(mark).addEventListener("click", () => decide(mark));
  $("undo").addEventListener("click", undo);
  $("previous").addEventListener("click", () => step(-1));
  $("next").addEventListener("click", () => step(1));
  for (const key of ["set", "verdict"]) $(key).addEventListener("change", (event) => setFilter(key, event.target.value));
  $("help-button").addEventListener("click", toggleHelp);
  $("language").addEventListener("click", switchLanguage);

  async function start() {
    setLanguage(common.chooseLanguage(), false);
    try {
      state = await ask("api/leaks");
    } catch (error) {
      complain(error);
      return;
    }
    let kept = null;
    try { kept = JSON.parse(sessionStorage.getItem("headrace-leaks-at")); } catch { /* from the start */ }
    const there = kept && state.groups[kept.at.group];
    if (there && there.shown[kept.at.find]) { filter = kept.filter; go(kept.at.group, kept.at.find); }
    else if (state.groups.length) go(0, null);
    else show();
  }
  start();
})();
