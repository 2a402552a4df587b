// What tests/page/run.sh looks at in each page: no message on the console, no
// request, nothing that axe-core finds inaccessible, in light and dark; the
// figures of three stretches are those of `tally metrics -s`; zoom and keys work.
"use strict";
const { chromium } = require("playwright-core");
const { execFileSync } = require("child_process");
const platform = require("./platform.js");
const lines = require("./lines.js");
const path = require("path"), axe = require("axe-core").source;
const histogram = require("./histogram.js"), roofline = require("./roofline.js");

let failed = 0, passed = 0;
function check(what, good, more = "") {
  if (good) passed++;
  else { failed++; console.log("FAIL  " + what + " " + more); }
}

// What tally metrics has, a row each; of all samples, a range, or a phase (@1).
function rowsOf(dump, first, last, scopes, more = []) {
  const args = ["metrics", "-f", "json", "-S", scopes, ...more];
  if (first !== null) args.push("-s", last === null ? first : `${first}:${last}`);
  return JSON.parse(execFileSync(process.env.TALLY, [...args, dump], { stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 28 })).tables[0].rows;
}
// The same: metric, scope and where to value.
const metricsOf = (dump, first, last, scopes = "node,package", more = []) =>
  new Map(rowsOf(dump, first, last, scopes, more).map((r) => [`${r.metric}|${r.scope}|${r.where}`, r.value]));

// The figures in the document, each with the metric and the window it is of.
const figures = () => {
  const d = JSON.parse(document.getElementById("data").textContent);
  return [...document.querySelectorAll("#figures td[data-line]")].map((c) => {
    const l = d.lines[+c.dataset.line], m = d.metrics[l.m];
    return { key: `${m.name}|${l.s}|${l.w}`, text: c.childNodes[0].textContent, decimals: +c.dataset.decimals, guess: m.guess || (l.d ? 1 : 0) };
  });
};

// Does a text say this value?  The last digit of either may be rounded; what
// the page says is an estimate need only be near.
function says(f, v) {
  if (v === null || v === undefined) return f.text === "n/a" || (v === null && f.guess === 1 && f.text.startsWith("\u2248"));
  if (f.text.startsWith("\u2248")) return f.guess === 1;
  const last = f.decimals >= 0 ? Math.pow(10, -f.decimals) : Math.abs(v) * 1e-3;
  return Math.abs(parseFloat(f.text) - v) <= 0.5001 * last + 6e-5 * Math.max(1, Math.abs(v)) && f.text !== "n/a";
}

async function compare(page, name, dump, first, last) {
  const want = metricsOf(dump, first, last), all = await page.evaluate(figures);
  const wrong = all.filter((f) => !says(f, want.get(f.key)));
  const exact = all.filter((f) => !f.text.startsWith("\u2248") && f.text !== "n/a").length;
  check(`${name}: figures of ${first}:${last} are those of tally metrics`, wrong.length === 0 && exact > 5,
    `${exact} exact of ${all.length}; ` + wrong.slice(0, 6).map((f) => `${f.key} ${f.text} not ${want.get(f.key)}`).join("; "));
}

async function accessible(page, name) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run());
  check(`${name}: accessible`, found.violations.length === 0,
    found.violations.map((v) => `${v.id}: ${v.nodes.length}, ${v.nodes[0].html.slice(0, 120)}: ${v.nodes[0].failureSummary}`).join("\n"));
}

