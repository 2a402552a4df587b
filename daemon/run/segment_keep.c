/*
 * daemon/run/segment_keep.c - the files of segments: their names, and which are kept (--keep).
 *
 *   list = "tallyd segments of NAME\n" { END BYTES INODE MTIME_NS NAME "\n" }
 */
#include "daemon/run/segments.h"

#include "config/folder.h"
#include "lib/array.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define LARGEST (16u << 20)     /* bytes of a list: 200,000 segments */

struct done_segment {
	uint64_t end_s, bytes, inode, mtime_ns;
	char name[256];
};

struct kept_list {
	const struct save_place *place;
	char file[256];         /* its name */
	int lock;               /* the folder, held; -1 */
	struct done_segment *kept;      /* the oldest first */
	unsigned n, room;
};

static uint64_t
mtime_ns(const struct stat *sb)
{
	return (uint64_t)sb->st_mtim.tv_sec * 1000000000 +
	    (uint64_t)sb->st_mtim.tv_nsec;
}

/* Is the file as the list notes it? */
static bool
segment_keep_is_ours(const struct kept_list *l, const struct done_segment *k)
{
	struct stat sb;

	return segment_number(l->place, k->name) != 0 &&
	    fstatat(l->place->dir, k->name, &sb, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISREG(sb.st_mode) && sb.st_ino == k->inode &&
	    (uint64_t)sb.st_size == k->bytes && mtime_ns(&sb) == k->mtime_ns;
}

static int
segment_keep_add(struct kept_list *l, const struct done_segment *k)
{
	if (!array_room(&l->kept, l->n, &l->room, sizeof(*k)))
		return -ENOMEM;
	l->kept[l->n++] = *k;
	return 0;
}

/* Reads the segments of the list that are still ours; text ends with a NUL. */
static int
segment_keep_take(struct kept_list *l, char *text)
{
	char head[300], *line, *rest = text;
	struct done_segment k;
	int rc = 0;

	snprintf(head, sizeof(head), "tallyd segments of %s", l->place->name);
	if ((line = strsep(&rest, "\n")) == NULL || strcmp(line, head) != 0)
		return -EEXIST;
	while (rc == 0 && (line = strsep(&rest, "\n")) != NULL)
		if (sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
		    " %255[^\n]", &k.end_s, &k.bytes, &k.inode, &k.mtime_ns,
		    k.name) == 5 && segment_keep_is_ours(l, &k))
			rc = segment_keep_add(l, &k);
	return rc;
}

static int
read_list(struct kept_list *l)
{
	int fd = openat(l->place->dir, l->file, O_RDONLY | O_NOFOLLOW |
	    O_NONBLOCK | O_NOCTTY | O_CLOEXEC), rc;
	struct stat sb;
	ssize_t n = 0;
	char *text;

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	if (fstat(fd, &sb) < 0 || !S_ISREG(sb.st_mode) ||
	    sb.st_size > LARGEST) {
		close(fd);
		return -EEXIST;
	}
	text = malloc((size_t)sb.st_size + 1);
	if (text != NULL && (n = pread(fd, text, (size_t)sb.st_size, 0)) >= 0)
		text[n] = '\0';
	rc = text == NULL ? -ENOMEM : n < 0 ? -errno :
	    segment_keep_take(l, text);
	free(text);
	close(fd);
	return rc;
}

static int
write_list(const struct kept_list *l)
{
	char temp[256];
	int fd = folder_temp(l->place->dir, l->file, temp), rc;
	bool bad;
	FILE *f;

	if (fd < 0)
		return fd;
	if ((f = fdopen(fd, "w")) == NULL) {
		rc = -errno;
		close(fd);
		goto fail;
	}
	fprintf(f, "tallyd segments of %s\n", l->place->name);
	for (size_t i = 0; i < l->n; i++)
		fprintf(f, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		    " %s\n", l->kept[i].end_s, l->kept[i].bytes,
		    l->kept[i].inode, l->kept[i].mtime_ns, l->kept[i].name);
	bad = ferror(f) != 0;
	rc = fclose(f) != 0 || bad ? -EIO : 0;
	if (rc == 0 && renameat(l->place->dir, temp, l->place->dir,
	    l->file) == 0)
		return 0;
	rc = rc < 0 ? rc : -errno;
fail:
	unlinkat(l->place->dir, temp, 0);
	return rc;
}

static void
close_list(struct kept_list *l)
{
	free(l->kept);
	if (l->lock >= 0)
		close(l->lock);
}

