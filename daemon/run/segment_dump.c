/*
 * daemon/run/segment_dump.c - the dump of a segment that is over, written by a
 * child while the next one is sampled.
 */
#include "daemon/run/segments.h"

#include "config/folder.h"
#include "daemon/log.h"
#include "daemon/run/output.h"
#include "lib/printable.h"
#include "regs/host.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define AGAIN_NS UINT64_C(10000000000)  /* until a failed dump is tried again */

uint64_t
segment_row_time(const struct store *st, uint64_t row)
{
	const struct store_shape *s = store_shape(st);
	uint64_t sec, usec;

	if (store_read(st, row, s->cell_real_sec, 1, &sec) < 0 ||
	    store_read(st, row, s->cell_real_usec, 1, &usec) < 0)
		return 0;
	return sec * 1000000000 + usec * 1000;
}

void
segment_leave_place(struct output *out)
{
	save_close(&out->place);
	out->place.dir = -1;
}

/* Removes the oldest segment on a full disk, if --keep is given. */
static int
write_dump(const struct segments *g, const struct output *out,
    const struct store *st, struct diag *why)
{
	char name[256];
	int rc;

	while ((rc = output_save(out, st, why)) == -ENOSPC || rc == -EDQUOT) {
		if (g->o->dump.keep.kind == AMOUNT_NONE ||
		    segment_make_room(&g->output->place, name) < 0)
			break;
		log_warnx("%s; the oldest segment, %s, is removed for it",
		    why->text, name);
	}
	return rc;
}

/* After a dump was written: gives it to the program of --pipe.  Where there is none, or it
 * does not take the dump, removes older dumps as --keep says. */
static void
keep_or_pipe(const struct segments *g, const struct output *out, uint64_t end_s)
{
	char name[256];
	struct diag why;

	save_name(&out->place, name);
	if (g->pipe.fd >= 0) {
		int rc = segment_pipe_put(&g->pipe, name, end_s,
		    g->o->node.virtual_time);

		if (rc == 0)
			return;
		log_warnx("--pipe: %s: %s stays as it is", rc == -EAGAIN ?
		    "its program is too far behind" : "its process has ended",
		    name);
	}
	if (g->o->dump.keep.kind != AMOUNT_NONE && segment_keep(
	    &g->output->place, &g->o->dump.keep, name, end_s, &why) < 0)
		log_warnx("%s", why.text);
}

void
segment_dump_start(struct segments *g)
{
	*g->done = (struct segment_done){ .done = false };
	if ((g->dumper = fork()) != 0) {
		if (g->dumper < 0)
			g->dumper = 0;
		g->again_ns = clock_ns(CLOCK_MONOTONIC) + AGAIN_NS;
		return;
	}
	g->leave(g->ctx);
	g->done->rc = write_dump(g, &g->old_place, g->old, &g->done->why);
	if (g->done->rc == 0) {
		/* the daemon does so, too, but may have died */
		store_unlink(g->old);
		/* what SIGUSR1 wrote while there was one segment: its name has no number */
		if (!g->named && g->n == 2)
			save_undo(&g->output->place);
		keep_or_pipe(g, &g->old_place, g->old_end_s);
	}
	g->done->done = true;
	_exit(0);
}

static void
forget_old(struct segments *g)
{
	int rc = g->remove(g->ctx, g->old);

	if (rc < 0)
		log_warnx("store %s: %s; nobody needs it any more",
		    store_path(g->old), strerror(-rc));
	store_close(g->old);
	g->old = NULL;
	g->said = false;
	g->again_ns = 0;
	segment_leave_place(&g->old_place);
}

