// What is selected, and each figure of the page for it.

let picked = null;                              // [first, last] bucket

// A mean of buckets that is near what `tally metrics -s` has, and perhaps not it.
function isMean(line, x, y) {
  if (isAll(x, y)) return false;
  const part = (1 << coarse(line)) - 1;
  return data.metrics[line.m].guess === 1 || (x & part) !== 0 || (y !== N - 1 && (y + 1 & part) !== 0) ||
    open(line).doubt.subarray(x, y + 1).includes(1);
}
function figureText(line, x, y, decimals) {
  const v = figure(line, x, y);
  return (!Number.isNaN(v) && isMean(line, x, y) ? "\u2248\u202f" : "") + words(v, decimals) +
    (!Number.isNaN(v) && isAll(x, y) ? line.q || "" : "");
}

const aboutNear = (text) => text.startsWith("\u2248") ? "mean of the values that there are; tally metrics has the figure" : "";

function pick(a, b) {                           // buckets; null: nothing, all samples
  picked = a === null ? null : [Math.max(0, Math.min(a, b)), Math.min(N - 1, Math.max(a, b))];
  const [x, y] = picked || [0, N - 1];
  for (const cell of document.querySelectorAll("#figures td[data-line]")) {
    if (cell.whole === undefined) cell.whole = cell.innerHTML;
    if (picked === null) { cell.innerHTML = cell.whole; cell.title = ""; continue; }
    cell.textContent = figureText(data.lines[+cell.dataset.line], x, y, +cell.dataset.decimals);
    cell.title = aboutNear(cell.textContent);
  }
  $("stretch").textContent = picked === null ? "All samples." :
    `Samples ${data.first[x]} to ${data.last[y]}, ${words(from[x], 2)} to ${words(to[y], 2)} s: ` +
    `tally metrics -s ${data.first[x]}:${data.last[y]}. What to know of figures is of all samples.`;
  $("first").value = data.first[x];
  $("last").value = data.last[y];
  pickFindings(data.first[x], data.last[y]);
  for (const c of charts) showPick(c);
  for (const v of views) if (v.pick) v.pick(x, y);
}

function pickSamples(first, last) {
  let a = data.last.findIndex((s) => s > first), b = data.first.findLastIndex((s) => s < last);
  if (a < 0) a = N - 1;
  pick(Math.min(a, Math.max(b, 0)), Math.max(a, b));
}

// Of the findings, those with a place elsewhere step back.
function pickFindings(first, last) {
  const rows = [...document.querySelectorAll("#checks tbody tr")];
  let there = 0;
  for (const r of rows) {
    const at = r.querySelector("[data-first]"), out = picked !== null && at !== null && (+at.dataset.first > last || +at.dataset.last < first);
    r.classList.toggle("elsewhere", out);
    there += !out;
  }
  const said = $("found");
  if (said) said.textContent = picked === null || !rows.length ? "" : `${there} of ${rows.length} are of the samples selected, or of the whole run.`;
}

// What names its samples selects them.
function pickable(e) {
  const a = +e.dataset.first, b = +e.dataset.last;
  return make("button", { type: "button", title: `select samples ${a} to ${b}`, onclick: () => { pickSamples(a - (a === b ? 1 : 0), b); $("stretch").scrollIntoView({ block: "nearest" }); } }, ...e.childNodes);
}
