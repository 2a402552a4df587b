"use strict";
// The page of tally page: timelines, a heat map, and figures of the stretch of
// time that is selected.  Its data is what postproc/html/timeline_json.h says.
// Without it the page has still pictures and tables.
(() => {
const $ = (id) => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const bytes = (s) => Uint8Array.from(atob(s), (c) => c.charCodeAt(0));
const floats = (s) => new Float32Array(bytes(s).buffer);
const from = floats(data.from), to = floats(data.to), sec = floats(data.sec), count = floats(data.n);
const N = from.length, GAP = new Set(data.gap), COLOURS = 8, W = 1000, H = 140;
const whole = [from[0], to[N - 1]];
let view = whole.slice(), picked = null;        // s; [first, last] bucket

// ---- data

function open(line) {                           // numbers of a line, when first looked at
  if (line.mean) return line;
  line.mean = line.v ? floats(line.v) : new Float32Array(N).fill(line.k === null ? NaN : line.k);
  const how = data.metrics[line.m].how;
  line.weight = line.g ? floats(line.g) : how === "sum" || how === "samples" ? count : sec;
  const scale = (s) => Float32Array.from(bytes(s), (b) => line.lo + b / 255 * (line.hi - line.lo));
  line.least = line.a ? scale(line.a) : line.mean;
  line.most = line.b ? scale(line.b) : line.mean;
  line.doubt = new Uint8Array(N);
  for (let i = 0; line.d && i < line.d.length; i += 2) line.doubt.fill(1, line.d[i], line.d[i + 1] + 1);
  return line;
}

function figure(line, a, b) {                   // of buckets a to b; NaN: none
  open(line);
  let sum = 0, weight = 0, any = false;
  for (let i = 0; line.z && i < line.z.length; i += 2) if (line.z[i] <= b && line.z[i + 1] >= a) return NaN;
  for (let i = a; i <= b; i++) {
    if (Number.isNaN(line.mean[i])) continue;
    any = true;
    sum += line.mean[i] * line.weight[i];
    weight += line.weight[i];
  }
  return !any ? NaN : data.metrics[line.m].how === "sum" ? sum : weight > 0 ? sum / weight : NaN;
}

function words(v, decimals) {
  if (Number.isNaN(v)) return "n/a";
  if (decimals >= 0) return v.toFixed(decimals);
  return v !== 0 && (Math.abs(v) < 1e-3 || Math.abs(v) >= 1e7) ? v.toExponential(3) : String(+v.toPrecision(4));
}

const bucketAt = (t) => {                       // the last that begins before t
  let lo = 0, hi = N - 1;
  while (lo < hi) { const m = (lo + hi + 1) >> 1; if (from[m] <= t) lo = m; else hi = m - 1; }
  return lo;
};

// ---- small helpers of the document

function make(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const [k, v] of Object.entries(attributes || {})) k in e && k !== "role" ? e[k] = v : e.setAttribute(k, v);
  e.append(...children);
  return e;
}
function draw(name, attributes, parent) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const k in attributes) e.setAttribute(k, attributes[k]);
  if (parent) parent.append(e);
  return e;
}
const X = (t) => (t - view[0]) / (view[1] - view[0]) * W;
const when = (t) => words(t, view[1] - view[0] < 10 ? 3 : 1) + " s" +
  (data.wall > 0 ? " " + new Date((data.wall + t - whole[0]) * 1000).toISOString().slice(11, 19) : "");

// ---- a chart: lines of one metric

const charts = [];
function chart(metric, lines, scope) {
  const m = data.metrics[metric], c = { metric, lines, drawn: false };
  const readout = make("span", { className: "readout" });
  c.svg = draw("svg", { viewBox: `0 0 ${W} ${H}`, preserveAspectRatio: "none", role: "img", "aria-label":
    `${m.text} over time, by ${scope}: ` + lines.slice(0, 8).map((l) =>
      `${l.w || "node"} ${words(figure(l, 0, N - 1), -1)} ${m.unit}`).join(", ") });
  c.top = make("span", { className: "scale" });
  c.readout = readout;
  const key = make("span", { className: "key" });
  if (scope !== "node" && lines.length <= COLOURS)
    lines.forEach((l, i) => key.append(make("span", { className: "mark k" + i }), ` ${scope} ${l.w}  `));
  c.figure = make("figure", { className: "chart", title: `${m.name}: ${m.text}` + (m.unit ? `, ${m.unit}` : "") },
    make("figcaption", {}, make("b", {}, m.name), " ", m.text, " ", c.top, " ", key, readout), c.svg);
  c.figure.chart = c;
  return c;
}