void
segment_dump_look(struct segments *g, bool wait)
{
	char path[4096];
	uint64_t rows;

	if (g->dumper == 0 || (!g->done->done &&
	    waitpid(g->dumper, NULL, wait ? 0 : WNOHANG) == 0))
		return;
	g->dumper = 0;
	rows = store_rows(g->old);
	if (g->done->done && g->done->rc == 0) {
		log_info("%" PRIu64 " samples in %s", rows,
		    save_path(&g->old_place.place, path));
		forget_old(g);
		return;
	}
	if (!g->said)
		log_warnx("%s: %" PRIu64 " samples stay in %s until they can "
		    "be written, or the next segment is full, too",
		    g->done->done ? g->done->why.text : "a dump was not "
		    "finished", rows, store_path(g->old));
	g->said = true;
}

void
segment_dump_drop(struct segments *g)
{
	uint64_t rows = store_rows(g->old);

	if (g->dumper > 0) {
		/* the daemon cannot end before its child, which may hang */
		syscall(SYS_tgkill, g->dumper, g->dumper, SIGKILL);
		waitpid(g->dumper, NULL, 0);
		g->dumper = 0;
		if (g->done->done) {
			segment_dump_look(g, false);
			if (g->old == NULL)
				return;
		}
	}
	log_warnx("%" PRIu64 " samples are lost, which could not be written "
	    "while as many others came: those of segment %" PRIu64 "%s%s",
	    rows - 1, g->n - 1, g->done->done ? ": " : "",
	    g->done->done ? g->done->why.text : "");
	forget_old(g);
}

void
segments_drop_next(struct segments *g)
{
	if (g->next == NULL)
		return;
	store_unlink(g->next);
	store_close(g->next);
	g->next = NULL;
}

static const struct output *
present(const struct segments *g)
{
	return g->place.place.dir >= 0 ? &g->place : g->output;
}

const struct save_place *
segments_place(const struct segments *g)
{
	return &present(g)->place;
}

bool
segments_range(const struct segments *g, uint64_t *first, uint64_t *last)
{
	*first = g->first_number;
	*last = g->first_number + g->n - 1;
	return g->place.place.dir >= 0;
}

int
segments_save(const struct segments *g, const struct store *st,
    struct diag *why)
{
	return write_dump(g, present(g), st, why);
}

void
segments_end(struct segments *g)
{
	segments_drop_next(g);
	segment_dump_look(g, true);
	if (g->old == NULL)
		return;
	segment_dump_start(g);
	segment_dump_look(g, true);
	if (g->old != NULL)
		log_warnx("the %" PRIu64 " samples of segment %" PRIu64
		    " are safe in %s: `tally dump %s > FILE` writes the dump",
		    store_rows(g->old), g->n - 1, store_path(g->old),
		    store_path(g->old));
}

void
segments_done(struct segments *g, const struct store *st, bool wait)
{
	uint64_t rows = store_rows(st);

	if (g->place.place.dir >= 0 && rows > 0)
		keep_or_pipe(g, &g->place, segment_row_time(st, rows - 1) / 1000000000);
	segment_pipe_stop(&g->pipe, wait);
}

/*
 * Stores that daemons which died have left.
 *
 * A child that has become the output's owner reads the store and writes the dump; root
 * only removes a store that was saved.
 */

struct left_by {
	const struct output *output;
	const struct options *o;
	const char *folder;
};

/* Saves an open store.  0: it is saved, or empty. */
static int
segment_left_save(const struct left_by *by, struct output *out,
    const struct store *st)
{
	uint64_t rows = store_rows(st);
	char path[4096], name[256];
	struct diag why;
	int rc;

	if (rows == 0)
		return 0;
	if ((rc = output_save(out, st, &why)) < 0) {
		log_warnx("%s", why.text);
		return rc;
	}
	log_info("%" PRIu64 " sample%s of a tallyd that died: %s", rows,
	    plural(rows), save_path(&out->place, path));
	if (by->o->dump.keep.kind != AMOUNT_NONE &&
	    segment_keep(&by->output->place, &by->o->dump.keep,
	    save_name(&out->place, name), segment_row_time(st,
	    rows - 1) / 1000000000, &why) < 0)
		log_warnx("%s", why.text);
	return 0;
}

