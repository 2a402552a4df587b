# Completion of tallyd and tally for bash; options, commands and texts are what
# the programs themselves list.
_tallyd()
{
	local line=${COMP_LINE:0:COMP_POINT} program=$1 before=$3 word command words=
	word=${line##*[[:blank:]]}
	command=${COMP_WORDS[1]}
	case ${program##*/}:$COMP_CWORD:$before in
	*:--help) words=all ;;
	tally:1:*) words=$("$program" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p') ;;
	*)	case ${program##*/}:$word in
		tallyd:@*) words=$("$program" --list texts | sed 's/[[:blank:]].*//') ;;
		tally:@*) words=$("$program" print | sed 's/[[:blank:]].*//') ;;
		tallyd:-*) words=$("$program" --list options | sed 's/=$//') ;;
		tally:-*) words=$("$program" "$command" --options | sed 's/=$//') ;;
		tallyd:*) words=$("$program" --help all |
			sed -n "s/.*$before \([a-z]*|[a-z|]*\).*/\1/p" | tr '|' ' ') ;;
		esac ;;
	esac 2>/dev/null
	if [ -n "$words" ]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
		# readline keeps what is before @ and the like by itself
		COMPREPLY=("${COMPREPLY[@]#"${word%"${word##*[@=:]}"}"}")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
	fi
}
complete -o filenames -F _tallyd tallyd tally
