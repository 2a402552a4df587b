// A chart: the lines of one metric, overlaid or stacked, on the one axis of time.

const charts = [];
let stacking = false;
const KEYED = 24;                               // of more lines, names when pointed at

// of: a title and the lines' names, where they are of several metrics.
function chart(lines, scope, heading, of) {
  const m = data.metrics[lines[0].m], name = of ? of.title : metricOf(lines[0], scope), text = of ? "" : m.text.replace(/^Part \d+: /, "");
  const label = (l) => of ? of.names.get(l) : nameOf(l, scope);
  const c = { metric: lines[0].m, lines, scope, text: text || name, label, drawn: false, values: [], stacks: stacking && m.adds && lines.length > 1 };
  c.svg = draw("svg", { viewBox: `0 0 ${W} ${H}`, preserveAspectRatio: "none", role: "img", "aria-label": `${text || name} over time` });
  c.strip = make("div", { className: "strip", ariaHidden: "true", hidden: !data.phases.length });
  c.scale = make("span", { className: "scale" });
  c.readout = make("div", { className: "readout" });
  c.key = make("div", { className: "key" });
  if (lines.length <= KEYED)
    lines.forEach((l, i) => {
      const value = make("b", {});
      value.dataset.line = l.i;
      c.values.push(value);
      c.key.append(make("span", {}, ...(lines.length > 1 ? [make("i", { className: `dash k${i % COLOURS} s${Math.floor(i / COLOURS)}` })] : []),
        lines.length === 1 && heading ? `${m.unit} ` : ` ${label(l)} `, value, " "));
    });
  else c.key.append(`${lines.length} lines: point at one for its name`);
  c.ends = make("div", { className: "ends paper", ariaHidden: "true" });
  c.doubted = make("p", { className: "doubted" });
  c.yaxis = make("div", { className: "ys", ariaHidden: "true" });
  const about = of ? [...new Set(lines.map((l) => `${data.metrics[l.m].name}: ${data.metrics[l.m].text}`))].join("; ") : `${name}: ${text}`;
  c.figure = make("figure", { className: "chart", title: [about, m.unit, m.note].filter(Boolean).join("; ") },
    make("figcaption", {}, make("b", {}, name), " ", text, " ", c.scale), c.key, c.strip,
    make("div", { className: "plot" }, c.yaxis, c.svg, c.readout), c.ends, c.doubted);
  c.figure.chart = c;
  return c;
}

// A standard error above and below a value; of what is not below 0, not below that.
const over = (l, i) => l.mean[i] + (l.error ? l.error[i] : 0);
const under = (l, i) => !l.error ? l.mean[i] : l.mean[i] < 0 ? l.mean[i] - l.error[i] : Math.max(0, l.mean[i] - l.error[i]);

function range(c) {
  let lo = 0, hi = -Infinity;
  for (const l of c.lines) open(l);
  for (let i = 0; i < N; i++) {
    let sum = 0;
    for (const l of c.lines) {
      if (Number.isNaN(l.mean[i])) continue;
      sum += l.most[i];
      lo = Math.min(lo, l.least[i], c.stacks ? lo : under(l, i));
      hi = Math.max(hi, c.stacks ? sum : l.most[i], c.stacks ? hi : over(l, i));
    }
  }
  if (!(hi > lo)) hi = lo + 1;
  c.step = roundStep((hi - lo) / (c.figure.clientHeight > 160 ? 4 : 3));
  return [Math.floor(lo / c.step + 1e-5) * c.step, Math.ceil(hi / c.step - 1e-5) * c.step];
}

// Values beside the axis, and lines across at each.
function drawTicks(c, Y) {
  const [lo, hi] = c.range, unit = Math.abs(hi) >= 1e10 ? 1e9 : Math.abs(hi) >= 1e7 ? 1e6 : Math.abs(hi) >= 1e4 ? 1e3 : 1;
  const letter = { 1: "", 1e3: "k", 1e6: "M", 1e9: "G" }[unit];
  c.yaxis.replaceChildren();
  for (let k = Math.round(lo / c.step); k <= Math.round(hi / c.step); k++) {
    const e = make("span", { className: "y" }, (k * c.step / unit).toFixed(decimalsOf(c.step / unit)) + (k ? letter : ""));
    e.style.top = Y(k * c.step) / H * 100 + "%";
    c.yaxis.append(e);
    draw("line", { class: "grid", x1: 0, x2: W, y1: Y(k * c.step), y2: Y(k * c.step) }, c.svg);
  }
}

// Runs of buckets a to b that have a value: each(first, behind the last).
function runs(a, b, has, each) {
  for (let i = a; i <= b; i++) {
    if (!has(i)) continue;
    let e = i;
    while (e <= b && has(e)) e++;
    each(i, e);
    i = e;
  }
}
const middle = (i) => X((from[i] + to[i]) / 2).toFixed(1);
// x and y of buckets i to e - 1; one alone is as long as it lasts.
function points(i, e, y) {
  if (e === i + 1) return `${X(from[i])},${y(i)} ${X(to[i])},${y(i)} `;
  let s = "";
  for (let k = i; k < e; k++) s += `${middle(k)},${y(k)} `;
  return s;
}
const backwards = (s) => s.trim().split(" ").reverse().join(" ");