async function look(browser, file) {
  const name = path.basename(file, ".html"), dump = file.replace(/html$/, "lua");
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const said = [], asked = [];
  page.on("console", (m) => said.push(m.text()));
  page.on("pageerror", (e) => said.push(String(e)));
  page.on("request", (r) => asked.push(r.url()));
  await page.goto("file://" + path.resolve(file));
  await page.waitForSelector("#list svg");
  await compare(page, name, dump, null, null);
  await platform.compare(page, name, dump, null, check);
  const drawing = await page.locator("#platform").innerHTML();
  for (const [a, b] of [[2, 9], [0, 1], [0, 18], [11, 27]]) {
    await page.fill("#first", String(a));
    await page.fill("#last", String(b));
    await page.click("button:text-is('Select')");
    check(`${name}: the stretch is said`, (await page.textContent("#stretch")).includes(`tally metrics -s ${a}:${b}.`));
    await compare(page, name, dump, a, b);
    await platform.compare(page, name, dump, [a, b], check);
  }
  const axis = () => page.textContent("#axis"), before = await axis();
  await page.focus("#plots");
  await page.keyboard.press("+");
  const nearer = await axis();
  await page.keyboard.press("ArrowRight");
  check(`${name}: keys zoom and pan`, nearer !== before && await axis() !== nearer);
  await page.keyboard.press("Home");
  check(`${name}: Home shows all`, await axis() === before);
  await page.keyboard.press("Escape");
  check(`${name}: Escape selects nothing`, await page.textContent("#stretch") === "All samples." &&
    await page.locator("#platform").innerHTML() === drawing);
  await page.locator("#list svg").first().evaluate((e) => e.scrollIntoView({ block: "center" }));
  const box = await page.locator("#list svg").first().boundingBox();
  await page.mouse.move(box.x + box.width * 0.25, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 20, { steps: 4 });
  await page.mouse.up();
  const drawn = (await page.textContent("#stretch")).match(/-s (\d+):(\d+)/);
  check(`${name}: a drag selects`, drawn !== null);
  if (drawn) await compare(page, name, dump, +drawn[1], +drawn[2]);
  await histogram.stretches(page, name, dump, check);
  await roofline.stretches(page, name, dump, check);
  await accessible(page, name);
  await page.emulateMedia({ colorScheme: "dark" });
  await accessible(page, name + ", dark");
  await page.emulateMedia({ colorScheme: "light" });
  await lines({ browser, page, file: path.resolve(file), name, dump, check, says, metricsOf, rowsOf });
  if (process.env.SHOTS)
    for (const width of [400, 1280, 2560]) {
      await page.emulateMedia({ colorScheme: width === 1280 ? "dark" : "light" });
      await page.setViewportSize({ width, height: 1200 });
      await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}.png`, fullPage: width !== 400 });
    }
  await platform.reading(page, name, check);
  await platform.widths(page, name, check);
  for (const width of [400, 600, 720, 900, 1280, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    check(`${name}: nothing sticks out at ${width}`, await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    const out = await page.evaluate(() => [...document.querySelectorAll("body *")].filter((e) => e.getClientRects().length && !e.closest("details:not([open])") &&
      getComputedStyle(e).visibility !== "hidden" && e.getBoundingClientRect().right > window.innerWidth + 1).map((e) => e.tagName + "#" + e.id + ": " + e.textContent.slice(0, 30)));
    check(`${name}: all can be seen at ${width}`, out.length === 0, out.slice(0, 5).join("; "));
  }
  await firstScreen(page, name);
  check(`${name}: no message on the console`, said.length === 0, said.join("; "));
  check(`${name}: no request`, asked.every((u) => u.startsWith("file:") && u.endsWith(".html")) && asked.length === 1, asked.join(" "));
  await page.close();
}

// At 1280 x 800: what was found, then six timelines beside the drawing; each legend
// has the report's figure.
async function firstScreen(page, name) {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.click("#charts button:text-is(\"All\")");
  const at = await page.evaluate(() => {
    window.scrollTo(0, 0);
    const d = JSON.parse(document.getElementById("data").textContent), box = (s) => document.querySelector(s).getBoundingClientRect();
    const six = [...document.querySelectorAll("#glance > figure:not([hidden])")];
    return { findings: box("#findings").bottom, platform: box("#platform").top, glance: box("#glance").bottom, six: six.length, drawn: six.filter((f) => f.querySelector(".plot")).length,
      ticks: six.every((f) => !f.querySelector(".plot") || f.querySelectorAll(".y").length > 1),
      legends: six.flatMap((f) => [...f.querySelectorAll(".key b")].map((b) => [b.textContent.replace(/[*!]$/, ""), d.lines[+b.dataset.line].f])),
      wide: six.filter((f) => [...f.querySelectorAll(".key span")].some((e) => e.getBoundingClientRect().right > window.innerWidth)).length };
  });
  check(`${name}: findings are above the drawing, and six timelines in the first screen`, at.findings <= at.platform && at.six === 6 && at.glance <= 800 && at.drawn >= 2, JSON.stringify(at));
  check(`${name}: timelines have values beside their axes, and legends that fit`, at.ticks && at.wide === 0, JSON.stringify(at));
  const wrong = at.legends.filter(([text, f]) => f === null ? text !== "n/a" : !(Math.abs(parseFloat(text) - f) <= 5.1e-4 * Math.abs(f) + 1e-9));
  check(`${name}: legends have the report's figures`, at.legends.length > 1 && wrong.length === 0, JSON.stringify(wrong));
}

// Where event sets take turns, a stretch is of whole rounds: what is said of it.
async function rounds(browser, file) {
  const page = await browser.newPage(), said = [];
  page.on("console", (m) => said.push(m.text()));
  page.on("pageerror", (e) => said.push(String(e)));
  await page.goto("file://" + path.resolve(file + ".html"));
  await page.waitForSelector("#list svg");
  await histogram.stretches(page, "flops-skx", file + ".lua", check);
  await roofline.stretches(page, "flops-skx", file + ".lua", check);
  check("flops-skx: no message on the console", said.length === 0, said.join("; "));
  await page.close();
}

async function withoutScripts(browser, file) {
  const context = await browser.newContext({ javaScriptEnabled: false }), page = await context.newPage();
  await page.goto("file://" + path.resolve(file));
  check(path.basename(file) + ": still pictures without scripts", await page.locator("#stills svg").first().isVisible() &&
    await page.locator("#figures").isVisible() &&
    await page.locator("#platform .cell").first().isVisible());
  await context.close();
}

// A step may take as long as it takes: no test depends on the machine's speed.
const PATIENCE = 600000;        // ms
async function launch() {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"], timeout: PATIENCE });
  for (const how of ["newPage", "newContext"]) {
    const made = browser[how].bind(browser);
    browser[how] = async (options) => { const it = await made(options); it.setDefaultTimeout(PATIENCE); return it; };
  }
  return browser;
}

(async () => {
  const browser = await launch();
  for (const file of process.argv.slice(2)) {
    await look(browser, file);
    await withoutScripts(browser, file);
  }
  await require("./nodes.js")(browser, path.dirname(process.argv[2]) + "/many", { check, accessible });
  await histogram.levels(browser, path.dirname(process.argv[2]), check);
  await require("./every.js")(browser, path.dirname(process.argv[2]) + "/rounds/every", { check, metricsOf, figures, says });
  await rounds(browser, path.dirname(process.argv[2]) + "/rounds/flops-skx");
  await browser.close();
  console.log(`check-page: ${passed} passed, ${failed} failed`);
  process.exit(failed > 0 ? 1 : 0);
})();
