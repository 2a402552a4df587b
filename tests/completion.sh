#!/bin/bash
# Completion in bash, and in zsh where that is: what is offered for a line.
# A line a test.
B=${B:-build} status=0
PATH=$(cd "$B" && pwd):$PATH
file=doc/packaging/completion
. $file.bash
# in_bash LINE: what its last word can become
in_bash() {
	COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
	read -ra COMP_WORDS <<<"$1"
	[[ $1 != *[[:blank:]] ]] || COMP_WORDS+=("")
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	_tallyd "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
	printf '%s\n' "${COMPREPLY[@]}"
}
in_zsh() {
	LINE=$1 zsh -fc '
	compadd() { shift; print -rl -- ${(M)@:#${(b)PREFIX}*}; }
	_files() { print -rl -- ${PREFIX}*(N); }
	words=(${(z)LINE}); [[ $LINE != *" " ]] || words+=("")
	CURRENT=$#words PREFIX=$words[-1]
	_t() { source '$file.zsh' }; _t'
}
# offers SHELL LINE WORD...: these, and nothing else
offers() {
	local shell=$1 line=$2 got want; shift 2
	got=$(in_$shell "$line" | LC_ALL=C sort | tr '\n' ' ') want=$(printf '%s\n' "$@" | LC_ALL=C sort | tr '\n' ' ')
	if [ "$got" = "$want" ]; then echo "ok $shell completes $line"
	else echo "FAILED $shell completes $line"; echo "  as $got"; echo "  not $want"; status=1; fi
}
all() { sed 's/=$//'; }
for shell in bash zsh; do
	command -v $shell >/dev/null || { echo "SKIPPED completion in $shell: it is not installed"; continue; }
	offers $shell 'tallyd --ov' --overwrite
	offers $shell 'tallyd -q --' $(tallyd --list options | all)
	offers $shell 'tallyd --access ' auto raw perf hybrid
	offers $shell 'tallyd --list m' models
	offers $shell 'tally his' histogram
	offers $shell 'tally ' $(tally --help | awk '/^  [a-z]/ { print $1 }')
	offers $shell 'tally totals --' $(tally totals --options | all)
	offers $shell 'tally live --pa' --pages
	offers $shell 'tally export --tex' --textfile
	offers $shell 'tally report LIC' LICENSE
	offers $shell 'tallyd --help ' all
	offers $shell 'tally --help ' all
done
# readline parts words at "@" by itself, zsh does not
offers bash 'tallyd -c @default-sk' default-skx
offers bash 'tally print @rangel' rangeley
command -v zsh >/dev/null && offers zsh 'tallyd -c @default-sk' @default-skx
# each command of tally prints its table, and its table has what --help has
for c in $(tally --help | awk '/^  [a-z]/ { print $1 }'); do
	if tally "$c" --options | grep -qx -e --help; then echo "ok tally $c --options"
	else echo "FAILED tally $c --options"; status=1; fi
done
for p in tallyd tally; do
	if [ "$(complete -p $p)" = "complete -o filenames -F _tallyd $p" ]; then echo "ok bash completes $p"
	else echo "FAILED bash completes $p"; status=1; fi
done
exit $status
