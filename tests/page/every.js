// A page with --all: each sample is a point of some metrics, and what is said of any
// stretch of them is exact; of the others it is a mean of coarser points.
"use strict";

module.exports = async (browser, file, { check, metricsOf, figures, says }) => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } }), said = [];
  page.on("console", (m) => said.push(m.text()));
  page.on("pageerror", (e) => said.push(String(e)));
  await page.goto("file://" + require("path").resolve(file + ".html"));
  await page.waitForSelector("#list svg");
  for (const [first, last] of [[2, 9], [11, 27], [12, 13]]) {
    await page.fill("#first", String(first));
    await page.fill("#last", String(last));
    await page.click("button:text-is('Select')");
    const want = metricsOf(file + ".lua", first, last), all = await page.evaluate(figures);
    const every = all.filter((f) => /^(ipc|dram_read)[|]/.test(f.key));
    const wrong = every.filter((f) => f.text.startsWith("\u2248") || !says(f, want.get(f.key)));
    check(`every: ${first}:${last} of what each sample is a point of`, every.length >= 3 && wrong.length === 0,
      `${every.length}; ` + wrong.map((f) => `${f.key} ${f.text} not ${want.get(f.key)}`).join("; "));
    const power = all.find((f) => f.key === "package_power|node|" || f.key === "package_power|package|0");
    check(`every: ${first}:${last} of others is near`, power !== undefined && power.text.startsWith("\u2248"), power && power.text);
  }
  check("every: no message on the console", said.length === 0, said.join("; "));
  await page.close();
};
