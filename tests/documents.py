#!/usr/bin/env python3
"""Commands of README.md and of doc/first-hour.md, run as they stand.

   B=build tests/documents.py            a line a test
   DOC=write B=build tests/documents.py  writes what the commands print into the
                                         documents; then read git diff

An indented block is what a reader types.  Where its lines begin with "$ ", the
lines below each are what that prints, and are held against it; a line "..."
stands for any number of lines.  Where none does, each line is a command that has to
work.  sudo, modprobe, apt-get and make are stand-ins; tallyd samples the simulated
Skylake node where the document means a real one.
"""
import os, re, shutil, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
B = os.path.abspath(os.environ.get('B', 'build'))
WRITE = os.environ.get('DOC') == 'write'
failed = 0

# What a real node would have, a reader's own machine has not.
STANDS_IN = {
    'sudo': 'exec "$@"',
    'modprobe': ':', 'apt-get': ':', 'make': ':',
    'tallyd': f'case "$*" in *--sim*|*--list*|*--print*) exec {B}/tallyd "$@" ;; esac\n'
              f'exec {B}/tallyd --sim @skx-8160-2s "$@"',
    'tally': f'exec {B}/tally "$@"',
    'app': 'sleep 1.2',
    # the daemon of this folder, not of others that run here; more than once, as a SIGCONT
    # in a sample that took long passes for the end of a stop
    'pkill': 'sleep 2.2\nfor i in $(seq 1200); do for p in $(pgrep -x tallyd); do\n'
             '\t[ "$(readlink /proc/$p/cwd)" = "$PWD" ] && kill -CONT $p\ndone\n'
             '[ -s run.lua ] && exit 0; sleep 0.1; done; exit 1',
}


def say(ok, name, why=''):
    global failed
    failed += not ok
    print(f'{"ok    " if ok else "FAILED"} {name}')
    if not ok:
        print('\n'.join('    ' + l for l in why.splitlines()[:40]))


def blocks(lines):
    """(first line, lines) of each indented block of commands; those that are a
    configuration or a line of a dump have no command in them."""
    at = 0
    while at < len(lines):
        if not lines[at].startswith('    ') or (at > 0 and lines[at - 1].strip()):
            at += 1
            continue
        end = at
        while end < len(lines) and (lines[end].startswith('    ') or (not lines[end].strip()
                and end + 1 < len(lines) and lines[end + 1].startswith('    '))):
            end += 1
        yield at, [l[4:] for l in lines[at:end]]
        at = end


COMMAND = re.compile(r'(sudo |make\b|tallyd? |S=\$)')


def shell(command, folder, env):
    p = subprocess.run(['/bin/bash', '-o', 'pipefail', '-c', command], cwd=folder, env=env,
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, text=True, timeout=300)
    return p.returncode, p.stdout.rstrip('\n').split('\n') if p.stdout else []


def fits(printed, wanted):
    """Are these the wanted lines?  "..." is any number of lines, and what stands
    behind two blanks and a # is a remark."""
    wanted = [re.sub(r'  +# .*', '', l).rstrip() for l in wanted]
    printed = [l.rstrip() for l in printed]
    if '...' not in wanted:
        return printed == wanted
    at = wanted.index('...')
    rest = wanted[at + 1:]
    return printed[:at] == wanted[:at] and any(
        fits(printed[i:], rest) for i in range(at, len(printed) + 1))


def transcript(name, first, block, folder, env, out):
    """Lines with "$ " and what they print."""
    at = 0
    while at < len(block):
        command, end = block[at][2:], at + 1
        while end < len(block) and not block[end].startswith('$ '):
            end += 1
        wanted = block[at + 1:end]
        while wanted and not wanted[-1].strip():
            wanted.pop()
        status, printed = shell(re.sub(r'  +# .*', '', command), folder, env)
        ok = fits(printed, wanted)
        if WRITE and not ok and '...' not in wanted:
            out[first + at + 1:first + at + 1 + len(wanted)] = [('    ' + l).rstrip() for l in printed]
            return True         # line numbers are others now
        say(ok, f'{name}:{first + at + 1}: {command}', '\n'.join(printed))
        at = end
    return False


def document(name, folder, env):
    path = os.path.join(TOP, name)
    with open(path) as f:
        lines = f.read().split('\n')
    for first, block in list(blocks(lines)):
        if block[0].startswith('$ '):
            if transcript(name, first, block, folder, env, lines):
                with open(path, 'w') as f:
                    f.write('\n'.join(lines))
                return True
            continue
        for k, command in enumerate(block):
            command = re.sub(r'\s+# .*', '', command)
            if not command.strip() or not COMMAND.match(command):
                continue
            status, printed = shell(command, folder, env)
            # tally why exits with 1 where it has found what limits a run
            ok = status == 0 or (status == 1 and command.startswith('tally why'))
            say(ok, f'{name}:{first + k + 1}: {command[:60]}', '\n'.join(printed))
    return False


def main():
    with open(os.path.join(TOP, 'README.md')) as f:
        n = len(f.readlines())
    say(n <= 130, 'README.md has at most 130 lines', str(n))
    for name in ('README.md', 'doc/first-hour.md'):
        again = True
        while again:
            folder = tempfile.mkdtemp(prefix='tallyd-documents.')
            try:
                tools = os.path.join(folder, 'bin')
                os.mkdir(tools)
                for tool, text in STANDS_IN.items():
                    path = os.path.join(tools, tool)
                    with open(path, 'w') as f:
                        f.write('#!/bin/sh\n' + text + '\n')
                    os.chmod(path, 0o755)
                work = os.path.join(folder, 'work')
                os.mkdir(work)
                shutil.copy(os.path.join(tools, 'app'), work)
                os.mkdir(os.path.join(work, 'build'))
                for program in ('tallyd', 'tally'):
                    os.symlink(os.path.join(B, program), os.path.join(work, 'build', program))
                # what make demo leaves
                subprocess.run([f'{B}/tallyd', '-q', '--sim', '@skx-8160-2s', '--virtual-time',
                                '-n', '40', '-o', os.path.join(work, 'build/demo.lua')], check=True)
                env = dict(os.environ, PATH=tools + ':' + os.environ['PATH'], COLUMNS='100')
                again = document(name, work, env)
            finally:
                subprocess.run(f'for p in $(pgrep -x tallyd); do case $(readlink /proc/$p/cwd) in '
                               f'{folder}*) kill -KILL $p ;; esac; done', shell=True)
                shutil.rmtree(folder, ignore_errors=True)
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
