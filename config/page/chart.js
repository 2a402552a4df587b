// A chart: the lines of one metric, on the one axis of time that all charts have.

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
  for (const v of views) if (v.look) v.look();
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
  for (const v of views) if (v.pick) v.pick(x, y);
}

function pickSamples(first, last) {
  let a = data.last.findIndex((s) => s > first), b = data.first.findLastIndex((s) => s < last);
  if (a < 0) a = N - 1;
  pick(Math.min(a, Math.max(b, 0)), Math.max(a, b));
}
