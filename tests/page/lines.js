// The timelines and the heat map of a page (tests/page/look.js): by each unit, in
// each order, stacked, by the wall clock, with fingers, on paper.
"use strict";

// Every chart drawn, not only those in view.
const drawAll = (page) => page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
const folded = (page) => page.evaluate(() => window.dispatchEvent(new Event("afterprint")));

async function select(page, a, b) {
  await page.fill("#first", String(a));
  await page.fill("#last", String(b));
  await page.click("button:text-is('Select')");
}

// The figures beside the lines' names, each with the metric and the unit it is of.
const keyed = (page) => page.evaluate(() => {
  const m = JSON.parse(document.getElementById("data").textContent).metrics;
  return [...document.querySelectorAll("#list figure")].flatMap(({ chart: c }) => c.values.map((e, i) => {
    const l = c.lines[i];
    return { key: `${m[l.m].name}|${l.s}|${l.w}`, text: e.textContent, decimals: -1, guess: m[l.m].guess || (l.d ? 1 : 0) };
  }));
});

// Where tally metrics says n/a, for what is known is of different times, a chart has
// the mean of what is known, and says so.
const isMean = (f, v) => v === null && f.guess === 1 && f.text.startsWith("\u2248");

async function eachUnit({ page, name, dump, check, says, metricsOf }) {
  const scopes = await page.$$eval("#scope option", (o) => o.map((e) => e.value));
  const same = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).same);
  await page.selectOption("#heading", "unit");
  for (const scope of scopes.filter((s) => s !== "device" && (same[s] || s) === s)) {
    await page.selectOption("#scope", scope);
    await page.fill("#filter", /core|lproc/.test(scope) ? "ipc" : "");
    for (const [a, b] of [[2, 9], [0, 18], [11, 27]]) {
      await select(page, a, b);
      await drawAll(page);
      const all = await keyed(page), want = metricsOf(dump, a, b, scope);
      if (/skx|recording/.test(name)) metricsOf(dump, a, b, scope, ["-M", "@skx-io"]).forEach((v, k) => want.set(k, v));
      const there = all.filter((f) => !/_part\d+\|/.test(f.key));
      const wrong = there.filter((f) => !says(f, want.get(f.key)) && !isMean(f, want.get(f.key)));
      check(`${name}: figures of charts by ${scope}, ${a}:${b}, are those of tally metrics`, wrong.length === 0 && there.length > 0,
        `${there.length}; ` + wrong.slice(0, 5).map((f) => `${f.key} ${f.text} not ${want.get(f.key)}`).join("; "));
    }
  }
  await folded(page);
  await page.fill("#filter", "");
  await page.selectOption("#scope", scopes[0]);
}

async function eachOrder({ page, name, check }) {
  const heads = async (heading) => {
    await page.selectOption("#heading", heading);
    return page.$$eval("#list h3", (all) => all.map((h) => h.textContent));
  };
  const scopes = await page.$$eval("#scope option", (o) => o.map((e) => e.value));
  await page.selectOption("#scope", scopes.includes("box") ? "box" : "core");
  check(`${name}: by event there is no heading`, (await heads("event")).length === 0);
  check(`${name}: by package each has one`, (await heads("package")).every((h) => /^Package \d+$/.test(h)) && (await heads("package")).length > 0);
  const units = await heads("unit");
  check(`${name}: by unit each has one`, units.length > 1 && new Set(units).size === units.length, units.join());
  if (/skx|icx/.test(name)) check(`${name}: I/O stacks are units`, units.includes("I/O stack 0/PCIe0"), units.join());
  await page.selectOption("#heading", "event");
  if (name.startsWith("icx")) {
    await page.selectOption("#scope", "device");
    const devices = await page.$$eval("#list .key", (all) => all.map((k) => k.textContent).join());
    check(`${name}: devices have their names`, devices.includes("[ConnectX-6 Dx] (17:00.0 17:00.1), 0/PCIe0 part 0"), devices.slice(0, 300));
  }
  await page.selectOption("#scope", scopes[0]);
}

