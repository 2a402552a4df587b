# tests/slurm/site.sh - each line of doc/site.md about jobs, tried; of run.sh.

site_lines() {
	sed -n '/^## Jobs$/,/^## [^J]/s/^    //p' doc/site.md |
		sed "s|/var/lib/tallyd|$d/var|g; s|/run/tallyd|$d/run|g
			s|/usr/share/doc/tallyd/slurm|$PWD/doc/slurm|g"
}

# What it puts into slurm.conf; the test's own wrapper names the daemon's socket.
site_conf() {
	site_lines | grep -E '^(Prolog|PrologFlags|Epilog)=' |
		sed "s|=.*/tallyd-mark$|=$d/mark|"
}

# The rest is for a shell, while the node is sampled; dumps of it are there.
site_tried() {
	local dir=$PWD
	mkdir -p "$d/var" "$d/site" && cp "$d/run.lua" "$d/var/node1.lua" &&
		cp "$d/run.lua" "$d/var/node1.2.lua" || return 1
	sed -i 's/^host = .*/host = "node2"/' "$d/var/node1.2.lua"
	site_lines | grep -vE '^(Prolog|PrologFlags|Epilog)=' >"$d/site/lines"
	sampler_up || return 1
	(cd "$d/site" && sh -ex ./lines)
	local status=$?
	sampler_end
	cd "$dir" || return 1
	cat "$d/site/jobs.csv"
	return $status
}
