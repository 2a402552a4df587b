/*
 * tests/lib/doctor.h - a dump in memory, to be changed: what a node that lies, or a
 * tool beside ours, makes of it.
 */
#ifndef TESTS_DOCTOR_H
#define TESTS_DOCTOR_H

#include <stdbool.h>
#include <stdint.h>

/* A line: `name[sample] = value`; or of the head, as it stands. */
struct dump_line {
	char *name;             /* of the head: the whole line */
	int sample;             /* -1: of the head */
	uint64_t value;
	bool hex, gone;
	struct dump_line *before;       /* the same of the sample before */
};

struct doctored {
	struct dump_line *line;
	unsigned n;
	char *text;
};

/* doctored_load - of a dump whose samples begin with tsc. */
void doctored_load(struct doctored *, const char *path);
void doctored_free(struct doctored *);
/* doctored_copy - what `from` was loaded as: its lines alone are its own. */
void doctored_copy(struct doctored *, const struct doctored *from);
/* doctored_write - into a file of test_dir; returns its path. */
const char *doctored_write(const struct doctored *, const char *name);

/* name_like - "core_counts[*][\"X\"]": '*' stands for any text. */
bool name_like(const char *name, const char *pattern);

/*
 * What can be done to values of the samples from..to of the columns alike.
 *
 * DO_ADD  arg, in two's complement    DO_SET  to arg
 * DO_STAY at the value of sample `from` - 1     DO_CLEAR  no value
 * DO_SHRINK  each step is cut to one in arg   DO_GROW  or made arg times as much
 * DO_SWAP the samples from and to, all of what is alike
 */
enum doing { DO_ADD, DO_SET, DO_STAY, DO_CLEAR, DO_SHRINK, DO_GROW, DO_SWAP };

struct doing_to {
	enum doing what;
	const char *columns;
	int from, to;
	uint64_t arg;
};

/* doctor - returns how many values it changed.  doctor_head - a line of the
 * head that begins like this is replaced. */
unsigned doctor(struct doctored *, const struct doing_to *);
unsigned doctor_head(struct doctored *, const char *begins, const char *line);

#endif
