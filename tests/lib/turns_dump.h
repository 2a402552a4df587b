/*
 * tests/lib/turns_dump.h - a dump of two event sets that take turns, of which one counts.
 */
#ifndef TESTS_TURNS_DUMP_H
#define TESTS_TURNS_DUMP_H

/*
 * of_turns - the text of a dump of 40 s, a sample a second.  Its set "a" has every other
 * second: imc["X"] counts `odd` in the first of these, `even` in the next, and so on.
 * The text stands until the next call.
 */
const char *of_turns(unsigned odd, unsigned even);

#endif
