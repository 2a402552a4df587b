// How much of the time DRAM and links carried how much: Low, Medium, High by
// thresholds that move.  The values are single ones (postproc/html/bandwidth.h),
// not means of buckets; bins and levels are those of tally histogram.

const LOADS = ["Low", "Medium", "High"], BINS = 10, THIRD = 100;   // a third of the axis: steps of a slider
const levels = { line: null, end: 0, at: [THIRD, 2 * THIRD] };

function readLevels(l) {                        // its values, when first looked at
  const axis = data.bandwidth.axes[l.axis];
  if (!axis.samples) {
    axis.samples = Array.from(floats(axis.at), (s) => axis.first + s);
    axis.seconds = floats(axis.sec);
  }
  if (!l.values) l.values = floats(l.v);
  return axis;
}

function sortLevels(l, end, low, high) {        // of the stretch that is selected
  const axis = readLevels(l), [after, last] = picked ? [data.first[picked[0]], data.last[picked[1]]] : [-Infinity, Infinity];
  const h = { bins: end > 0 ? BINS : 1, seconds: [], load: [0, 0, 0], all: 0, unknown: 0, n: 0 };
  for (let i = 0; i < h.bins; i++) h.seconds.push([0, 0, 0]);
  l.values.forEach((v, i) => {
    const s = axis.seconds[i];
    if (axis.samples[i] <= after || axis.samples[i] > last) return;
    if (Number.isNaN(v)) { h.unknown += s; return; }
    const bin = end > 0 ? Math.min(Math.max(Math.floor(v / end * BINS), 0), BINS - 1) : 0;
    const load = v >= high ? 2 : v >= low ? 1 : 0;
    h.seconds[bin][load] += s;
    h.load[load] += s;
    h.all += s;
    h.n++;
  });
  return h;
}

// Where the axis ends, and a threshold on it: as tally histogram has them where
// nobody moved it, else what can be said in four digits.
const endOf = (l) => levels.end > 0 ? levels.end : l.max;
const thresholdAt = (k, end) => k % THIRD === 0 ? end * (k / THIRD) / 3 : +(end * k / (3 * THIRD)).toPrecision(4);

const named = (l) => (l.scope + " " + l.where).trim();

function commandOf(l, end, low, high) {
  const moved = [levels.at[0] !== THIRD && `--low ${low}`, levels.at[1] !== 2 * THIRD && `--high ${high}`];
  return ["tally histogram -m", l.metric, "-S", l.scope, l.where && `-w ${l.where}`,
    picked && `-s ${data.first[picked[0]]}:${data.last[picked[1]]}`,
    end > 0 && (picked || levels.end > 0) && `--max ${end}`, ...(end > 0 ? moved : [])].filter(Boolean).join(" ");
}

function drawLevels(h, end, low, high) {
  const svg = $("levels-picture"), H2 = 200, wide = W / h.bins;
  const tallest = Math.max(...h.seconds.map((s) => s[0] + s[1] + s[2]));
  svg.replaceChildren();
  h.seconds.forEach((s, b) => {
    let y = H2;
    s.forEach((seconds, load) => {
      const height = tallest > 0 ? seconds / tallest * (H2 - 4) : 0;
      y -= height;
      if (height > 0) draw("rect", { class: LOADS[load].toLowerCase(), x: b * wide + 1, y, width: wide - 2, height }, svg);
    });
  });
  if (end > 0) for (const t of [low, high]) draw("path", { class: "threshold", d: `M${t / end * W} 0V${H2}` }, svg);
  $("levels-top").textContent = `${words(tallest, 2)} s`;
}

