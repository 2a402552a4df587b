// tests/scale/csv.js - rows of a CSV file, as objects by its first line.
const fs = require('fs');

// RFC 4180, as tally writes it
function rows(path) {
	const text = fs.readFileSync(path, 'utf8'), all = [];
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
	const head = all.shift().map(c => c.replace(/ \(.*\)$/, ''));
	return all.map(r => Object.fromEntries(head.map((h, i) => [h, r[i]])));
}
module.exports = { rows };
