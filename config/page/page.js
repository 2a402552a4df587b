// The document: what is built, listened to, and shown first.

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
  const scopes = ["package", "node", "die", "numa", "box", "core", "lproc"].filter((s) => data.lines.some((l) => l.s === s));
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
  for (const v of views) if (v.build) v.build();
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
