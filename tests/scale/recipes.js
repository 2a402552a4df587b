// tests/scale/recipes.js BANDWIDTH.sql ENERGY.sql - the queries of doc/scale.md, by
// DuckDB, against what tally says of the same dumps.
const fs = require('fs');
const { execFileSync } = require('child_process');
const csv = require('./csv.js');
const { duck } = require('./engines.js');

const near = (a, b) => Math.abs(a - b) <= 1e-3 * Math.abs(b);

function tally(...args) {
	fs.writeFileSync('recipe.csv', execFileSync('tally', args,
		{ stdio: ['ignore', 'pipe', 'ignore'] }));
	return csv.rows('recipe.csv');
}

async function query(path) {
	const read = await (await duck).runAndReadAll(
		fs.readFileSync(path, 'utf8'));
	return read.getRowObjects();
}

// GB/s of a node while the job ran: samples 3 to 9, and the interval before
function bandwidth(node) {
	let bytes = 0, seconds = 0;

	for (const r of tally('deltas', '-s', '2:9', '-f', 'csv', `${node}.lua`)) {
		if (/^imc_counts.*CAS_COUNT\.(READS|WRITES)/.test(r.column))
			bytes += 64 * r.delta;
		if (r.column === 'tsc')
			seconds += Number(r.interval);
	}
	return bytes / seconds / 1e9;
}

function energy(node) {
	let joules = 0;

	for (const r of tally('metrics', '-e', '-s', '2:9', '-f', 'csv', '-m',
		'package_energy,dram_energy', '-S', 'package', `${node}.lua`))
		joules += Number(r.value);
	return joules;
}

async function main() {
	const moved = await query(process.argv[2]);
	const used = await query(process.argv[3]);

	if (moved.length !== 2 || !(moved[0].gb_per_s >= moved[1].gb_per_s))
		throw new Error(`${process.argv[2]}: not two nodes, the first first`);
	for (const r of moved)
		if (!(r.gb_per_s > 0) || !near(r.gb_per_s, bandwidth(r.host)))
			throw new Error(`${r.host}: ${r.gb_per_s} GB/s, not ` +
				bandwidth(r.host));
	const joules = energy('n1') + energy('n2');
	if (used.length !== 1 || used[0].JobID !== '17' ||
	    used[0].User !== 'ann' || !(joules > 0) ||
	    !near(used[0].joules, joules))
		throw new Error(`job 17: ${used[0] && used[0].joules} J, not ${joules}`);
	console.log(`recipes: ${moved.map(r => `${r.host} ` +
		r.gb_per_s.toFixed(2)).join(', ')} GB/s; ${joules.toFixed(0)} J`);
}

main().catch(e => {
	console.error(e.message);
	process.exit(1);
});
