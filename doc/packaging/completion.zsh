#compdef tallyd tally
# Completion of tallyd and tally for zsh; options, commands and texts are what
# the programs themselves list.
local program=$words[1] said=
local -a list
case ${program:t}:$CURRENT:$PREFIX in
tally:2:*) said=$($program --help | sed -n 's/^  \([a-z]*\)  .*/\1/p') ;;
tallyd:*:@*) said=$($program --list texts | sed 's/[[:blank:]].*//') ;;
tally:*:@*) said=$($program print | sed 's/[[:blank:]].*//') ;;
tallyd:*:-*) said=$($program --list options | sed 's/=$//') ;;
tally:*:-*) said=$($program $words[2] --options | sed 's/=$//') ;;
tallyd:*) said=$($program --help all |
	sed -n "s/.*${words[CURRENT-1]} \([a-z]*|[a-z|]*\).*/\1/p" | tr '|' '\n') ;;
esac 2>/dev/null
[[ $words[CURRENT-1] != --help ]] || said=all
list=(${(f)said})
if (( $#list )); then compadd -- $list; else _files; fi
