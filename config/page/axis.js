// The one axis of time that all charts have: seconds after the first sample of the
// dump, or the wall clock.

const whole = [from[0], to[N - 1]];
let view = whole.slice(), clock = "seconds";
const X = (t) => (t - view[0]) / (view[1] - view[0]) * W;
const wall = (t) => data.wall + t - whole[0];   // s since 1970

// "12.5 s", or "10:00:12" (UTC), as fine as a step of so many seconds needs.
function clockText(t, step) {
  const s = new Date(Math.round(wall(t) * 1000)).toISOString();
  return step >= 86400 ? s.slice(5, 10) : step >= 60 ? s.slice(11, 16) : s.slice(11, step < 1 ? 23 : 19);
}
const span = () => view[1] - view[0];
const decimalsOf = (step) => Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9)));
const when = (t) => clock === "wall" ? clockText(t, span() / 100) + " UTC" : words(t, decimalsOf(span() / 100)) + " s";

const CLOCK_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];
function stepOf(least) {                        // a round one, not below
  if (clock === "wall" && least > 0.5) return CLOCK_STEPS.find((s) => s >= least) || 86400 * Math.ceil(least / 86400);
  return roundStep(least);
}
const roundStep = (least) => {
  const power = Math.pow(10, Math.floor(Math.log10(least)));
  return [1, 2, 5, 10].map((n) => n * power).find((s) => s >= least * (1 - 1e-9));
};
let ticks = [];                                 // times of round values in view
function findTicks() {
  const step = stepOf(span() / Math.max(2, Math.floor($("axis").clientWidth / 110))), shift = clock === "wall" ? wall(0) : 0;
  ticks = [];
  for (let k = Math.ceil((view[0] + shift) / step); k * step <= view[1] + shift; k++) ticks.push(k * step - shift);
  return step;
}

function showAxis() {
  const step = findTicks(), room = span() / $("axis").clientWidth;
  const text = (t) => clock === "wall" ? clockText(t, step) : words(t, decimalsOf(step)) + " s";
  const end = (t) => clock === "wall" ? clockText(t, Math.min(step, 59)) + " UTC" : when(t);
  const near = (clock === "wall" ? 150 : 75) * room;
  $("axis").replaceChildren(make("span", {}, end(view[0])), ...ticks.filter((t) => t - view[0] > near && view[1] - t > near).map((t) => {
    const e = make("span", { className: "tick", ariaHidden: "true" }, text(t));
    e.style.left = X(t) / W * 100 + "%";
    return e;
  }), make("span", {}, end(view[1])));
  $("axis").setAttribute("aria-label", `From ${when(view[0])} to ${when(view[1])}`);
}

function look(t0, t1) {
  const least = Math.max((whole[1] - whole[0]) / N / 2, 1e-6);
  const length = Math.min(Math.max(t1 - t0, least), whole[1] - whole[0]);
  t0 = Math.min(Math.max(t0, whole[0]), whole[1] - length);
  view = [t0, t0 + length];
  showAxis();
  for (const c of charts) { c.drawn = false; if (c.near) redraw(c); }
  for (const v of views) if (v.look) v.look();
}
const zoom = (f, at = (view[0] + view[1]) / 2) => look(at - (at - view[0]) * f, at + (view[1] - at) * f);
const pan = (f) => { const d = span() * f; look(view[0] + d, view[1] + d); };

// Behind the lines: phases, what is doubted, round times; in front: the selection.
function drawPhases(svg, height) {
  for (const t of ticks) draw("line", { class: "grid", x1: X(t), x2: X(t), y1: 0, y2: height }, svg);
  for (const [mark, , , a, b] of data.phases) {
    if (b < view[0] || a > view[1]) continue;
    if (mark % 2) draw("rect", { class: "phase", x: X(a), y: 0, width: X(b) - X(a), height }, svg);
    draw("line", { class: "mark", x1: X(a), x2: X(a), y1: 0, y2: height }, svg);
  }
}
function drawBars(svg, height, doubted) {       // doubted(bucket): the part of the lines that are
  const a = bucketAt(view[0]), b = bucketAt(view[1]);
  for (let i = a; i <= b; i++) {
    const part = +doubted(i), x = X(from[i]);
    if (part === 0) continue;
    while (i < b && +doubted(i + 1) === part) i++;
    draw("rect", { class: "doubt", x, y: 0, width: Math.max(2, X(to[i]) - x), height, opacity: 0.35 + 0.65 * part }, svg);
  }
}
function drawPick(rect) {
  rect.setAttribute("x", picked ? X(from[picked[0]]) : 0);
  rect.setAttribute("width", picked ? Math.max(1, X(to[picked[1]]) - X(from[picked[0]])) : 0);
}

// The names of the phases in view, above a picture.
function phaseNames(strip) {
  const cut = (t) => Math.min(Math.max(t, view[0]), view[1]);
  strip.replaceChildren(...data.phases.filter(([, , , a, b]) => b > view[0] && a < view[1]).map(([mark, , , a, b]) => {
    const e = make("span", { className: "p" + mark % 2 }, "@" + mark);
    e.style.left = X(cut(a)) / W * 100 + "%";
    e.style.width = (X(cut(b)) - X(cut(a))) / W * 100 + "%";
    return e;
  }));
}
