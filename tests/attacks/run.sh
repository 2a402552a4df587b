#!/bin/sh
# usage: [ROUNDS=N] [B=build] tests/attacks/run.sh [GROUP]...
# What has been tried against tallyd, once more, as root: by a user without rights,
# over its socket, by its files, and by kills at any moment.  Prints a line a test
# program.  ROUNDS is how often each race is run and each kill comes: 20, or what is
# given; 500 take ten minutes.
#
#   rights   setuid copies; what each process holds, and may; races for its files
#   doors    the socket, reloads, shared memory, stores and dumps of strangers
#   kills    of sampler, writer, supervisor: in segments, reloads, pauses, at the
#            start, at the end: registers as found, rows kept
#
# However this ends, no process and no file is left: all of it runs in a namespace of
# processes, and in one of mounts with a /dev/shm of its own, where its files are.
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
rights='setuid rights writer helper_processes attacks'
doors='control reload_refused heritage hostile_files export_bad'
kills='kills segments reload pause pinned_run'

if [ "$(id -u)" != 0 ]; then
	echo "skipped attacks: they take root, to be somebody without rights"
	exit 0
fi
if [ "${TALLYD_INSIDE:-}" = "" ]; then
	trap 'kill -KILL "$inside" 2>/dev/null; exit 1' INT TERM HUP
	B=$B ROUNDS=${ROUNDS:-20} TALLYD_INSIDE=1 setpriv --pdeathsig KILL unshare --pid \
		--mount --mount-proc --kill-child "$0" "$@" &
	inside=$!
	wait "$inside"
	exit
fi
# not below /dev/shm, which some tests mount over
mount -t tmpfs -o mode=1777 tallyd-attacks /dev/shm &&
	mount -t tmpfs -o mode=1777 tallyd-files /mnt || exit 1
export TMPDIR=/mnt
unset TALLYD_INSIDE
programs=
for group in ${*:-rights doors kills}; do
	case $group in
	rights) programs="$programs $rights";;
	doors) programs="$programs $doors";;
	kills) programs="$programs $kills";;
	*) echo "tests/attacks: no group \"$group\": rights, doors or kills"; exit 1;;
	esac
done
set --
for program in $programs; do
	set -- "$@" "$B/tests/test_$program"
done
tests/run.sh "$@"
