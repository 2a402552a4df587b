#!/bin/sh
# The two lines of README.md that a newcomer types: as root where there is no
# sudo, as a user with sudo, and where no package list was ever fetched.  Its
# programs are stand-ins that note how they are called.  A line a test.
status=0
dir=$(mktemp -d "${TMPDIR:-/tmp}/tallyd-readme.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
# ok NAME COMMAND...
ok() {
	name=$1; shift
	if "$@"; then echo "ok $name"; else echo "FAILED $name"; cat "$dir/log"; status=1; fi
}
mkdir "$dir/root" "$dir/user"
# lists there are once they were fetched, and a user may do nothing without sudo
cat >"$dir/root/apt-get" <<'S'
#!/bin/sh
echo "apt-get $*" >>"$LOG"
[ -z "$USER_ALONE" ] || exit 100
case $1 in
update) : >"$LOG.lists" ;;
install) [ -e "$LOG.lists" ] || exit 100 ;;
esac
S
printf '#!/bin/sh\necho "make $*" >>"$LOG"\n' >"$dir/root/make"
printf '#!/bin/sh\nUSER_ALONE= exec "$@"\n' >"$dir/user/sudo"
chmod +x "$dir/root/"* "$dir/user/sudo"
cp "$dir/root/"* "$dir/user"
# typed WHO TARGET USER_ALONE: the line that ends with make TARGET, with the
# programs of WHO and no others
typed() {
	rm -f "$dir/log" "$dir/log.lists"; : >"$dir/log"
	line=$(sed -n "s/^    \(.*apt-get install .* && make $2\)\$/\1/p" README.md)
	[ -n "$line" ] && LOG=$dir/log USER_ALONE=$3 PATH=$dir/$1 /bin/sh -c "$line" 2>>"$dir/log" &&
		grep -q "^make $2\$" "$dir/log"
}
for target in demo check; do
	ok "README: make $target as root without sudo, no lists" typed root $target ''
	ok "README: make $target as root with sudo" typed user $target ''
	ok "README: make $target as a user with sudo" typed user $target yes
done
ok "a user without sudo is not served by mistake" eval '! typed root demo yes'
lacks=$(for w in 'perf stat' 'perf record' likwid-perfctr arm_spe 'call stacks' SPE; do
	sed -n '/^## What it is not for/,/^## Which/p' README.md | grep -q "$w" || echo "$w"; done)
ok "README says what tallyd is not for, and what is" [ -z "$lacks" ]
exit $status
