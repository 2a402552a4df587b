#!/bin/sh
# Runs test programs side by side, and prints a line for each (tests/tools/runner.c);
# whatever ends this, no process and no file of theirs is left.
#
#   [B=build] [JOBS=N] [V=1] tests/run.sh PROGRAM...
exec "${B:-build}/tests/runner" "$@"
