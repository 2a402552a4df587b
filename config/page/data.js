// What the page has been given (postproc/html/timeline_json.h), and figures of
// stretches of it.  The scripts of a page are one function, put together in the
// order of html_page.c; without them the page has still pictures and tables.
const data = JSON.parse($("data").textContent);
const from = floats(data.from), to = floats(data.to), sec = floats(data.sec), count = floats(data.n);
const N = from.length, GAP = new Set(data.gap), COLOURS = 8, W = 1000, H = 140;
// What there is besides the charts: build() makes it, once; look() is called when
// the axis changed; pick(a, b) when buckets a to b were selected.  All may lack.
const views = [];

// A point of a line is of 2^that buckets.
const coarse = (line) => line.c === undefined ? data.coarse[line.s] || 0 : line.c;
const NARROW = new Set(["box", "core", "lproc"]);
function numbers(line, s) {                     // of each bucket, of the points of a line
  const n = coarse(line);
  let v = bytes(s);
  if (NARROW.has(line.s)) {
    const upper = v;
    v = new Uint8Array(upper.length / 3 * 4);
    for (let i = 0; i < upper.length; i++) v[4 * Math.floor(i / 3) + i % 3 + 1] = upper[i];
  }
  v = new Float32Array(v.buffer);
  return n ? Float32Array.from(from, (_, i) => v[i >> n]) : v;
}

function open(line) {                           // numbers of a line, when first looked at
  if (line.mean) return line;
  const n = coarse(line), how = data.metrics[line.m].how;
  line.mean = line.v ? numbers(line, line.v) : new Float32Array(N).fill(line.k === null ? NaN : line.k);
  const usual = how === "sum" || how === "samples" ? count : sec;
  line.weight = line.g ? numbers(line, line.g).map((g, i) => n ? g / Math.min(1 << n, N - (i >> n << n)) : g) : usual;
  const scale = (s) => { const v = bytes(s); return Float32Array.from(from, (_, i) => line.lo + v[i >> n] / 255 * (line.hi - line.lo)); };
  line.least = line.a ? scale(line.a) : line.mean;
  line.most = line.b ? scale(line.b) : line.mean;
  line.error = line.r ? Float32Array.from(from, ((v) => (_, i) => v[i >> n] / 255 * line.e)(bytes(line.r))) : null;
  line.doubt = new Uint8Array(N);
  for (let i = 0; line.d && i < line.d.length; i += 2) line.doubt.fill(1, line.d[i], line.d[i + 1] + 1);
  return line;
}

const isAll = (a, b) => a === 0 && b === N - 1; // what the report has is of these
function figure(line, a, b) {                   // of buckets a to b; NaN: none
  if (isAll(a, b)) return line.f === null ? NaN : line.f;
  open(line);
  let sum = 0, weight = 0, any = false;
  for (let i = 0; line.z && i < line.z.length; i += 2) if (line.z[i] <= b && line.z[i + 1] >= a) return NaN;
  for (let i = a; i <= b; i++) {
    if (Number.isNaN(line.mean[i])) continue;
    any = true;
    sum += line.mean[i] * line.weight[i];
    weight += line.weight[i];
  }
  return !any ? NaN : data.metrics[line.m].how === "sum" ? sum : weight > 0 ? sum / weight : NaN;
}

const bucketAt = (t) => {                       // the last that begins before t
  let lo = 0, hi = N - 1;
  while (lo < hi) { const m = (lo + hi + 1) >> 1; if (from[m] <= t) lo = m; else hi = m - 1; }
  return lo;
};
