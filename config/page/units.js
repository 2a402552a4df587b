// What the units of a node are called, and which lines are of them.

const SCOPES = { package: "package", node: "node", die: "die", numa: "NUMA node", ccx: "CCX", box: "box", device: "device", core: "core", lproc: "lproc" };
data.lines.forEach((l, i) => { l.i = i; });
const kindOf = (l) => data.metrics[l.m].boxes.replace(/_counts$/, "");
const isIo = (l) => l.s === "box" && /^(iio|irp|m2p)/.test(kindOf(l));
const stackNames = new Map(data.stacks.map(([pkg, n, name]) => [pkg + "/" + n, name]));

// The I/O stack of a line: "0/PCIe1"; a port is "0/PCIe1_port0".
function stackOf(l) {
  const [pkg, name] = l.w.split("/");
  return pkg + "/" + (/^\d+$/.test(name) ? stackNames.get(l.w) || "stack " + name : name.replace(/_port\d+$/, ""));
}
// The devices behind a port, or behind the part of a stack that a metric is of.
function deviceOf(l) {
  if (!isIo(l)) return "";
  const part = (/_part(\d+)$/.exec(data.metrics[l.m].name) || /_port(\d+)$/.exec(l.w) || [])[1];
  const stack = stackOf(l), name = (pkg, n) => pkg + "/" + (stackNames.get(pkg + "/" + n) || "stack " + n);
  const on = part === undefined ? [] : data.devices.filter(([pkg, n, p]) => p === +part && name(pkg, n) === stack);
  return on.length ? `${on[0][3]} (${on.map((d) => d[4].replace(/^0000:/, "")).join(" ")}), ${stack} part ${part}` : "";
}

function linesBy(scope) {
  if (scope === "device") return data.lines.filter((l) => l.s === "box" && deviceOf(l) !== "");
  const as = data.same[scope] || scope;
  return data.lines.filter((l) => l.s === as);
}
const scopesThere = () => Object.keys(SCOPES).filter((s) => linesBy(s).length);

function nameOf(l, scope = l.s) {
  return scope === "device" ? deviceOf(l) : l.s === "node" ? "node" :
    l.s === "box" ? `${isIo(l) ? "stack" : kindOf(l)} ${isIo(l) && /^\d+\/\d+$/.test(l.w) ? stackOf(l) : l.w}` : `${SCOPES[l.s]} ${l.w}`;
}
// What a chart stands under.
const HEADINGS = {
  event: () => "",
  package: (l) => l.p === undefined || l.s === "node" ? "Node" : "Package " + l.p,
  unit: (l, scope) => scope === "device" ? deviceOf(l) : isIo(l) ? "I/O stack " + stackOf(l) : nameOf(l),
};
// Of parts of stacks one chart has them all, each at its device.
const metricOf = (l, scope) => scope === "device" ? data.metrics[l.m].name.replace(/_part\d+$/, "") : data.metrics[l.m].name;