function range(c) {
  let lo = 0, hi = -Infinity;
  for (const l of c.lines) {
    open(l);
    for (let i = 0; i < N; i++) {
      if (Number.isNaN(l.mean[i])) continue;
      if (l.least[i] < lo) lo = l.least[i];
      if (l.most[i] > hi) hi = l.most[i];
    }
  }
  return hi > lo ? [lo, hi] : [lo, lo + 1];
}

function redraw(c) {
  const svg = c.svg, unit = data.metrics[c.metric].unit;
  c.range = c.range || range(c);
  const [lo, hi] = c.range, Y = (v) => H - 5 - (v - lo) / (hi - lo) * (H - 10);
  const a = bucketAt(view[0]), b = bucketAt(view[1]);
  c.top.textContent = `${words(lo, -1)} to ${words(hi, -1)} ${unit}`;
  svg.replaceChildren();
  c.lines.forEach((l, n) => {
    const colour = "c" + n % COLOURS;
    const bad = (i) => l.doubt[i] || GAP.has(i);
    for (let i = a; i <= b; i++) {
      if (!bad(i)) continue;
      const x = X(from[i]);
      while (i < b && bad(i + 1)) i++;
      const bar = draw("rect", { class: "doubt", x, y: 0, width: Math.max(2, X(to[i]) - x), height: H }, svg);
      draw("title", {}, bar).textContent = l.y || "samples are missing";
    }
    for (let i = a; i <= b; i++) {
      let e, up = "", down = "", line = "";
      if (Number.isNaN(l.mean[i])) continue;
      for (e = i; e <= b && !Number.isNaN(l.mean[e]); e++) {
        const x = X((from[e] + to[e]) / 2).toFixed(1);
        up += `${x},${Y(l.most[e]).toFixed(1)} `;
        down = `${x},${Y(l.least[e]).toFixed(1)} ` + down;
        line += `${x},${Y(l.mean[e]).toFixed(1)} `;
      }
      if (e === i + 1) line = `${X(from[i])},${Y(l.mean[i])} ${X(to[i])},${Y(l.mean[i])}`;
      if (l.a) draw("polygon", { class: "band " + colour, points: up + down }, svg);
      draw("polyline", { class: "line " + colour, points: line }, svg);
      i = e - 1;
    }
  });
  for (const s of data.marks) {
    const i = data.first.findIndex((f, k) => f <= +s && data.last[k] > +s);
    if (i >= 0) draw("line", { class: "mark", x1: X(from[i]), x2: X(from[i]), y1: 0, y2: H }, svg);
  }
  c.pick = draw("rect", { class: "pick", y: 0, height: H }, svg);
  showPick(c);
  c.drawn = true;
}

function showPick(c) {
  if (!c.pick) return;
  c.pick.setAttribute("x", picked ? X(from[picked[0]]) : 0);
  c.pick.setAttribute("width", picked ? Math.max(1, X(to[picked[1]]) - X(from[picked[0]])) : 0);
}

// ---- one axis for all of them

const seen = new IntersectionObserver((entries) => {
  for (const e of entries) {
    e.target.chart.near = e.isIntersecting;
    if (e.isIntersecting && !e.target.chart.drawn) redraw(e.target.chart);
  }
}, { rootMargin: "400px" });

function look(t0, t1) {
  const least = Math.max((whole[1] - whole[0]) / N / 2, 1e-6);
  const span = Math.min(Math.max(t1 - t0, least), whole[1] - whole[0]);
  t0 = Math.min(Math.max(t0, whole[0]), whole[1] - span);
  view = [t0, t0 + span];
  $("axis").replaceChildren(...[0, 0.25, 0.5, 0.75, 1].map((p) => make("span", {}, when(view[0] + p * span))));
  for (const c of charts) { c.drawn = false; if (c.near) redraw(c); }
  heat();
}
const zoom = (f, at = (view[0] + view[1]) / 2) => look(at - (at - view[0]) * f, at + (view[1] - at) * f);
const pan = (f) => { const d = (view[1] - view[0]) * f; look(view[0] + d, view[1] + d); };

