// Histograms of a page (config/page/histogram.js): they are those that the
// command beside them prints, of whatever stretch; sliders move the shares.
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs"), path = require("path");

const run = (words) => execFileSync(process.env.TALLY, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 28 });

// What is on the page, and what the command that it names prints.
async function shown(page) {
  return page.evaluate(() => ({
    shares: ["low", "medium", "high"].map((l) => document.getElementById("share-" + l).textContent.replace(" %", "")),
    bins: [...document.querySelectorAll("#levels-rows tr")].map((r) => [4, 5].map((i) => r.cells[i].textContent.replace(" %", "")).join(" ")),
    command: document.getElementById("levels-command").textContent,
  }));
}
function printed(command, dump) {
  const text = run([...command.split(" ").slice(1), dump]), levels = text.match(/Low (\S+) %; Medium (\S+) %; High (\S+) %/);
  return { shares: levels ? levels.slice(1) : ["n/a", "n/a", "n/a"],
    bins: [...text.matchAll(/ to +\S+ +(\S+) % (\w+)/g)].map((m) => `${m[1]} ${m[2]}`) };
}

// Shares are of two digits, and seconds of the page of 24 bits.
const near = (a, b) => a === b || Math.abs(parseFloat(a) - parseFloat(b)) <= 0.0101;
function same(page, tool) {
  return page.shares.every((s, i) => near(s, tool.shares[i])) && (tool.bins.length === 0 || page.bins.length === tool.bins.length &&
    page.bins.every((b, i) => near(b, tool.bins[i]) && b.split(" ")[1] === tool.bins[i].split(" ")[1]));
}

async function select(page, stretch) {
  if (stretch) {
    await page.fill("#first", String(stretch[0]));
    await page.fill("#last", String(stretch[1]));
  }
  await page.click(stretch ? "button:text-is('Select')" : "button:text-is('All')");
}

// Of every simulated machine: some of its histograms, whole and of stretches.
async function stretches(page, name, dump, check) {
  const n = await page.locator("#levels-of option").count();
  for (let i = 0; i < n; i += Math.max(1, Math.floor(n / 3))) {
    await page.selectOption("#levels-of", String(i));
    for (const stretch of [null, [2, 9], [11, 27]]) {
      await select(page, stretch);
      const p = await shown(page), t = printed(p.command, dump);
      check(`${name}: histogram is that of ${p.command}`, same(p, t), `${JSON.stringify(p)} not ${JSON.stringify(t)}`);
    }
  }
  await select(page, null);
  await page.keyboard.press("Escape");
}

// One by hand: GB/s of twelve seconds.
const GB_S = [1, 1, 1, 1, 2, 3, 4, 5, 6, 9, 9, 12];
function twelve() {
  let text = 'host = "n"\nmodel = "skx"\nTSC_ratio = 10\npackages = 1\n', lines = 0;
  for (let i = 0; i <= GB_S.length; i++) {
    text += `tsc[${i}] = ${10 + i}000000000\nwalltime[0][${i}] = ${1000 + i}\nwalltime[1][${i}] = 0\n` +
      `imc_counts[0][0]["CAS_COUNT.RD"][${i}] = ${lines}\nimc_counts[0][0]["CAS_COUNT.WR"][${i}] = 0\n`;
    lines += GB_S[i] * 15625000;
  }
  return text;
}

async function levels(browser, directory, check) {
  const dump = path.join(directory, "by-hand", "twelve.lua"), file = path.join(directory, "by-hand", "twelve.html");
  fs.mkdirSync(path.dirname(dump), { recursive: true });
  fs.writeFileSync(dump, twelve());
  run(["page", "--overwrite", "-o", file, dump]);
  const page = await browser.newPage();
  await page.goto("file://" + path.resolve(file));
  await page.waitForSelector("#levels-rows tr", { state: "attached" });
  const are = async (what, low, medium, high) => {
    const p = await shown(page), t = printed(p.command, dump);
    check("histogram: " + what, p.shares.join() === [low, medium, high].join() && same(p, t), `${p.shares} not ${[low, medium, high]}, ${p.command}: ${t.shares}`);
  };
  await are("thirds", "50.00", "25.00", "25.00");
  // steps of a third of 12 in 100: from 4 down to 1, which is not below 1
  await page.locator("#level-low").fill("25");
  await are("Low below 1", "0.00", "75.00", "25.00");
  check("histogram: a slider says what it is at", await page.getAttribute("#level-low", "aria-valuetext") === "1 GB/s");
  await page.locator("#level-high").fill("225");
  await are("High from 9", "0.00", "75.00", "25.00");
  await page.focus("#level-high");
  await page.keyboard.press("ArrowRight");
  await are("High from 9.04, by a key", "0.00", "91.67", "8.33");
  await page.keyboard.press("Home");
  check("histogram: neither passes the other", await page.inputValue("#level-low") === "0");
  await are("all is High", "0.00", "0.00", "100.00");
  await page.click("button:text-is('Thirds')");
  await are("thirds again", "50.00", "25.00", "25.00");
  // 2, 3, 4 and 5, by thirds of what all of it has at most
  await select(page, [4, 8]);
  await are("of a stretch", "50.00", "50.00", "0.00");
  await select(page, [11, 12]);
  await are("of one second", "0.00", "0.00", "100.00");
  await page.close();
}

module.exports = { stretches, levels };