async function stacked({ page, name, dump, check, metricsOf }) {
  await page.selectOption("#stack", "1");
  await drawAll(page);
  const all = await page.evaluate(() => [...document.querySelectorAll("#list figure")].map((f) => ({
    name: f.querySelector("b").textContent, lines: f.chart.lines.length, areas: f.querySelectorAll(".area").length })));
  const is = all.filter((c) => c.areas > 0), value = metricsOf(dump, null, null), sums = new Map();
  for (const [key, v] of value) {
    const [m, scope] = key.split("|");
    if (scope === "package" && v !== null) sums.set(m, (sums.get(m) || 0) + v);
  }
  const not = is.filter((c) => Math.abs(sums.get(c.name) - value.get(`${c.name}|node|`)) > 1e-6 + 1e-4 * Math.abs(sums.get(c.name)));
  check(`${name}: what is stacked adds up`, not.length === 0, not.map((c) => c.name).join());
  check(`${name}: no ratio is stacked`, !is.some((c) => /^(ipc|utilisation|frequency|temperature|core_clock)$/.test(c.name)), is.map((c) => c.name).join());
  if (all.some((c) => c.lines > 1)) check(`${name}: some is stacked`, is.length > 0 && is.length < all.length, `${is.length} of ${all.length}`);
  await folded(page);
  await page.selectOption("#stack", "");
}

async function wallClock({ page, name, check }) {
  await page.selectOption("#clock", "wall");
  const text = await page.textContent("#axis");
  check(`${name}: the axis has the wall clock`, /^\d\d:\d\d:\d\d UTC/.test(text), text);
  await page.selectOption("#clock", "seconds");
}

async function heatMap({ page, name, dump, check, metricsOf, says }) {
  const kinds = await page.$$eval("#heat-by option", (o) => o.map((e) => e.value));
  check(`${name}: the heat map has units to choose`, kinds.includes("core") && kinds.length > 1, kinds.join());
  await select(page, 11, 27);
  for (const [kind, scope] of [["core", "core"], ["CHA", "box"], ["memory channel (imc)", "box"]].filter(([k]) => kinds.includes(k))) {
    await page.selectOption("#heat-by", kind);
    const of = await page.$$eval("#heat-of option", (o) => o.map((e) => e.value));
    const said = await page.textContent("#heat-said"), rows = await page.$eval("#heat", (c) => c.height);
    const all = [...metricsOf(dump, 11, 27, scope)].filter(([k, v]) => k.startsWith(of[0] + "|" + scope) && v !== null).map(([, v]) => v);
    const [, least, most] = /least .* (\S+), most .* (-?\d\S*)(?: \D\S*)?$/.exec(said.replace(/\u2248\u202f/g, "")) || [];
    check(`${name}: ${kind}: the heat map says who stands out, of ${of[0]}`, rows >= all.length && all.length > 1 &&
      says({ text: least, decimals: -1 }, Math.min(...all)) && says({ text: most, decimals: -1 }, Math.max(...all)), [said, rows, all.length, Math.min(...all), Math.max(...all)].join());
  }
  await page.selectOption("#heat-by", "core");
  await page.keyboard.press("Escape");
}

