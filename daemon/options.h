/*
 * daemon/options.h - the command line of tallyd.
 */
#ifndef DAEMON_OPTIONS_H
#define DAEMON_OPTIONS_H

#include "config/amount.h"
#include "config/lang/statements.h"
#include "config/version.h"
#include "lib/diag.h"

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define MAX_FILES 32

enum access_mode {
	ACCESS_AUTO,    /* raw where it would work, else perf */
	ACCESS_RAW,     /* registers */
	ACCESS_PERF,    /* the kernel counts: perf_event_open */
	ACCESS_HYBRID,  /* the kernel programs; we read: regs/perf.h */
};

enum read_mode {
	READ_AUTO,      /* one of those below, as measured at start */
	READ_BATCH,     /* msr-safe's batch ioctl: one system call */
	READ_PINNED,    /* a thread on each lproc reads it */
	READ_VISIT,     /* the thread moves to each lproc and reads locally */
	READ_REMOTE,    /* each lproc's registers from another; a package's from
			 * an lproc of it, where moving there takes less */
	READ_MODES
};

struct files {
	const char *name[MAX_FILES];
	unsigned n;
};

/* What is counted. */
struct count_options {
	struct files config;
	bool own_config;                /* config is ETC_CONFIG alone */
	const char *inputs;
	struct files event_list;
	const char *site;
	bool soc_preprogrammed, measure_dram;
};

/* Of which node, and by which way. */
struct node_options {
	const char *root;               /* "/" */
	const struct method *method;    /* of access */
	const char *machine;            /* what it is to open; NULL: root */
	const char *replay;
	bool virtual_time;
	enum access_mode access;
	bool no_taint;                  /* write no MSR, whatever is asked */
	bool force;                     /* take what somebody else uses */
};

/* How a sample is read. */
struct read_options {
	enum read_mode mode;
	const char *cpus;               /* with a thread each; NULL */
	int cpu;                        /* -1: where a sweep ends */
	unsigned watch;                 /* samples between tamper checks */
	unsigned rotate;                /* samples between turns of sets */
	double turn;                    /* s, of a set; 0: as rotate says */
	uint64_t turn_ns;               /* the same in ns */
	double max_overhead;            /* percent; 0: any */
};

/* What becomes of the samples. */
struct dump_options {
	const char *file;               /* NULL: HOST.perfcounts.lua */
	bool overwrite;
	struct amount segment;          /* a dump for each: time or size */
	struct amount keep;             /* so much of them; NONE: all */
	const char *pipe;               /* the command that each goes through */
	const char *group;              /* NULL: the owner's */
	unsigned mode;                  /* 0: 0640, and what the umask leaves */
};

struct service_options {
	bool background;
	const char *pidfile;
	const char *store;              /* NULL: in /dev/shm */
	bool share;                     /* anybody may read the store */
	const char *journal;            /* NULL: /run/tallyd.journal, real only */
	const char *socket;             /* NULL: /run/tallyd/tallyd.socket,
					 * real only */
	const char *user;
	bool keep_root;
	bool keep_writing;              /* the sampler may write registers */
};

/* What the daemon that samples already is told. */
struct tell_options {
	const char *mark;
	bool pause, resume, ask, reload;
	const char *pause_time;         /* s; NULL: until --resume */
};

/* What is done in place of sampling. */
struct instead_options {
	bool check, prove, dry_run, restore;
	const char *record_node;        /* the file that the node becomes */
	const char *list, *print;
	const char *pattern;            /* for --list events; NULL: all */
	const char *model;              /* for --list */
	bool help, help_all, version;
};

struct options {
	double interval;                /* seconds */
	uint64_t interval_ns;
	/* until when: as told where none of these is given */
	uint64_t samples;
	double time;                    /* s */
	int pid;                        /* until it ends */
	char **program;                 /* while it runs */
	struct count_options count;
	struct node_options node;
	struct read_options read;
	struct dump_options dump;
	struct service_options service;
	struct tell_options tell;
	struct instead_options instead;
	int verbose;
	bool quiet;
	struct option_line *lines;      /* options in files of config */
	struct arena *arena;            /* of what they say */
	struct diag again;              /* options that were given more than
					 * once; "": none */
};

/* read_mode_name - as --read spells it. */
const char *read_mode_name(enum read_mode);

/* options_parse - 0, or -errno with the reason in why.  What is on the command
 * line holds, then what is in a file (options_file_read). */
int options_parse(struct options *, int argc, char **argv, struct diag *why);

/* options_fini - after a parse that failed, too. */
void options_fini(struct options *);

/* options_tell - are they something for the daemon that samples already? */
bool options_tell(const struct options *);

/* options_print - "--NAME", and "=" behind one that takes a value, a line each. */
void options_print(FILE *);

/* The options that most people need; all of them. */
extern const char options_help[], options_usage[];

/*
 * An option: its name, its letter (0: none), what it does with its value and the
 * member of struct options that gets it.  An option is one row here, its member,
 * and a line of the usage and of tallyd(8).
 */
struct option_row {
	const char *name;
	int letter;
	int (*take)(const struct option_row *, struct options *, const char *value,
	    struct diag *why);
	size_t at;
	double min, max;        /* of a number */
	const char *say;        /* what to give, for a message; the words of a choice */
};

#define OPTIONS 56
extern const struct option_row option_rows[OPTIONS];

/* option_bare - does it stand without a value?  option_adds - may it be given
 * again, and each holds? */
bool option_bare(const struct option_row *);
bool option_adds(const struct option_row *);

/* Where a node's own configuration is, below --root. */
#define ETC_CONFIG "/etc/tallyd/tallyd.conf"

/* options_of_no_node - do they ask for what needs no node to be told? */
bool options_of_no_node(const struct options *);
/* options_print_is - is it --print with this name? */
bool options_print_is(const struct options *, const char *name);

#endif
