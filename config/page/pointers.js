// Mouse, pen, fingers and keys on the charts.  One pointer selects (with Shift it
// moves the axis), two fingers zoom and move; up and down scrolls the page.

function pointers(place) {
  const down = new Map();                       // pointer: { x, plot, t }
  let start = null, before = null, moved = false;
  const plotOf = (e) => e.target.closest && e.target.closest(".plot");
  const timeIn = (plot, x) => {
    const r = plot.getBoundingClientRect();
    return view[0] + (x - r.left) / r.width * span();
  };
  const undo = () => { if (start !== null && moved) before ? pick(...before) : pick(null); start = null; };

  place.addEventListener("pointerdown", (e) => {
    const plot = plotOf(e);
    if (!plot || e.button !== 0 || down.size >= 2) return;
    if (down.size === 1) undo();
    down.set(e.pointerId, { x: e.clientX, plot, t: timeIn(plot, e.clientX) });
    for (const p of down.values()) p.t = timeIn(p.plot, p.x);
    if (down.size > 1) return;
    start = down.get(e.pointerId).t;
    before = picked;
    moved = false;
  });
  window.addEventListener("pointermove", (e) => {
    const p = down.get(e.pointerId), plot = p ? p.plot : plotOf(e);
    if (plot && plot.parentNode.chart && plot.parentNode.chart.drawn) {
      const r = plot.getBoundingClientRect();
      showReadout(plot.parentNode.chart, timeIn(plot, e.clientX), 1 - (e.clientY - r.top) / r.height);
    } else if (plot && plot.readout) plot.readout(e, timeIn(plot, e.clientX));
    if (!p) return;
    const far = Math.abs(e.clientX - p.x);
    if (down.size === 2) {
      p.x = e.clientX;
      const [a, b] = [...down.values()].sort((f, g) => f.t - g.t), r = a.plot.getBoundingClientRect();
      const length = (b.t - a.t) / Math.max(0.02, (b.x - a.x) / r.width);
      if (length > 0) look(a.t - (a.x - r.left) / r.width * length, a.t + (r.right - a.x) / r.width * length);
    } else if (start !== null && e.shiftKey) {
      const d = p.t - timeIn(p.plot, e.clientX);
      look(view[0] + d, view[1] + d);
    } else if (start !== null && (moved || far > 3)) {
      moved = true;
      pick(bucketAt(start), bucketAt(timeIn(p.plot, e.clientX)));
    }
  });
  const up = (e) => {
    if (!down.delete(e.pointerId)) return;
    if (e.type === "pointercancel") undo();     // the page scrolls
    start = null;                               // a finger that is left selects nothing
  };
  window.addEventListener("pointerup", up);
  window.addEventListener("pointercancel", up);
  place.addEventListener("wheel", (e) => {
    const plot = plotOf(e);
    if (!plot || !e.ctrlKey) return;
    e.preventDefault();
    zoom(e.deltaY < 0 ? 0.8 : 1.25, timeIn(plot, e.clientX));
  }, { passive: false });
}

function keys(place) {
  place.addEventListener("keydown", (e) => {
    const p = picked || [bucketAt(view[0]), bucketAt(view[0])];
    const what = { ArrowLeft: () => e.shiftKey ? pick(p[0], p[1] - 1 < p[0] ? p[0] : p[1] - 1) : pan(-0.1),
      ArrowRight: () => e.shiftKey ? pick(p[0], p[1] + 1) : pan(0.1),
      "+": () => zoom(0.8), "=": () => zoom(0.8), "-": () => zoom(1.25), Home: () => look(...whole), Escape: () => pick(null) };
    if (!what[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    what[e.key]();
  });
}

// On paper there is all of it: each chart drawn, nothing folded.
function onPaper() {
  const shut = [];
  window.addEventListener("beforeprint", () => {
    shut.push(...document.querySelectorAll("details:not([open])"));
    for (const d of shut) d.open = true;
    for (const c of charts) if (!c.drawn) redraw(c);
  });
  window.addEventListener("afterprint", () => { for (const d of shut.splice(0)) d.open = false; });
}