function drawLines(c, a, b, Y) {
  const faint = c.lines.length > COLOURS ? " faint" : "";
  c.lines.forEach((l, n) => {
    const colour = `c${n % COLOURS}`, y = (v) => (i) => Y(v[i]).toFixed(1);
    runs(a, b, (i) => !Number.isNaN(l.mean[i]), (i, e) => {
      if (l.a) draw("polygon", { class: `band ${colour}${faint}`, points: points(i, e, y(l.most)) + backwards(points(i, e, y(l.least))) }, c.svg);
      if (l.error) draw("polygon", { class: `error ${colour}${faint}`, points: points(i, e, (k) => Y(over(l, k)).toFixed(1)) +
        backwards(points(i, e, (k) => Y(under(l, k)).toFixed(1))) }, c.svg);
      draw("polyline", { class: `line ${colour} s${Math.floor(n / COLOURS) % 3}`, points: points(i, e, y(l.mean)) }, c.svg);
    });
  });
}

// Means, one on the other; dotted, how high it can have been at most.
function drawStack(c, a, b, Y) {
  const has = (i) => c.lines.every((l) => !Number.isNaN(l.mean[i]));
  const below = new Float64Array(N), above = new Float64Array(N), most = new Float64Array(N);
  const y = (v) => (i) => Y(v[i]).toFixed(1);
  c.lines.forEach((l, n) => {
    for (let i = a; i <= b; i++) { below[i] = above[i]; above[i] += l.mean[i]; most[i] += l.most[i]; }
    runs(a, b, has, (i, e) => draw("polygon", { class: `area c${n % COLOURS} s${Math.floor(n / COLOURS) % 3}`,
      points: points(i, e, y(above)) + backwards(points(i, e, y(below))) }, c.svg));
  });
  if (c.lines.some((l) => l.a))
    runs(a, b, has, (i, e) => draw("polyline", { class: "line atmost", points: points(i, e, y(most)) }, c.svg));
}

function redraw(c) {
  c.range = c.range || range(c);
  const [lo, hi] = c.range, Y = (v) => H - 5 - (v - lo) / (hi - lo) * (H - 10);
  const a = bucketAt(view[0]), b = bucketAt(view[1]);
  c.scale.textContent = data.metrics[c.metric].unit + (c.stacks ? ", stacked; dotted: at most" : stacking && c.lines.length > 1 ? ", not stacked: it does not add up" : "");
  c.svg.replaceChildren();
  drawTicks(c, Y);
  drawPhases(c.svg, H);
  drawBars(c.svg, H, (i) => GAP.has(i) ? 1 : c.lines.reduce((n, l) => n + l.doubt[i], 0) / c.lines.length);
  (c.stacks ? drawStack : drawLines)(c, a, b, Y);
  c.pick = draw("rect", { class: "pick", y: 0, height: H }, c.svg);
  phaseNames(c.strip);
  c.ends.replaceChildren(...view.map((t) => make("span", {}, when(t))));
  showDoubts(c);
  c.drawn = true;
  showPick(c);
}

// In words, what the bars are: from which sample to which, and why.
function showDoubts(c) {
  const said = new Map();
  for (const l of c.lines)
    for (let i = 0; l.d && i < l.d.length; i += 2) {
      const text = `${data.first[l.d[i]]} to ${data.last[l.d[i + 1]]} (${l.y})`;
      said.set(text, (said.get(text) || []).concat(l));
    }
  const some = [...said].sort((p, q) => q[1].length - p[1].length).slice(0, 3).map(([text, lines]) =>
    "samples " + text + (lines.length < c.lines.length ? `: ${lines.length} of ${c.lines.length} lines` : ""));
  c.doubted.textContent = some.length ? "Doubted or n/a: " + some.join("; ") + (said.size > 3 ? ` and ${said.size - 3} more` : "") : "";
}

// The figures of a chart are of what is selected, as those of the overview.
function showPick(c) {
  if (!c.drawn) return;
  const [x, y] = picked || [0, N - 1], m = data.metrics[c.metric];
  drawPick(c.pick);
  c.values.forEach((e, i) => {
    e.textContent = figureText(c.lines[i], x, y, -1);
    e.title = aboutNear(e.textContent);
  });
  c.svg.setAttribute("aria-label", `${c.text} over time: ` + c.lines.slice(0, COLOURS).map((l) =>
    `${c.label(l)} ${figureText(l, x, y, -1)} ${m.unit}`).join(", "));
}

function showReadout(c, t, height) {            // height: 0 at the foot, 1 at the top
  const i = bucketAt(t), [lo, hi] = c.range, v = lo + height * (hi - lo);
  const has = c.lines.filter((l) => !Number.isNaN(open(l).mean[i]));
  const away = (l) => Math.abs(l.mean[i] - v);
  const one = has.length ? has.reduce((p, l) => away(l) < away(p) ? l : p) : null;
  const bad = c.lines.find((l) => l.doubt[i]);
  c.readout.textContent = `${when(from[i])}: ` + (one ? `${c.label(one)} ${words(one.mean[i], -1)}` +
    (one.error && one.error[i] > 0 ? ` +- ${words(one.error[i], -1)}` : "") +
    (one.a ? ` (${words(one.least[i], -1)} to ${words(one.most[i], -1)})` : "") + ` ${data.metrics[c.metric].unit}` : "n/a") +
    (bad ? `; doubted: ${bad.y}` : GAP.has(i) ? "; samples are missing" : "");
}

const seen = new IntersectionObserver((entries) => {
  for (const e of entries) {
    e.target.chart.near = e.isIntersecting;
    if (e.isIntersecting && !e.target.chart.drawn) redraw(e.target.chart);
  }
}, { rootMargin: "400px" });
