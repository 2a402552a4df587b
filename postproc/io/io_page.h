/*
 * postproc/io/io_page.h - one dump, taken in for the views of its I/O: figures by
 * package and stack, and which device is on which part of a stack.
 */
#ifndef POSTPROC_IO_IO_PAGE_H
#define POSTPROC_IO_IO_PAGE_H

#include "postproc/gather/gather.h"
#include "postproc/metrics/node_view.h"

#define IO_PARTS 8              /* of a stack, at most */
#define IO_STACKS 16            /* of a package, at most */
#define IO_DEVICES 512
#define IO_WAYS 4               /* metrics of what goes through a part, at most */

/* A root port with what is below it: one link, and one part of a stack. */
struct io_port {
	int pkg, stack;         /* -1: on no stack that is known */
	int part;               /* -1: unknown */
	unsigned ndevice;
	char name[96];          /* of its first device */
	char addresses[64];     /* "17:00.0 17:00.1" */
	const char *driver;
	int node;
	double gt_s, width;     /* at most; 0: unknown */
	double gt_s_now, width_now;
	const char *missing;    /* what the node's sysfs lacked; "" */
};

struct io_page {
	struct metrics metrics;
	struct gather gather;
	struct sums sums;               /* of the whole range, scaled */
	struct io_port *port;           /* by address */
	unsigned nport;
	struct node_view view;          /* ask.view, or @io */
	const struct view_item *way;    /* [nway] its table of payload: by part of */
	unsigned nway;                  /* a stack, GB/s */
};

/*
 * io_page_open - opens a dump and reads the range that is asked for.  What is built
 * in for the CPU are its own metrics and, in a file of their own on some, those of
 * the I/O analysis.
 *
 * Returns 0, or -errno with words in why (where there are none, -ENOMEM);
 * io_page_close accepts either.  A range without two samples is an error.
 */
int io_page_open(struct io_page *, const char *path, const struct gather_ask *,
    struct diag *why);
/* io_page_load - the same, but for reading it; nothing is bound. */
int io_page_load(struct io_page *, const char *path, const struct gather_ask *,
    struct diag *why);
void io_page_close(struct io_page *);

/* io_ports - what is on the node, by address: *port, which the caller frees, with
 * *n of them.  0 or -ENOMEM. */
int io_ports(const struct reader *, struct io_port **port, unsigned *n);

/* io_bind - bind a metric by name, once; -ENOENT: there is no such metric. */
int io_bind(struct io_page *, const char *name);

/* io_figure - a metric's value: of a stack (pkg, stack), of a package (stack
 * -1) or of the node (pkg -1).  NaN where it cannot be had. */
struct figure io_figure(struct io_page *, const char *name, int pkg,
    int stack);
/* io_missing - the first input that a metric lacks in this dump, "not a
 * metric of this CPU", or NULL. */
const char *io_missing(struct io_page *, const char *name);

/* io_stack_name - "PCIe0", or "stack 3" where the dump does not say. */
const char *io_stack_name(const struct gather *, unsigned pkg,
    unsigned stack, char *buf, size_t size);
/* io_stack_pcie - is it PCIe, not CBDMA or MCP?  One without a name is.
 * io_stack_metric - the metric that a stack has for one of PCIe:
 * "pcie_in_read", else "stack_in_read". */
bool io_stack_pcie(const struct io_page *, int pkg, int stack);
const char *io_stack_metric(const struct io_page *, const char *pcie, int pkg,
    int stack, char *buf, size_t size);
/* io_stacks - how many stacks the dump has columns or names of. */
unsigned io_stacks(const struct gather *);
/* io_port_at - what is on a part; NULL: nobody. */
const struct io_port *io_port_at(const struct io_page *, int pkg, int stack,
    int part);

/* Payload through a part, GB/s. */
struct io_flow {
	struct figure of[IO_WAYS];      /* [page.nway] */
	struct figure total;    /* what is known of these; NaN: nothing */
	struct figure link;     /* % of both directions of it; NaN: unknown */
};
struct io_flow io_flow(struct io_page *, const struct io_port *, int pkg,
    int stack, int part);

#endif
