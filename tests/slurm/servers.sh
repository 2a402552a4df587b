# tests/slurm/servers.sh - the node, its daemon and Slurm's; of run.sh.

# The node runs STREAM from the first second on.  Slurm numbers the threads of a core one
# after the other; the node has them 48 apart, which is what lscpu would say.
node_up() {
	sed -e '/^phase idle$/d' -e 's/^phase idle .*/phase idle 1/' \
		-e 's/^phase stream .*/phase stream/' -e 's/^host .*/host node1/' \
		-e "s/^start .*/start $(date +%s)/" \
		config/machines/skx-8160-2s.machine >"$d/node.machine"
	cat >"$d/counted.conf" <<-'END'
	read rapl_pkg_energy rapl_dram_energy
	core fixed
	END
	printf '#!/bin/sh\nawk %s\n' "'BEGIN { for (l = 0; l < 96; l++)
		print l \",\" l % 48 \",\" int(l % 48 / 24) }'" >"$d/lscpu"
	cat >"$d/settings" <<-END
	SECONDS_AT_MOST=300
	TALLYD=$B/tallyd SOCKET=$d/socket LPROCS_OF=$d/lscpu
	LOG=$d/log
	END
	printf '#!/bin/sh\necho "$*" >>%s/prolog.log\n' "$d" >"$d/log"
	chmod +x "$d/lscpu" "$d/log"
	cat >"$d/mark" <<-END
	#!/bin/sh
	TALLYD_SLURM_SETTINGS=$d/settings exec "$PWD/doc/slurm/tallyd-mark"
	END
	chmod +x "$d/mark"
	export PATH=$B:$PATH
}

# Half a second a sample.
sampler_up() {
	mkdir -p "$d/run" && rm -f "$d/run.lua"
	"$B/tallyd" --sim "$d/node.machine" -c "$d/counted.conf" -i 0.5 \
		-n 20000 --socket "$d/socket" --store "$d/run/node.store" \
		-o "$d/run.lua" \
		>>"$d/tallyd.log" 2>&1 </dev/null &
	sampler=$!
	soon sh -c "test -S '$d/socket' || ! kill -0 $sampler"
	test -S "$d/socket"
}

sampler_end() {
	kill -TERM $sampler
	wait $sampler
}

servers_up() {
	local slurm=$d/slurm
	mkdir -p "$slurm/ctld" "$slurm/slurmd" "$d/db" "$d/munge"
	hostname node1
	echo 127.0.0.1 localhost node1 >"$d/hosts"
	mount --bind "$d/hosts" /etc/hosts || return 1
	# Slurm's servers listen where there is more than 127.0.0.1 (AI_ADDRCONFIG)
	ip addr add 192.0.2.1/32 dev lo || return 1
	dd if=/dev/urandom of="$d/munge/key" bs=128 count=1 2>/dev/null
	chmod 700 "$d/munge" "$d/db"
	chmod 711 "$d"
	chmod 400 "$d/munge/key"
	munged --force --socket="$d/munge.socket" --key-file="$d/munge/key" \
		--pid-file="$d/munge/pid" --log-file="$d/munge.log" \
		--seed-file="$d/munge/seed" --num-threads=2 \
		>>"$d/munge.log" 2>&1 || return 1
	mariadb-install-db --no-defaults --user=root --datadir="$d/db" \
		--auth-root-authentication-method=normal --skip-test-db \
		>"$d/mariadb.log" 2>&1 || return 1
	mariadbd --no-defaults --user=root --datadir="$d/db" \
		--socket="$d/db/socket" --pid-file="$d/db/pid" \
		--skip-networking \
		--innodb-buffer-pool-size=64M >>"$d/mariadb.log" 2>&1 </dev/null &
	soon mariadb --no-defaults -u root -S "$d/db/socket" -e 'select 1' ||
		return 1
	mariadb --no-defaults -u root -S "$d/db/socket" -e \
		"create user 'slurm'@'localhost' identified by 's';
		grant all on *.* to 'slurm'@'localhost'" || return 1
	cat >"$slurm/slurmdbd.conf" <<-END
	AuthType=auth/munge
	AuthInfo=socket=$d/munge.socket
	DbdHost=localhost
	SlurmUser=root
	StorageType=accounting_storage/mysql
	StorageHost=localhost
	StorageUser=slurm
	StoragePass=s
	LogFile=$d/slurmdbd.log
	MessageTimeout=100
	PidFile=$slurm/slurmdbd.pid
	END
	chmod 600 "$slurm/slurmdbd.conf"
	cat >"$slurm/slurm.conf" <<-END
	ClusterName=tallyd
	SlurmctldHost=localhost(127.0.0.1)
	AuthType=auth/munge
	AuthInfo=socket=$d/munge.socket
	CredType=cred/munge
	SlurmUser=root
	SlurmdUser=root
	StateSaveLocation=$slurm/ctld
	SlurmdSpoolDir=$slurm/slurmd
	SlurmctldPidFile=$slurm/ctld.pid
	SlurmdPidFile=$slurm/slurmd.pid
	SlurmctldLogFile=$d/slurmctld.log
	SlurmdLogFile=$d/slurmd.log
	ProctrackType=proctrack/linuxproc
	TaskPlugin=task/none
	JobAcctGatherType=jobacct_gather/none
	SwitchType=switch/none
	MpiDefault=none
	ReturnToService=2
	SchedulerType=sched/backfill
	SelectType=select/cons_tres
	SelectTypeParameters=CR_CPU
	AccountingStorageType=accounting_storage/slurmdbd
	AccountingStorageHost=localhost
	AccountingStoragePass=$d/munge.socket
	AccountingStoreFlags=job_comment
	SlurmdParameters=config_overrides
	SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0
	MessageTimeout=100
	TCPTimeout=60
	BatchStartTimeout=300
	$(site_conf)
	NodeName=node1 NodeAddr=127.0.0.1 Sockets=2 CoresPerSocket=24 ThreadsPerCore=2
	PartitionName=all Nodes=node1 Default=YES MaxTime=10 State=UP
	END
	export SLURM_CONF=$slurm/slurm.conf MYSQL_UNIX_PORT=$d/db/socket
	slurmdbd -D >>"$d/slurmdbd.log" 2>&1 </dev/null &
	soon sacctmgr -n show cluster || return 1
	sacctmgr -i add cluster tallyd >>"$d/sacctmgr.log" 2>&1
	slurmctld -D >>"$d/slurmctld.log" 2>&1 </dev/null &
	ctld=$!
	soon scontrol ping || return 1
	slurmd -D -N node1 >>"$d/slurmd.log" 2>&1 </dev/null &
	soon sh -c 'sinfo -h -o %T | grep -q idle'
}
