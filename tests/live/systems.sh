# tests/live/systems.sh - how each monitoring system is started, and what it says:
# NAME_missing (prints what is not installed, and fails), NAME_start, NAME_ready
# (has it a value?), NAME_first (remember it) and NAME_check.
systems='prometheus textfile victoria influx snmp collectd'

need() {
	local lacks=
	for program; do
		command -v "$program" >/dev/null || lacks="$lacks $program"
	done
	echo $lacks
	[ -z "$lacks" ]
}

# the first number of an instant query's answer
query() {
	curl -s -G "$1" --data-urlencode "query=$2" |
		sed -n 's/.*"value":\[[0-9.]*,"\([^"]*\)"\].*/\1/p'
}

page() { curl -s http://127.0.0.1:9100/metrics; }

# ---- Prometheus ---------------------------------------------------------------

prometheus_missing() { need prometheus promtool curl; }

prometheus_start() {
	cat >"$d/prometheus.yml" <<-END
	global:
	  scrape_interval: 1s
	  scrape_timeout: 1s
	scrape_configs:
	  - job_name: tallyd
	    static_configs:
	      - targets: ['127.0.0.1:9100']
	END
	prometheus --config.file="$d/prometheus.yml" \
		--storage.tsdb.path="$d/tsdb" \
		--web.listen-address=127.0.0.1:9101 >"$d/prometheus.log" 2>&1 &
}

prometheus_query() { query http://127.0.0.1:9101/api/v1/query "$1"; }

prometheus_ready() {
	[ -n "$(prometheus_query tallyd_package_energy_joules_total)" ]
}

prometheus_first() { :; }

prometheus_check() {
	local at='{package="0"}['$window's]'
	close Prometheus "rate of bytes read" "$read_bytes" \
		prometheus_query "rate(tallyd_package_dram_read_bytes_total$at)"
	close Prometheus "rate of energy" "$watts" \
		prometheus_query "rate(tallyd_package_energy_joules_total$at)"
	close Prometheus "bytes read, tallyd's own rate" "$read_bytes" \
		prometheus_query \
		'tallyd_package_dram_read_bytes_per_second{package="0"}'
	resets="1"
	for series in package_dram_read_bytes package_energy_joules \
		raw_imc_counts raw_rapl_pkg_energy; do
		resets="$resets + sum(resets(tallyd_${series}_total[${window}s]))"
	done
	close Prometheus "no counter ever restarted: 1 + resets" 1 \
		prometheus_query "$resets"
	holds Prometheus "promtool check rules" promtool check rules \
		doc/monitoring/rules.yml
	holds Prometheus "each alert has its node, and a sound one none" \
		promtool test rules tests/live/alerts.yml
	# by one that follows: on a busy machine who reads all so far is late
	mkdir "$d/names"
	"$B/tally" export prometheus --textfile "$d/names" -S node,package,box \
		"$d/store" 2>>"$d/export.log" &
	local names=$!
	until_true sh -c 'cp "$1"/names/*.prom "$1/page" &&
		grep -qx "tallyd_up 1" "$1/page"' - "$d"
	kill $names
	holds Prometheus "every name of the rules and the dashboard is there" \
		python3 tests/live/names.py "$d/page" doc/monitoring/rules.yml \
		doc/monitoring/dashboard.json
	holds Prometheus "promtool check metrics" sh -c '
		curl -s http://127.0.0.1:9100/metrics | promtool check metrics 2>&1 |
			{ ! grep .; }'
}

# ---- node_exporter's textfile collector ------------------------------------------

textfile_missing() { need prometheus-node-exporter curl; }

textfile_start() {
	mkdir "$d/textfile"
	"$B/tally" export prometheus --textfile "$d/textfile" "$d/store" \
		2>>"$d/export.log" &
	prometheus-node-exporter --collector.disable-defaults \
		--collector.textfile --collector.textfile.directory="$d/textfile" \
		--web.listen-address=127.0.0.1:9102 >"$d/node.log" 2>&1 &
}

textfile_value() {
	curl -s http://127.0.0.1:9102/metrics |
		awk -v s="$1" '$1 == s { printf "%.3f\n", $2 }'
}

textfile_ready() {
	[ -n "$(textfile_value 'tallyd_package_energy_joules_total{package="0"}')" ]
}

# of one page, so that they are of one sample
textfile_both() {
	curl -s http://127.0.0.1:9102/metrics >"$d/textfile.page"
	for series in tallyd_sample_timestamp_seconds \
		'tallyd_package_energy_joules_total{package="0"}' \
		'tallyd_package_dram_read_bytes_total{package="0"}'; do
		awk -v s="$series" '$1 == s { printf "%.3f\n", $2 }' \
			"$d/textfile.page"
	done
}

textfile_first() {
	textfile_both >"$d/textfile.first"
	[ "$(wc -l <"$d/textfile.first")" = 3 ]
}

# LINE: by the first line's seconds
textfile_rate() {
	textfile_both | paste "$d/textfile.first" - | awk -v line="$1" '
		{ v[NR] = $2 - $1 } END { if (v[1] > 0) print v[line] / v[1] }'
}

textfile_check() {
	close node_exporter "energy, from page to page" "$watts" textfile_rate 2
	close node_exporter "bytes read, from page to page" "$read_bytes" \
		textfile_rate 3
	holds node_exporter "takes the file without an error" sh -c '
		curl -s http://127.0.0.1:9102/metrics |
			grep -qx "node_textfile_scrape_error 0"'
}

# ---- VictoriaMetrics ----------------------------------------------------------------

victoria_missing() { need victoria-metrics curl; }

victoria_start() {
	cat >"$d/victoria.yml" <<-END
	global:
	  scrape_interval: 1s
	scrape_configs:
	  - job_name: tallyd
	    static_configs:
	      - targets: ['127.0.0.1:9100']
	END
	victoria-metrics -storageDataPath="$d/victoria" \
		-promscrape.config="$d/victoria.yml" \
		-httpListenAddr=127.0.0.1:9103 -search.latencyOffset=1s \
		>"$d/victoria.log" 2>&1 &
}

victoria_query() {
	query http://127.0.0.1:9103/prometheus/api/v1/query "$1"
}

victoria_ready() {
	[ -n "$(victoria_query tallyd_package_energy_joules_total)" ]
}

victoria_first() { :; }

victoria_check() {
	local at='{package="0"}['$window's]'
	close VictoriaMetrics "rate of bytes read" "$read_bytes" \
		victoria_query "rate(tallyd_package_dram_read_bytes_total$at)"
	close VictoriaMetrics "rate of energy" "$watts" \
		victoria_query "rate(tallyd_package_energy_joules_total$at)"
}

# ---- InfluxDB -------------------------------------------------------------------------

influx_missing() { need influxd curl; }

influx_start() {
	cat >"$d/influx.conf" <<-END
	reporting-disabled = true
	bind-address = "127.0.0.1:9104"
	[meta]
	  dir = "$d/influx/meta"
	[data]
	  dir = "$d/influx/data"
	  wal-dir = "$d/influx/wal"
	[http]
	  bind-address = "127.0.0.1:9105"
	[[udp]]
	  enabled = true
	  bind-address = "127.0.0.1:9106"
	  database = "node"
	  batch-timeout = "100ms"
	END
	influxd -config "$d/influx.conf" >"$d/influx.log" 2>&1 &
	until_true curl -sf -XPOST http://127.0.0.1:9105/query \
		--data-urlencode 'q=CREATE DATABASE node'
	"$B/tally" export influx --every 1 --to udp:127.0.0.1:9106 "$d/store" >"$d/influx.said" 2>&1 &
	# what it takes over HTTP is the same lines: each is one that it can parse
	"$B/tally" export influx --once "$d/store" | curl -s --data-binary @- \
		'http://127.0.0.1:9105/write?db=node' >>"$d/influx.said" 2>&1
}

influx_query() {
	curl -s -G http://127.0.0.1:9105/query --data-urlencode db=node \
		--data-urlencode "q=$1" |
		sed -n 's/.*"values":\[\[[^,]*,\([^],]*\)\]\].*/\1/p'
}

influx_ready() {
	[ -n "$(influx_query "SELECT last(value) FROM \
		tallyd_package_energy_joules_total WHERE package='0'")" ]
}

influx_first() { :; }

influx_rate() {
	# over what is in the window: last less first, by their own times
	for which in first last; do
		curl -s -G http://127.0.0.1:9105/query --data-urlencode db=node \
			--data-urlencode epoch=ms --data-urlencode "q=SELECT \
			$which(value) FROM $1 WHERE package='0' AND \
			time > now() - ${window}s" |
			sed -n 's/.*"values":\[\[\([0-9]*\),\([^],]*\)\]\].*/\1 \2/p'
	done | awk '{ t[NR] = $1; v[NR] = $2 }
		END { if (NR == 2) print (v[2] - v[1]) / (t[2] - t[1]) * 1000 }'
}

influx_check() {
	close InfluxDB "rate of bytes read" "$read_bytes" \
		influx_rate tallyd_package_dram_read_bytes_total
	close InfluxDB "rate of energy" "$watts" \
		influx_rate tallyd_package_energy_joules_total
	holds InfluxDB "took every line" sh -c '! grep . "$1"' - "$d/influx.said"
}

# ---- collectd ---------------------------------------------------------------------------

collectd_missing() { need collectd; }

collectd_start() {
	mkdir "$d/csv"
	# before the plugin that it is for
	echo 'Interval 1' >"$d/collectd.conf"
	sed -e "s|/usr/local/share/tallyd|$PWD/doc/monitoring|" \
		-e "s|/usr/local/bin/tally|$d/tally|" \
		-e "s|\"collectd\"$|\"collectd\" \"$d/store\"|" \
		doc/monitoring/collectd.conf >>"$d/collectd.conf"
	# where there is an snmpd, it is handed to that, too
	if snmp_missing >/dev/null; then
		cat doc/monitoring/collectd-snmp.conf >>"$d/collectd.conf"
		mkdir "$d/agent"
		echo "agentXSocket $d/agentx" >"$d/agent/snmp_agent.conf"
		export SNMPCONFPATH="$d/agent"
	fi
	cat >>"$d/collectd.conf" <<-END
	Hostname "node"
	FQDNLookup false
	BaseDir "$d"
	PIDFile "$d/collectd.pid"
	LoadPlugin csv
	<Plugin csv>
	  DataDir "$d/csv"
	</Plugin>
	LoadPlugin logfile
	<Plugin logfile>
	  LogLevel "warning"
	  File "$d/collectd.log"
	</Plugin>
	END
	MIBDIRS="tests/live/mibs:doc/monitoring" MIBS=TALLYD-MIB \
		collectd -f -C "$d/collectd.conf" >"$d/collectd.out" 2>&1 &
	unset SNMPCONFPATH
}

# a file a day
collectd_lines() { cat "$d"/csv/node/tallyd-package0/"$1"-20* 2>/dev/null; }

collectd_ready() {
	[ "$(collectd_lines tallyd_uj-package_energy | wc -l)" -ge 2 ]
}

collectd_first() { :; }

# the slope of the window's lines, by collectd's own times: one that came late is
# one of many
collectd_rate() {
	collectd_lines "$1" | awk -F , -v from="$from" '
		$1 + 0 >= from + 1 {
			if (n == 0) { t0 = $1; v0 = $2 }
			t = $1 - t0; v = $2 - v0; n++
			st += t; sv += v; stt += t * t; stv += t * v
		}
		END { if (n > 1) print (n * stv - st * sv) / (n * stt - st * st) }'
}

collectd_check() {
	close collectd "rate of bytes read" "$read_bytes" \
		collectd_rate tallyd_bytes-dram_read
	close collectd "rate of energy, in uJ" \
		"$(awk -v w="$watts" 'BEGIN { print w * 1e6 }')" \
		collectd_rate tallyd_uj-package_energy
	! snmp_missing >/dev/null || holds collectd \
		"its snmp_agent answers for each package" until_true sh -c '
		MIBDIRS="tests/live/mibs:doc/monitoring" MIBS=TALLYD-MIB snmpwalk \
			-v2c -c public 127.0.0.1:1161 TALLYD-MIB::tallydPlaceTable >"$1" &&
		grep -q "ReadBytes.\"package0\" = Counter64: [1-9]" "$1" &&
		grep -q "Power.\"package1\" = Gauge32: [1-9]" "$1" &&
		grep -q "Name.\"node\" = STRING: node" "$1"' - "$d/places"
	# that it was late itself is the machine's affair
	holds collectd "says nothing of what it was given" sh -c '
		! grep -v -e "seconds in the past!$" -e "severity = OKAY" "$1"' - "$d/collectd.log"
}

# ---- SNMP ---------------------------------------------------------------------------------

snmp_missing() { need snmpd snmpget snmpwalk snmptranslate; }

snmp_start() {
	{
		echo 'rocommunity public 127.0.0.1'
		echo 'master agentx'
		echo "agentXSocket $d/agentx"
		sed -e "s|/usr/local/bin/tally|$d/tally|" -e "s|snmp$|& $d/store|" \
			doc/monitoring/snmpd.conf
	} >"$d/snmpd.conf"
	MIBS= snmpd -f -C -c "$d/snmpd.conf" -p "$d/snmpd.pid" -Lo \
		udp:127.0.0.1:1161 >"$d/snmpd.log" 2>&1 &
}

snmp_tool() {
	local tool=$1
	shift
	MIBDIRS="tests/live/mibs:doc/monitoring" MIBS=TALLYD-MIB "$tool" -v2c \
		-c public "$@" 2>&1
}

snmp_value() {
	snmp_tool snmpget -Oqv -OU -t 60 127.0.0.1:1161 "${@/#/TALLYD-MIB::}" |
		awk '{ print $1 }'
}

snmp_ready() { [ "$(snmp_value tallydPackageEnergy.1)" -gt 0 ]; }

# in one request, so that they are of one sample
snmp_both() {
	snmp_value tallydSampleTime.0 tallydPackageEnergy.1 \
		tallydPackageReadBytes.1
}

snmp_first() {
	snmp_both >"$d/snmp.first"
	[ "$(grep -c '^[0-9]*$' "$d/snmp.first")" = 3 ]
}

# LINE: by the first line's milliseconds
snmp_rate() {
	snmp_both | paste "$d/snmp.first" - | awk -v line="$1" '
		{ v[NR] = $2 - $1 }
		END { if (v[1] > 0) print v[line] / v[1] * 1e3 }'
}

# Whatever Prometheus has of the node and its packages over the last interval is
# there, too, and counts.
snmp_names() {
	page | sed -n -e '/_total[{ ]/d' -e 's/^tallyd_node_\([a-z0-9_]*\) .*/\1 node/p' \
		-e 's/^tallyd_package_\([a-z0-9_]*\){package="\([0-9]*\)"} .*/\1 package\2/p' |
		while read -r name place; do
			grep -qE "::tallydValueNow.\"(package_)?$name\".\"$place\" = " "$d/values" ||
				echo "no $name of $place"
		done | { ! grep .; } && [ "$(grep -c '^TALLYD-MIB::tallydValueNow' "$d/values")" -gt 50 ] &&
		grep -q '::tallydValueTotal."dram_read"."package0" = Counter64: [1-9]' "$d/values" &&
		grep -q '::tallydValueTotal."imc_counts.CAS_COUNT.READS"."package0-box3" = Counter64: [1-9]' "$d/values"
}

snmp_check() {
	close snmpget "energy, in mJ" \
		"$(awk -v w="$watts" 'BEGIN { print w * 1e3 }')" snmp_rate 2
	close snmpget "rate of bytes read" "$read_bytes" snmp_rate 3
	snmp_tool snmpwalk -On -t 60 127.0.0.1:1161 \
		.1.3.6.1.4.1.8072.9999.9999.84 >"$d/walk"
	# in order, once each, and each of them in the MIB
	holds snmpwalk "walks the whole MIB in order" sh -c '
		n=$(wc -l <"$1")
		[ "$n" -gt 60 ] && ! grep -qiE "increasing|timeout|no such" "$1" &&
		[ "$(sed "s/ =.*//" "$1" | sort -u | wc -l)" = "$n" ]' - "$d/walk"
	# indexed by metric and place: by names, and no metric but is there
	snmp_tool snmpwalk -t 60 127.0.0.1:1161 TALLYD-MIB::tallydValueTable >"$d/values"
	holds snmpwalk "has every metric and count, by name and place" snmp_names
	holds snmptranslate "knows every object of the walk" sh -c '
		! sed "s/ =.*//" "$1" | MIBDIRS="$2" MIBS=TALLYD-MIB xargs \
			snmptranslate | grep -v "^TALLYD-MIB::tallyd[A-Z]" |
			grep .' - "$d/walk" "tests/live/mibs:doc/monitoring"
}

# ---- what all of them went through, and the end -----------------------------------------

# The dump so far: did the counters wrap while the systems looked?
wraps() {
	"$B/tally" dump "$d/store" >"$d/so-far.lua"
	holds tallyd "a counter of 48 bits and one of 32 have wrapped" sh -c '
		"$1/tally" deltas -f csv "$2" >"$2.csv"
		awk -F " = " "/^imc_counts\\[0\\]\\[0\\]\\[\"CAS_COUNT.READS/ {
			v = \$NF; if (v + 0 < last + 0) n++; last = v }
			END { exit !n }" "$2" &&
		awk -F " = " "/^rapl_pkg_energy\\[0\\]/ {
			v = \$NF; if (v + 0 < last + 0) n++; last = v }
			END { exit !n }" "$2"' - "$B" "$d/so-far.lua"
}

# The daemon has ended: nobody repeats its last figure, once the page that others
# may share (FRESH in export_prometheus.c) is old.
has_ended() {
	curl -s http://127.0.0.1:9100/metrics >"$d/page"
	grep -qx "tallyd_up 0" "$d/page" && ! grep -q "^tallyd_package" "$d/page"
}

ended() {
	holds Prometheus "a daemon that has ended is down, and has no figures" \
		until_true has_ended
}
