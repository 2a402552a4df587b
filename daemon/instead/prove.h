/*
 * daemon/instead/prove.h - --prove: do work whose counts are known beforehand, count
 * it, and say which counters are wrong.
 */
#ifndef DAEMON_INSTEAD_PROVE_H
#define DAEMON_INSTEAD_PROVE_H

#include "config/arena.h"
#include "daemon/instead/work.h"
#include "daemon/node/node.h"

#include <stdio.h>

/* How the model and the access are chosen: as in any run. */
struct prove_how {
	const struct model *(*model)(const struct node *,
	    const struct options *);
	int (*access)(struct node *, const struct options *, struct diag *why);
};

/*
 * prove_run - all of it, within two minutes.
 *
 * The counters are those of @prove-MODEL, a set at a time, planned and programmed
 * as in any run, the registers journaled and put back.  The work is done by a
 * thread on each lproc (work.h); a simulated machine is told.  Text goes to
 * standard output; with -o FILE every figure to it as JSON.
 *
 * Returns the exit status: 0 where nothing is wrong, 1 where something is or it
 * could not be done, and has said why.
 */
int prove_run(const struct options *, const struct prove_how *);

/*
 * What the files of --prove share.
 *
 * kernels.c       loops whose turns do a known amount
 * work.c          threads that run them
 * count_rules.c   @counts.prove: what counters have to count
 * trials.c        which work is done, and how much that is of what
 * prove_round.c   a set of events: program, do all of the work, restore
 * prove_text.c    verdicts of one kind as one finding; for people, and as JSON
 * prove.c         the order of it all; what was counted against what was done
 */

#define PROVE_REPEATS 3         /* undisturbed ones, of up to three times that */
#define PROVE_SECONDS 110       /* after that nothing more is begun */
#define MAX_TRIALS 128
#define LENGTHS 2               /* each is done twice: short, and long */

/* How a counter is judged: a line of @counts.prove. */
enum rule_kind { RULE_COUNTS, RULE_CLOCK, RULE_RISES, RULE_FLAT };

struct count_rule {
	const char *family, *event;     /* event "": none */
	enum rule_kind kind;
	enum act act;
	double factor;
	bool by_tsc;            /* times the TSC's rate in GHz */
	double tolerance;       /* a part of 1 */
	double least, most;     /* RULE_CLOCK, Hz */
	unsigned line;
};

struct count_rules {
	struct count_rule *rule;
	unsigned n;
};

/* count_rules_load - the built-in text; 0 or -errno with words. */
int count_rules_load(struct count_rules *, struct arena *, struct diag *why);
/* count_rules_parse - any text of that kind. */
int count_rules_parse(struct count_rules *, struct arena *, const char *file,
    const char *text, size_t size, struct diag *why);
const struct count_rule *count_rules_find(const struct count_rules *,
    const char *family, const char *event);

/* A piece of work: what is done, where, and how much. */
enum trial_where {
	ON_ALL,                 /* every lproc */
	ON_FIRST,               /* the first of each package */
	ON_MEMORY,              /* of `pkg`, from lprocs of `from` */
};

struct trial {
	char name[48];          /* "read 0", "read 1 from 0" */
	enum kernel_id kernel;
	enum trial_where where;
	unsigned pkg, from;
	uint64_t turns[LENGTHS];
	size_t ring;            /* of a chase, bytes */
	uint32_t known;         /* bit a: it is known how much of act a it does */
	double act[ACTS];       /* of a turn, beside what its loop does */
};

struct trials {
	struct trial of[MAX_TRIALS];
	unsigned n;
	unsigned nleft_out;
	char left_out[512];     /* the work that this node cannot do */
};

/* trials_list - lists the work that this node can do. */
void trials_list(struct trials *, const struct node *, struct work *);

/* What was done in a trial, by lproc and package; .ns: how long it took. */
int trial_done_new(struct stimulus *, const struct topo *);
void trial_done_free(struct stimulus *);
/* trial_do - does the work, or tells a simulated machine that it is done.  0; 1: it was
 * disturbed; or -errno. */
int trial_do(const struct trial *, unsigned length, const struct node *,
    struct work *, struct stimulus *done);

/* What a column counted in the best run of a trial. */
struct proof_run {
	double delta;           /* NAN: it could not be read */
	double seconds, tsc_hz;
	double done;            /* of the rule's act, at the column's place */
	double other[ACTS];     /* of all acts */
};

enum verdict { VERDICT_OK, VERDICT_WRONG, VERDICT_UNREAD, VERDICT_FLAT };

struct proof {
	const struct count_rule *rule;
	char *column;           /* its printed form */
	const char *family, *event;
	const char *set;        /* the set that it is counted in */
	int lproc, pkg, box;    /* -1: none */
	unsigned bits, share;   /* how many columns share a package's work */
	unsigned stamp;         /* cell of the TSC when it was read; 0: unknown */
	const struct column *of;        /* during its round */
	struct proof_run (*reading)[LENGTHS];     /* [trials.n] */
	double fastest, slowest;        /* Hz of all runs */
	/* filled by prove_judge */
	enum verdict verdict;
	unsigned trial;         /* the one in which it is furthest off */
	double expected, counted, ratio;
	char words[200];
};

struct prove {
	const struct options *o;
	const struct prove_how *how_to;
	struct arena *arena;
	struct count_rules rules;
	struct trials trials;
	struct work *work;      /* NULL: a simulated machine is told */
	struct proof *item;
	unsigned nitem, room;
	char host[256], cpu[128], how[256], model[32];
	unsigned npkg, nlproc;
	double tsc_hz;
	uint64_t begin_ns;
	unsigned disturbed;     /* runs that were repeated for it */
	unsigned nlate;         /* trials that the time did not allow */
	char *remark[32];
	unsigned nremark;
	char *finding[64];
	unsigned nfinding, nmore;
	bool stopped;
};

/* prove_remark, prove_finding - keep a remark, or something that is wrong; the same
 * words once. */
void prove_remark(struct prove *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void prove_finding(struct prove *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * prove_round - counts set `set` of the configuration on a node that was opened.
 *
 * Returns 1 when there is another set, 0 when this was the last, or -errno with
 * words in why; registers are as they were in any case.
 */
int prove_round(struct prove *, struct node *, const char *config,
    unsigned set, struct diag *why);

/* prove_name - makes findings of what is wrong. */
void prove_name(struct prove *);

void prove_text(FILE *, const struct prove *);
void prove_json(FILE *, const struct prove *);

#endif
