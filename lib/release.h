/*
 * lib/release.h - memory that a start has used and what follows does not need.
 */
#ifndef LIB_RELEASE_H
#define LIB_RELEASE_H

/*
 * memory_release - give the kernel back what is free of the heap, and unmap the pages
 * of code, constants and texts of this program and its libraries: those that are
 * needed later are mapped again when they are.
 *
 * For a process of one thread that goes on for long, before it locks its memory.
 */
void memory_release(void);

#endif
