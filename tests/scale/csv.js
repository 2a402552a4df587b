// tests/scale/csv.js - rows of a CSV file, as objects by its first line, or the
// cells of a text's lines.
const fs = require('fs');

// RFC 4180, as tally writes it; lines may end in LF alone
function cells(text) {
	const all = [];
	let row = [], at = 0;

	while (at < text.length) {
		let cell = '';

		if (text[at] === '"') {
			for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
				at += text[at] === '"';
				cell += text[at];
			}
			at++;
		} else {
			let end = at;
			while (!",\r\n".includes(text[end]))
				end++;
			cell = text.slice(at, end);
			at = end;
		}
		row.push(cell);
		if (text[at] === ',') {
			at++;
			continue;
		}
		at += text[at] === '\r' ? 2 : 1;
		all.push(row);
		row = [];
	}
	return all;
}

function rows(path) {
	const all = cells(fs.readFileSync(path, 'utf8'));
	const head = all.shift().map(c => c.replace(/ \(.*\)$/, ''));
	return all.map(r => Object.fromEntries(head.map((h, i) => [h, r[i]])));
}
module.exports = { cells, rows };
