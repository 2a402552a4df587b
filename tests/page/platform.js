// The drawing of the node: its numbers and colours are those of `tally metrics`
// of the stretch, nothing sticks out of its box, no package covers another.
"use strict";
const { execFileSync } = require("child_process");

function metricsOf(dump, stretch) {
  const args = ["metrics", "-f", "json", "-S", "node,package,numa,die,core,box", ...(stretch ? ["-s", stretch.join(":")] : [])];
  const out = JSON.parse(execFileSync(process.env.TALLY, [...args, dump], { stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 28 }));
  const value = new Map();
  for (const r of out.tables[0].rows) value.set(`${r.metric}|${r.scope}|${r.where}`, r.value);
  return value;
}

const cells = () => {
  const d = JSON.parse(document.getElementById("data").textContent);
  const lines = (list) => (list || "").split(" ").filter((n) => n !== "").map((n) => d.lines[+n]);
  const key = (l) => `${d.metrics[l.m].name}|${l.s}|${l.w}`;
  return [...document.querySelectorAll("#platform .cell")].map((g) => {
    const number = g.querySelector("text:last-child"), of = lines(g.dataset.line), load = lines(g.dataset.load);
    return { keys: of.map(key), load: load.map(key), full: +g.dataset.full, peers: g.dataset.peers, shown: g.getAttribute("class").split(" ")[1],
      text: number.textContent.replace(number.dataset.unit || "\0", ""), title: g.querySelector("title").textContent,
      doubted: of.some((l) => d.metrics[l.m].guess || l.d || d.coarse[l.s]) };
  });
};

const sum = (keys, want) => keys.map((k) => want.get(k)).filter((v) => v !== null && v !== undefined).reduce((a, b) => (a ?? 0) + b, null);

// Is the text that number?  Half of its last digit, and what binary32 loses.
function says(c, v) {
  const m = c.text.match(/^(\u2248?)([<>]?)(-?)([\d.]+)([kMGTP]?)[*!]?$/);
  if (v === null) return c.text === "n/a";
  if (!m) return false;
  if (m[1]) return c.doubted;
  if (m[2]) return Math.abs(v) < 0.00501 && v !== 0;
  const scale = { "": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15 }[m[5]];
  const last = (m[4].includes(".") ? Math.pow(10, -m[4].split(".")[1].length) : 1) * scale;
  return Math.abs(parseFloat(m[3] + m[4]) * scale - v) <= 0.5001 * last + 6e-5 * Math.abs(v);
}

// Is the colour that of its load?
function coloured(c, v, want, most) {
  const level = +c.shown.slice(1), load = c.load.length ? sum(c.load, want) : v, full = c.full || most.get(c.peers);
  if (v === null || c.shown === "bare") return c.shown === (c.shown === "bare" ? "bare" : "none");
  if (load === null || !full) return c.shown === "plain";
  return Math.abs(level - 10 * Math.max(0, Math.min(1, load / full))) <= 0.51;
}

async function compare(page, name, dump, stretch, check) {
  const want = metricsOf(dump, stretch), all = (await page.evaluate(cells)).filter((c) => c.keys.length), most = new Map();
  for (const c of all) if (c.peers) most.set(c.peers, Math.max(most.get(c.peers) || 0, sum(c.keys, want) || 0));
  const wrong = all.filter((c) => !says(c, sum(c.keys, want)));
  const pale = all.filter((c) => !c.text.startsWith("\u2248") && !coloured(c, sum(c.keys, want), want, most));
  check(`${name}: the drawing's numbers of ${stretch || "all"} are those of tally metrics`, all.length > 9 && wrong.length === 0,
    `${all.length} cells; ` + wrong.slice(0, 5).map((c) => `${c.keys} ${c.text} not ${sum(c.keys, want)}`).join("; "));
  check(`${name}: the drawing's colours of ${stretch || "all"} are those of the loads`, pale.length === 0,
    pale.slice(0, 5).map((c) => `${c.keys} ${c.shown} of ${c.full} at ${c.text}`).join("; "));
  check(`${name}: what is n/a in the drawing says why, or what it is of`, all.every((c) => /\n\S+ /.test(c.title)));
}

// Texts of cells are inside them; packages and what follows are apart.
const sticking = () => {
  const out = [], apart = (p, q) => p.right <= q.left + 1 || q.right <= p.left + 1 || p.bottom <= q.top + 1 || q.bottom <= p.top + 1;
  for (const g of document.querySelectorAll("#platform .cell")) {
    const rect = g.querySelector("rect");
    if (!rect) continue;
    const r = rect.getBoundingClientRect();
    for (const t of g.querySelectorAll("text")) {
      const b = t.getBoundingClientRect();
      if (b.left < r.left - 1 || b.right > r.right + 1) out.push(t.textContent);
    }
  }
  const packages = [...document.querySelectorAll("#platform .pk, #platform + p")].map((g) => g.getBoundingClientRect());
  packages.forEach((p, i) => packages.slice(i + 1).forEach((q) => { if (!apart(p, q)) out.push(`package ${i} covers another`); }));
  return out;
};

// Who has keys, or touches, reads what is said on hover.
async function reading(page, name, check) {
  const title = (n) => page.locator("#platform .cell title").nth(n).textContent(), said = () => page.textContent("#platform-part");
  await page.focus("#platform");
  await page.keyboard.press("ArrowRight");
  check(`${name}: a key reads the first part`, await said() === await title(0));
  await page.keyboard.press("ArrowRight");
  check(`${name}: another the second`, await said() === await title(1));
  await page.locator("#platform .cell").nth(5).click();
  check(`${name}: a click reads a part`, (await said()).length > 5 && await said() === await page.locator("#platform .cell.at title").textContent());
  await page.keyboard.press("Escape");
  check(`${name}: Escape reads none`, await said() === "" && await page.locator("#platform .at").count() === 0);
}

async function widths(page, name, check) {
  for (const width of [400, 800, 1280, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    const out = await page.evaluate(sticking);
    check(`${name}: all of the drawing has room at ${width}`, out.length === 0, out.slice(0, 8).join("; "));
  }
}

module.exports = { compare, reading, widths };
