# tests/slurm/truth.sh - what the machine file says that a job must have; of run.sh.

# The rates of lprocs, "LPROC RATE" a line; the node's power in W.
rates() {
	awk '/^event core fixed0 / {
		for (i = 1; i <= NF; i++)
			if (split($i, w, "=") == 2)
				v[w[1]] = w[2]
		# lproc: thread, package, core
		for (c = 0; c < 24; c++)
			print v["thread"] * 48 + v["pkg"] * 24 + c,
			    v["stream"] + c * v["step"]
	}' "$d/node.machine"
}
watts() {
	awk '/^msr 0x611 / || /^msr 0x619 / {
		match($0, /stream=[0-9]*/)
		unit = $2 == "0x611" ? 16384 : 65536
		sum += substr($0, RSTART + 7, RLENGTH - 7) / unit
	}
	END { printf "%.4f", sum }' "$d/node.machine"
}

# of JOB COLUMN: what tally jobs has; columns have units behind a blank.
of() {
	awk -F, -v job="$1" -v column="$2" '
	{ sub(/\r$/, "") }
	NR == 1 { for (i = 1; i <= NF; i++) { sub(/ .*/, "", $i)
		if ($i == column) at = i } }
	$1 == job { print $at }' "$d/jobs.csv"
}

# within VALUE EXPECTED WORTH: of another by no more than that, and by 0.1 %?
within() {
	echo "$1, expected $2, a sample's worth is $3"
	awk -v v="$1" -v e="$2" -v w="$3" 'BEGIN {
		off = v > e ? v - e : e - v
		exit !(v != "" && e > 0 && off <= w + e / 1000) }'
}

# no_later A B: seconds since 1970
no_later() {
	echo "$1 is to be no later than $2"
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a <= b) }'
}

same() {
	echo "$1, expected $2"
	[ "$1" = "$2" ]
}

# The lprocs of a job are those of its CPUs, by Slurm itself: CPU c of Slurm is
# thread c % 2 of core c / 2.
lprocs_of() {
	scontrol -d -o show job "$1" | tr ' ' '\n' | sed -n 's/^CPU_IDs=//p' |
		tr , '\n' | awk -F- '{ for (c = $1; c <= (NF > 1 ? $2 : $1); c++)
			print c % 2 * 48 + int(c / 2) }'
}

# When jobs ran, by their marks, in the order of those: "BEGIN END JOB LPROCS".
marks_of() {
	for j in "$@"; do
		echo "$(date -d "$(of "$j" begin)" +%s.%N)" \
			"$(date -d "$(of "$j" end)" +%s.%N)" "$j" \
			"$(lprocs_of "$j" | wc -l)"
	done
}

# The part of the node's time that is a job's, in seconds: by lproc-seconds.
seconds_of() {
	marks_of "${jobs[@]}" | awk -v job="$1" '
	{ from[NR] = $1; to[NR] = $2; n[NR] = $4; at[2 * NR] = $1
	  at[2 * NR + 1] = $2; if ($3 == job) own = NR }
	END {
		for (i = 2; i <= 2 * NR + 1; i++)
			for (k = i + 1; k <= 2 * NR + 1; k++)
				if (at[k] < at[i]) {
					t = at[i]; at[i] = at[k]; at[k] = t
				}
		for (i = 2; i <= 2 * NR; i++) {
			sum = 0
			for (k = 1; k <= NR; k++)
				if (from[k] <= at[i] && to[k] >= at[i + 1])
					sum += n[k]
			if (from[own] <= at[i] && to[own] >= at[i + 1])
				s += n[own] / sum * (at[i + 1] - at[i])
		}
		printf "%.6f", s
	}'
}

# All that is to be true of a job.  A mark's own time is its program's, to a
# millisecond in the table.
truth_of() {
	local begin end rate start stop said
	begin=$(date -d "$(of "$1" begin)" +%s.%N)
	end=$(date -d "$(of "$1" end)" +%s.%N)
	rate=$(rates | awk -v own="$(lprocs_of "$1" | tr '\n' ' ')" '
		BEGIN { n = split(own, w, " "); for (i in w) has[w[i]] = 1 }
		$1 in has { sum += $2 }
		END { printf "%.9f", sum / 1e9 }')
	holds "job $1: instructions" within "$(of "$1" instructions)" \
		"$(awk -v r="$rate" -v a="$begin" -v b="$end" \
		'BEGIN { print r * (b - a) }')" \
		"$(awk -v r="$rate" 'BEGIN { print r * 0.5 }')"
	holds "job $1: energy" within "$(of "$1" energy)" \
		"$(awk -v w="$(watts)" -v s="$(seconds_of "$1")" \
		'BEGIN { print w * s }')" \
		"$(awk -v w="$(watts)" 'BEGIN { print w * 0.5 }')"
	holds "job $1: lprocs" test "$(of "$1" lprocs)" -eq \
		"$(lprocs_of "$1" | wc -l)"
	# sacct: whole seconds.  The prolog is after the start and before the
	# job's own first command, the epilog after its last one.
	said=$(grep "^$1|" "$d/sacct")
	start=$(date -d "$(echo "$said" | cut -d'|' -f3)" +%s)
	stop=$(date -d "$(echo "$said" | cut -d'|' -f4)" +%s)
	holds "job $1: begins after sacct's start" no_later "$start" "$begin"
	holds "job $1: begins before its first command" no_later "$begin" \
		"$(cat "$d/in.$1")"
	holds "job $1: ends after its last command" no_later \
		"$(cat "$d/out.$1")" "$end"
	holds "job $1: ends after sacct's end, in whole seconds" no_later \
		"$stop" "$(awk -v e="$end" 'BEGIN { printf "%.6f", e + 1 }')"
	holds "job $1: user" same "$(of "$1" user)" \
		"$(echo "$said" | cut -d'|' -f2)"
}

# Was the time shared as it is marked?
truth_shared() {
	local j
	for j in "$1" "$2" "$3"; do
		echo "job $j: $(of "$j" shared)"
		of "$j" shared | grep -q 'by lproc-seconds' || return 1
	done
	echo "job $4: $(of "$4" shared)"
	[ "$(of "$4" shared)" = alone ]
}
