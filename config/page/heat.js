// Many units against time: cores, lprocs, CHAs, channels, devices ... a row each.

// What there is to choose: [units, their lines by metric].
function heatKinds() {
  const kinds = new Map();
  const add = (name, l, scope) => {
    const m = metricOf(l, scope);
    if (!kinds.has(name)) kinds.set(name, new Map());
    if (!kinds.get(name).has(m)) kinds.get(name).set(m, []);
    kinds.get(name).get(m).push(l);
  };
  for (const scope of scopesThere())
    for (const l of linesBy(scope)) {
      if (l.k === null || scope === "node" || scope !== "device" && data.metrics[l.m].name.match(/_part\d+$/)) continue;
      add(scope === "box" ? { imc: "memory channel (imc)", cha: "CHA" }[kindOf(l)] || (isIo(l) ? "I/O stack or port" : kindOf(l)) : SCOPES[scope], l, scope);
    }
  for (const [name, metrics] of kinds) {
    for (const [m, lines] of metrics) if (lines.length < 2 || lines.every((l) => l.k === 0 && !l.d)) metrics.delete(m);
    if (!metrics.size) kinds.delete(name);
  }
  return kinds;
}

const map = { lines: [], lo: 0, hi: 0 };
function heat() {
  if (!map.kinds || !map.kinds.size) return;
  const lines = map.lines = map.kinds.get($("heat-by").value).get($("heat-of").value).map(open);
  const canvas = $("heat"), a = bucketAt(view[0]), b = bucketAt(view[1]), m = data.metrics[lines[0].m];
  map.lo = Infinity;
  map.hi = -Infinity;
  for (const l of lines) for (const v of l.mean) { if (v < map.lo) map.lo = v; if (v > map.hi) map.hi = v; }
  canvas.width = b - a + 1;
  canvas.height = lines.length;
  map.plot.style.height = Math.min(900, Math.max(64, lines.length * (lines.length > 100 ? 4 : 9))) + "px";
  const pen = canvas.getContext("2d"), image = pen.createImageData(canvas.width, canvas.height);
  lines.forEach((l, row) => {
    for (let i = a; i <= b; i++) {
      const v = l.mean[i], colour = Number.isNaN(v) ? [128, 128, 128, 70] : [...shade(map.hi > map.lo ? (v - map.lo) / (map.hi - map.lo) : 0), 255];
      image.data.set(colour, 4 * (row * canvas.width + i - a));
    }
  });
  pen.putImageData(image, 0, 0);
  const hatch = draw("pattern", { id: "hatch", patternUnits: "userSpaceOnUse", width: 10, height: 10 });
  draw("path", { d: "M0 10L10 0", class: "hatching" }, hatch);
  map.svg.replaceChildren(hatch);
  for (const [, , , t] of data.phases) if (t >= view[0] && t <= view[1]) draw("line", { class: "mark", x1: X(t), x2: X(t), y1: 0, y2: H }, map.svg);
  lines.forEach((l, row) => {
    const bars = draw("g", { transform: `translate(0 ${row * H / lines.length})` }, map.svg);
    if (l.d) drawBars(bars, H / lines.length, (i) => l.doubt[i]);
  });
  if (GAP.size) drawBars(map.svg, H, (i) => GAP.has(i));
  map.pick = draw("rect", { class: "pick", y: 0, height: H }, map.svg);
  drawPick(map.pick);
  phaseNames(map.strip);
  $("heat-ends").replaceChildren(...[`first: ${heatName(lines[0])}`, `last: ${heatName(lines[lines.length - 1])}`].map((t) => make("span", {}, t)));
  $("heat-least").textContent = words(map.lo, -1);
  $("heat-most").textContent = `${words(map.hi, -1)} ${m.unit}`;
  heatPick();
}
const heatName = (l) => nameOf(l, $("heat-by").value === "device" ? "device" : l.s);

// Which units stand out in what is selected, for those who do not see colours, too.
function heatPick() {
  if (!map.lines.length) return;
  const [x, y] = picked || [0, N - 1], m = data.metrics[map.lines[0].m];
  drawPick(map.pick);
  const by = map.lines.map((l) => [figure(l, x, y), l]).filter(([v]) => !Number.isNaN(v)).sort((p, q) => p[0] - q[0]);
  const text = by.length ? `${m.text}, least ${heatName(by[0][1])} ${figureText(by[0][1], x, y, -1)}, ` +
    `most ${heatName(by[by.length - 1][1])} ${figureText(by[by.length - 1][1], x, y, -1)} ${m.unit}`.trimEnd() : `${m.text}: n/a`;
  $("heat-said").textContent = text;
  $("heat").setAttribute("aria-label", `${map.lines.length} units against time: ${text}`);
}

function heatMetrics() {
  const before = $("heat-of").value, metrics = [...map.kinds.get($("heat-by").value).keys()];
  $("heat-of").replaceChildren(...metrics.map((m) => option(m, m)));
  if (metrics.includes(before)) $("heat-of").value = before;
  heat();
}

function buildHeat() {
  map.kinds = heatKinds();
  if (!map.kinds.size) return;
  map.svg = draw("svg", { viewBox: `0 0 ${W} ${H}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  map.strip = make("div", { className: "strip", ariaHidden: "true", hidden: !data.phases.length });
  const readout = make("div", { className: "readout" });
  map.plot = make("div", { className: "plot heat" }, make("canvas", { id: "heat", role: "img" }), map.svg, readout);
  map.plot.readout = (e, t) => {
    const r = map.plot.getBoundingClientRect(), l = map.lines[Math.min(map.lines.length - 1, Math.max(0, Math.floor((e.clientY - r.top) / r.height * map.lines.length)))];
    const i = bucketAt(t);
    readout.textContent = `${when(from[i])}: ${heatName(l)} ${words(l.mean[i], -1)} ${data.metrics[l.m].unit}` + (l.doubt[i] ? `; doubted: ${l.y}` : "");
  };
  const kinds = [...map.kinds.keys()], first = kinds.includes("core") ? "core" : kinds[0];
  const by = make("select", { id: "heat-by", onchange: heatMetrics }, ...kinds.map((k) => option(k, k)));
  by.value = first;
  $("charts").append(make("h3", {}, "Heat map"), make("div", { className: "bar" },
    make("label", { htmlFor: "heat-by" }, "Each"), by,
    make("label", { htmlFor: "heat-of" }, "Colour"), make("select", { id: "heat-of", onchange: heat }),
    make("span", { id: "heat-least" }), make("i", { className: "scale-bar" }), make("span", { id: "heat-most" }),
    make("span", { className: "soft" }, "hatched: doubted or n/a")),
  map.strip, map.plot, make("div", { id: "heat-ends", className: "ends" }), make("p", { id: "heat-said", className: "soft" }));
  $("heat-of").replaceChildren(...[...map.kinds.get(first).keys()].map((m) => option(m, m)));
}
views.push({ build: buildHeat, look: heat, pick: heatPick });
