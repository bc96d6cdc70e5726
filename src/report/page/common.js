// What the audit's pages share: texts as nodes, numbers as people read them, shares with their
// interval, the language, and questions to the server.
"use strict";
const common = (() => {
  const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\u{e0000}-\u{e0fff}]/u;
  const LANGUAGE = "headrace-audit-language";

  function element(name, text, css) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (css) made.className = css;
    return made;
  }

  const commas = (n) => Number(n).toLocaleString("en-US");
  const whole = (share) => Math.round(100 * share);
  function number(x) {
    if (x === null) return "–";
    return Math.abs(x) >= 1000 ? commas(Math.round(x)) : String(Number(x.toPrecision(4)));
  }

  // Text as nodes, with what cannot be seen spelled out.
  function spelled(text) {
    const nodes = [];
    let plain = "";
    for (const c of text) {
      if (!HIDDEN.test(c)) { plain += c; continue; }
      if (plain) nodes.push(document.createTextNode(plain));
      plain = "";
      nodes.push(element("b", "U+" + c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0"), "c"));
    }
    if (plain) nodes.push(document.createTextNode(plain));
    return nodes;
  }

  function fact(term, what) {
    const pair = element("div"), shown = element("dd");
    shown.append(...what);
    pair.append(element("dt", term), shown);
    return pair;
  }

  // A share with its bar and interval; `words` has noDecision and interval.
  function shareLine(share, what, words) {
    const line = element("span", undefined, "share");
    const bar = element("span", undefined, "bar");
    if (share.share === null) {
      line.append(element("b", "–"), ` ${what}`);
    } else {
      line.append(element("b", `${whole(share.share)} %`), ` ${what}`);
      const range = element("i"), point = element("i", undefined, "point");
      range.style.left = `${100 * share.low}%`;
      range.style.width = `${100 * (share.high - share.low)}%`;
      point.style.left = `${100 * share.share}%`;
      bar.append(range, point);
    }
    const more = element("small", share.share === null ? words.noDecision : words.interval(whole(share.low), whole(share.high)));
    return [line, bar, more];
  }

  function chooseLanguage() {
    let kept = null;
    try { kept = localStorage.getItem(LANGUAGE); } catch { /* forbidden: the browser's */ }
    if (kept === "en" || kept === "zh") return kept;
    return (navigator.languages || [navigator.language]).some((l) => /^zh\b/i.test(l)) ? "zh" : "en";
  }
  function keepLanguage(name) {
    try { localStorage.setItem(LANGUAGE, name); } catch { /* until reload */ }
  }

  // `ended`: what to say when the server is gone.
  async function ask(path, body, ended) {
    let answer;
    try {
      answer = await fetch(path, body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    } catch {
      throw new Error(ended);
    }
    const json = await answer.json().catch(() => ({ error: `HTTP ${answer.status}` }));
    if (!answer.ok) throw new Error(json.error);
    return json;
  }

  // [["G  1", "Garbage"], ...] as a list of keys.
  function keyList(keys) {
    return keys.map(([key, what]) => {
      const pair = element("div"), term = element("dt");
      term.append(...key.split("  ").map((k) => element("kbd", k)));
      pair.append(term, element("dd", what));
      return pair;
    });
  }

  return { element, commas, whole, number, spelled, fact, shareLine, chooseLanguage, keepLanguage, ask, keyList };
})();
