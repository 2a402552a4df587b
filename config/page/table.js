// Tables of class "sorts": a column's heading sorts by it, words leave out rows
// that have none of them.

function sortTable(table, n) {
  const head = table.tHead.rows[0].cells[n], up = head.getAttribute("aria-sort") === "descending" || !head.hasAttribute("aria-sort") && !head.classList.contains("n");
  const key = (row) => { const c = row.cells[n]; return c.dataset.v !== undefined ? +c.dataset.v : head.classList.contains("n") ? (c.textContent === "" ? NaN : +c.textContent) : c.textContent; };
  const rows = [...table.tBodies[0].rows].map((row) => [key(row), row]);
  rows.sort(([a], [b]) => typeof a === "string" ? (up ? 1 : -1) * a.localeCompare(b) :       // what has no number comes last
    Number.isNaN(a) || Number.isNaN(b) ? Number.isNaN(a) - Number.isNaN(b) : up ? a - b : b - a);
  table.tBodies[0].append(...rows.map(([, row]) => row));
  for (const c of table.tHead.rows[0].cells) c.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
}

function filterTable(table, input, count) {
  const want = input.value.toLowerCase().split(" ").filter((w) => w);
  let shown = 0;
  for (const row of table.tBodies[0].rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !want.every((w) => w[0] === "-" && w[1] ? !text.includes(w.slice(1)) : text.includes(w));
    shown += !row.hidden;
  }
  count.textContent = `${shown} of ${table.tBodies[0].rows.length} rows`;
}

for (const table of document.querySelectorAll("table.sorts")) {
  [...table.tHead.rows[0].cells].forEach((head, n) =>
    head.replaceChildren(make("button", { type: "button", title: "sort by it; again: the other way", onclick: () => sortTable(table, n) }, head.textContent)));
  const id = "of-" + table.id, count = make("span", { className: "soft", role: "status" });
  const input = make("input", { id, type: "search", size: 24, oninput: () => filterTable(table, input, count) });
  table.parentNode.before(make("div", { className: "bar" }, make("label", { htmlFor: id }, "Rows with"), input,
    make("span", { className: "soft" }, "(-word: without it)"), count));
  filterTable(table, input, count);
}