// By tally metrics' own doubt: a metric that is n/a or lacks deltas from sample 17
// to 18 has a bar there, in each chart and picture, and no other has.
async function takeover({ page, dump, check, rowsOf }) {
  const scopes = await page.$$eval("#scope option", (o) => o.map((e) => e.value));
  let bars = 0, none = 0;
  await page.selectOption("#heading", "event");
  for (const scope of scopes) {
    const rests = new Set(rowsOf(dump, 17, 18, scope).filter((r) => r.value === null || r.left_out > 0).map((r) => r.metric));
    await page.selectOption("#scope", scope);
    await drawAll(page);
    const charts = await page.evaluate(() => {
      const d = JSON.parse(document.getElementById("data").textContent), i = d.last.indexOf(18);
      const times = (s) => new Float32Array(Uint8Array.from(atob(s), (c) => c.charCodeAt(0)).buffer);
      const from = times(d.from), to = times(d.to), x = ((from[i] + to[i]) / 2 - from[0]) / (to[to.length - 1] - from[0]) * 1000;
      return [...document.querySelectorAll("#list figure")].map((f) => ({ name: f.querySelector("b").textContent,
        words: f.querySelector(".doubted").textContent !== "",
        bar: [...f.querySelectorAll(".doubt")].some((r) => +r.getAttribute("x") <= x && x <= +r.getAttribute("x") + +r.getAttribute("width")) }));
    });
    const wrong = charts.filter((c) => c.bar !== rests.has(c.name) || (c.bar && !c.words));
    bars += charts.filter((c) => c.bar).length;
    none += charts.filter((c) => !c.bar).length;
    check(`recording: by ${scope}, the takeover is a bar in each chart that rests on it`, wrong.length === 0 && charts.length > 0,
      wrong.map((c) => c.name).join());
  }
  check("recording: charts of both kinds", bars > 10 && none > 10, `${bars} with, ${none} without`);
  await folded(page);
  await page.selectOption("#scope", scopes[0]);
  const rests = new Set(rowsOf(dump, 17, 18, "package").filter((r) => r.value === null || r.left_out > 0).map((r) => r.metric));
  const stills = await page.evaluate(() => {
    const d = JSON.parse(document.getElementById("data").textContent);
    return [...document.querySelectorAll("#glance figure[data-metrics], #stills figure[data-metrics]")].map((f) => ({ bar: f.querySelector(".doubt") !== null,
      name: f.dataset.metrics.split(" ")[0] }));
  });
  check("recording: and in the pictures", stills.length > 3 && stills.every((s) => s.bar === rests.has(s.name)) && stills.some((s) => s.bar) &&
    stills.some((s) => !s.bar), JSON.stringify(stills));
}

async function phases({ page, name, dump, check, rowsOf }) {
  const marks = await page.$$eval("#phases button", (all) => all.map((b) => b.textContent));
  check(`${name}: phases are bands with names`, marks.join() === "@0,@1,@2", marks.join());
  check(`${name}: and in each chart`, await page.evaluate(() => [...document.querySelectorAll("#list figure")].filter((f) => f.chart.drawn)
    .every((f) => f.querySelectorAll("svg .mark").length === 3 && f.querySelectorAll("svg .phase").length === 1 && f.querySelectorAll(".strip span").length === 3)));
  check(`${name}: and in the pictures`, await page.$$eval("#stills figure", (all) => all.length > 0 && all.every((f) =>
    f.querySelectorAll("svg .mark").length === 3 && f.querySelectorAll(".strip span").length === 3)));
  await page.click("#phases button:has-text('@1')");
  check(`${name}: a phase selects its samples`, (await page.textContent("#stretch")).includes("tally metrics -s 14:30."), await page.textContent("#stretch"));
  const said = rowsOf(dump, "@1", null, "package").find((r) => r.metric === "ipc" && r.where === "0").value;
  const shown = (await keyed(page)).find((f) => f.key === "ipc|package|0");
  check(`${name}: and its figures are those of -s @1`, shown && Math.abs(parseFloat(shown.text) - said) < 1e-3 * said, JSON.stringify([shown, said]));
  await page.click("#charts button:text-is(\"All\")");
}

