/*
 * daemon/run/segment_left.c - stores that daemons which died have left.
 *
 * A child that has become the output's owner reads the store and writes the dump; root
 * only removes a store that was saved.
 */
#include "daemon/run/segments.h"

#include "config/folder.h"
#include "daemon/log.h"
#include "daemon/rights/store_place.h"
#include "daemon/run/segment_dump.h"
#include "daemon/run/segment_keep.h"
#include "lib/printable.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
	/* which of us may open it */
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
	/* "/" is one, else the last / is none of it */
	snprintf(folder, sizeof(folder), "%.*s", own - o->service.store <= 1 ?
	    1 : (int)(own - o->service.store) - 1, own == o->service.store ?
	    "." : o->service.store);
	segment_left_look_in(&by, folder, own);
}
