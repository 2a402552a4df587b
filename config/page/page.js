// The document: what is built, listened to, and shown first.

// Charts of the lines that are asked for: by heading, by metric.
function sorted(scope, want, heading) {
  const under = new Map();
  for (const l of linesBy(scope)) {
    const m = data.metrics[l.m], head = HEADINGS[heading](l, scope), name = metricOf(l, scope);
    if (l.k === null || !(m.name + " " + m.text + " " + nameOf(l, scope)).toLowerCase().includes(want)) continue;
    if (!under.has(head)) under.set(head, new Map());
    if (!under.get(head).has(name)) under.get(head).set(name, []);
    under.get(head).get(name).push(l);
  }
  return under;
}

function fill() {
  const scope = $("scope").value, want = $("filter").value.toLowerCase(), shown = [], quiet = new Set(), twice = new Map();
  seen.disconnect();
  charts.length = 0;
  charts.push(...glances);
  for (const [heading, metrics] of sorted(scope, want, $("heading").value)) {
    const some = [...metrics].filter(([name, lines]) => (!lines.every((l) => l.k === 0 && !l.d) || !quiet.add(name)) &&
      (want || !data.metrics[lines[0].m].as || !twice.set(name, data.metrics[lines[0].m].as)));
    if (heading && some.length) shown.push(make("h3", {}, heading));
    for (const [, lines] of some) { charts.push(chart(lines, scope, heading)); shown.push(charts[charts.length - 1].figure); }
  }
  $("list").replaceChildren(...shown);
  const as = data.same[scope];
  $("quiet").textContent = (as && as !== scope ? `Each ${SCOPES[scope]} is a ${SCOPES[as]} here. ` : "") +
    (twice.size ? "Said by another chart, and here when asked for by name: " + [...twice].map(([name, as]) => `${name} (${as})`).join(", ") + ". " : "") +
    (quiet.size ? "Always 0: " + [...quiet].join(", ") + "." : shown.length ? "" : "No metric of that name here.");
  for (const c of charts) seen.observe(c.figure);
}

function build() {
  const field = (text, e) => make("span", { className: "field" }, make("label", { htmlFor: e.id }, text), e);
  const choice = (id, text, options, changed) => field(text, make("select", { id, onchange: changed }, ...options.map(([v, t]) => option(v, t))));
  const number = (id, text) => field(text, make("input", { id, type: "number", min: data.first[0], max: data.last[N - 1] }));
  $("charts").append(
    make("div", { className: "bar" },
      choice("scope", "By", scopesThere().map((s) => [s, SCOPES[s]]), fill),
      choice("heading", "Group by", [["event", "event"], ["package", "package"], ["unit", "unit (I/O stack ...)"]], fill),
      choice("stack", "Lines", [["", "overlaid"], ["1", "stacked"]], () => { stacking = $("stack").value === "1"; fill(); }),
      choice("clock", "Axis", [["seconds", "seconds"], ...data.wall > 0 ? [["wall", "wall clock (UTC)"]] : []], () => { clock = $("clock").value; look(...view); }),
      field("With", make("input", { id: "filter", type: "search", oninput: fill, placeholder: "metric or unit" }))),
    make("div", { className: "bar" },
      number("first", "Samples"), number("last", "to"),
      button("Select", () => pickSamples(+$("first").value, +$("last").value), "figures of these samples alone"),
      button("All", () => { pick(null); look(...whole); }, "all samples, whole axis"),
      button("Zoom to it", () => picked && look(from[picked[0]], to[picked[1]]), "the selected stretch fills the axis"),
      button("+", () => zoom(0.5), "nearer"), button("\u2212", () => zoom(2), "further"),
      button("\u2190", () => pan(-0.25), "earlier"), button("\u2192", () => pan(0.25), "later")),
    make("p", { className: "soft" }, "Drag to select a stretch: every figure is of it, then. Two fingers, or Ctrl and wheel: zoom; Shift and drag: move. " +
      "Keys, with the charts in focus: arrows, + and \u2212, Home: all of it, Shift and arrows: select, Escape: select nothing."),
    make("div", { id: "plots", tabIndex: 0, role: "group", "aria-label": "Timelines" },
      make("div", { id: "axis", className: "ends", role: "group" }), make("div", { id: "list" })),
    make("p", { id: "quiet", className: "soft" }));
  buildGlance();
  for (const v of views) if (v.build) v.build();
  $("stills").hidden = true;
}

build();
fill();
pointers($("charts"));
pointers($("glance"));
keys($("plots"));
onPaper();
for (const s of document.querySelectorAll("#checks span[data-first]")) s.replaceChildren(pickable(s));
for (const s of document.querySelectorAll("#phases span[data-first], #found-first span[data-first], [aria-labelledby=h-limits] span[data-first]")) s.replaceChildren(pickable(s));
pick(null);
look(...whole);
window.addEventListener("resize", () => look(...view));
