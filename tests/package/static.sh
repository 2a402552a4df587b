#!/bin/bash
# usage: static.sh FOLDER
# One file that runs on any node, and what is made of it: a static build, in a root
# that has nothing else, as the Containerfile lays it out; the recipes of Spack and
# EasyBuild; the manifests of Compose and Kubernetes.  A line a test, with the
# seconds that each took.
cd "$(dirname "$0")/../.." || exit 1
to=$1/static status=0 P=doc/packaging
rm -rf "$to" && mkdir -p "$to/root"/{proc,run/tallyd} || exit 1
ok() {
	local name=$1 from=$SECONDS; shift
	if "$@" >"$to/out" 2>&1; then echo "ok $name ($((SECONDS - from)) s)"
	else echo "FAILED $name: $*"; sed 's/^/    /' "$to/out"; status=1; fi
}
cc=gcc
command -v musl-gcc >/dev/null && cc=musl-gcc

# a build of the recipes: as nobody, into a prefix
ok "make STATIC=1 CC=$cc" make -s STATIC=1 CC=$cc B="$to/build" all
ok "neither program asks for a library" sh -c "! readelf -d '$to/build/tallyd' '$to/build/tally' | grep NEEDED"
ok "make install PREFIX= of it" make -s STATIC=1 CC=$cc B="$to/build" PREFIX="$(realpath "$to")/prefix" install
ok "which is what the easyconfig copies" python3 - $P/easybuild/*.eb <<'PY'
import os, sys
e = {'SOURCE_TAR_GZ': '%(name)s-%(version)s.tar.gz'}
exec(open(sys.argv[1]).read(), e)
for k in 'easyblock name version homepage description toolchain sources sanity_check_paths moduleclass'.split():
    assert e.get(k), k
for files, place in e['files_to_copy']:
    for f in files:
        assert f.startswith('build/') or os.path.exists(f), f
v = open('config/version.h').read().split('TALLYD_VERSION "')[1].split('"')[0]
assert e['version'] == v and f'-{v}-' in sys.argv[1], v
PY
ok "make doc: manual pages as HTML" sh -c "make -s B='$to/build' doc && ! grep -L '</html>' '$to'/build/doc/*.html | grep ."
ok "Spack's recipe is Python" python3 -c "import ast, sys; ast.parse(open(sys.argv[1]).read())" $P/spack/package.py
ok "and builds targets that there are" sh -c "make -n STATIC=1 B='$to/build' all install PREFIX=/nowhere >/dev/null"
ok "the manifests are YAML, with what they need" python3 - <<'PY'
import yaml
c = yaml.safe_load(open('doc/packaging/compose.yaml'))['services']['tallyd']
k = yaml.safe_load(open('doc/packaging/kubernetes.yaml'))
s = k['spec']['template']['spec']
assert k['kind'] == 'DaemonSet' and s['hostPID'] and s['hostNetwork']
assert k['spec']['selector']['matchLabels'] == k['spec']['template']['metadata']['labels']
p = s['containers'][0]
assert p['securityContext']['privileged'] and c['privileged']
mounts = {m['name']: m['mountPath'] for m in p['volumeMounts']}
assert mounts == {v['name']: v['hostPath']['path'] for v in s['volumes']}
assert {v.split(':')[1] for v in c['volumes']} == set(mounts.values())
PY
ok "CITATION.cff has this version" python3 - <<'PY'
import yaml
c = yaml.safe_load(open('doc/CITATION.cff'))
v = open('config/version.h').read().split('TALLYD_VERSION "')[1].split('"')[0]
assert c['cff-version'] == '1.2.0' and c['version'] == v and c['license'] == 'BSD-3-Clause'
assert c['title'] and c['message'] and c['authors'] and f'## {v}' in open('doc/CHANGELOG.md').read()
PY

# the root of the last stage of the Containerfile
sed -n '/^FROM scratch/,$s/^COPY --from=build \/src\///p' $P/Containerfile |
	while read -r from place; do
		case $from in build-static/*) from=$to/build/${from#*/};; esac
		install -D "$from" "$to/root$place"
	done
strip "$to"/root/usr/*bin/tally*
du -h "$to"/root/usr/*bin/tally*
mkdir -p "$to/root$(sed -n 's/^WORKDIR //p' $P/Containerfile)"
inside() {
	timeout -s KILL 600 unshare -mpf --kill-child --propagation private sh -c \
		'mount -t proc proc "$0/proc" && cd "$0/var/lib/tallyd" && exec chroot "$0" "$@"' "$(realpath "$to/root")" "$@"
}
if unshare -mpf --kill-child true 2>/dev/null; then
	ok "in an empty root: tallyd --version" inside /usr/sbin/tallyd --version
	ok "it samples" inside /usr/sbin/tallyd -q --sim @genoa-9654-2s --virtual-time -n 5 -o /var/lib/tallyd/a.lua
	ok "in segments, as the image does by itself" inside /usr/sbin/tallyd -q --sim @skx-8160-2s --virtual-time -n 30 --segment 10s -o /var/lib/tallyd/s.lua
	ok "which left three" test "$(ls "$to"/root/var/lib/tallyd/s.*.lua 2>/dev/null | wc -l)" -ge 3
	ok "and tally reads them" inside /usr/bin/tally check /var/lib/tallyd/a.lua
	ok "a report" inside /usr/bin/tally report /var/lib/tallyd/a.lua
	ok "nothing else was left" sh -c "! find '$to/root' -newer '$to/root/usr/sbin/tallyd' -type f | grep -v '/var/lib/tallyd/[as]\.'"
else
	echo "SKIPPED an empty root: no namespace can be made here"
fi
exit $status
