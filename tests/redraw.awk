# awk -v samples=N -f tests/redraw.awk RECORDING - the recording's samples until
# its counters were taken away (0 to 17), then more, whose intervals are drawn
# from those, each one whole: a run of N samples without a gap.  Numbers are
# doubles: the TSC is some units off.
BEGIN { FS = " = "; last = 17 }
/^tsc/ { sampled = 1 }
!sampled { print; next }
{
	n = match($1, /\[[0-9]+\]$/)
	name = substr($1, 1, n - 1)
	k = substr($1, n + 1, RLENGTH - 2) + 0
	if (k > last)
		next
	print
	if (!(name in now))
		column[ncolumn++] = name
	raw[name, k] = now[name] = $2
}

# Where a counter wraps; 0: nowhere.
function wraps(name) {
	return name ~ /^(tsc|walltime)/ ? 0 : name ~ /^rapl/ ? 2 ^ 32 : 2 ^ 48
}

function next_value(name, s,    v, wrap) {
	if (name ~ /temperature|status|reasons/)
		return raw[name, s]
	v = now[name] + raw[name, s] - raw[name, s - 1]
	if ((wrap = wraps(name)) > 0)
		v = (v % wrap + wrap) % wrap
	return now[name] = v
}

# The second column of the clock is us of the first one's seconds.
function carry(    over) {
	over = int((now["walltime[1]"] + 1e6) / 1e6) - 1
	now["walltime[0]"] += over
	now["walltime[1]"] -= over * 1e6
}

END {
	for (k = last + 1; k < samples; k++) {
		x = (75 * x + 74) % 65537
		s = 1 + x % last
		for (c = 0; c < ncolumn; c++)
			value[c] = next_value(column[c], s)
		carry()
		for (c = 0; c < ncolumn; c++) {
			name = column[c]
			v = name ~ /^walltime/ ? now[name] : value[c]
			if ((name, s - 1) in raw)
				printf(v ~ /^0x/ ? "%s[%d] = %s\n" : \
				    "%s[%d] = %.0f\n", name, k, v)
		}
	}
}
