// Cores against time.

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
      image.data.set([...shade(hi > lo ? (v - lo) / (hi - lo) : 0), 255], at);
    }
  });
  pen.putImageData(image, 0, 0);
  const m = data.metrics[+choice.value];
  $("heat-scale").textContent = `dark ${words(lo, -1)} to bright ${words(hi, -1)} ${m.unit}; cores ${lines[0].w} (top) to ${lines[lines.length - 1].w}`;
  canvas.setAttribute("aria-label", `${m.text}, ${lines.length} cores against time`);
}

function buildHeat() {
  const cored = [...new Set(data.lines.filter((l) => l.s === "core" && l.k !== null).map((l) => l.m))];
  if (cored.length)
    $("charts").append(make("h3", {}, "Cores against time"), make("div", { className: "bar" }, make("label", { htmlFor: "heat-of" }, "Colour:"),
      make("select", { id: "heat-of", onchange: heat }, ...cored.map((m) => option(m, data.metrics[m].name))),
      make("span", { id: "heat-scale" })), make("canvas", { id: "heat", role: "img" }));
}
views.push({ build: buildHeat, look: heat });
