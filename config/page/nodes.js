// Nodes against time (postproc/html/nodes.h has the data), and the way from
// there to a node's page.
const data = JSON.parse($("data").textContent), MAP = 900;      // columns of the picture
for (const n of data.nodes) {
  n.from = floats(n.from);
  n.to = floats(n.to);
  n.last = n.to.length ? n.to[n.to.length - 1] : 0;
}
const longest = Math.max(...data.nodes.map((n) => n.last)), told = new Map();
let rows = data.nodes.slice(), at = null;       // the cell that is looked at: [row, share of the width]

// The byte of a node's metric at a time of its own; undefined: no bucket there.
function valueAt(n, t) {
  let lo = 0, hi = n.from.length - 1;
  while (lo < hi) { const m = (lo + hi + 1) >> 1; if (n.from[m] <= t) lo = m; else hi = m - 1; }
  return t >= n.from[lo] && t <= n.to[lo] ? lo : -1;
}
const begins = (n) => $("align").value === "start" || n.begin === null ? data.begin : n.begin;
const lasts = () => ($("align").value === "start" ? longest : data.end - data.begin) || 1;
function cells(n, metric) {                     // bytes of all its buckets; undefined: it has no such metric
  const key = n.name + "\n" + metric;
  if (!told.has(key)) told.set(key, n.v[metric] && bytes(n.v[metric]));
  return told.get(key);
}

function paint() {
  const canvas = $("heat"), metric = $("heat-of").value, m = data.metrics[metric], span = lasts();
  canvas.width = MAP;
  canvas.height = rows.length;
  const pen = canvas.getContext("2d"), image = pen.createImageData(MAP, rows.length);
  const colours = Array.from({ length: 255 }, (_, i) => shade(i / 254));
  rows.forEach((n, row) => {
    const v = cells(n, metric), offset = begins(n) - data.begin;
    for (let x = 0; v && x < MAP; x++) {
      const i = valueAt(n, (x + 0.5) / MAP * span - offset);
      if (i >= 0) image.data.set(v[i] ? [...colours[v[i] - 1], 255] : [128, 128, 128, 90], 4 * (row * MAP + x));
    }
  });
  pen.putImageData(image, 0, 0);
  const without = rows.filter((n) => !n.v[metric]).length;
  $("heat-scale").textContent = m.lo === null ? "no node has it" : `dark ${words(m.lo, -1)} to bright ${words(m.hi, -1)} ${m.unit}; grey: doubted` +
    (without ? `; ${without} node${without > 1 ? "s have" : " has"} no ${m.name}` : "");
  canvas.setAttribute("aria-label", `${m.text}: ${rows.length} nodes against time`);
  $("axis").replaceChildren(...[0, 0.25, 0.5, 0.75, 1].map((p) => make("span", {}, words(p * span, 1) + " s" +
    ($("align").value === "wall" && data.begin > 0 ? " " + new Date((data.begin + p * span) * 1000).toISOString().slice(...span > 86400 ? [0, 10] : [11, 19]) : ""))));
  tell();
}

function tell() {
  const metric = $("heat-of").value, m = data.metrics[metric];
  $("cross").hidden = at === null;
  if (at === null) { $("heat-at").textContent = "Point at a cell; click it for the node's page."; return; }
  const n = rows[at[0]], t = at[1] * lasts(), i = valueAt(n, t - (begins(n) - data.begin)), v = cells(n, metric);
  $("cross").style.left = at[1] * 100 + "%";
  $("cross").style.top = (at[0] + 0.5) / rows.length * 100 + "%";
  $("heat-at").textContent = `${n.name}, ${words(t, 1)} s: ` + (!v ? "n/a" : i < 0 ? "not measured then" : !v[i] ? "n/a" :
    `\u2248 ${words(m.lo + (v[i] - 1) / 254 * (m.hi - m.lo), -1)} ${m.unit}`);
}

function show(n) { if (n && n.href) location.href = n.href; }

// A page that is in this file is opened by its address, #node-N.
function open() {
  const e = /^#node-\d+$/.test(location.hash) && document.querySelector(location.hash);
  if (!e) return;
  e.open = true;
  e.scrollIntoView();
  e.querySelector("summary").focus({ preventScroll: true });
}

function arrange() {
  rows = data.nodes.slice();
  if ($("order").value === "name") rows.sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
  if ($("order").value === "begin") rows.sort((a, b) => (a.begin || 0) - (b.begin || 0));
  $("names").replaceChildren(...(rows.length > 60 ? [] : rows.map((n) => n.href ? make("a", { href: n.href }, n.name) : make("span", {}, n.name))));
  $("heat").style.height = Math.max(48, rows.length > 60 ? Math.min(900, rows.length * 4) : rows.length * 22) + "px";
  at = null;
  paint();
}

const choice = (id, text, what, ...options) => [make("label", { htmlFor: id }, text), make("select", { id, onchange: what }, ...options)];
$("map").append(
  make("div", { className: "bar" },
    ...choice("heat-of", "Metric", paint, ...data.metrics.map((m, i) => option(i, m.name))),
    ...choice("order", "Nodes by", arrange, option("rank", "how far out"), option("name", "name"), option("begin", "when they begin")),
    ...choice("align", "Time", paint, option("wall", "of their wall clocks"), option("start", "since each one's beginning")),
    make("span", { id: "heat-scale", className: "soft" })),
  make("div", { id: "grid" }, make("div", { id: "names" }),
    make("div", { id: "plots", tabIndex: 0, role: "group", "aria-label": "Nodes against time; arrows point at a cell, Enter opens its node's page" },
      make("canvas", { id: "heat", role: "img" }), make("span", { id: "cross" })),
    make("div", { id: "axis", className: "ends" })),
  make("p", { id: "heat-at", role: "status" }));
$("stills").hidden = true;
$("heat-of").value = data.first;
$("align").value = data.align;
const cell = (e) => {
  const r = $("heat").getBoundingClientRect(), y = Math.floor((e.clientY - r.top) / r.height * rows.length);
  return [Math.min(Math.max(y, 0), rows.length - 1), Math.min(Math.max((e.clientX - r.left) / r.width, 0), 1)];
};
$("heat").addEventListener("pointermove", (e) => { at = cell(e); tell(); });
$("heat").addEventListener("click", (e) => show(rows[cell(e)[0]]));
$("plots").addEventListener("keydown", (e) => {
  const [row, x] = at || [0, 0];
  const keys = { ArrowUp: [Math.max(0, row - 1), x], ArrowDown: [Math.min(rows.length - 1, row + 1), x],
    ArrowLeft: [row, Math.max(0, x - 0.01)], ArrowRight: [row, Math.min(1, x + 0.01)] };
  if (e.key === "Enter") show(rows[row]);
  if (!keys[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
  e.preventDefault();
  at = at ? keys[e.key] : [0, 0];
  tell();
});
window.addEventListener("hashchange", open);
arrange();
document.addEventListener("DOMContentLoaded", open);     // the pages stand below this script