function tellLevels() {
  const l = levels.line, unit = l.unit, end = endOf(l), [low, high] = levels.at.map((k) => end > 0 ? thresholdAt(k, end) : NaN);
  const h = sortLevels(l, end, low, high), axis = data.bandwidth.axes[l.axis];
  const share = (s) => h.all > 0 ? words(100 * s / h.all, 2) + " %" : "n/a";
  drawLevels(h, end, low, high);
  LOADS.forEach((name, i) => { $("share-" + name.toLowerCase()).textContent = share(h.load[i]); });
  ["low", "high"].forEach((name, i) => {
    const slider = $("level-" + name), said = `${words([low, high][i], -1)} ${unit}`;
    slider.disabled = !(end > 0);
    slider.value = levels.at[i];
    slider.setAttribute("aria-valuetext", said);
    $("level-" + name + "-said").textContent = said;
  });
  $("levels-ends").replaceChildren(...[0, 0.25, 0.5, 0.75, 1].map((p) => make("span", {}, words(p * end, -1) + (p === 1 ? " " + unit : ""))));
  $("levels-picture").setAttribute("aria-label", `${l.text}, ${named(l)}: time at each value`);
  const text = [`${words(h.all, 2)} s with a value`, h.unknown > 0 && `${words(h.unknown, 2)} s without${l.why && ": " + l.why}`, l.note,
    axis.round && "a value is that of a round of event sets",
    axis.per > 1 && `a value is the mean of ${axis.per} of the dump's, so shares are near those of tally histogram`];
  $("levels-said").textContent = text.filter(Boolean).join("; ") + ".";
  $("levels-command").textContent = commandOf(l, end, low, high);
  $("levels-rows").replaceChildren(...h.seconds.map((s, b) => {
    const from = end * b / h.bins, to = end * (b + 1) / h.bins, seconds = s[0] + s[1] + s[2];
    const cell = (t, c) => make("td", { className: c || "n" }, t);
    return make("tr", {}, cell(words(from, -1)), cell(words(to, -1)), cell(unit, "unit"), cell(words(seconds, 3)), cell(share(seconds)),
      cell(LOADS[from >= high ? 2 : from >= low ? 1 : 0], "level"));
  }));
}

function moveLevel(which, k) {                  // neither passes the other
  levels.at[which] = k;
  if (levels.at[0] > levels.at[1]) levels.at[1 - which] = k;
  tellLevels();
}

function chooseLevels(l) {
  const end = $("levels-end"), ends = [option(0, "largest value")];
  levels.line = l;
  levels.end = 0;
  if (l.unit === "%") ends.push(option(100, "100 %"));
  if (l.most) ends.push(option(l.most, `peak, ${words(l.most, -1)} ${l.unit}, ${l.rests}`));
  end.replaceChildren(...ends);
  tellLevels();
}

function buildLevels() {
  const lines = data.bandwidth.lines;
  if (!lines.length) return;
  const slider = (which, name, text) => make("div", { className: "level" },
    make("label", { htmlFor: "level-" + name }, text, " ", make("b", { id: `level-${name}-said` })),
    make("input", { id: "level-" + name, type: "range", min: 0, max: 3 * THIRD, step: 1, value: levels.at[which],
      oninput: (e) => moveLevel(which, +e.target.value) }));
  const heads = ["From", "To", "Unit", "Seconds", "Share", "Level"];
  $("levels").append(
    make("div", { className: "bar" },
      make("label", { htmlFor: "levels-of" }, "Of"),
      make("select", { id: "levels-of", onchange: (e) => chooseLevels(lines[+e.target.value]) },
        ...lines.map((l, i) => option(i, `${l.metric}, ${named(l)}`))),
      make("label", { htmlFor: "levels-end" }, "Axis to the"),
      make("select", { id: "levels-end", onchange: (e) => { levels.end = +e.target.value; tellLevels(); } }),
      button("Thirds", () => { levels.at = [THIRD, 2 * THIRD]; tellLevels(); }, "thresholds back to a third and two thirds")),
    make("div", { className: "shares", role: "status" }, ...LOADS.map((name) =>
      make("span", {}, make("span", { className: "swatch " + name.toLowerCase() }), ` ${name} `, make("b", { id: "share-" + name.toLowerCase() })))),
    make("div", { className: "histogram" },
      make("div", { className: "ends" }, make("span", { id: "levels-top" })),
      draw("svg", { id: "levels-picture", role: "img", viewBox: `0 0 ${W} 200`, preserveAspectRatio: "none" }),
      make("div", { className: "ends", id: "levels-ends" }),
      slider(0, "low", "Low below"), slider(1, "high", "High from")),
    make("p", { id: "levels-said", className: "soft" }),
    make("p", { className: "soft" }, make("code", { id: "levels-command" })),
    make("details", {}, make("summary", {}, "As a table"), make("table", { id: "levels-table" },
      make("thead", {}, make("tr", {}, ...heads.map((h) => make("th", { scope: "col" }, h)))), make("tbody", { id: "levels-rows" }))));
  $("levels-still").hidden = true;
  chooseLevels(lines[0]);
}
views.push({ build: buildLevels, pick: () => levels.line && tellLevels() });