// Fingers, as the browser's own input has them.
async function fingers({ browser, file, name, check }) {
  const context = await browser.newContext({ viewport: { width: 400, height: 800 }, hasTouch: true }), page = await context.newPage();
  await page.goto("file://" + file);
  await page.evaluate(() => document.querySelector("#list .plot").scrollIntoView({ block: "center" }));
  await page.waitForSelector("#list svg polyline", { state: "attached" });
  const cdp = await context.newCDPSession(page), box = await page.locator("#list .plot").first().boundingBox();
  const touch = (type, ...at) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints: at.map(([x, y], id) => ({ x: box.x + x * box.width, y, id })) });
  const axis = () => page.getAttribute("#axis", "aria-label"), stretch = () => page.textContent("#stretch");
  const y = box.y + box.height / 2, before = await axis();
  await touch("touchStart", [0.4, y]);
  await touch("touchStart", [0.4, y], [0.6, y]);
  for (const d of [0.03, 0.06, 0.1, 0.14, 0.2]) await touch("touchMove", [0.4 - d, y], [0.6 + d, y]);
  await touch("touchEnd");
  const nearer = await axis(), seconds = (s) => s.match(/[\d.]+/g).map(Number);
  const [a, b] = seconds(before), [c, d] = seconds(nearer);
  check(`${name}: two fingers zoom`, Math.abs((d - c) / (b - a) - 1 / 3) < 0.05, `${before}; ${nearer}`);
  check(`${name}: and select nothing`, await stretch() === "All samples.", await stretch());
  await touch("touchStart", [0.3, y], [0.5, y]);
  for (const p of [0.05, 0.1, 0.2, 0.3]) await touch("touchMove", [0.3 + p, y], [0.5 + p, y]);
  await touch("touchEnd");
  const [e, f] = seconds(await axis());
  check(`${name}: two fingers move the axis`, e < c - 0.1 * (d - c) && Math.abs((f - e) - (d - c)) < 0.05 * (d - c), `${nearer}; ${await axis()}`);
  await touch("touchStart", [0.2, y]);
  for (const p of [0.3, 0.4, 0.5, 0.6]) await touch("touchMove", [p, y]);
  await touch("touchEnd");
  check(`${name}: one finger selects`, (await stretch()).includes("tally metrics -s"), await stretch());
  await page.click("#charts button:text-is(\"All\")");
  await page.evaluate(() => document.querySelector("#list .plot").scrollIntoView({ block: "center" }));
  const top = () => page.evaluate(() => window.scrollY), at = await top();
  await touch("touchStart", [0.5, y]);
  for (const p of [20, 60, 120, 200]) { await touch("touchMove", [0.5, y - p]); await page.waitForTimeout(20); }
  await touch("touchEnd");
  await page.waitForFunction((y0) => window.scrollY > y0 + 50, at, { timeout: 60000 }).catch(() => {});
  check(`${name}: a finger up and down scrolls the page`, await top() > at + 50 && await stretch() === "All samples.", `${at} to ${await top()}; ${await stretch()}`);
  await context.close();
}

// A4, 18.5 cm between its margins.
async function paper({ page, name, check }) {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 700, height: 990 });
  await page.emulateMedia({ media: "print", colorScheme: "light" });
  await drawAll(page);
  const cut = await page.evaluate(() => [...document.querySelectorAll("body *")].filter((e) => e.getClientRects().length &&
    getComputedStyle(e).visibility !== "hidden" && !e.closest("svg") && e.getBoundingClientRect().right > window.innerWidth + 1)
    .map((e) => e.tagName + "." + e.className + "#" + e.id));
  check(`${name}: nothing is cut on paper`, cut.length === 0, [...new Set(cut)].slice(0, 5).join());
  check(`${name}: all charts are on paper`, await page.$$eval("#list figure", (all) => all.length > 0 && all.every((f) => f.querySelector("polyline, .area, .doubt"))));
  check(`${name}: what is folded is open on paper`, await page.$$eval("details", (all) => all.every((d) => d.open)));
  await folded(page);
  const pdf = await page.pdf({ format: "A4", path: process.env.SHOTS ? `${process.env.SHOTS}/${name}.pdf` : undefined });
  check(`${name}: it is printed`, pdf.length > 20000 && pdf.subarray(0, 5).toString() === "%PDF-", String(pdf.length));
  await page.emulateMedia({ media: "screen" });
  await page.setViewportSize(size);
}

module.exports = async (all) => {
  await eachOrder(all);
  await eachUnit(all);
  await stacked(all);
  await wallClock(all);
  await heatMap(all);
  if (all.name === "recording") await takeover(all);
  if (all.name === "skx-8160-2s") await phases(all);
  await fingers(all);
  await paper(all);
};
