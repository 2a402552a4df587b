/*
 * daemon/instead/record_node.c - --record-node: what is read, and in which order.
 */
#include "daemon/instead/instead.h"

#include "config/folder.h"
#include "daemon/node/choose.h"
#include "daemon/instead/recorder.h"
#include "daemon/log.h"
#include "daemon/node/obstacle.h"
#include "daemon/node/program.h"
#include "topology/devices.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIM_PACKAGES 16         /* as many as a machine file can have */

/* The folder and name of the file. */
struct target_file {
	const char *path;
	int dir;                /* -1: none */
	bool overwrite;
};

/* Opens the folder and refuses a file that is there, before the node is read. */
static int
find_place(struct target_file *t, const struct options *o, bool trusted,
    struct diag *why)
{
	const char *name = folder_name(o->instead.record_node);
	struct stat sb;

	t->path = o->instead.record_node;
	t->overwrite = o->dump.overwrite;
	if (name[0] == '\0')
		return diag_set(why, -EISDIR, "--record-node %s: give the name "
		    "of a file", t->path);
	if ((t->dir = folder_open(t->path)) < 0)
		return diag_set(why, t->dir, "--record-node %s: its folder: "
		    "%s", t->path, strerror(-t->dir));
	if (fstatat(t->dir, name, &sb, AT_SYMLINK_NOFOLLOW) == 0 &&
	    (!S_ISREG(sb.st_mode) || !t->overwrite))
		return diag_set(why, -EEXIST, "--record-node %s: it exists%s",
		    t->path, S_ISREG(sb.st_mode) ? "; --overwrite replaces it" :
		    ", and is no file that could be replaced");
	return trusted ? 0 : folder_trusted(t->dir, t->path, "name another "
	    "place, as /root or /tmp", why);
}

/* Writes the file under another name and renames it. */
static int
record_node_save(const struct target_file *t, const char *text, size_t size,
    struct diag *why)
{
	const char *name = folder_name(t->path);
	char temp[256];
	int fd = folder_temp(t->dir, name, temp), rc = fd < 0 ? fd : 0;
	size_t done = 0;
	ssize_t n;

	while (rc == 0 && done < size) {
		if ((n = write(fd, text + done, size - done)) < 0 &&
		    errno != EINTR)
			rc = -errno;
		done += n > 0 ? (size_t)n : 0;
	}
	if (rc == 0 && fsync(fd) < 0)
		rc = -errno;
	if (fd >= 0 && close(fd) < 0 && rc == 0)
		rc = -errno;
	if (rc == 0 && t->overwrite)
		rc = renameat(t->dir, temp, t->dir, name) < 0 ? -errno : 0;
	else if (rc == 0)
		rc = folder_put(t->dir, temp, name);
	if (fd >= 0 && rc < 0)
		unlinkat(t->dir, temp, 0);
	return rc < 0 ? diag_set(why, rc, "--record-node %s: %s", t->path,
	    strerror(-rc)) : 0;
}

/* Can its registers be read at all? */
static int
can_read(const struct node *node, const struct options *o, struct diag *why)
{
	const struct model *m = node->topo.model;

	if (!node->acc->ops->simulated && strcmp(o->node.root, "/") == 0 &&
	    geteuid() != 0)
		return diag_set(why, -EPERM, "--record-node: run it as root, "
		    "who alone may read registers and config space");
	if (node->topo.npkg > SIM_PACKAGES)
		return diag_set(why, -E2BIG, "--record-node: %u packages, and a "
		    "machine file has at most %d", node->topo.npkg,
		    SIM_PACKAGES);
	return m == NULL || m->core == NULL || m->core->space != REG_MSR ? 0 :
	    obstacle_msr(node, why);
}

/* Plans a run, so that what planning reads is recorded. */
static void
plan(struct node *node, const struct options *o)
{
	struct topo *topo = &node->topo;
	struct diag why;
	int rc;

	topo->model = choose_model(node, o);
	if (topo->model == NULL)
		return;
	if ((rc = node_configure(node, o, topo->model, &why)) == 0 &&
	    (rc = choose_access(node, o, &why)) == 0 &&
	    (rc = node_plan(node, &why)) == 0)
		rc = node_save(node, &why);
	if (rc < 0)
		log_warnx("recorded without what would be sampled: %s",
		    why.text);
}

static int
read_node(struct recording *r, const struct options *o, struct diag *why)
{
	struct node *node = r->node;
	struct devices devices;
	int rc;

	if ((rc = topo_load(&node->topo, node->acc, why)) < 0 ||
	    (rc = can_read(node, o, why)) < 0 ||
	    (rc = inventory_load(&node->inv, &node->topo, node->acc,
	    why)) < 0)
		return rc;
	if ((rc = record_walk(r)) < 0)
		return diag_set(why, rc, "out of memory");
	record_extra(r);
	record_pmus_read(r);
	if ((rc = devices_load(&devices, &node->topo, node->acc, why)) < 0)
		return rc;
	devices_free(&devices);
	plan(node, o);
	if ((rc = record_samples(r)) < 0)
		return diag_set(why, rc, "sampling: %s", strerror(-rc));
	return 0;
}

static int
record(struct recording *r, const struct options *o, struct diag *why)
{
	struct node *node = r->node;
	struct target_file t = { .dir = -1 };
	char *text = NULL;
	size_t size = 0;
	int rc;

	if ((rc = find_place(&t, o, node->acc->ops->simulated, why)) == 0 &&
	    (rc = read_node(r, o, why)) == 0 &&
	    (rc = record_text(r, &text, &size, why)) == 0 &&
	    (rc = record_node_save(&t, text, size, why)) == 0)
		log_info("%s: %u registers, %u of them unreadable; files that "
		    "were read and are not in it: %u.  Look through it before "
		    "you pass it on", t.path, r->kept->nreg, r->unreadable,
		    r->left_out);
	free(text);
	if (t.dir >= 0)
		close(t.dir);
	return rc;
}

int
record_node(struct node *node, const struct options *o)
{
	struct recording r = { .node = node, .interval_ns = o->interval_ns };
	struct diag why;
	int rc;

	rc = o->node.method->open(&node->acc, o->node.machine != NULL ?
	    o->node.machine : o->node.root, &why);
	if (rc == 0 && (r.kept = recorder_start(node->acc)) == NULL)
		rc = diag_set(&why, -ENOMEM, "out of memory");
	if (rc == 0) {
		access_hurry(node->acc, o->node.virtual_time);
		rc = record(&r, o, &why);
	}
	if (node->acc != NULL)
		recorder_stop(r.kept, node->acc);
	if (rc < 0)
		log_warnx("%s", why.text);
	return rc < 0;
}
