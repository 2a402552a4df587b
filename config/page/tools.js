// Small helpers of all pages: elements of the document, numbers in and out.
const $ = (id) => document.getElementById(id);
const bytes = (s) => Uint8Array.from(atob(s), (c) => c.charCodeAt(0));
const floats = (s) => new Float32Array(bytes(s).buffer);

function words(v, decimals) {
  if (Number.isNaN(v)) return "n/a";
  if (decimals >= 0) return v.toFixed(decimals);
  if (v !== 0 && (Math.abs(v) < 1e-3 || Math.abs(v) >= 1e7)) return v.toExponential(3);
  return Math.abs(v) >= 1e4 ? v.toFixed(0) : String(+v.toPrecision(4));
}

function make(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const [k, v] of Object.entries(attributes || {})) k in e && k !== "role" ? e[k] = v : e.setAttribute(k, v);
  e.append(...children);
  return e;
}
function draw(name, attributes, parent) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const k in attributes) e.setAttribute(k, attributes[k]);
  if (parent) parent.append(e);
  return e;
}
const button = (text, what, title) => make("button", { type: "button", title, onclick: what }, text);
const option = (v, text) => make("option", { value: v }, text);

// A colour for 0 to 1, from dark to bright, that the colour-blind tell apart.
const STOPS = [[0, 34, 78], [53, 69, 108], [102, 105, 112], [148, 142, 119], [200, 184, 102], [254, 232, 56]];
function shade(p) {
  const at = p * (STOPS.length - 1), k = Math.min(Math.floor(at), STOPS.length - 2);
  return STOPS[k].map((c, n) => c + (at - k) * (STOPS[k + 1][n] - c));
}
