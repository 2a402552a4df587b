# tests/slurm/array.sh - a job array post-processes a thousand dumps, and what came
# of it is what one command makes of all of them; of run.sh.

# A hundred nodes' dumps of each of ten lengths.
thousand_dumps() {
	local n i
	mkdir -p "$d/dumps/more" "$d/kinds"
	for n in 2 3 4 5 6 7 8 9 10 11; do
		"$B/tallyd" -q --sim "$d/node.machine" -c "$d/counted.conf" \
			--virtual-time -n $n -o "$d/kinds/$n.lua" || return 1
		for i in $(seq 100); do
			sed "s/^host = .*/host = \"n$n-$i\"/" \
				"$d/kinds/$n.lua" >"$d/dumps/n$n-$i.lua"
		done
	done
	mv "$d/dumps/n2-1.lua" "$d/dumps/more/a b.lua"
}

# The rows of all, in one order; of results the line of names is in each.
rows_of() {
	awk 'FNR > 1' "$@" | LC_ALL=C sort
}
same_as_at_once() {
	find "$d/dumps" -name '*.lua' ! -name 'broken.lua' -print0 |
		xargs -0 "$B/tally" metrics -S node -f csv -o "$d/at-once.csv" ||
		return 1
	rows_of "$d/at-once.csv" >"$d/at-once"
	rows_of "$d"/results/*.csv >"$d/by-array"
	wc -l "$d/at-once" "$d/by-array"
	[ -s "$d/at-once" ] && cmp "$d/at-once" "$d/by-array"
}

holds "a thousand dumps are there" thousand_dumps
echo nonsense >"$d/dumps/broken.lua"
export TALLY=$B/tally
array=$(sbatch --parsable doc/slurm/tally-array.sbatch "$d/dumps" \
	"$d/results")
soon all_ended "$array"
holds "a job array has the figures of each of them" test \
	"$(grep -l ',instructions,' "$d"/results/*.csv | wc -l)" -eq 1000
holds "and they are those of all at once" same_as_at_once
holds "one in a folder with a blank has them, too" test -s \
	"$d/results/more%a b.csv"
holds "what is no dump is named" test -s "$d/results/broken.error"
holds "and nothing else" test \
	"$(find "$d/results" -name '*.error' | wc -l)" -eq 1
# given again, it leaves alone what is there
rm "$d/results/n3-1.csv"
touch -d @1 "$d/results/n3-2.csv"
array=$(sbatch --parsable doc/slurm/tally-array.sbatch "$d/dumps" \
	"$d/results")
soon all_ended "$array"
holds "a second array makes what is missing" test -s "$d/results/n3-1.csv"
holds "and nothing twice" test "$(stat -c %Y "$d/results/n3-2.csv")" = 1