function pick(a, b) {                           // buckets; null: nothing, all samples
  picked = a === null ? null : [Math.max(0, Math.min(a, b)), Math.min(N - 1, Math.max(a, b))];
  const [x, y] = picked || [0, N - 1];
  for (const cell of document.querySelectorAll("#figures td[data-line]")) {
    if (cell.whole === undefined) cell.whole = cell.innerHTML;
    const line = data.lines[+cell.dataset.line];
    if (picked === null) { cell.innerHTML = cell.whole; continue; }
    const v = figure(line, x, y), near = (data.metrics[line.m].guess || line.doubt.subarray(x, y + 1).includes(1)) && !Number.isNaN(v);
    cell.textContent = (near ? "\u2248\u202f" : "") + words(v, +cell.dataset.decimals);
    cell.title = near ? "mean of the values that there are; tally metrics has the figure" : "";
  }
  $("stretch").textContent = picked === null ? "All samples." :
    `Samples ${data.first[x]} to ${data.last[y]}, ${words(from[x], 2)} to ${words(to[y], 2)} s: ` +
    `tally metrics -s ${data.first[x]}:${data.last[y]}. What to know of figures is of all samples.`;
  $("first").value = data.first[x];
  $("last").value = data.last[y];
  for (const c of charts) showPick(c);
}

function pickSamples(first, last) {
  let a = data.last.findIndex((s) => s > first), b = data.first.findLastIndex((s) => s < last);
  if (a < 0) a = N - 1;
  pick(Math.min(a, Math.max(b, 0)), Math.max(a, b));
}

// ---- heat map

const STOPS = [[0, 34, 78], [53, 69, 108], [102, 105, 112], [148, 142, 119], [200, 184, 102], [254, 232, 56]];
function heat() {
  const canvas = $("heat"), choice = $("heat-of");
  if (!canvas) return;
  const lines = data.lines.filter((l) => l.s === "core" && l.m === +choice.value).map(open);
  const a = bucketAt(view[0]), b = bucketAt(view[1]);
  let lo = Infinity, hi = -Infinity;
  for (const l of lines) for (const v of l.mean) { if (v < lo) lo = v; if (v > hi) hi = v; }
  canvas.width = b - a + 1;
  canvas.height = lines.length;
  canvas.style.height = Math.min(600, Math.max(60, lines.length * 6)) + "px";
  const pen = canvas.getContext("2d"), image = pen.createImageData(canvas.width, canvas.height);
  lines.forEach((l, row) => {
    for (let i = a; i <= b; i++) {
      const at = 4 * (row * canvas.width + i - a), v = l.mean[i];
      if (Number.isNaN(v)) { image.data.set([128, 128, 128, 70], at); continue; }
      const p = hi > lo ? (v - lo) / (hi - lo) * (STOPS.length - 1) : 0, k = Math.min(Math.floor(p), STOPS.length - 2);
      for (let n = 0; n < 3; n++) image.data[at + n] = STOPS[k][n] + (p - k) * (STOPS[k + 1][n] - STOPS[k][n]);
      image.data[at + 3] = 255;
    }
  });
  pen.putImageData(image, 0, 0);
  const m = data.metrics[+choice.value];
  $("heat-scale").textContent = `dark ${words(lo, -1)} to bright ${words(hi, -1)} ${m.unit}; cores ${lines[0].w} (top) to ${lines[lines.length - 1].w}`;
  canvas.setAttribute("aria-label", `${m.text}, ${lines.length} cores against time`);
}

// ---- the document

function fill() {
  const scope = $("scope").value, want = $("filter").value.toLowerCase();
  const groups = new Map();
  seen.disconnect();
  charts.length = 0;
  for (const l of data.lines) {
    const m = data.metrics[l.m];
    if (l.s !== scope || l.k === null || !(m.name + " " + m.text).toLowerCase().includes(want)) continue;
    if (!groups.has(l.m)) groups.set(l.m, []);
    groups.get(l.m).push(l);
  }
  const quiet = [];
  for (const [m, lines] of groups)
    if (lines.every((l) => l.k === 0 && !l.d)) quiet.push(data.metrics[m].name);
    else charts.push(chart(m, lines, scope));
  $("list").replaceChildren(...charts.map((c) => c.figure));
  $("quiet").textContent = quiet.length ? "Always 0: " + quiet.join(", ") + "." : charts.length ? "" : "No metric of that name here.";
  for (const c of charts) seen.observe(c.figure);
}