/* Runs in the child. */
static int
dump_as_owner(const struct left_by *by, int fd)
{
	const struct owner *owner = &by->output->owner;
	struct output out = *by->output;
	char path[64], name[256];
	struct store *st;
	struct stat sb;
	struct diag why;
	bool ours = fstat(fd, &sb) == 0 && sb.st_uid == geteuid();
	int rc;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	/* a store of ours is opened before the change of user, another after it */
	if ((!ours && owner->uid != -1 && (rc = rights_become(owner)) < 0) ||
	    (rc = store_open(&st, path, &why)) < 0 ||
	    (ours && owner->uid != -1 && (rc = rights_become(owner)) < 0))
		return rc;
	segment_name(&by->output->place, segment_free_number(
	    &by->output->place), name);
	if ((rc = save_beside(&out.place, &by->output->place, name)) < 0)
		return rc;
	return segment_left_save(by, &out, st);
}

/* Has a child save a store.  Its result comes through a pipe, as the kernel reaps our
 * children (SA_NOCLDWAIT). */
static bool
dumped(const struct left_by *by, int fd)
{
	int ends[2];
	char done = 0;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	fflush(NULL);
	if ((pid = fork()) == 0) {
		close(ends[0]);
		done = dump_as_owner(by, fd) == 0;
		_exit(write(ends[1], &done, 1) != 1);
	}
	close(ends[1]);
	while (pid > 0 && read(ends[0], &done, 1) < 0 && errno == EINTR)
		continue;
	close(ends[0]);
	return done == 1;
}

static void
segment_left_take(const struct left_by *by, int dir, const char *name)
{
	int fd;

	if (!store_dead(dir, name, &by->output->owner, &fd))
		return;
	if (!dumped(by, fd))
		log_warnx("%s/%s, which a tallyd that died has left, could not "
		    "be dumped, and stays: `tally dump` writes it out",
		    by->folder, name);
	else if (folder_has(dir, name, fd) && unlinkat(dir, name, 0) < 0)
		log_warn("store %s/%s", by->folder, name);
	close(fd);
}

/* Is it the name of a store of this service: the one of --store, also with a number, or
 * a name that tallyd makes? */
static bool
is_one(const char *own, const char *name)
{
	size_t n;

	if (own == NULL)
		return fnmatch(STORE_PATTERN, name, 0) == 0;
	n = strlen(own);
	return strncmp(name, own, n) == 0 && (name[n] == '\0' ||
	    (name[n] == '.' && isdigit((unsigned char)name[n + 1]) &&
	    name[n + 1 + strspn(name + n + 1, "0123456789-")] == '\0'));
}

static void
segment_left_look_in(struct left_by *by, const char *folder, const char *own)
{
	DIR *dir = opendir(folder);
	const struct dirent *e;

	by->folder = folder;
	while (dir != NULL && (e = readdir(dir)) != NULL)
		if (is_one(own, e->d_name))
			segment_left_take(by, dirfd(dir), e->d_name);
	if (dir != NULL)
		closedir(dir);
}

void
segment_left(const struct output *output, const struct options *o)
{
	struct left_by by = { .output = output, .o = o };
	const char *own = o->service.store != NULL ?
	    folder_name(o->service.store) : NULL;
	char folder[4096];

	if (own == NULL) {
		segment_left_look_in(&by, STORES_OURS, NULL);
		segment_left_look_in(&by, STORES_ANYBODYS, NULL);
		return;
	}
	/* the folder ends before the last /, but "/" is a folder */
	snprintf(folder, sizeof(folder), "%.*s", own - o->service.store <= 1 ?
	    1 : (int)(own - o->service.store) - 1, own == o->service.store ?
	    "." : o->service.store);
	segment_left_look_in(&by, folder, own);
}
