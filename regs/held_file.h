/*
 * regs/held_file.h - a file of the node that is kept open, and read again and
 * again from its beginning.
 */
#ifndef REGS_HELD_FILE_H
#define REGS_HELD_FILE_H

#include "regs/access.h"

struct held_file {
	const char *path;       /* of the node; its owner's */
	int fd;                 /* -1: it is not open, or not a file of here */
	bool here;              /* of the node that runs this: fd is used */
};

/* held_open - -errno: there is none; -EINVAL: it is no plain file, and reading it
 * might never end.  Root alone may read some: open while that is what runs. */
int held_open(struct held_file *, struct access *, const char *path);

/* held_read - what pread(2) says of up to `size` bytes.  Of one that has gone (a
 * device that was taken out) and is there again, the new one.  May take long:
 * the kernel asks a device for some. */
ssize_t held_read(struct held_file *, struct access *, uint64_t offset,
    void *buf, size_t size);

void held_close(struct held_file *);    /* NULL accepted */

#endif
