// The rooflines that are drawn already (postproc/html/roofline.c): one at a time,
// and the stretch that is selected beside all of it.

const roofs = [...document.querySelectorAll(".roofline")];

function roofBound(r, x) {                      // GFLOP/s at most; NaN: not known
  const compute = +r.dataset.compute, memory = +r.dataset.memory;
  return compute > 0 && memory > 0 ? Math.min(compute, memory * x) : NaN;
}

// As roofline.c has them.
function roofAt(svg, x, y) {
  const d = svg.dataset, px = (Math.log10(x) - d.x0) / (d.x1 - d.x0), py = (d.y1 - Math.log10(y)) / (d.y1 - d.y0);
  return px >= 0 && px <= 1 && py >= 0 && py <= 1 ? [48 + px * 412, 26 + py * 254] : null;
}

function pickRoof(a, b) {
  for (const r of roofs) {
    const svg = r.querySelector("svg"), rows = r.querySelector(".chosen tbody");
    const lines = [r.dataset.x, r.dataset.y].map((i) => data.lines[+i]), [x, y] = lines.map((l) => figure(l, a, b));
    svg.querySelectorAll(".stretch").forEach((e) => e.remove());
    rows.querySelectorAll(".stretched").forEach((e) => e.remove());
    for (const c of svg.querySelectorAll("circle"))
      c.classList.toggle("out", picked !== null && (+c.dataset.b < a || +c.dataset.b > b));
    if (picked === null) continue;
    const near = (v, i) => (!Number.isNaN(v) && (data.metrics[lines[i].m].guess || lines[i].doubt.subarray(a, b + 1).includes(1)) ? "\u2248\u202f" : "") + words(v, -1);
    const at = x > 0 && y > 0 ? roofAt(svg, x, y) : null;
    if (at) draw("path", { class: "stretch", d: `M${at[0]} ${at[1] - 7}l7 7l-7 7l-7 -7z` }, svg);
    rows.append(make("tr", { className: "stretched" }, make("th", { scope: "row" }, `Samples ${data.first[a]} to ${data.last[b]}`),
      ...[near(x, 0), near(y, 1), words(roofBound(r, x), -1), words(100 * y / roofBound(r, x), -1)].map((t) => make("td", { className: "n" }, t))));
  }
}

function showRoof(i) {
  roofs.forEach((r, k) => { r.hidden = k !== i; });
}

function buildRoof() {
  if (!roofs.length) return;
  if (roofs.length > 1)
    $("roofs").before(make("div", { className: "bar" }, make("label", { htmlFor: "roof-of" }, "Of"),
      make("select", { id: "roof-of", onchange: (e) => showRoof(+e.target.value) }, ...roofs.map((r, i) => option(i, r.dataset.name)))));
  $("roofs").className = "one";
  showRoof(0);
}
views.push({ build: buildRoof, pick: pickRoof });
