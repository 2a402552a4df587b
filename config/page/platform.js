// The node, drawn (postproc/html/platform.h): numbers and colours of a stretch.

const LEVELS = 10;
function short(v) {                             // as platform_part.c writes it
  let i = 0;
  if (Number.isNaN(v)) return "n/a";
  if (Math.abs(v) < 0.005) return v === 0 ? "0" : v < 0 ? ">-0.01" : "<0.01";
  for (; Math.abs(v) >= 999.5 && i < 5; i++) v /= 1000;
  return v.toFixed(Math.abs(v) < 10 ? 2 : Math.abs(v) < 100 ? 1 : 0) + ["", "k", "M", "G", "T", "P"][i];
}

const linesOf = (list) => (list || "").split(" ").filter((n) => n !== "").map((n) => data.lines[+n]);
const cuts = (line, a, b) => {                  // does a stretch end within a point of the line?
  const points = (1 << coarse(line)) - 1;
  return (a & points) !== 0 || (b + 1 < N && (b + 1 & points) !== 0);
};
const isNear = (line, a, b) => !isAll(a, b) && (data.metrics[line.m].guess || cuts(line, a, b) || line.doubt.subarray(a, b + 1).includes(1));

function say(line, v, near) {
  const m = data.metrics[line.m];
  return `\n${m.name} ${near && !Number.isNaN(v) ? "\u2248 " : ""}${words(v, -1)} ${Number.isNaN(v) ? "" : m.unit}: ${m.text}` +
    (line.y && near ? `; ${line.y}` : "");
}

function sumOf(lines, a, b) {                   // of what is known; NaN: nothing is
  const known = lines.map((l) => figure(l, a, b)).filter((v) => !Number.isNaN(v));
  return [known.length ? known.reduce((x, y) => x + y) : NaN, known.length];
}

function redrawPart(g, a, b, peers) {
  const lines = linesOf(g.dataset.line).map(open), load = linesOf(g.dataset.load)[0];
  const [v, known] = sumOf(lines, a, b);
  const near = !Number.isNaN(v) && (known < lines.length || lines.some((l) => isNear(l, a, b)));
  const share = (load ? figure(load, a, b) : v) / +(g.dataset.full ?? peers[g.dataset.peers]);
  const number = g.querySelector("text:last-child"), kind = g.classList[1];
  const unit = number.dataset.unit || "";
  g.setAttribute("class", "cell " + (kind === "bare" ? "bare" : Number.isNaN(v) ? "none" : Number.isNaN(share) ? "plain" :
    (g.dataset.grey ? "r" : "l") + Math.round(LEVELS * Math.max(0, Math.min(1, share)))));
  number.textContent = (near ? "\u2248" : "") + short(v) + (Number.isNaN(v) ? "" : unit);
  g.querySelector("title").textContent = g.what + (lines.length ? say(lines[0], v, near) : "\nn/a of a stretch: it has no line") +
    [load, ...linesOf(g.dataset.more)].filter((l) => l).map((l) => say(l, figure(l, a, b), isNear(open(l), a, b))).join("");
}

function pickPlatform(a, b) {
  const peers = {};                             // the greatest of what grows with the time
  for (const g of document.querySelectorAll("#platform [data-peers]"))
    peers[g.dataset.peers] = Math.max(peers[g.dataset.peers] || 0, sumOf(linesOf(g.dataset.line), a, b)[0] || 0);
  for (const g of document.querySelectorAll("#platform .cell")) {
    const title = g.querySelector("title"), number = g.querySelector("text:last-child");
    if (!g.whole) {
      g.whole = [g.getAttribute("class"), number.textContent, title.textContent];
      g.what = title.textContent.split("\n")[0];
    }
    if (picked !== null && g.dataset.line === undefined && g.whole[1] === "n/a") continue;
    if (picked !== null) { redrawPart(g, a, b, peers); continue; }
    g.setAttribute("class", g.whole[0]);
    [number.textContent, title.textContent] = [g.whole[1], g.whole[2]];
  }
  readPart();
}

// What is said on hover, for those who touch or have keys: of one part after the other.
let partAt = null;
function readPart(g = partAt) {
  if (partAt) partAt.classList.remove("at");
  partAt = g;
  if (partAt) partAt.classList.add("at");
  $("platform-part").textContent = partAt ? partAt.querySelector("title").textContent : "";
}

function buildPlatform() {
  const svg = $("platform"), parts = [...svg.querySelectorAll(".cell")];
  svg.after(make("p", { id: "platform-part", "aria-live": "polite" }));
  svg.setAttribute("tabindex", "0");
  svg.addEventListener("click", (e) => readPart(e.target.closest(".cell")));
  svg.addEventListener("keydown", (e) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key], i = parts.indexOf(partAt);
    if (e.key === "Escape") readPart(null);
    if (!step || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    readPart(parts[Math.max(0, Math.min(parts.length - 1, i + step))]);
  });
}
views.push({ build: buildPlatform, pick: pickPlatform });
