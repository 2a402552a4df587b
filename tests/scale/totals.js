// tests/scale/totals.js SUMS.csv NAME.totals.csv... - lines DUMP,COLUMN,SUM, against
// what tally totals has: all that it has no doubt of.
const fs = require('fs');
const csv = require('./csv.js');

const [sums, ...files] = process.argv.slice(2);
fs.writeFileSync('sums.csv', 'dump,column,sum\r\n' +
	fs.readFileSync(sums, 'utf8'));
const of = new Map(csv.rows('sums.csv').map(r => [`${r.dump} ${r.column}`,
	r.sum]));
let n = 0;

for (const f of files) {
	const dump = f.replace(/^.*\//, '').replace(/\.totals\.csv$/, '');
	const doubtful = new Set(csv.rows(`${dump}.deltas.csv`).filter(r =>
		['foreign', 'stopped', 'beyond'].includes(r.kind)).map(r =>
		r.column));

	for (const r of csv.rows(f)) {
		if (doubtful.has(r.column))
			continue;
		// where no interval could be counted, nothing is there to add
		const total = r.total === '' ? '0' : r.total;

		if (of.get(`${dump} ${r.column}`) !== total) {
			console.error(`${dump}: ${r.column} is ` +
				`${of.get(`${dump} ${r.column}`)}, not ${total}`);
			process.exit(1);
		}
		n++;
	}
}
console.log(`Dask: ${n} totals`);
process.exit(n > 0 ? 0 : 1);