function build() {
  const scopes = ["package", "node", "box", "core"].filter((s) => data.lines.some((l) => l.s === s));
  const button = (text, what, title) => make("button", { type: "button", title, onclick: what }, text);
  const option = (v, text) => make("option", { value: v }, text);
  const number = (id, text) => [make("label", { htmlFor: id }, text), make("input", { id, type: "number", min: data.first[0], max: data.last[N - 1] })];
  $("charts").append(
    make("div", { className: "bar" },
      make("label", { htmlFor: "scope" }, "By"), make("select", { id: "scope", onchange: fill }, ...scopes.map((s) => option(s, s))),
      make("label", { htmlFor: "filter" }, "Metrics with"), make("input", { id: "filter", type: "search", oninput: fill }),
      ...number("first", "Samples"), ...number("last", "to"),
      button("Select", () => pickSamples(+$("first").value, +$("last").value), "figures of these samples alone"),
      button("All", () => { pick(null); look(...whole); }, "all samples, whole axis"),
      button("Zoom to it", () => picked && look(from[picked[0]], to[picked[1]]), "the selected stretch fills the axis"),
      button("+", () => zoom(0.5), "nearer"), button("\u2212", () => zoom(2), "further"),
      button("\u2190", () => pan(-0.25), "earlier"), button("\u2192", () => pan(0.25), "later")),
    make("p", { className: "soft" }, "Drag to select a stretch: the overview is of it, then. Ctrl and wheel: zoom. Keys, with the charts in focus: " +
      "arrows, + and \u2212, Home: all of it, Shift and arrows: select, Escape: select nothing."),
    make("div", { id: "plots", tabIndex: 0, role: "group", "aria-label": "Timelines" },
      make("div", { id: "axis", className: "ends" }), make("div", { id: "list" })),
    make("p", { id: "quiet", className: "soft" }));
  const cored = [...new Set(data.lines.filter((l) => l.s === "core" && l.k !== null).map((l) => l.m))];
  if (cored.length)
    $("charts").append(make("h3", {}, "Cores against time"), make("div", { className: "bar" }, make("label", { htmlFor: "heat-of" }, "Colour:"),
      make("select", { id: "heat-of", onchange: heat }, ...cored.map((m) => option(m, data.metrics[m].name))),
      make("span", { id: "heat-scale" })), make("canvas", { id: "heat", role: "img" }));
  $("stills").hidden = true;
}

function listen() {
  const plots = $("plots");
  let start = null;
  const at = (e) => {
    const svg = e.target.closest("svg") || plots.querySelector("svg"), r = svg.getBoundingClientRect();
    return view[0] + (e.clientX - r.left) / r.width * (view[1] - view[0]);
  };
  plots.addEventListener("pointerdown", (e) => { if (e.button === 0 && e.target.closest("svg")) start = at(e); });
  plots.addEventListener("pointermove", (e) => {
    const figure = e.target.closest(".chart");
    if (start !== null) { pick(bucketAt(start), bucketAt(at(e))); e.preventDefault(); }
    if (!figure || !e.target.closest("svg")) return;
    const c = figure.chart, i = bucketAt(at(e));
    c.readout.textContent = `${when(from[i])}: ` + c.lines.slice(0, 8).map((l) => words(l.mean[i], -1)).join("  ");
  });
  window.addEventListener("pointerup", () => { start = null; });
  plots.addEventListener("wheel", (e) => {
    if (!e.ctrlKey || !e.target.closest("svg")) return;
    e.preventDefault();
    zoom(e.deltaY < 0 ? 0.8 : 1.25, at(e));
  }, { passive: false });
  plots.addEventListener("keydown", (e) => {
    const p = picked || [bucketAt(view[0]), bucketAt(view[0])];
    const keys = { ArrowLeft: () => e.shiftKey ? pick(p[0], p[1] - 1 < p[0] ? p[0] : p[1] - 1) : pan(-0.1),
      ArrowRight: () => e.shiftKey ? pick(p[0], p[1] + 1) : pan(0.1),
      "+": () => zoom(0.8), "=": () => zoom(0.8), "-": () => zoom(1.25), Home: () => look(...whole), Escape: () => pick(null) };
    if (!keys[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    keys[e.key]();
  });
  window.addEventListener("beforeprint", () => charts.forEach((c) => c.drawn || redraw(c)));
  for (const s of document.querySelectorAll("#checks span[data-first]")) {
    const go = () => { pickSamples(+s.dataset.first - (s.dataset.first === s.dataset.last ? 1 : 0), +s.dataset.last); $("h-time").scrollIntoView(); };
    s.replaceChildren(make("button", { type: "button", title: "select these samples", onclick: go }, s.textContent));
  }
}

build();
fill();
listen();
pick(null);
look(...whole);
})();
