// Pages of many nodes, one file and a folder (tests/page/run.sh makes both): who
// stands out comes first, tables sort, and a click on a node is its page.
"use strict";
const path = require("path");

// A page of the browser that notes what it says and asks for.
async function opened(browser, file) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.said = [];
  page.asked = [];
  page.on("console", (m) => page.said.push(m.text()));
  page.on("pageerror", (e) => page.said.push(String(e)));
  page.on("request", (r) => page.asked.push(r.url()));
  await page.goto("file://" + path.resolve(file));
  return page;
}

async function quiet(check, page, name, files) {
  check(`${name}: no message on the console`, page.said.length === 0, page.said.join("; "));
  check(`${name}: no request`, page.asked.length === files && page.asked.every((u) => u.startsWith("file:") && u.endsWith(".html")), page.asked.join(" "));
}

async function shapes({ check, accessible }, page, name) {
  await accessible(page, name);
  await page.emulateMedia({ colorScheme: "dark" });
  await accessible(page, name + ", dark");
  for (const width of [400, 1280, 2560]) {
    await page.emulateMedia({ colorScheme: width === 1280 ? "dark" : "light" });
    await page.setViewportSize({ width, height: 900 });
    check(`${name}: nothing sticks out at ${width}`, await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}.png`, fullPage: width !== 400 });
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

const column = (page, table, n) => page.$$eval(`#${table} tbody tr`, (rows, k) => rows.filter((r) => !r.hidden).map((r) => r.cells[k].textContent), n);

async function many(page, name, check) {
  const names = await column(page, "nodes", 1), far = await column(page, "nodes", 2);
  check(`${name}: who stands out is first`, names[0] === "n3" && +far[0] > 3.5, names + " " + far);
  check(`${name}: a node alone of its CPU is compared with none`, names.slice(-2).sort().join() === "grace01,rangeley" && far[far.length - 1] === "n/a");
  check(`${name}: what is not read is said`, (await page.textContent("#differ")).includes("empty.lua"));
  await page.click("#nodes thead th:nth-child(2) button");
  check(`${name}: a heading sorts`, (await column(page, "nodes", 1)).join() === names.slice().sort().join());
  await page.fill("#of-metrics", "dram_read");
  check(`${name}: words leave out rows`, (await column(page, "metrics", 0)).includes("dram_read") && (await column(page, "metrics", 0)).length < 10);
  await page.fill("#of-metrics", "");
  await page.selectOption("#heat-of", { label: "dram_read" });
  await page.selectOption("#align", "start");
  await page.focus("#plots");
  await page.keyboard.press("ArrowDown");
  check(`${name}: a cell is told`, /^n3, 0.0 s: /.test(await page.textContent("#heat-at")), await page.textContent("#heat-at"));
  await page.keyboard.press("ArrowDown");
  check(`${name}: keys go to the next node`, (await page.textContent("#heat-at")).startsWith(names[1] + ", "));
  const lit = await page.$eval("#heat", (c) => c.getContext("2d").getImageData(0, 0, c.width, c.height).data.filter((v, i) => i % 4 === 3 && v === 255).length / c.width / c.height);
  check(`${name}: the map is painted`, lit > 0.5, String(lit));
}

async function clicked(page, what) {
  const box = await page.locator("#heat").boundingBox();
  if (what === "map") await page.mouse.click(box.x + 30, box.y + 2);
  else await page.click("#nodes tbody a:has-text('n3')");
}

module.exports = async (browser, folder, tools) => {
  const { check } = tools;
  let page = await opened(browser, folder + "/run.html");
  await shapes(tools, page, "nodes");
  await many(page, "nodes", check);
  for (const what of ["table", "map"]) {
    await page.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = false; }));
    await page.locator("#heat").scrollIntoViewIfNeeded();
    await clicked(page, what);
    const inner = page.frameLocator("details[open] iframe");
    await inner.locator("#list svg").first().waitFor();
    check(`nodes: a click in the ${what} opens the node's page`, await inner.locator("h1").textContent() === "n3");
    await page.evaluate(() => { location.hash = ""; });
  }
  await quiet(check, page, "nodes", 1);
  await page.close();

  page = await opened(browser, folder + "/out/index.html");
  await many(page, "folder", check);
  for (const what of ["table", "map"]) {
    await clicked(page, what);
    await page.waitForSelector("#list svg");
    check(`folder: a click in the ${what} is the node's page`, await page.textContent("h1") === "n3" && page.url().endsWith("/out/n3.html"));
    await page.goBack();
    await page.waitForSelector("#heat");
  }
  await quiet(check, page, "folder", 5);
  await page.close();

  page = await opened(browser, folder + "/diff.html");
  await shapes(tools, page, "diff");
  check("diff: the sides are said first", (await page.$$eval("main > *", (all) => all[0].textContent)).startsWith("A: n1: "));
  await page.fill("#of-diff", "package -same");
  const verdicts = await column(page, "diff", 8), scopes = await column(page, "diff", 1), metrics = await column(page, "diff", 0);
  check("diff: words leave out rows", verdicts.length > 10 && !verdicts.includes("same") && scopes.every((s, i) => s === "package" || metrics[i].includes("package")), verdicts.length + " " + [...new Set(scopes)]);
  await page.click("#diff thead th:nth-child(7) button");
  const change = (await column(page, "diff", 6)).map(Number), numbers = change.filter((v) => !Number.isNaN(v));
  check("diff: a column of numbers sorts by them", numbers.every((v, i) => i === 0 || v <= numbers[i - 1]) && !change.slice(0, numbers.length).includes(NaN), change.slice(0, 5).join());
  await quiet(check, page, "diff", 1);
  await page.close();

  const context = await browser.newContext({ javaScriptEnabled: false });
  page = await context.newPage();
  await page.goto("file://" + path.resolve(folder, "run.html"));
  check("nodes: pictures and tables without scripts", await page.locator("#stills svg").isVisible() && await page.locator("#nodes").isVisible());
  await page.locator("details.node summary").first().click();
  check("nodes: a node's page without scripts", await page.frameLocator("details[open] iframe").locator("#figures").isVisible());
  await context.close();
};
