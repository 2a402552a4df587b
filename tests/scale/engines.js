// tests/scale/engines.js - the rows of a Parquet file, by each engine: objects whose
// cells are null, text, or a number: whole ones are BigInt, times us since 1970.
const duckdb = require('@duckdb/node-api');
const pl = require('nodejs-polars');
const csv = require('./csv.js');

const duck = duckdb.DuckDBInstance.create(':memory:').then(i => i.connect());

async function byDuck(path) {
	const read = await (await duck).runAndReadAll(`SELECT * FROM '${path}'`);
	const plain = v => v !== null && typeof v === 'object' ? v.micros : v;

	return read.getRowObjects().map(r => {
		for (const k in r)
			r[k] = plain(r[k]);
		return r;
	});
}

// All of a frame as Polars writes it, which takes no time: to ask for the type of
// a column, or to cast one, takes milliseconds each.  What is no counter stays text.
function manyColumns(df) {
	const text = new Set(['time', 'host', 'job', 'seconds']);
	const [names, ...lines] = csv.cells(df.writeCSV().toString());

	return lines.map(l => Object.fromEntries(l.map((c, i) => [names[i],
		c === '' ? null : text.has(names[i]) ? c : BigInt(c)])));
}

async function byPolars(path) {
	const whole = t => /Int64/.test(String(t)) || /Datetime/.test(String(t));
	let df = pl.readParquet(path);
	if (df.columns.length > 100)
		return manyColumns(df);
	const types = df.schema;
	const names = df.columns.filter(c => whole(types[c]));

	// exact whatever their size
	df = df.withColumns(...df.columns.map(c => !whole(types[c]) ?
		pl.col(c) : /Datetime/.test(String(types[c])) ?
		pl.col(c).cast(pl.Int64).cast(pl.Utf8) :
		pl.col(c).cast(pl.Utf8)));
	return df.toRecords().map(r => {
		for (const k of names)
			r[k] = r[k] == null ? null : BigInt(r[k]);
		for (const k in r)
			r[k] = r[k] ?? null;
		return r;
	});
}

// an ES module, which NODE_PATH is nothing to
async function byHyparquet(path) {
	const { parquetReadObjects, asyncBufferFromFile } =
		await import(`${process.env.NODE_PATH}/hyparquet/src/node.js`);
	const file = await asyncBufferFromFile(path);
	const rows = await parquetReadObjects({ file });

	for (const r of rows)
		for (const k in r)
			r[k] = r[k] == null ? null : r[k] instanceof Date ?
				BigInt(r[k].getTime()) * 1000n : r[k];
	return rows;
}

module.exports = { duck, engines: { DuckDB: byDuck, Polars: byPolars,
	hyparquet: byHyparquet } };