/* Locks the list against another process of ours. */
static int
open_list(struct kept_list *l, const struct save_place *place)
{
	const char *dot = strrchr(place->name, '.');
	int rc;

	*l = (struct kept_list){ .place = place };
	snprintf(l->file, sizeof(l->file), "%.*s.segments",
	    dot != NULL && dot != place->name ? (int)(dot - place->name) :
	    (int)strlen(place->name), place->name);
	l->lock = openat(place->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (l->lock >= 0)
		flock(l->lock, LOCK_EX);
	if ((rc = read_list(l)) < 0)
		close_list(l);
	return rc;
}

/* Removes the oldest; one that cannot be removed is dropped from the list. */
static void
remove_oldest(struct kept_list *l)
{
	unlinkat(l->place->dir, l->kept[0].name, 0);
	l->n--;
	memmove(l->kept, l->kept + 1, l->n * sizeof(l->kept[0]));
}

static bool
segment_keep_too_many(const struct kept_list *l, const struct amount *keep)
{
	uint64_t bytes = 0;

	if (l->n < 2)
		return false;
	switch (keep->kind) {
	case AMOUNT_COUNT:
		return l->n > keep->n;
	case AMOUNT_TIME:
		return l->kept[l->n - 1].end_s > l->kept[0].end_s +
		    keep->n / 1000000000;
	case AMOUNT_SIZE:
		for (size_t i = 0; i < l->n; i++)
			bytes += l->kept[i].bytes;
		return bytes > keep->n;
	default:
		return false;
	}
}

static int
add_new(struct kept_list *l, const char *name, uint64_t end_s)
{
	struct done_segment k = { .end_s = end_s };
	struct stat sb;

	if (fstatat(l->place->dir, name, &sb, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	k.bytes = (uint64_t)sb.st_size;
	k.inode = sb.st_ino;
	k.mtime_ns = mtime_ns(&sb);
	snprintf(k.name, sizeof(k.name), "%s", name);
	return segment_keep_add(l, &k);
}

int
segment_keep(const struct save_place *place, const struct amount *keep,
    const char *name, uint64_t end_s, struct diag *why)
{
	struct kept_list l;
	int rc = open_list(&l, place);

	if (rc == 0) {
		if (name[0] != '\0')
			rc = add_new(&l, name, end_s);
		while (rc == 0 && segment_keep_too_many(&l, keep))
			remove_oldest(&l);
		if (rc == 0)
			rc = write_list(&l);
		close_list(&l);
	}
	return rc == 0 ? 0 : diag_set(why, rc, "--keep: the list %s: %s: no "
	    "segment is removed", l.file, rc == -EEXIST ? "it is not tallyd's"
	    : strerror(-rc));
}

int
segment_make_room(const struct save_place *place, char name[256])
{
	struct kept_list l;
	int rc = open_list(&l, place);

	if (rc < 0)
		return rc;
	if (l.n == 0)
		rc = -ENOENT;
	else {
		snprintf(name, 256, "%s", l.kept[0].name);
		remove_oldest(&l);
		/* if this fails the list has a line too many, of a file that is gone */
		write_list(&l);
	}
	close_list(&l);
	return rc;
}

/* ---- the files of segments */

#define DIGITS 6

/* The length of a name without its extension. */
static int
stem_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot != NULL && dot != name ? (int)(dot - name) :
	    (int)strlen(name);
}

void
segment_name(const struct save_place *p, uint64_t n, char name[256])
{
	int stem = stem_of(p->name);

	snprintf(name, 256, "%.*s.%0*" PRIu64 "%s", stem, p->name, DIGITS, n,
	    p->name + stem);
}

uint64_t
segment_number(const struct save_place *p, const char *name)
{
	size_t stem = (size_t)stem_of(p->name), rest = strlen(p->name + stem);
	unsigned long long n;
	char *end;

	if (strncmp(name, p->name, stem) != 0 || name[stem] != '.')
		return 0;
	name += stem + 1;
	if (strspn(name, "0123456789") < DIGITS ||
	    strspn(name, "0123456789") > 18)
		return 0;
	n = strtoull(name, &end, 10);
	if (strncmp(end, p->name + stem, rest) != 0)
		return 0;
	end += rest;
	return *end == '\0' || *end == '.' ? n : 0;
}

uint64_t
segment_free_number(const struct save_place *p)
{
	int fd = openat(p->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;
	uint64_t most = 0, n;

	if (dir == NULL && fd >= 0)
		close(fd);
	while (dir != NULL && (e = readdir(dir)) != NULL)
		if ((n = segment_number(p, e->d_name)) > most)
			most = n;
	if (dir != NULL)
		closedir(dir);
	return most + 1;
}
