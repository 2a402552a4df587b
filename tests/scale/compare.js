// tests/scale/compare.js DUMP... - is what engines read from NAME.wide.parquet,
// NAME.long.parquet and NAME.metrics.parquet what NAME.deltas.csv and
// NAME.metrics.csv have?  All values; exits with 1 at the first file that differs.
const csv = require('./csv.js');
const { engines } = require('./engines.js');

const doubted = new Set(['foreign', 'stopped', 'beyond']);
let compared = 0;

function differ(file, engine, what) {
	throw new Error(`${file} by ${engine}: ${what}`);
}

function is(file, engine, what, is, should) {
	compared++;
	if (is !== should)
		differ(file, engine, `${what} is ${is}, not ${should}`);
}

const wanted = r => r.delta === '' || doubted.has(r.kind) ? null :
	BigInt(r.delta);

function wide(file, engine, rows, deltas) {
	const of = new Map(rows.map(r => [String(r.sample), r]));
	const had = new Set();

	for (const r of deltas) {
		const row = of.get(r.sample);

		if (row === undefined || !(r.column in row))
			differ(file, engine, `no ${r.column} of ${r.sample}`);
		is(file, engine, `${r.column} of sample ${r.sample}`,
			row[r.column], wanted(r));
		had.add(`${r.column} ${r.sample}`);
	}
	// and nothing that tally deltas has not, but readings
	const counters = new Set(deltas.map(r => r.column));
	for (const row of rows)
		for (const c of counters)
			if (row[c] != null && !had.has(`${c} ${row.sample}`))
				differ(file, engine, `${c} of ${row.sample}: ` +
					`${row[c]}, which tally deltas has not`);
}

// the dump's name of a row's column
function nameOf(r) {
	const index = ['package', 'box', 'lproc', 'index3', 'index4'].map(k =>
		r[k] == null ? '' : `[${r[k]}]`).join('');
	const label = t => t == null ? '' :
		`["${t.replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"]`;

	return r.family + (r.odd != null ? r.odd : label(r.lprocs) + index +
		label(r.event));
}

function long(file, engine, rows, deltas) {
	const of = new Map(rows.map(r => [`${nameOf(r)} ${r.sample}`, r]));
	let counters = 0;

	for (const r of deltas) {
		const row = of.get(`${r.column} ${r.sample}`), what =
			`${r.column} of sample ${r.sample}`;

		if (row === undefined)
			differ(file, engine, `no ${what}`);
		is(file, engine, what, row.large ?? row.value, wanted(r));
		is(file, engine, `kind of ${what}`, row.kind, r.kind);
		is(file, engine, `unit of ${what}`, row.unit ?? '', r.unit);
		if (row.value !== null && Math.abs(row.share - r.share) > 6e-7)
			differ(file, engine, `share of ${what}`);
	}
	// readings, those that are absent, and what was not due are no deltas
	const names = new Set(deltas.map(r => r.column));
	for (const r of rows)
		counters += r.kind !== 'reading' && r.kind !== 'not due' &&
			(r.kind !== 'absent' || names.has(nameOf(r)));
	is(file, engine, 'number of counts', counters, deltas.length);
}

function metrics(file, engine, rows, series) {
	is(file, engine, 'number of rows', rows.length, series.length);
	series.forEach((r, i) => {
		for (const k of ['node', 'metric', 'scope', 'where', 'unit', 'note'])
			is(file, engine, `${k} of row ${i}`, rows[i][k], r[k]);
		for (const k of ['sample', 'left_out'])
			is(file, engine, `${k} of row ${i}`, rows[i][k],
				r[k] === '' ? null : BigInt(r[k]));
		for (const k of ['at', 'seconds', 'value'])
			is(file, engine, `${k} of row ${i}`, rows[i][k],
				r[k] === '' ? null : Number(r[k]));
	});
}

async function main() {
	for (const dump of process.argv.slice(2)) {
		const name = dump.replace(/\.lua$/, '');
		const deltas = csv.rows(`${name}.deltas.csv`);
		const series = csv.rows(`${name}.metrics.csv`);

		for (const engine in engines) {
			const read = engines[engine];

			wide(`${name}.wide.parquet`, engine,
				await read(`${name}.wide.parquet`), deltas);
			long(`${name}.long.parquet`, engine,
				await read(`${name}.long.parquet`), deltas);
			metrics(`${name}.metrics.parquet`, engine,
				await read(`${name}.metrics.parquet`), series);
		}
		console.log(`${name}: ${deltas.length} deltas, ${series.length} ` +
			`values of metrics, as ${Object.keys(engines).join(', ')} read them`);
	}
	if (compared === 0)
		throw new Error('nothing was compared');
}

main().catch(e => {
	console.error(e.message);
	process.exit(1);
});
