// Rooflines of a page (config/page/roofline.js): what stands beside a picture is
// what tally metrics has of the same stretch, and its points are those of it.
"use strict";
const { execFileSync } = require("child_process");

function metricsOf(dump, stretch) {
  const words = ["metrics", "-f", "json", "-S", "node,package", ...(stretch ? ["-s", stretch.join(":")] : []), dump];
  const out = JSON.parse(execFileSync(process.env.TALLY, words, { stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 28 }));
  return (metric, where) => {
    const row = out.tables[0].rows.find((r) => r.metric === metric && (r.scope + " " + r.where).trim() === where);
    return row ? row.value : null;
  };
}

// What a cell says, four digits; an estimate need only be near.  Of a part of a
// round of event sets tally metrics has nothing, and the page what the round had.
function says(text, value) {
  const near = text.startsWith("\u2248");
  if (value === null) return text === "n/a" || near;
  const v = parseFloat(text.replace(/^\u2248\s*/, ""));
  return Math.abs(v - value) <= (near ? 0.05 : 6e-4) * Math.abs(value) + 1e-4;
}

async function stretches(page, name, dump, check) {
  const roofs = await page.locator(".roofline").count();
  if (/^roofline|^flops|^grace/.test(name)) check(`${name}: a roofline of the node and each package`, roofs >= 1);
  if (!roofs) {
    check(`${name}: a line says why there is no roofline`, (await page.textContent("section[aria-labelledby=h-roof]")).includes("No roofline:"));
    return;
  }
  for (let i = 0; i < roofs; i++) {
    if (roofs > 1) await page.selectOption("#roof-of", String(i));
    const roof = page.locator(".roofline").nth(i), where = await roof.getAttribute("data-name");
    check(`${name}: one roofline at a time`, await page.locator(".roofline:visible").count() === 1 && await roof.isVisible());
    for (const stretch of [null, [2, 9], [11, 27], [12, 13]]) {
      if (stretch) {
        await page.fill("#first", String(stretch[0]));
        await page.fill("#last", String(stretch[1]));
        await page.click("button:text-is('Select')");
      } else {
        await page.click("button:text-is('All')");
      }
      const cells = await roof.locator(".chosen tbody tr").last().locator("th, td").allTextContents();
      const of = stretch && cells[0].match(/Samples (\d+) to (\d+)/).slice(1).map(Number), value = metricsOf(dump, of);
      check(`${name}: roofline of ${where}, ${of || "all"}`, (stretch !== null) === cells[0].startsWith("Samples") &&
        says(cells[1], value("arithmetic_intensity", where)) && says(cells[2], value("flops", where)),
        `${cells.join(" | ")} not ${value("arithmetic_intensity", where)}, ${value("flops", where)}`);
      const astray = await roof.locator("circle").evaluateAll((all, of) => {
        const d = JSON.parse(document.getElementById("data").textContent);
        return all.filter((c) => c.classList.contains("out") !==
          (of !== null && (d.first[+c.dataset.b] < of[0] || d.last[+c.dataset.b] > of[1]))).length;
      }, of);
      check(`${name}: points of other times step back`, astray === 0);
    }
  }
  await page.click("button:text-is('All')");
}

module.exports = { stretches };
