/*
 * config/dump/store_lock.c - locks that tell that a store's daemon is running.
 */
#include "config/dump/store_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static struct flock
byte_of(enum store_byte byte, short type)
{
	return (struct flock){ .l_type = type, .l_whence = SEEK_SET,
	    .l_start = byte, .l_len = 1 };
}

void
store_lock(int fd, enum store_byte byte, bool on)
{
	struct flock l = byte_of(byte, on ? F_WRLCK : F_UNLCK);

	/* before Linux 3.15: a lock of the process, not of the open file */
	if (fcntl(fd, F_OFD_SETLK, &l) < 0 && errno == EINVAL)
		fcntl(fd, F_SETLK, &l);
}

bool
store_locked(int fd, enum store_byte byte)
{
	/* ask for a read lock: read locks of others do not conflict with it */
	struct flock l = byte_of(byte, F_RDLCK);

	return fcntl(fd, F_GETLK, &l) == 0 && l.l_type == F_WRLCK;
}
